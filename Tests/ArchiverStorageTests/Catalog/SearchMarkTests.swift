import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct SearchMarkTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func entry(_ id: String, _ fingerprint: String) -> SearchEntry {
    SearchEntry(
      key: ItemKey(source: "s", id: id), fingerprint: fingerprint, archived: Sample.now,
      saved: Sample.now, kind: "article", site: "", labels: [], passages: ["7harbour"])
  }

  @Test func `the mark changes with the entries and only with them`() throws {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    var marks = [try catalog.searchMark()]
    func expectNew() throws {
      let mark = try catalog.searchMark()
      #expect(!marks.contains(mark))
      #expect(try catalog.searchMark() == mark)
      marks.append(mark)
    }
    try catalog.storeSearch([entry("a", "1"), entry("b", "1"), entry("c", "1")], removing: [])
    try expectNew()
    try catalog.storeSearch([entry("a", "2")], removing: [])
    try expectNew()
    try catalog.storeSearch([], removing: [ItemKey(source: "s", id: "b")])
    try expectNew()
    try catalog.storeSearch([entry("b", "1")], removing: [])
    try expectNew()
    try catalog.storeSearch([], removing: [])
    #expect(try catalog.searchMark() == marks.last)
    let reopened = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    #expect(try reopened.searchMark() == marks.last)
    try catalog.record([.remove(ItemKey(source: "s", id: "c"), folder: "s/c")])
    try expectNew()
    try catalog.clearSearch()
    #expect(try catalog.searchMark() == marks.first)
  }

  @Test func `terms with a prefix are listed in order, whatever their script`() throws {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    var words = entry("a", "1")
    words.passages = ["7harbour 7harbor 6harbour 7книга 7hat", "7harvest 7кнут"]
    try catalog.storeSearch([words], removing: [])
    let found = try catalog.searching { index in
      try ["7har", "7кн", "5"].map { try index.terms(from: $0) }
    }
    #expect(found == [["7harbor", "7harbour", "7harvest"], ["7книга", "7кнут"], []])
  }

  @Test func `the row of a passage tells its item and its number`() {
    for reference in [PassageReference(item: 0, passage: 0), .init(item: 3, passage: 1 << 20 - 1)] {
      #expect(PassageReference(row: reference.row) == reference)
    }
  }

  @Test func `an entry keeps its fingerprint`() throws {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    try catalog.storeSearch([entry("a", "1"), entry("b", "2")], removing: [])
    var found: [ItemKey: String] = [:]
    try catalog.forEachSearchFingerprint { found[$0] = $1 }
    let expected = [ItemKey(source: "s", id: "a"): "1", ItemKey(source: "s", id: "b"): "2"]
    #expect(found == expected)
  }

  @Test func `a hash of words tells every byte of any length`() {
    var seen: Set<UInt64> = []
    var count = 0
    for length in 0..<70 {
      let bytes = (0..<length).map { UInt8($0 &* 37 & 0xFF) }
      seen.insert(WordHash.of(Data(bytes)))
      count += 1
      for place in bytes.indices {
        for change: UInt8 in [1, 0x80, 0xFF] {
          var other = bytes
          other[place] ^= change
          seen.insert(WordHash.of(Data(other)))
          count += 1
        }
      }
    }
    #expect(seen.count == count)
    #expect(WordHash.of(Data([1, 2]), from: 1) != WordHash.of(Data([1, 2]), from: 2))
    #expect(WordHash.of("text") == WordHash.of(Data("text".utf8)))
  }

  @Test func `items without links are those that no link record is of, in order`() throws {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    let links = LinkRecord(addresses: [], targets: [:])
    let items = ["c", "a", "d", "b"].map { Sample.item($0) }
    try catalog.record(items.map { .publish(Sample.publication($0)) })
    #expect(try catalog.itemsWithoutLinks(limit: 9).map(\.id) == ["a", "b", "c", "d"])
    #expect(try catalog.itemsWithoutLinks(limit: 3).map(\.id) == ["a", "b", "c"])
    try catalog.storeLinks([(items[0], links), (items[1], links)])
    #expect(try catalog.itemsWithoutLinks(limit: 9).map(\.id) == ["b", "d"])
    try catalog.storeLinks([(items[2], links), (items[3], links)])
    #expect(try catalog.itemsWithoutLinks(limit: 9).isEmpty)
  }
}
