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
        let isIndex = { (path: String) in path.hasPrefix("library/search/") }
        var (one, two) = (try LibraryFiles.of(root), try LibraryFiles.of(other))
        #expect(one.filter { !isIndex($0.key) } == two.filter { !isIndex($0.key) })
        // The index depends on the history until its revisions are merged.
        _ = try builder(root, catalog).rebuild()
        (one, two) = (try LibraryFiles.of(root), try LibraryFiles.of(other))
        #expect(one.count > 60)
        #expect(Set(one.keys).symmetricDifference(two.keys) == [])
        for (path, bytes) in one { #expect(two[path] == bytes, "\(path)") }
      }
    }
  }

  @Test func `a changed item rewrites the shards of its changed words only`() async throws {
    try await TemporaryFolder.with("site") { root in
      let text = SearchText { item in
        var random = SplitMix(state: Fingerprint.of(item.key.id))
        let words = (0..<150).map { _ in "w\(random.below(4_000))x\(random.below(3))" }
        return (words + (item.title.contains("again") ? ["wholly", "new"] : [])).joined(
          separator: " ")
      }
      let all = items(300)
      let catalog = MemoryCatalog(all)
      let builder = LibraryBuilder(root: root, catalog: catalog, text: text)
      let first = try builder.update(isChanged: true)
      let isShard = { (path: String) in
        path.hasPrefix("library/search/") && path != SearchIndex.manifestPath
      }
      #expect(first.written.filter(isShard).count > 30)
      var item = all[200]
      item.metadata.title += " again"
      item.contentHash = "changed"
      catalog.put(item)
      let update = try builder.update(isChanged: true)
      let (written, removed) = (update.written.filter(isShard), update.removed.filter(isShard))
      #expect((1...6).contains(written.count))
      #expect((1...6).contains(removed.count))
    }
  }

  @Test func `a page with sizes stays the same while it reads the same`() {
    for (size, shown) in [
      (0, 0), (999, 999), (1_049, 1_000), (9_949, 9_900), (9_951, 10_000), (42_395, 42_000),
      (42_501, 43_000), (999_499, 999_000), (999_500, 1_000_000), (1_249_999, 1_200_000),
      (Int.max, 9_223_372_000_000_000_000),
    ] {
      #expect(Quantity.rounded(size) == shown)
      #expect(Words.english.bytes(Quantity.rounded(size)) == Words.english.bytes(size), "\(size)")
    }
  }

  @Test func `a paragraph more leaves the statistics as they are`() async throws {
    try await TemporaryFolder.with("site") { root in
      let all = items(600).enumerated().map { number, item in
        var item = item
        item.metadata.wordCount = 2_340
        item.byteCount = 41_000 + 100 * number
        return item
      }
      let catalog = MemoryCatalog(all)
      let first = try builder(root, catalog).update(isChanged: true)
      #expect(first.written.contains(StatisticsPage.path))
      let path = "\(root)/\(StatisticsPage.path)"
      let page = try #require(FileManager.default.contents(atPath: path))
      let text = String(decoding: page, as: UTF8.self)
      #expect(text.contains("data-chart=\"bytesPerMonth\"") && text.contains("1,400,000"))
      var item = all[200]
      item.metadata.wordCount = 2_381
      item.byteCount += 307
      item.contentHash = "changed"
      catalog.put(item)
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(!update.written.contains(StatisticsPage.path))
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
      var rows = try RowUpdate(LibraryStore(root: root, words: .english, spare: root))
      var count = 0
      try catalog.forEachStoredItem { fingerprint, _ in
        if rows.find(fingerprint) { count += 1 }
        return false
      } _: { _ in
      }
      #expect(count == 20)
    }
  }

  @Test func `an update that was interrupted leaves nothing known of the pages`() async throws {
    try await TemporaryFolder.with("site") { root in
      let all = items(200)
      let catalog = MemoryCatalog(Array(all.dropFirst()))
      _ = try builder(root, catalog).update(isChanged: true)
      #expect(FileManager.default.fileExists(atPath: "\(root)/\(LibraryStamp.path)"))
      // The last rename of a commit that has a folder where a page should be fails.
      try FileManager.default.removeItem(atPath: "\(root)/index.html")
      try FileManager.default.createDirectory(
        atPath: "\(root)/index.html/in-the-way", withIntermediateDirectories: true)
      catalog.put(all[0])
      #expect(throws: StorageError.self) {
        try builder(root, catalog).update(isChanged: true)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(root)/\(LibraryStamp.path)"))
    }
  }

  @Test func `page keys are kept when only other files change`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = MemoryCatalog(items(40))
      _ = try builder(root, catalog).update(isChanged: true)
      func known() throws -> [UInt64: UInt64] {
        let store = try LibraryStore(root: root, words: .english, spare: root)
        var keys: [UInt64: UInt64] = [:]
        try store.rows("SELECT path, key FROM pages") { keys[$0.number(0)] = $0.number(1) }
        return keys
      }
      let keys = try known()
      #expect(keys.count > 5)
      let asset = try #require(LibraryAssets.files.first).name
      try FileManager.default.removeItem(atPath: "\(root)/library/\(asset)")
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(update.written.contains("library/\(asset)"))
      #expect(try known() == keys)
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
