import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct SearchFilterTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func entry(
    _ id: String, source: String = "s", day: Double, kind: String = "article", site: String = "",
    labels: [String] = []
  ) -> SearchEntry {
    SearchEntry(
      key: ItemKey(source: source, id: id), fingerprint: "1", archived: Sample.now + day,
      saved: Sample.now + day, kind: kind, site: site, labels: labels, passages: ["7harbour"])
  }

  private func found(
    _ filter: SearchFilter, except excluded: SearchFilter = SearchFilter()
  ) throws -> [String] {
    let catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
    try catalog.storeSearch(
      [
        entry("a", day: 1, site: "example.org", labels: ["bees", "maps"]),
        entry("b", source: "t", day: 2, kind: "book", labels: ["maps"]),
        entry("c", day: 3, kind: "comic", site: "example.net"),
      ], removing: [])
    return try catalog.searching { index in
      let ids = ["a", "b", "c"]
      let items = try index.items(filter, except: excluded)
      #expect(items.count == ids.count)
      let passing = items.filter(\.passes).map(\.number)
      let newest = try index.newest(filter, except: excluded)
      #expect(Set(newest) == Set(passing))
      #expect(newest == newest.sorted(by: >), "last saved first")
      return zip(ids, items).compactMap { $1.passes ? $0 : nil }
    }
  }

  @Test func `every item passes a filter without conditions`() throws {
    #expect(try found(SearchFilter()) == ["a", "b", "c"])
  }

  @Test func `an item must fulfil each condition, and one value of each suffices`() throws {
    var filter = SearchFilter()
    filter.kinds = ["article", "book"]
    #expect(try found(filter) == ["a", "b"])
    filter.labels = [["maps"], ["bees", "rivers"]]
    #expect(try found(filter) == ["a"])
    filter.sources = ["t"]
    #expect(try found(filter) == [])
    filter = SearchFilter()
    filter.labels = [["bees", ""]]
    #expect(try found(filter) == ["a", "c"], "the empty name stands for no label")
    filter = SearchFilter()
    filter.after = [Sample.now + 2]
    #expect(try found(filter) == ["b", "c"])
    filter.before = [Sample.now + 3]
    #expect(try found(filter) == ["b"])
    filter = SearchFilter()
    filter.within = [Sample.now..<Sample.now + 2, Sample.now + 3..<Sample.now + 4]
    #expect(try found(filter) == ["a", "c"])
  }

  @Test func `an item with any excluded value does not pass`() throws {
    var excluded = SearchFilter()
    excluded.kinds = ["comic"]
    #expect(try found(SearchFilter(), except: excluded) == ["a", "b"])
    excluded.sites = ["example.org"]
    #expect(try found(SearchFilter(), except: excluded) == ["b"])
    var filter = SearchFilter()
    filter.sources = ["s"]
    #expect(try found(filter, except: excluded) == [])
  }
}
