import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Changed items whose segments stay as they are.
@Suite struct RevisionTests {
  /// Three hundred words of 900, by the item's hash; of an item with a number in its hash, as many passages.
  private static let text = SearchText { item in
    var random = SplitMix(state: Fingerprint.of(item.contentHash))
    let words = (0..<300).map { _ in "word\(random.below(900))" }.joined(separator: " ")
    let count = item.contentHash.split(separator: "*").dropFirst().first.flatMap { Int($0) } ?? 1
    let long = String(repeating: "padding ", count: Passages.size / 8 * (count - 1))
    return words + " " + long
  }

  private struct Stage {
    let root: String
    let catalog: MemoryCatalog
    var items: [CatalogItem]
    let sizes: SearchIndex.Sizes

    init(_ root: String, _ count: Int, sizes: SearchIndex.Sizes = .init()) {
      self.root = root
      self.sizes = sizes
      var sample = SampleArchive(seed: 21)
      items = (0..<count).map { number in
        var item = sample.item(number)
        item.contentHash = "hash\(number)"
        item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number) * 60)
        item.annotations = []
        return item
      }
      catalog = MemoryCatalog(items)
    }

    var builder: LibraryBuilder {
      LibraryBuilder(root: root, catalog: catalog, text: RevisionTests.text, sizes: sizes)
    }

    mutating func change(_ numbers: some Sequence<Int>, _ addition: String = "x") {
      for number in numbers {
        items[number].contentHash += addition
        catalog.put(items[number])
      }
    }

    /// Updates the library; returns the paths of the written and removed shards.
    @discardableResult
    func update() throws -> (written: [String], removed: [String]) {
      let update = try builder.update(isChanged: true)
      let isShard = { (path: String) in
        path.hasPrefix("library/search/") && path != SearchIndex.manifestPath
      }
      return (update.written.filter(isShard), update.removed.filter(isShard))
    }

    var list: SegmentList {
      get throws { SegmentList(try SiteFiles(root: root).bytes) }
    }

    func files() throws -> [String: Data] { try LibraryFiles.of(root) }

    /// The files of a library of the same items that was built in one step.
    func fresh() async throws -> [String: Data] {
      try await TemporaryFolder.with("other") { other in
        _ = try LibraryBuilder(
          root: other, catalog: catalog, text: RevisionTests.text, sizes: sizes
        ).update(isChanged: true)
        return try LibraryFiles.of(other)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a rewritten item writes one shard and leaves those of its segment`(isGrouped: Bool)
    async throws
  {
    try await TemporaryFolder.with("site") { root in
      let sizes =
        isGrouped ? SearchIndex.Sizes(segments: [64, 8], group: 2) : SearchIndex.Sizes()
      var stage = Stage(root, 300, sizes: sizes)
      try stage.update()
      let before = try stage.list
      for (number, place) in [(40, 1), (290, 2), (41, 2)] {
        stage.change([number])
        let shards = try stage.update()
        #expect(shards.written.count == 1 && shards.removed.isEmpty, "\(number)")
        #expect(try stage.list.revisions.count == place || number == 41)
      }
      let list = try stage.list
      #expect(list.revisions.map(\.item) == [40, 41, 290])
      #expect(list.segments.map(\.name) == before.segments.map(\.name))
      #expect(try stage.update().written.isEmpty)
      // A second change replaces the first.
      stage.change([41])
      let again = try stage.update()
      #expect(again.written.count == 1 && again.removed.count == 1)
      #expect(try stage.list.revisions.map(\.item) == [40, 41, 290])
    }
  }

  @Test func `an item that changes back has no revision`() async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 80)
      try stage.update()
      let first = try stage.files()
      stage.change([3, 70])
      try stage.update()
      #expect(try stage.list.revisions.count == 2)
      for number in [3, 70] {
        stage.items[number].contentHash = "hash\(number)"
        stage.catalog.put(stage.items[number])
      }
      try stage.update()
      #expect(try stage.files() == first)
    }
  }

  @Test func `many revisions are merged into their segments`() async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 700)
      try stage.update()
      stage.change(stride(from: 0, to: 16 * 40, by: 40))
      try stage.update()
      #expect(try stage.list.revisions.count == 16)
      stage.change([699])
      try stage.update()
      #expect(try stage.list.revisions.isEmpty)
      #expect(try stage.files() == (await stage.fresh()))
    }
  }

  @Test func `a long text counts by its passages`() async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 100)
      stage.change([5], "*12*")
      try stage.update()
      stage.change([5])
      try stage.update()
      #expect(try stage.list.revisions.map(\.passageCount) == [12])
      stage.change([6, 7, 8, 9])
      try stage.update()
      #expect(try stage.list.revisions.count == 5)
      stage.change([10])
      try stage.update()
      #expect(try stage.list.revisions.isEmpty)
      #expect(try stage.files() == (await stage.fresh()))
    }
  }

  @Test func `a rebuild merges revisions`() async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 100, sizes: .init(segments: [16, 4], group: 2))
      try stage.update()
      stage.change([1, 50, 99])
      try stage.update()
      #expect(try !stage.list.revisions.isEmpty)
      _ = try stage.builder.rebuild()
      #expect(try stage.list.revisions.isEmpty)
      #expect(try stage.files() == (await stage.fresh()))
    }
  }

  @Test func `new items merge the revisions of the segment that they join`() async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 300)
      let newest = stage.items[299]
      stage.catalog.remove(newest.key)
      try stage.update()
      // Of 299 items the last eleven are in a segment that grows.
      stage.change([10, 295])
      try stage.update()
      #expect(try stage.list.revisions.map(\.item) == [10, 295])
      stage.catalog.put(newest)
      try stage.update()
      #expect(try stage.list.revisions.map(\.item) == [10])
    }
  }

  @Test(arguments: [false, true])
  func `a missing or damaged shard of a revision is written again`(isMissing: Bool) async throws {
    try await TemporaryFolder.with("site") { root in
      var stage = Stage(root, 80)
      try stage.update()
      stage.change([3, 70])
      try stage.update()
      let files = try stage.files()
      let revision = try #require(try stage.list.revisions.first)
      let path = "\(root)/\(revision.shards[0].path)"
      if isMissing {
        try FileManager.default.removeItem(atPath: path)
      } else {
        let list = "\(root)/\(SearchIndex.manifestPath)"
        let text = String(
          decoding: try #require(FileManager.default.contents(atPath: list)), as: UTF8.self)
        try Data(text.replacing(revision.name, with: "123456789abc").utf8)
          .write(to: URL(filePath: list))
      }
      try stage.update()
      #expect(try stage.files() == files)
    }
  }
}
