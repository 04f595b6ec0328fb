import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct ItemShardsTests {
  private let text = SearchText { "The text of \($0.title)." }

  /// Items archived in this order.
  private func items(_ titles: [String]) -> [CatalogItem] {
    var sample = SampleArchive(seed: 4)
    return titles.enumerated().map { number, title in
      var item = sample.item(number)
      item.metadata.title = title
      item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number) * 60)
      return item
    }
  }

  private func isShard(_ path: String) -> Bool {
    path.hasPrefix("library/search/") && path != SearchIndex.manifestPath
  }

  /// The terms of the shards of items that `index.js` lists, each with its postings.
  private func terms(_ root: String) throws -> [(term: String, postings: String)] {
    let files = try SiteFiles(root: root)
    let index = try #require(files.bytes(SearchIndex.manifestPath))
    let call = String(decoding: index, as: UTF8.self)
    let json = Data("[\(call.dropFirst("archiverSearch.index(".count).dropLast(3))]".utf8)
    let lists = try JSONDecoder().decode(JSONValue.self, from: json)[2]
    let names = try #require(lists?[1]?.string)
    var found: [(term: String, postings: String)] = []
    for start in stride(from: 0, to: names.count, by: Fingerprint.nameLength) {
      let name = String(names.dropFirst(start).prefix(Fingerprint.nameLength))
      let script = String(
        decoding: try #require(files.bytes(SegmentList.path(name))), as: UTF8.self)
      let data = script.split(separator: "\"", omittingEmptySubsequences: false)[3]
      let parts = data.split(separator: "\t")
      var previous = ""
      for place in stride(from: 0, to: parts.count, by: 2) {
        let shared = PostingCode.digits.firstIndex(of: parts[place].utf8.first ?? 0) ?? 0
        previous = String(previous.prefix(shared)) + parts[place].dropFirst()
        found.append((previous, String(parts[place + 1])))
      }
    }
    return found
  }

  private func code(_ places: [Int]) -> String {
    var bytes: [UInt8] = []
    SegmentBuilder.code(places.map { Posting(passage: $0, level: 0) }, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `one look-up finds all items of a title or a folder, and no segment has titles`()
    async throws
  {
    try await TemporaryFolder.with("site") { root in
      let titles = (0..<400).map { "Harbour number \($0 % 390)" } + ["The Who", "THE-WHO", ""]
      let all = items(titles)
      let catalog = MemoryCatalog(all)
      _ = try LibraryBuilder(root: root, catalog: catalog, text: text).update(isChanged: true)
      let found = try terms(root)
      #expect(found.map(\.term) == found.map(\.term).sorted { ByteKey($0) < ByteKey($1) })
      #expect(Set(found.map(\.term)).count == found.count)
      let postings = Dictionary(uniqueKeysWithValues: found.map { ($0.term, $0.postings) })
      #expect(postings["¤tthewho"] == code([400, 401]))
      #expect(postings["¤tharbournumber7"] == code([7, 397]))
      #expect(postings["¤tharbournumber77"] == code([77]))
      #expect(postings.count >= 2 * 391)
      #expect(all.indices.allSatisfy { postings["¤i" + all[$0].folder.suffix(10)] == code([$0]) })
      let files = try SiteFiles(root: root)
      for shard in SegmentList(files.bytes).segments.flatMap(\.shards) {
        let bytes = try #require(files.bytes(shard.path))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("¤tharbour"))
      }
    }
  }

  @Test func `a changed title rewrites at most two shards of titles`() async throws {
    try await TemporaryFolder.with("site") { root in
      let all = items((0..<2_000).map { "Title \(Fingerprint.of("\($0)"))" })
      let catalog = MemoryCatalog(all)
      let builder = LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "one" })
      _ = try builder.update(isChanged: true)
      let before = try terms(root)
      #expect(before.count == 4_000)
      var item = all[1_000]
      item.metadata.title = "Quite another"
      catalog.put(item)
      let update = try builder.update(isChanged: true)
      let after = try terms(root)
      #expect(after.map(\.term).contains("¤tquiteanother"))
      #expect(after.count == 4_000)
      // Those of titles, and those of the words "title", "another" and "quite" and of the number.
      #expect((1...6).contains(update.written.filter(isShard).count))
    }
  }
}
