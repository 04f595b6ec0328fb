import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// An update stores its state in several files. Whatever happens to these, the
/// library and the search equal those of a build from scratch.
@Suite struct RememberedStateTests {
  /// Depends only on fields covered by the content hash, as in bundles.
  private static func text(_ row: LibraryRow) -> String {
    let digits = row.key.id.utf8.filter { (0x30...0x39).contains($0) }
    let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    var sample = SampleArchive(seed: Fingerprint.of(row.contentHash))
    return sample.text(number % 17 == 0 ? 7_000 : 20 + number % 40)
  }

  private func stage(_ root: String) throws -> SearchStage {
    try SearchStage(root, text: Self.text)
  }

  private func items(_ count: Int) -> [CatalogItem] {
    var sample = SampleArchive(seed: 23)
    var random = SplitMix(state: 23)
    return (0..<count).map { number in
      var item = sample.item(number, source: number % 5 == 0 ? "books" : "readeck")
      // Many items are archived in the same second, and many saved in the same second.
      item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number / 7) * 60)
      item.metadata.added = SampleArchive.now.addingTimeInterval(-Double(number / 3) * 50_000)
      if number % 5 == 0 {
        item.metadata.kind = [.book, .comic, .page, .database][random.below(4)]
        item.metadata.properties = [ItemProperty("Series", "Tides [\(number)]")]
      }
      return item
    }
  }

  private func change(_ item: inout CatalogItem, _ random: inout SplitMix) {
    switch random.below(12) {
    case 0: item.metadata.title += " again"
    case 1: item.contentHash = "changed \(random.below(1_000_000))"
    case 2: item.metadata.labels = ["a", "", "label \(random.below(9))", "a"]
    case 3: item.metadata.authors = ["Author \(random.below(3))", ""]
    case 4: item.metadata.site = "site-\(random.below(3)).example"
    case 5: item.state = ItemState.allCases[random.below(3)]
    case 6: item.annotations = [Annotation(id: "a\(random.below(99))", text: "Marked.")]
    case 7: item.thumbnail = .init(path: "p\(random.below(9)).jpg", width: 3, height: nil)
    case 8: item.folder += "-renamed"
    case 9: item.firstArchived = item.firstArchived.addingTimeInterval(Double(random.below(99_999)))
    case 10: item.metadata.published = random.below(2) == 0 ? nil : SampleArchive.now
    default: item.metadata.added = SampleArchive.now.addingTimeInterval(Double(random.below(999)))
    }
  }

  /// Damages a state file as a full disk, a kill or a user may; `old` has earlier versions of such
  /// files.
  private func damage(_ root: String, _ old: [String: Data], _ random: inout SplitMix) throws {
    let folder = "\(root)/.archiver/library"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let path = "\(folder)/\(names[random.below(names.count)])"
    guard var bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else { return }
    switch random.below(4) {
    case 0: try FileManager.default.removeItem(atPath: path)
    case 1: try old[path]?.write(to: URL(filePath: path))
    case 2: try bytes.prefix(random.below(bytes.count)).write(to: URL(filePath: path))
    default:
      bytes[random.below(bytes.count)] ^= 1
      try bytes.write(to: URL(filePath: path))
    }
  }

  private func remembered(_ root: String) throws -> [String: Data] {
    let folder = "\(root)/.archiver/library"
    let paths = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      "\(folder)/\($0)"
    }
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        FileManager.default.contents(atPath: path).map { (path, $0) }
      })
  }

  /// Aborts an update before a file is installed.
  private func cutShort(_ stage: SearchStage, before path: String = IndexPage.path) throws {
    let way = "\(stage.root)/\(path)"
    try? FileManager.default.removeItem(atPath: way)  // it may not exist any more
    try FileManager.default.createDirectory(atPath: way + "/in", withIntermediateDirectories: true)
    #expect(throws: StorageError.self) { try stage.builder.update(isChanged: true) }
    try FileManager.default.removeItem(atPath: way)
  }

  /// Removes a file of the library, as a user may.
  private func lose(_ root: String, _ random: inout SplitMix) throws {
    let paths = try LibraryFiles.of(root).keys.sorted()
    try FileManager.default.removeItem(atPath: "\(root)/\(paths[random.below(paths.count)])")
  }

  /// Adds or removes the queue entry of an archived item.
  private func queue(
    _ item: CatalogItem, _ catalog: SQLiteCatalog, _ random: inout SplitMix
  ) throws {
    guard random.below(3) > 0 else { return try catalog.removeWork(item.key) }
    let listing = try catalog.beginListing(source: item.key.source)
    let reference = ItemReference(id: item.key.id, revision: "newer", title: item.metadata.title)
    _ = try catalog.enqueue(
      ListingPage(references: [reference]), source: item.key.source,
      listing: listing, force: false)
  }

  private func compare(
    _ stage: SearchStage, _ held: [ItemKey: CatalogItem], atLeast count: Int = 200
  ) async throws {
    try await TemporaryFolder.with("other") { root in
      let other = try self.stage(root)
      try other.record(
        held.values.sorted { ($0.key.source, $0.key.id) < ($1.key.source, $1.key.id) })
      for (key, state) in try stage.catalog.statesOfArchived() where state.reason == .changed {
        let listing = try other.catalog.beginListing(source: key.source)
        let reference = ItemReference(id: key.id, revision: "newer", title: "")
        _ = try other.catalog.enqueue(
          ListingPage(references: [reference]), source: key.source,
          listing: listing, force: false)
      }
      _ = try other.builder.update(isChanged: true)
      // Until they are merged, changed items have other files than in a build from nothing.
      var merging = stage
      merging.sizes.revised = 0
      _ = try merging.builder.update(isChanged: true)
      var (one, two) = (try LibraryFiles.of(stage.root), try LibraryFiles.of(root))
      one[StatusData.path] = nil
      two[StatusData.path] = nil
      #expect(one.count > count)
      #expect(Set(one.keys).symmetricDifference(two.keys) == [])
      for (path, bytes) in one { #expect(two[path] == bytes, "\(path)") }
      for query in ["harbour", "garden stone", "again", "label:a", "quill"] {
        #expect(try stage.titles(query) == (try other.titles(query)), "\(query)")
      }
    }
  }

  /// More of them with `Scripts/test --long`.
  private static let seeds = LibraryBrowser.isLong ? 1...8 : 1...1

  @Test(arguments: seeds)
  func `any changes, damages and cuts in steps give what a build from nothing gives`(
    seed: Int
  ) async throws {
    try await TemporaryFolder.with("site") { root in
      let stage = try stage(root)
      var random = SplitMix(state: UInt64(seed))
      let all = items(420)
      var held: [ItemKey: CatalogItem] = [:]
      var old: [String: Data] = [:]
      for item in all.prefix(240) { held[item.key] = item }
      try stage.record(Array(held.values))
      _ = try stage.builder.update(isChanged: true)
      for step in 0..<18 {
        let builder = stage.builder
        // The prefetch reads before the catalog changes, and nothing else changes meanwhile.
        let isReadAhead = random.below(2) == 0
        if isReadAhead { builder.prepare() }
        for item in all.dropFirst(240 + step * 10).prefix(random.below(11)) {
          try stage.record([item])
          held[item.key] = item
        }
        for _ in 0..<random.below(5) {
          let key = all[random.below(240 + step * 10)].key
          guard var item = held[key] else { continue }
          if random.below(4) == 0 {
            try stage.catalog.record([.remove(key, folder: item.folder)])
            held[key] = nil
          } else {
            change(&item, &random)
            try stage.record([item])
            held[key] = item
            if random.below(4) == 0 { try queue(item, stage.catalog, &random) }
          }
        }
        if !isReadAhead {
          if random.below(3) > 0 { try damage(root, old, &random) }
          old = try remembered(root)
          if random.below(4) == 0 { try lose(root, &random) }
          if random.below(4) == 0 {
            let paths = [IndexPage.path, SearchIndex.manifestPath]
            try cutShort(stage, before: paths[random.below(2)])
          }
        }
        _ = try builder.update(isChanged: true)
        if step % 6 == 5 { try await compare(stage, held) }
      }
    }
  }

  @Test func `prefetched caches serve one update and no rebuild`() async throws {
    try await TemporaryFolder.with("site") { root in
      let stage = try stage(root)
      let all = items(60)
      try stage.record(Array(all.prefix(40)))
      let builder = stage.builder
      _ = try builder.update(isChanged: true)
      builder.prepare()
      builder.prepare()
      try stage.record(Array(all.dropFirst(40).prefix(10)))
      #expect(try builder.update(isChanged: true).written.contains("index.html"))
      try stage.record(Array(all.dropFirst(50)))
      #expect(try builder.update(isChanged: true).written.contains("index.html"))
      let held = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
      try await compare(stage, held, atLeast: 100)
      builder.prepare()
      _ = try builder.rebuild()
      #expect(FileManager.default.fileExists(atPath: "\(root)/\(LibraryStamp.path)"))
      try await compare(stage, held, atLeast: 100)
    }
  }

  @Test(arguments: [false, true])
  func `files that somebody took away come back, each of them`(isReadAhead: Bool) async throws {
    try await TemporaryFolder.with("site") { root in
      let stage = try stage(root)
      let all = items(40)
      try stage.record(all)
      _ = try stage.builder.update(isChanged: true)
      for (number, path) in try LibraryFiles.of(root).keys.sorted().enumerated()
      where number % 3 == 0 {
        try FileManager.default.removeItem(atPath: "\(root)/\(path)")
      }
      let builder = stage.builder
      if isReadAhead { builder.prepare() }
      _ = try builder.update(isChanged: true)
      #expect(FileManager.default.fileExists(atPath: "\(root)/\(LibraryStamp.path)"))
      try await compare(
        stage, Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) }), atLeast: 80)
    }
  }

  @Test func `texts of an update that was interrupted are not taken for the old ones`() async throws
  {
    try await TemporaryFolder.with("site") { root in
      let stage = try stage(root)
      let all = items(40)
      try stage.record(all)
      _ = try stage.builder.update(isChanged: true)
      var other = all[3]
      other.contentHash = "other"
      try stage.record([other])
      try cutShort(stage, before: SearchIndex.manifestPath)
      // It changes back to the recorded state.
      try stage.record([all[3]])
      _ = try stage.builder.update(isChanged: true)
      try await compare(
        stage, Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) }), atLeast: 80)
    }
  }

  @Test func `a lost text is recorded only after it is restored`() async throws {
    try await TemporaryFolder.with("site") { root in
      let stage = try stage(root)
      let all = items(40)
      try stage.record(all)
      _ = try stage.builder.update(isChanged: true)
      let texts = try LibraryFiles.of(root).keys.filter { $0.hasPrefix("library/text/") }
      for path in texts { try FileManager.default.removeItem(atPath: "\(root)/\(path)") }
      try cutShort(stage, before: SearchIndex.manifestPath)
      // A power cut loses all writes that were not flushed.
      for path in texts where FileManager.default.fileExists(atPath: "\(root)/\(path)") {
        try Data().write(to: URL(filePath: "\(root)/\(path)"))
      }
      _ = try stage.builder.update(isChanged: true)
      try await compare(
        stage, Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) }), atLeast: 80)
    }
  }
}
