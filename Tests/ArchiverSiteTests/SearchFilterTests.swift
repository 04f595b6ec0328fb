import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct SearchFilterTests {
  private static let now = SampleArchive.now

  private static let items = [
    "a": item(day: 1, site: "example.org", labels: ["bees", "maps"]),
    "b": item(source: "t", day: 2, kind: "book", labels: ["maps"]),
    "c": item(day: 3, kind: "comic", site: "slow news\nexample.net"),
  ]

  private static func item(
    source: String = "s", day: Double, kind: String = "article", site: String = "",
    labels: [String] = []
  ) -> SearchFilter.Item {
    SearchFilter.Item(
      origin: .init(source: source, kind: kind, site: site), labels: labels,
      saved: now.addingTimeInterval(day))
  }

  private func found(_ filter: SearchFilter) -> String {
    Self.items.filter { filter.passes($0.value) }.keys.sorted().joined()
  }

  private func excluded(_ filter: SearchFilter) -> String {
    Self.items.filter { filter.hasAny($0.value) }.keys.sorted().joined()
  }

  @Test func `every item passes a filter without conditions`() {
    #expect(found(SearchFilter()) == "abc")
    #expect(excluded(SearchFilter()).isEmpty)
  }

  @Test func `an item must fulfil each condition, and one value of each suffices`() {
    var filter = SearchFilter()
    filter.kinds = ["article", "book"]
    #expect(found(filter) == "ab")
    filter.labels = [["maps"], ["bees", "rivers"]]
    #expect(found(filter) == "a")
    filter.sources = ["t"]
    #expect(found(filter).isEmpty)
    filter = SearchFilter()
    filter.sites = ["news"]
    #expect(found(filter) == "c")
    filter = SearchFilter()
    filter.labels = [[""]]
    #expect(found(filter) == "c")
    filter = SearchFilter()
    filter.labels = [["bees", ""]]
    #expect(found(filter) == "ac", "the empty name stands for no label")
    filter.labels = [["map"]]
    #expect(found(filter).isEmpty, "a part of a label is no label")
  }

  @Test func `times are within limits of which the first is included`() {
    var filter = SearchFilter()
    filter.after = [Self.now.addingTimeInterval(2)]
    #expect(found(filter) == "bc")
    filter.before = [Self.now.addingTimeInterval(3)]
    #expect(found(filter) == "b")
    filter = SearchFilter()
    filter.within = [(0, 2), (3, 4)].map { start, end in
      Self.now.addingTimeInterval(start)..<Self.now.addingTimeInterval(end)
    }
    #expect(found(filter) == "ac")
  }

  @Test func `an item with any value of an exclusion is excluded`() {
    var filter = SearchFilter()
    filter.kinds = ["comic"]
    #expect(excluded(filter) == "c")
    filter.sites = ["example.org"]
    #expect(excluded(filter) == "ac")
    filter.labels = [["rivers"]]
    #expect(excluded(filter) == "ac")
  }

  @Test func `without words the item saved last is first, those of a minute by their numbers`()
    async throws
  {
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { _ in "Words." }
      var sample = SampleArchive()
      let seconds: [Double] = [120, 0, 180, 59, 121]
      try stage.record(
        seconds.enumerated().map { number, time in
          var item = sample.item(number)
          item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number))
          item.metadata.title = String(number)
          item.metadata.added = Date(timeIntervalSince1970: 1_600_000_020 + time)
          return item
        })
      _ = try stage.builder.update(isChanged: true)
      #expect(try stage.titles("-nothing") == ["2", "4", "0", "3", "1"])
    }
  }
}
