import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// An archive in a real catalog, with given texts.
struct SearchStage {
  let root: String
  let catalog: SQLiteCatalog
  let text: SearchText
  var sizes = SearchIndex.Sizes()
  var data = DataSizes()

  init(_ root: String, text: @escaping SearchText.Read) throws {
    self.root = root
    try FileManager.default.createDirectory(
      atPath: root + "/.archiver", withIntermediateDirectories: true)
    catalog = try SQLiteCatalog(path: root + "/.archiver/catalog.sqlite")
    self.text = SearchText(text)
  }

  var builder: LibraryBuilder {
    LibraryBuilder(root: root, catalog: catalog, text: text, sizes: sizes, data: data)
  }

  func record(_ items: [CatalogItem]) throws {
    try catalog.record(
      items.map { item in
        .publish(
          Publication(
            item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "m", staged: "s"))
      })
  }

  func find(_ query: String, limit: Int = 100) throws -> LibrarySearch.Result {
    try LibrarySearch(root: root, catalog: catalog).find(SearchQuery(query), limit: limit)
  }

  func titles(_ query: String) throws -> [String] {
    try find(query).matches.map(\.item.metadata.title)
  }
}

@Suite struct LibrarySearchTests {
  @Test func `an item without a title is found by the words that stand in its place`() async throws
  {
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { _ in "Quiet water." }
      var sample = SampleArchive()
      var item = sample.item(0)
      item.metadata.title = ""
      item.metadata.url = nil
      try stage.record([item])
      for (words, query) in [(Words.english, "Untitled"), (.german, "Ohne Titel")] {
        _ = try LibraryBuilder(
          root: root, catalog: stage.catalog, words: words, text: stage.text
        ).update(isChanged: true)
        #expect(try stage.find("\"\(query)\"").matches.count == 1, "\(query)")
      }
      #expect(try stage.find("untitled").matches.isEmpty)
    }
  }

  private static let texts = [
    "0": "The harbour was quiet. A lighthouse stood beyond the harbour, and the harbour slept.",
    "1": "One harbour among many words about mountains, rivers, roads, cities and slow trains.",
    "2": "Éclairs and crème brûlée, baked slowly in an old kitchen.",
    "3": "我喜欢在城市里慢慢读书，也喜欢旧书店。",
    "4": "A lighthouse keeper wrote letters. The old harbour office kept none of them.",
    // The first passage ranks best; the phrase is in the last.
    "5": String(repeating: "amber and bottle, ", count: 30)
      + String(repeating: "filler words of a long book. ", count: 2_000)
      + "An amber bottle. A hidden xylophone.",
  ]

  static func items() -> [CatalogItem] {
    var sample = SampleArchive()
    return (0..<6).map { number in
      var item = sample.item(number)
      item.metadata.title = number == 1 ? "Trains" : "Piece \(number)"
      item.metadata.labels = number == 4 ? ["Sea Side"] : ["land"]
      item.metadata.site = number == 2 ? "kitchen.example" : "tides.example"
      item.metadata.siteName = number == 2 ? "Slow Kitchen" : "The Tide Table"
      item.metadata.kind = number == 3 ? .video : .article
      item.metadata.added = Date(timeIntervalSince1970: Double(1_600_000_000 + number * 40_000_000))
      item.metadata.authors = []
      return item
    }
  }

  func with(_ body: (SearchStage) throws -> Void) async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) {
        Self.texts[String($0.title.last ?? "1")] ?? Self.texts["1"] ?? ""
      }
      try stage.record(Self.items())
      _ = try stage.builder.update(isChanged: true)
      try body(stage)
    }
  }

  @Test(arguments: [
    ("harbour", ["Piece 0", "Piece 4", "Trains"]),
    ("harb", ["Piece 0", "Piece 4", "Trains"]),
    ("harb ", []),
    ("h", ["Piece 0", "Piece 4", "Trains", "Piece 5"]),
    ("ha", ["Piece 0", "Piece 4", "Trains"]),
    ("quiet ha", ["Piece 0"]),
    ("lighthouse harbour", ["Piece 0", "Piece 4"]),
    ("ECLAIRS Brulee", ["Piece 2"]),
    ("读书", ["Piece 3"]),
    ("书", ["Piece 3"]),
    ("\"old harbour\"", ["Piece 4"]),
    ("\"harbour old\"", []),
    ("harbour after:2021", ["Piece 4", "Trains"]),
    ("harbour before:2021-12-17", ["Piece 0"]),
    ("harbour label:\"sea side\"", ["Piece 4"]),
    ("harbour label:sea", []),
    ("harbour site:tide", ["Piece 0", "Piece 4", "Trains"]),
    ("slowly site:kitchen", ["Piece 2"]),
    ("source:readeck type:video", ["Piece 3"]),
    ("source:nowhere harbour", []),
    ("year:2021", ["Trains"]),
    ("year:x", []),
    ("label:\"land,Sea Side\" after:2025-01-01", ["Piece 5", "Piece 4"]),
    ("xylophone", ["Piece 5"]),
    ("\"amber bottle\"", ["Piece 5"]),
    ("nowhere", []),
    ("harbour -lighthouse", ["Trains"]),
    ("harbour -quiet -trains", ["Piece 4"]),
    ("harbour -light", ["Piece 0", "Piece 4", "Trains"]),
    ("harbour -BRULEE -label:\"sea side\"", ["Piece 0", "Trains"]),
    ("harbour -\"old harbour\"", ["Piece 0", "Trains"]),
    ("harbour -\"harbour old\"", ["Piece 0", "Piece 4", "Trains"]),
    ("lighthouse -„harbour office“", ["Piece 0"]),
    ("-harbour", ["Piece 5", "Piece 3", "Piece 2"]),
    ("-\"amber bottle\" -harbour", ["Piece 3", "Piece 2"]),
    ("-label:land", ["Piece 4"]),
    ("label:land -harbour -before:2024", ["Piece 5", "Piece 3"]),
    ("-after:2024 -year:2020", ["Piece 2", "Trains"]),
    ("-site:tide", ["Piece 2"]),
    ("-type:video -harbour", ["Piece 5", "Piece 2"]),
    ("-source:readeck", []),
    ("-source:nowhere -year:x -before:x -kitchen -label:land", ["Piece 4"]),
    ("-书 -harbour", ["Piece 5", "Piece 2"]),
    ("-慢慢读书 -harbour", ["Piece 5", "Piece 2"]),
    ("-慢读慢 -harbour", ["Piece 5", "Piece 3", "Piece 2"]),
    ("harbour - lighthouse", ["Piece 0", "Piece 4"]),
    ("-harbour-office lighthouse", ["Piece 0"]),
    ("harbour-office", ["Piece 4"]),
  ])
  func `finds words, beginnings, phrases and what filters let through`(
    query: String, expected: [String]
  ) async throws {
    try await with { stage in
      let titles = try stage.titles(query)
      #expect(titles == expected, "\(query)")
    }
  }

  @Test func `marks in the snippet what was found`() async throws {
    try await with { stage in
      let snippet = try #require(try stage.find("brulee").matches.first?.snippet)
      let scalars = Array(snippet.text.unicodeScalars)
      let marked = snippet.marks.map { String(String.UnicodeScalarView(scalars[$0])) }
      #expect(marked == ["brûlée"])
      #expect(snippet.text.hasPrefix("Éclairs and"))
      let deep = try #require(try stage.find("hidden xylophone").matches.first?.snippet)
      #expect(deep.text.hasPrefix("… "))
      #expect(deep.text.hasSuffix("A hidden xylophone."))
      #expect(deep.marks.count == 1, "neighbours are one mark")
    }
  }

  @Test(arguments: [
    ("Die Bundes\u{AD}regierung tagt.", "bundesregierung", ["Bundes\u{AD}regierung"]),
    ("An \u{2067}inner\u{2069} word.", "inner", ["\u{2067}inner\u{2069}"]),
    ("यह एक किताब है।", "किता", ["किताब"]),
    ("旧葛\u{E0100}城市。", "葛城", ["葛\u{E0100}城"]),
  ])
  func `marks whole words, including signs that search ignores`(
    text: String, query: String, expected: [String]
  ) throws {
    let snippet = try #require(Snippet(text, SearchQuery(query)))
    #expect(snippet.text == text)
    let scalars = Array(snippet.text.unicodeScalars)
    #expect(
      snippet.marks.map { String(String.UnicodeScalarView(scalars[$0])) }.map { Array($0.utf8) }
        == expected.map { Array($0.utf8) })
  }

  @Test func `without the library's texts snippets come from the bundle`() async throws {
    try await with { stage in
      try FileManager.default.removeItem(atPath: stage.root + "/library/text")
      #expect(try stage.find("letters").matches.first?.snippet == nil)
      let folder = "\(stage.root)/\(Self.items()[4].folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let page = "<!--body--><p>A keeper wrote <b>letters</b>.</p><!--/body-->"
      try Data(page.utf8).write(to: URL(filePath: folder + "/index.html"))
      let snippet = try #require(try stage.find("letters").matches.first?.snippet)
      #expect(snippet.text == "A keeper wrote letters.")
      #expect(snippet.marks == [15..<22])
    }
  }

  @Test func `what changed is found by its new words only, what is removed not at all`()
    async throws
  {
    try await with { stage in
      var item = Self.items()[0]
      item.metadata.title = "Piece 2"
      item.contentHash = "another"
      try stage.record([item])
      _ = try stage.builder.update(isChanged: true)
      #expect(try stage.titles("lighthouse") == ["Piece 4"])
      #expect(try stage.titles("eclairs").count == 2)
      try stage.catalog.record([.remove(item.key, folder: item.folder)])
      #expect(try stage.titles("eclairs").count == 1)
    }
  }

  @Test func `a new label is searchable although the text is the same`() async throws {
    try await with { stage in
      var item = Self.items()[0]
      item.metadata.labels = ["novel"]
      try stage.record([item])
      _ = try stage.builder.update(isChanged: true)
      #expect(try stage.titles("label:novel") == ["Piece 0"])
    }
  }

  @Test func `a rebuilt library is the same to the byte`() async throws {
    try await with { stage in
      let update = try stage.builder.rebuild()
      #expect(update.written.allSatisfy { $0 == "library/status.js" || $0.hasPrefix(".archiver/") })
      #expect(update.removed.isEmpty)
      #expect(try stage.titles("harbour").count == 3)
    }
  }

  @Test func `queries are read as the pages read them`() {
    let query = SearchQuery("Foo:bar label:\"a b\" label:\"\" \"one two\" after: x-y")
    #expect(query.filters == ["label": ["a b"]])
    #expect(query.unknownFilters == ["Foo"])
    #expect(query.phrases == ["one two"])
    let words = query.terms.filter { !WordPair.isTerm($0.term.utf8) }
    #expect(words.map(\.term) == ["label", "one", "two", "after", "x", "y"])
    #expect(query.terms.count == words.count + 1, "one pair")
    #expect(words.map(\.isPrefix) == Array(repeating: false, count: 5) + [true])
    #expect(SearchQuery("one ").terms.map(\.isPrefix) == [false])
    #expect(SearchQuery("\"one\"").terms.map(\.isPrefix) == [false])
    #expect(SearchQuery(" .,: ").isEmpty)
  }

  @Test func `a hyphen before a word, a phrase or a filter excludes it, and alone means nothing`() {
    let query = SearchQuery("e-mail -gone -\"one two\" -label:\"a b\" -Foo:bar -e-mail - harb -ha")
    #expect(query.terms.map(\.term) == ["e", "mail", "harb"])
    #expect(query.terms.allSatisfy { !$0.isPrefix })
    #expect(query.excluded.terms.map(\.term) == ["gone", "ha"])
    #expect(query.excluded.terms.allSatisfy { !$0.isPrefix })
    #expect(query.excluded.phrases == ["one two", "e-mail"])
    #expect(query.excluded.filters == ["label": ["a b"]])
    #expect(query.filters.isEmpty && query.phrases.isEmpty)
    #expect(query.unknownFilters == ["Foo"])
    #expect(!SearchQuery("-gone").isEmpty && !SearchQuery("-label:x").isEmpty)
    #expect(["-", " - ", "-- ", "-\"\"", "-.,"].allSatisfy { SearchQuery($0).isEmpty })
  }

  @Test func `an excluded phrase is looked for no further than the answer needs`() async throws {
    try await with { stage in
      #expect(try stage.find("-\"old harbour\"").total == 5)
      let few = try stage.find("-\"old harbour\"", limit: 2)
      #expect(few.matches.count == 2 && few.total == nil)
      #expect(try stage.find("-harbour", limit: 2).total == 3)
    }
  }

  @Test(arguments: ["“one two”", "„one two“", "«one two»", "”one two”", "「one two」", "“one two"])
  func `a phrase stands in the quotation marks of any language`(text: String) {
    #expect(SearchQuery("\(text) three").phrases.first?.hasPrefix("one two") == true)
    #expect(SearchQuery("label:\(text)").filters == ["label": ["one two"]])
  }

  @Test(arguments: [
    ("2024", 1_704_067_200.0), ("2024-05", 1_714_521_600), ("2024-5-17", 1_715_904_000),
    ("2024-02-30", 1_709_251_200), ("1969", -31_536_000), ("24", nil), ("2024-", nil),
    ("2024-05-17T00", nil), ("2024-1-1-1", nil),
  ])
  func `days are read as the pages read them`(text: String, seconds: Double?) {
    #expect(SearchQuery.day(text)?.timeIntervalSince1970 == seconds)
  }

  @Test func `words are found however they are written, exact ones first`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try ForgivingTable.stage(root)
      for (query, found) in ForgivingTable.queries {
        let titles = try stage.titles(query)
        #expect(Set(titles) == Set(found.map { "Item \($0)" }), "\(query)")
      }
      for (query, better) in ForgivingTable.suggestions {
        #expect(try stage.find(query).suggestion == better, "\(query)")
      }
      #expect(try stage.titles("bridges ") == ["Item 1", "Item 0"])
      #expect(try stage.titles("bridge ") == ["Item 0", "Item 1"])
      #expect(try stage.titles("mueller ").first == "Item 6")
    }
  }

  @Test func `other forms of a word are few and do not name the word itself`() {
    for word in ["bridges", "running", "stories", "journaux", "queue", "aaaa", "ing", "glass"] {
      let forms = WordForms.shared.variants(of: word)
      #expect(forms.count <= 20 && !forms.contains(word), "\(word)")
    }
    #expect(WordForms.shared.variants(of: "running").contains("run"))
    #expect(WordForms.shared.variants(of: "stories").contains("story"))
    #expect(WordForms.joined("Wi-Fi") == "wifi" && WordForms.joined("2,50") == nil)
    let snippet = Snippet("Use the Wi-Fi of bridges.", SearchQuery("wifi bridge "))
    #expect(snippet?.marks == [8..<10, 11..<13, 17..<24])
    #expect(WordForms.joined("U.S.") == nil && WordForms.joined("rock'n'roll") == "rocknroll")
    #expect(WordForms.signed("C++,") == "cplusplus" && WordForms.signed("C+") == nil)
  }
}
