import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser.SearchInBrowserTests {
  /// Sixty items with texts of common words, so that ranks are close.
  private static let library: (items: [CatalogItem], texts: [ItemKey: String]) = {
    var sample = SampleArchive(seed: 7)
    var texts: [ItemKey: String] = [:]
    let items = (0..<60).map { number in
      var item = sample.item(number)
      // Titles as plain as the page's own escapes leave them.
      item.metadata.title = "Item \(number)"
      texts[item.key] = sample.text(40 + number * 37) + (number % 7 == 0 ? " 慢慢读书的人" : "")
      return item
    }
    return (items, texts)
  }()

  private static let queries = [
    "harbour", "gard", "stone bridge", "the of and", "lantern harbou", "ITEM 7", "读书", "慢",
    "\"stone bridge\"", "window label:craft", "paper after:2026-11-01 before:2026-11-15",
    "site:tide letter", "quill", "c", "remembered type:article",
  ]

  @Test func `the command line finds what the page finds, in its order`() async throws {
    try await TemporaryFolder.with("search") { root in
      let library = Self.library
      let stage = try SearchStage(root) { library.texts[$0.key] ?? "" }
      try stage.record(library.items)
      _ = try stage.builder.update(isChanged: true)
      try await browsing(root) { open in
        for query in Self.queries {
          let titles = try await open(Self.hash(query)).titles
          #expect(!titles.isEmpty, "\(query)")
          // A page shows ten matches at a time.
          let own = try stage.titles(query)
          #expect(Array(own.prefix(10)) == titles, "\(query)")
        }
      }
    }
  }

  /// Items with so many different words that one entry stands for those of a beginning.
  private static let wide: (items: [CatalogItem], texts: [ItemKey: String]) = {
    var sample = SampleArchive(seed: 5)
    var random = SplitMix(state: 5)
    var texts: [ItemKey: String] = [:]
    let syllables = ["ba", "ten", "ri", "lo", "mun", "sa", "慢", "读", "书"]
    let items = (0..<150).map { number in
      var item = sample.item(number)
      item.metadata.title = "Item \(number)"
      let words = (0..<150).map { _ in
        (0...random.below(4)).map { _ in syllables[random.below(syllables.count)] }.joined()
      }
      // Every tenth has several passages.
      texts[item.key] =
        words.joined(separator: " ")
        + (number % 10 == 0 ? String(repeating: " filler", count: 4_000) + " tender" : "")
      return item
    }
    return (items, texts)
  }()

  private static let beginnings = [
    "b", "te", "ten", "tenri", "ba s", "lo mun te", "慢", "书 ba", "filler t", "i",
  ]

  @Test func `beginnings of many words are found in the same order too`() async throws {
    try await TemporaryFolder.with("search") { root in
      let library = Self.wide
      let stage = try SearchStage(root) { library.texts[$0.key] ?? "" }
      try stage.record(library.items)
      _ = try stage.builder.update(isChanged: true)
      try await browsing(root) { open in
        for query in Self.beginnings {
          let shown = try await open(Self.hash(query))
          let found = try stage.find(query)
          #expect(shown.titles.count == 10, "\(query)")
          let titles = found.matches.map(\.item.metadata.title).prefix(10)
          #expect(Array(titles) == shown.titles, "\(query)")
          let total = try #require(found.total)
          #expect(shown.page.contains(">\(total) items</p>"), "\(query)")
        }
      }
    }
  }
}
