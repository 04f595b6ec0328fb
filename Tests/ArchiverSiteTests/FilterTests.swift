import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Filters by state and features, `OR`, and words with signs, in the command and on the page.
enum FilterTable {
  static let texts = [
    "An apple and .NET code.", "A pear on the net.", "A plum, begun.", "Read to the end: apple.",
    "Done with pear.", "Favourite plum apple.", "臺北的夜市", "カタカナとひらがな", "ひらがなとかたかな",
    "See .gitignore; asp.net is no name of its own. The end...net",
  ]

  /// A query and the numbers of the items that it finds, in any order.
  static let queries: [(query: String, found: Set<Int>)] = [
    ("is:unread", [0, 1, 2, 5, 6, 7, 8, 9]), ("is:read", [3, 4]), ("is:begun", [2]),
    ("IS:Favourite", [5, 3]), ("is:favourite is:read", [3]), ("-is:read apple ", [0, 5]),
    ("is:failed", []), ("is:begun -is:favourite", [2]), ("-is:unread", [3, 4]),
    ("has:highlight", [1, 2]), ("has:note", [2]), ("has:highlight -has:note", [1]),
    ("label:none", [0, 6, 7, 8, 9]), ("-label:none", [1, 2, 3, 4, 5]),
    ("label:none,fruit", [0, 1, 2, 6, 7, 8, 9]), ("label:fruit label:sweet", [2]),
    ("-label:fruit pear ", [4]),
    ("apple OR pear ", [0, 1, 3, 4, 5]), ("apple OR pear plum ", [5]),
    ("apple pear OR plum ", [5]), ("pear OR is:favourite", [1, 3, 4, 5]),
    ("label:sweet OR is:begun", [2, 3]), ("apple OR -label:none is:read ", [3, 4]),
    ("\"read to\" OR \"done with\"", [3, 4]), ("\"with done\" OR plum ", [2, 5]),
    ("OR plum ", []), ("plum OR ", [2, 5]), ("apple or pear ", []),
    ("🎉 OR plum ", [2, 5]), ("lable:x OR plum ", [2, 5]), ("apple OR pea", [0, 1, 3, 4, 5]),
    (".NET", [0]), (".net ", [0]), ("net ", [0, 1, 9]), (".gitignore", [9]),
    ("-.NET net ", [1, 9]),
    ("台北", [6]), ("臺北", [6]), ("ひらがな", [7, 8]), ("ヒラガナ", [7, 8]), ("かたかな", [7, 8]),
    ("\"カタカナとひら\"", [7]),
  ]

  static func items() -> [CatalogItem] {
    var sample = SampleArchive(seed: 6)
    return texts.indices.map { number in
      var item = sample.item(number)
      item.metadata.title = "Item \(number)"
      item.metadata.kind = .article
      item.metadata.authors = []
      item.metadata.labels = [1: ["fruit"], 2: ["fruit", "sweet"], 3: ["Sweet"]][number] ?? []
      if number == 4 || number == 5 { item.metadata.labels = ["other"] }
      item.metadata.readProgress = [2: 40, 3: 100, 4: 30][number] ?? 0
      item.metadata.isArchived = number == 4
      item.metadata.isFavourite = number == 5 || number == 3
      if number == 1 { item.annotations = [Annotation(id: "a", text: "marked")] }
      if number == 2 { item.annotations = [Annotation(id: "a", text: "marked", note: "why")] }
      return item
    }
  }

  static func stage(_ root: String) throws -> SearchStage {
    let stage = try SearchStage(root) { row in
      texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0]
    }
    try stage.record(items())
    _ = try stage.builder.update(isChanged: true)
    return stage
  }
}

@Suite struct FilterTests {
  @Test func `filters find matching items, and either of two values`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try FilterTable.stage(root)
      for (query, found) in FilterTable.queries {
        let titles = try stage.titles(query)
        #expect(Set(titles) == Set(found.map { "Item \($0)" }), "\(query)")
        #expect(Set(titles).count == titles.count, "\(query)")
      }
    }
  }

  @Test(arguments: [
    ("is:odd x", ["is:odd"]), ("has:legs", ["has:legs"]), ("has:note is:read label:none", []),
    ("hass:note", ["hass"]), ("-is:odd", ["is:odd"]), ("a OR is:odd", ["is:odd"]),
  ])
  func `an unknown filter is reported`(query: String, unknown: [String]) {
    #expect(SearchQuery(query).unknownFilters == unknown)
  }

  @Test func `alternatives of many words are bounded`() {
    let query = SearchQuery(Array(repeating: "a OR b", count: 9).joined(separator: " "))
    #expect(query.alternatives.count == 64)
    #expect(SearchQuery("a OR b OR c d").alternatives.count == 3)
    #expect(SearchQuery("a b").alternatives.isEmpty)
  }
}

extension InBrowser.SearchInBrowserTests {
  @Test func `the page filters as the command does, in its order`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try FilterTable.stage(root)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for (query, found) in FilterTable.queries {
          let shown = try await open(Self.hash(query))
          #expect(shown.titles == (try stage.titles(query)), "\(query)")
          #expect(shown.titles.count == found.count, "\(query)")
        }
        let said = try await open(Self.hash("has:legs apple ")).page
        #expect(said.contains("There is no filter “has:legs”."))
      }
    }
  }

  @Test func `author, language and reading time are chosen from lists, with and without a query`()
    async throws
  {
    var items = ForgivingTable.items()
    for number in items.indices { items[number].metadata.readingTime = number * 6 + 1 }
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { row in
        ForgivingTable.texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0]
      }
      try stage.record(items)
      _ = try stage.builder.update(isChanged: true)
      let choices: [(hash: String, found: Set<Int>)] = [
        ("lang=de", [5, 6]), ("lang=ja", [7]), ("author=Ada+Quill", [0, 1, 2, 3]),
        ("author=Ada+Quill&lang=en&length=medium", [1, 2]), ("author=Bo+Stone&lang=de", [5, 6]),
        ("length=short", [0]), ("length=medium", [1, 2]), ("length=long", [3, 4, 5, 6, 7]),
        ("length=veryLong", [8, 9, 10, 11]), ("length=toString", Set(0..<12)),
        ("q=bridge+&author=Bo+Stone", []), ("q=bridge+&author=Ada+Quill", [0, 1]),
        ("q=bridge+&length=medium", [1]), ("q=bridge+OR+C%2B%2B&author=Ada+Quill", [0, 1, 3]),
        ("author=Nobody", []), ("lang=xx", []),
      ]
      try await browsing(root, in: LibraryBrowser.Name.allCases) { open in
        for (hash, found) in choices {
          let titles = try await open(hash).titles
          #expect(Set(titles) == Set(found.map { "Item \($0)" }), "\(hash)")
        }
        let page = try await open("lang=de").page
        let options = [
          ("ja", "Japanese"), ("Ada Quill", "Ada Quill"), ("long", "15 to 45 minutes"),
        ]
        for (value, words) in options {
          #expect(page.contains("<option value=\"\(value)\">\(words)</option>"), "\(value)")
        }
        #expect(try await open("author=Nobody").page.contains(">Nobody</option>"))
      }
    }
  }
}
