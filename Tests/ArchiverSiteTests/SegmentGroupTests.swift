import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct SegmentGroupTests {
  private static let sizes = SearchIndex.Sizes(segments: [8, 4, 2], group: 3, revised: 0)

  /// Words of which some are in most items, some in few and some in one.
  private static let text = SearchText { item in
    var random = SplitMix(state: Fingerprint.of(item.contentHash))
    let words = (0..<60).map { _ in "word\(random.below(1 + random.below(400)))" }
    return (words + ["only" + item.contentHash.prefix(6)]).joined(separator: " ")
  }

  /// Items archived in this order.
  private static func items(_ count: Int) -> [CatalogItem] {
    var sample = SampleArchive(seed: 9)
    return (0..<count).map { number in
      var item = sample.item(number)
      item.contentHash = "hash\(number)"
      item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number) * 60)
      item.metadata.language = number % 3 == 0 ? "de" : "en"
      return item
    }
  }

  private static func update(_ root: String, _ catalog: MemoryCatalog) throws -> LibraryUpdate {
    try LibraryBuilder(root: root, catalog: catalog, text: text, sizes: sizes)
      .update(isChanged: true)
  }

  /// The files of the index by their names.
  private static func files(_ root: String) throws -> [String: [UInt8]] {
    let folder = root + "/library/search"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, Array(try #require(FileManager.default.contents(atPath: "\(folder)/\($0)"))))
      })
  }

  private static func fromScratch(_ items: [CatalogItem]) async throws -> [String: [UInt8]] {
    try await TemporaryFolder.with("other") { root in
      _ = try update(root, MemoryCatalog(items))
      return try files(root)
    }
  }

  private func list(_ root: String) throws -> SegmentList {
    SegmentList(try SiteFiles(root: root).bytes)
  }

  @Test func `groups are the same bytes in steps as in one go`() async throws {
    try await TemporaryFolder.with("site") { root in
      var items = Self.items(70)
      let catalog = MemoryCatalog([])
      for count in [5, 23, 24, 25, 47, 48, 70] {
        for item in items[..<count] { catalog.put(item) }
        _ = try Self.update(root, catalog)
        #expect(try Self.files(root) == (await Self.fromScratch(Array(items[..<count]))))
        let places = try list(root).segments.map(\.place)
        #expect(places.starts(with: count >= 48 ? [0, 1, 2, 0, 1, 2] : []))
        #expect(places.contains(1) == (count >= 24))
      }
      // One changed item of each segment, then three of one group, then of another.
      for numbers in [Array(stride(from: 3, to: 70, by: 8)), [0, 9, 17], [24]] {
        for number in numbers {
          items[number].contentHash += "x"
          catalog.put(items[number])
        }
        _ = try Self.update(root, catalog)
        #expect(try Self.files(root) == (await Self.fromScratch(items)))
      }
      #expect(try Self.update(root, catalog).written.isEmpty)
    }
  }

  @Test func `a removed item divides the segments again`() async throws {
    try await TemporaryFolder.with("site") { root in
      let items = Self.items(50)
      _ = try Self.update(root, MemoryCatalog(items))
      let rest = Array(items[..<2] + items[3...])
      _ = try Self.update(root, MemoryCatalog(rest))
      #expect(try Self.files(root) == (await Self.fromScratch(rest)))
      let few = Array(items[..<20])
      _ = try Self.update(root, MemoryCatalog(few))
      #expect(try Self.files(root) == (await Self.fromScratch(few)))
    }
  }

  @Test(arguments: [false, true])
  func `a group with a damaged or missing shard is rebuilt`(isMissing: Bool) async throws {
    try await TemporaryFolder.with("site") { root in
      var items = Self.items(50)
      let catalog = MemoryCatalog(items)
      _ = try Self.update(root, catalog)
      for group in [0, 3] {
        let shard = try #require(try list(root).segments[group].shards.last)
        let path = "\(root)/\(shard.path)"
        if isMissing {
          try FileManager.default.removeItem(atPath: path)
        } else {
          try Data("archiverSearch.shard(\"\(shard.name)\",\"\");\n".utf8)
            .write(to: URL(filePath: path))
        }
        items[8 * group].contentHash += "x"
        catalog.put(items[8 * group])
      }
      _ = try Self.update(root, catalog)
      #expect(try Self.files(root) == (await Self.fromScratch(items)))
    }
  }

  @Test func `a changed item leaves most shards of its group as they are`() async throws {
    try await TemporaryFolder.with("site") { root in
      let text = SearchText { item in
        var random = SplitMix(state: Fingerprint.of(item.contentHash.replacing("x", with: "")))
        return (0..<400).map { _ in "word\(random.below(30_000))" }.joined(separator: " ")
          + (item.contentHash.hasSuffix("x") ? " addendum" : "")
      }
      var items = Self.items(600)
      let catalog = MemoryCatalog(items)
      let builder = LibraryBuilder(
        root: root, catalog: catalog, text: text,
        sizes: .init(segments: [200, 20], group: 3, revised: 0))
      _ = try builder.update(isChanged: true)
      let count = try list(root).segments[0].shards.count
      #expect(count > 60)
      items[250].contentHash += "x"
      catalog.put(items[250])
      let written = try builder.update(isChanged: true).written
      let shards = written.filter { $0.hasPrefix("library/search/") }
      // The length of the text changes some scores, "addendum" one shard; and the list.
      #expect((2...count / 2).contains(shards.count), "\(shards.count) of \(count)")
    }
  }
}
