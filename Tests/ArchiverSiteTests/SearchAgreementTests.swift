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
      // Titles without characters that the page escapes.
      item.metadata.title = "Item \(number)"
      texts[item.key] = sample.text(40 + number * 37) + (number % 7 == 0 ? " 慢慢读书的人" : "")
      return item
    }
    return (items, texts)
  }()

  private static let queries = [
    "harbour", "gard", "stone bridge", "the of and", "lantern harbou", "ITEM 7", "读书", "慢",
    "\"stone bridge\"", "«stone bridge»",
    "window label:craft", "paper after:2026-11-01 before:2026-11-15",
    "site:tide letter", "quill", "c", "remembered type:article",
    "stone -bridge", "stone -\"stone bridge\"", "harbour -label:craft -site:tide", "-harbour",
    "-\"stone bridge\" -读书", "-type:article -before:2026-11-03", "-慢", "garden -sto",
    "vanish", "\"vanished words\"", "-vanished harbour", "gone", "label:gone",
  ]

  /// Divides the list of shards as in a large archive.
  private func divide(_ root: String) throws {
    let files = SegmentList(try SiteFiles(root: root).bytes)
      .files(large: 1, .init(limit: 0, mean: 20))
    #expect(files.count > 3)
    for file in files {
      try Data(file.bytes).write(to: URL(filePath: "\(root)/\(file.path)"))
    }
  }

  enum Form: CaseIterable {
    case plain
    /// The lists of shards are in directories.
    case divided
    /// Segments have shards in common.
    case grouped
    case groupedAndDivided
    /// Filters and orders have columns.
    case inColumns
    /// Some items changed since their segment was written.
    case revised
    case groupedAndRevised

    var isGrouped: Bool { [.grouped, .groupedAndDivided, .groupedAndRevised].contains(self) }
    var isDivided: Bool { [.divided, .groupedAndDivided].contains(self) }
    var isRevised: Bool { [.revised, .groupedAndRevised].contains(self) }
  }

  /// Begins the hashes of items that had the text and the labels of another one before.
  private static let earlier = "earlier"

  /// The items with seven of them as they were before.
  private static let earlierItems = {
    let items = library.items
    return items.indices.map { number in
      var item = items[number]
      guard number % 9 == 4 else { return item }
      item.contentHash = earlier + String(number)
      item.metadata.labels = items[number / 2].metadata.labels + ["gone"]
      return item
    }
  }()

  private static func text(_ row: LibraryRow) -> String {
    let items = library.items
    guard row.contentHash.hasPrefix(earlier),
      let number = items.firstIndex(where: { $0.key == row.key })
    else { return library.texts[row.key] ?? "" }
    return (library.texts[items[59 - number].key] ?? "") + " vanished words"
  }

  @Test(arguments: Form.allCases)
  func `the command line finds what the page finds, in its order`(form: Form) async throws {
    try await TemporaryFolder.with("search") { root in
      var stage = try SearchStage(root) { Self.text($0) }
      if form.isGrouped { stage.sizes = .init(segments: [3, 2], group: 2) }
      if form.isRevised {
        try stage.record(Self.earlierItems)
        _ = try stage.builder.update(isChanged: true)
        #expect(try stage.titles("vanished").count == 7)
      }
      if form == .inColumns {
        stage.data = DataSizes(limit: 10, column: 16, itemsBesideColumns: 2)
      }
      try stage.record(Self.library.items)
      _ = try stage.builder.update(isChanged: true)
      let list = SegmentList(try SiteFiles(root: root).bytes)
      #expect(list.segments.contains { $0.place == 1 } == form.isGrouped)
      #expect(list.revisions.map(\.item).count == (form.isRevised ? 7 : 0))
      if form.isDivided { try divide(root) }
      try await browsing(root) { open in
        for query in Self.queries {
          let titles = try await open(Self.hash(query)).titles
          let isGone = query.contains("vanish") && !query.contains("-") || query.contains("gone")
          #expect(titles.isEmpty == isGone, "\(query)")
          // A page shows ten matches at a time, and more for a query without words.
          let own = try stage.titles(query)
          #expect(Array(own.prefix(titles.count)) == titles, "\(query)")
          #expect(titles.count >= min(own.count, 10), "\(query)")
        }
      }
    }
  }

  @Test func `the page filters by all of 200 labels and by years before 1970 as the command does`()
    async throws
  {
    var sample = SampleArchive(seed: 3)
    let days = ["0050-01-01", "1912-05-17", "1949-12-31", "1950-01-01", "2024-05-01", "9999-12-31"]
    let items = days.enumerated().map { number, day in
      var item = sample.item(number)
      item.metadata.title = "Item \(number)"
      item.metadata.added = SearchQuery.day(day)
      item.metadata.labels = (0..<(number == 1 ? 200 : number)).map { "label-\($0)" }
      return item
    }
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { _ in "Words." }
      try stage.record(items)
      _ = try stage.builder.update(isChanged: true)
      try await browsing(root) { open in
        for (query, expected) in [
          ("label:label-199", [1]), ("label:label-4", [5, 1]),
          ("-label:label-150 label:label-2", [5, 4, 3]),
          ("before:1950", [2, 1, 0]), ("after:1912-05-17 before:1960", [3, 2, 1]),
          ("year:1912", [1]),
          ("before:0051", [0]), ("year:9999", [5]), ("source:readeck", [5, 4, 3, 2, 1, 0]),
        ] {
          let titles = expected.map { "Item \($0)" }
          let own = try stage.titles(query)
          let shown = try await open(Self.hash(query)).titles
          #expect(own == titles, "\(query)")
          #expect(shown == titles, "\(query)")
        }
      }
    }
  }

  @Test func `the page finds words however they are written, as the command does`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try ForgivingTable.stage(root)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for (query, found) in ForgivingTable.queries {
          let shown = try await open(Self.hash(query)).titles
          #expect(Set(shown) == Set(found.map { "Item \($0)" }), "\(query)")
          #expect(try stage.titles(query) == shown, "\(query)")
        }
        for (query, better) in ForgivingTable.suggestions {
          let page = try await open(Self.hash(query)).page
          #expect(page.contains("Did you mean:") == (better != nil), "\(query)")
          if let better { #expect(page.contains(">\(better)</a>"), "\(query)") }
        }
        let said = try await open(Self.hash("lable:x bridge ")).page
        #expect(said.contains("There is no filter “lable”."))
      }
    }
  }

  /// Items with so many different words that one entry covers those of a prefix.
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
    "b", "te", "ten", "tenri", "tenba", "munri", "sari", "lomun", "bari", "ba s", "lo mun te", "慢",
    "书 ba", "filler t", "i",
  ]

  @Test(arguments: [false, true])
  func `beginnings of many words are found in the same order too`(isDivided: Bool) async throws {
    try await TemporaryFolder.with("search") { root in
      let library = Self.wide
      let stage = try SearchStage(root) { library.texts[$0.key] ?? "" }
      try stage.record(library.items)
      _ = try stage.builder.update(isChanged: true)
      if isDivided { try divide(root) }
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

  private static let cut = [
    "Hello, World 42! Éclair e\u{301}clair Łódź Straße ΣΊΣΥΦΟΣ Ёлка İx",
    "Bundes\u{AD}regierung \u{AD}a\u{AD}\u{AD}b\u{AD} \u{AD} \u{2067}inner\u{2069} a\u{200B}b",
    "a\u{200C}b\u{200D}c\u{2060}d\u{FEFF}e\u{FE0F}f\u{180B}g\u{E0101}h\u{E0041}i\u{61C}j\u{200F}k",
    "葛\u{E0100}城\u{FE00}市\u{302A}x か\u{3099}き ภาษา\u{200B}ไทย 한국어\u{AD}말",
    "किताब की \u{958}\u{9CB} क\u{93C}\u{9C7}\u{9BE} தமிழ் ക്\u{200D}ഷ සිංහල བོད་ཡིག",
    "Oﬃce ﬂuﬀ ﾊﾝｶｸ ｶﾞﾃﾞｰﾀ H₂O x₁ ① ½ Foo™ ㎏ ⅷ \u{309F}z \u{FB2A} 𝔘𝔫 \u{FDFA} 台\u{F900}",
    "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8} 가\u{11A8} \u{3131}\u{314F} ﾡￂ a\u{302}\u{323}b",
    "ٱلْعَٰلَمِينَۖ مُدُن עִבְרִית ܫܠܳܡܳܐ \u{903} 1\u{FE0F}\u{20E3} \u{2764}\u{FE0F} 👨\u{200D}👩",
  ]

  /// Each character of Unicode 14 alone and after a letter; browsers may not support later
  /// versions.
  private static let characters: [String] = stride(from: UInt32(0x20), to: 0x30000, by: 0x1000).map
  {
    block in
    var text = String.UnicodeScalarView()
    for value in block..<block + 0x1000 {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 14
      else { continue }
      text.append(contentsOf: [scalar, " ", "e", scalar, " "])
    }
    return String(text)
  }

  @Test func `the page reads every character as the command line does`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { _ in "Words." }
      try stage.record(Array(Self.library.items.prefix(1)))
      _ = try stage.builder.update(isChanged: true)
      let browser = try #require(try await LibraryBrowser.start(.chromium))
      try await browser.open("file://\(root)/index.html")
      #expect(try await browser.becomes("typeof archiverSnippet === 'object'"))
      #expect(Self.characters.reduce(0) { $0 + $1.unicodeScalars.count } > 100_000)
      for text in Self.characters where !text.isEmpty {
        let call = ScriptData.call("", [.string(text)])
        let quoted = String(decoding: call.dropLast(2), as: UTF8.self)
        let shown = try await browser.run(
          "return [...archiverTokens.pieces\(quoted)].map((one) => one.term + ' ' + one.dense);")
        let theirs = shown.array?.compactMap(\.string) ?? []
        let own = TextPiece.all(in: text).map { "\($0.term) \($0.isDense)" }
        let first = zip(theirs, own).first { !$0.utf8.elementsEqual($1.utf8) }
        #expect(theirs.count == own.count && first == nil, "\(String(describing: first))")
      }
      await browser.quit()
    }
  }

  @Test func `the page cuts text as the command line does`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try SearchStage(root) { _ in "Words." }
      try stage.record(Array(Self.library.items.prefix(1)))
      _ = try stage.builder.update(isChanged: true)
      let browser = try #require(try await LibraryBrowser.start(.chromium))
      try await browser.open("file://\(root)/index.html")
      #expect(try await browser.becomes("typeof archiverSnippet === 'object'"))
      for text in Self.cut {
        let bytes = Array(text.utf8)
        let own = TextPiece.all(in: text).map { piece in
          "\(piece.term) \(piece.isDense) \(String(decoding: bytes[piece.range], as: UTF8.self))"
        }
        let call = ScriptData.call("", [.string(text)])
        let quoted = String(decoding: call.dropLast(2), as: UTF8.self)
        let shown = try await browser.run(
          """
          return [...archiverTokens.pieces\(quoted)].map((piece) => [piece.term, piece.dense,
            \(quoted).slice(piece.start, piece.end)].join(" "));
          """)
        let pieces = shown.array?.compactMap(\.string) ?? []
        #expect(pieces.map { Array($0.utf8) } == own.map { Array($0.utf8) })
        let terms = try await browser.run(
          "return archiverTokens.terms\(quoted).map((one) => one.term + ' ' + one.whole);")
        #expect(
          terms.array?.compactMap(\.string).map { Array($0.utf8) }
            == TextPiece.terms(of: text).map { Array("\($0.term) \($0.isWhole)".utf8) })
        // Lookups use the terms of the index; the last character of a run is a term for prefixes.
        var tokenizer = Tokenizer()
        var indexed: Set<[UInt8]> = []
        tokenizer.tokens(of: text) { indexed.insert(Array($0.utf8)) }
        for term in TextPiece.terms(of: text) { #expect(indexed.contains(Array(term.term.utf8))) }
      }
      await browser.quit()
    }
  }
}
