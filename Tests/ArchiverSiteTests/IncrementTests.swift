import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// State kept between updates, which must never affect the result.
@Suite struct IncrementTests {
  private let text = SearchText { "The text of \($0.title)." }

  private func builder(_ root: String, _ catalog: MemoryCatalog) -> LibraryBuilder {
    LibraryBuilder(root: root, catalog: catalog, text: text)
  }

  /// Items of a few days, so that a month has several pages.
  private func items(_ count: Int) -> [CatalogItem] {
    var sample = SampleArchive(seed: 5)
    return sample.items(count).enumerated().map { number, item in
      var item = item
      item.metadata.added = SampleArchive.now.addingTimeInterval(-Double(number) * 6_000)
      return item
    }
  }

  private func change(_ item: inout CatalogItem, _ random: inout SplitMix) {
    switch random.below(8) {
    case 0:
      item.metadata.title += " again"
      item.contentHash = Fingerprint.text(Fingerprint.of(item.metadata.title))
    case 1: item.metadata.labels = ["changed \(random.below(3))"]
    case 2: item.metadata.isFavourite.toggle()
    case 3: item.metadata.readProgress = random.below(101)
    case 4: item.state = item.state == .deleted ? .archived : .deleted
    case 5: item.annotations = [Annotation(id: "a\(random.below(99))", text: "Marked.")]
    case 6: item.missingImages = random.below(3)
    default: item.metadata.added = SampleArchive.now.addingTimeInterval(Double(random.below(999)))
    }
  }

  @Test func `any changes in steps give the bytes of a build from nothing`() async throws {
    try await TemporaryFolder.with("site") { root in
      try await TemporaryFolder.with("site") { other in
        var random = SplitMix(state: 11)
        let all = items(700)
        let catalog = MemoryCatalog(Array(all.prefix(400)))
        _ = try builder(root, catalog).update(isChanged: true)
        for step in 0..<30 {
          for item in all.dropFirst(400 + step * 10).prefix(10) {
            catalog.put(item)
          }
          for _ in 0..<random.below(4) {
            let key = all[random.below(400 + step * 10)].key
            guard var item = try catalog.item(key) else { continue }
            if random.below(6) == 0 {
              catalog.remove(key)
            } else {
              change(&item, &random)
              catalog.put(item)
            }
          }
          _ = try builder(root, catalog).update(isChanged: true)
        }
        _ = try builder(other, catalog).update(isChanged: true)
        let (one, two) = (try LibraryFiles.of(root), try LibraryFiles.of(other))
        #expect(one.count > 60)
        #expect(Set(one.keys).symmetricDifference(two.keys) == [])
        for (path, bytes) in one { #expect(two[path] == bytes, "\(path)") }
      }
    }
  }

  @Test func `an unchanged page is not rebuilt unless all are`() async throws {
    try await TemporaryFolder.with("site") { root in
      let all = items(500)
      let catalog = MemoryCatalog(Array(all.dropFirst()))
      _ = try builder(root, catalog).update(isChanged: true)
      let path = "\(root)/library/2026-11-1.html"
      let page = try #require(FileManager.default.contents(atPath: path))
      try Data("by hand".utf8).write(to: URL(filePath: path))
      var new = all[0]
      new.firstArchived = SampleArchive.now.addingTimeInterval(60)
      catalog.put(new)
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(update.written.contains("library/2026-11.html"))
      #expect(update.written.filter { $0.hasPrefix("library/2026-11-") } == [])
      #expect(update.written.filter { $0.hasPrefix("library/data/records-") }.count == 1)
      #expect(FileManager.default.contents(atPath: path) == Data("by hand".utf8))
      _ = try builder(root, catalog).rebuild()
      #expect(FileManager.default.contents(atPath: path) == page)
    }
  }

  @Test func `the first update of an archive keeps all that the next need not read`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = MemoryCatalog(items(20))
      _ = try builder(root, catalog).update(isChanged: true)
      var log = try RowLog(root: root, words: .english, spare: root)
      var count = 0
      try catalog.forEachStoredItem { item in
        if log.number(item.fingerprint) != nil { count += 1 }
        return true
      }
      #expect(count == 20)
    }
  }

  @Test func `an update that was interrupted leaves nothing known of the pages`() async throws {
    try await TemporaryFolder.with("site") { root in
      let all = items(200)
      let catalog = MemoryCatalog(Array(all.dropFirst()))
      _ = try builder(root, catalog).update(isChanged: true)
      #expect(FileManager.default.fileExists(atPath: "\(root)/\(PageKeys.path)"))
      // The last rename of a commit that has a folder where a page should be fails.
      try FileManager.default.removeItem(atPath: "\(root)/index.html")
      try FileManager.default.createDirectory(
        atPath: "\(root)/index.html/in-the-way", withIntermediateDirectories: true)
      catalog.put(all[0])
      #expect(throws: StorageError.self) {
        try builder(root, catalog).update(isChanged: true)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(root)/\(PageKeys.path)"))
    }
  }

  @Test func `page keys are kept when only other files change`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = MemoryCatalog(items(40))
      _ = try builder(root, catalog).update(isChanged: true)
      let path = "\(root)/\(PageKeys.path)"
      let known = FileManager.default.contents(atPath: path)
      #expect(known?.isEmpty == false)
      let asset = try #require(LibraryAssets.files.first).name
      try FileManager.default.removeItem(atPath: "\(root)/library/\(asset)")
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(update.written.contains("library/\(asset)"))
      #expect(FileManager.default.contents(atPath: path) == known)
    }
  }

  @Test func `full pages keep their rows when newer ones come`() {
    var known: [Int: [Int]] = [:]
    for count in 0...1_000 {
      let parts = PageParts.of(count, size: 80)
      #expect(parts.flatMap { Array($0.range) } == Array(0..<count))
      #expect(parts[0].number == nil && parts[0].range.count < 160)
      for part in parts.dropFirst() {
        // Rows by their index from the oldest.
        let rows = part.range.map { count - 1 - $0 }
        #expect(rows.count == 80)
        let number = part.number ?? 0
        #expect(known[number, default: rows] == rows)
        known[number] = rows
      }
    }
    #expect(known.keys.sorted() == Array(1...11))
  }
}
