import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// Texts with several forms of the same words, and queries with the expected results.
enum StemTable {
  static let texts: [(language: String?, text: String)] = [
    ("es", "Ella escribe cartas."), ("es-MX", "Quieren escribir un libro."),
    ("es", "Nosotros escribimos canciones."), ("ru", "Старая книга на столе."),
    ("ru", "Он читает книги."), ("rus", "Много говорили о книгах."),
    ("de", "Eine Übersetzung ist nie fertig."), ("de", "Sie übersetzen den Roman."),
    ("it", "Parlano di musica."), ("it", "Voleva parlare con lui."),
    ("fr", "Elle mangeait du pain."), ("fr", "Il voulait manger une pomme."),
    ("en", "A national question."), ("en", "The nationalities of the crew."),
    ("sv", "Han älskar vintern."), ("fi", "Talossa on kissa."), ("fi", "Talot palavat."),
    // Without a language: it is guessed.
    (nil, "The history of the town is that of the sea, and this was to have no end."),
    (nil, "These are two histories, and the end of both is that nobody was with them."),
    // Too short to guess.
    (nil, "A historical note."),
    // A language without stems.
    ("ja", "escribir"),
    // German compounds.
    ("de", "Der Wetterbericht für morgen."), ("de", "Die Wetterberichte waren falsch."),
    ("de-CH", "Ein Bericht aus Bonn."), ("de", "Ein Krankenhaus am See."),
    ("de", "In den Krankenhäusern fehlt es an allem."),
    ("de", "Fußballspieler kennen das Arbeitsrecht."),
    ("en", "A Krankenhaus is a hospital, not a house."),
  ]

  static let queries: [(query: String, found: Set<Int>)] = [
    ("escribir ", [0, 1, 2, 20]), ("escribe ", [0, 1, 2, 20]), ("escribimos", [0, 1, 2, 20]),
    ("escribieron ", []), ("книга ", [3, 4, 5]), ("книгах ", [3, 4, 5]), ("книги", [3, 4, 5]),
    ("Übersetzung ", [6, 7]), ("uebersetzen ", [6, 7]), ("parlare ", [8, 9]), ("parlano", [8, 9]),
    ("manger ", [10, 11]), ("mangeait ", [10, 11]), ("nationalities ", [12, 13]),
    ("national ", [12, 13]), ("älskar ", [14]), ("talossa ", [15, 16]),
    ("history ", [17, 18]), ("histories ", [17, 18]), ("historical ", [19]),
    // No item has the word, but another form of it.
    ("nationals ", [12, 13]),
    // Quoted and excluded words have no other forms.
    ("\"escribir\"", [1, 20]), ("escribe -escribir", [0, 2]),
    // A part of a compound finds it, but not in other languages; a quoted or excluded one does not.
    ("Bericht ", [21, 22, 23]), ("Berichte ", [21, 22, 23]), ("Wetter ", [21, 22]),
    ("Haus ", [24, 25]), ("Häuser ", [24, 25]), ("Krankenhaus ", [24, 25, 27]),
    ("Spieler ", [26]), ("Recht ", [26]), ("Arbeit ", [26]), ("Ball ", [26]),
    ("beri", [21, 22, 23]), ("\"Bericht\"", [23]), ("Wetter -Bericht ", [21, 22]),
  ]

  static func stage(_ root: String) throws -> SearchStage {
    var sample = SampleArchive(seed: 9)
    let stage = try SearchStage(root) { row in
      texts[Int(row.title.split(separator: " ").last ?? "0") ?? 0].text
    }
    try stage.record(
      texts.enumerated().map { number, text in
        var item = sample.item(number)
        item.metadata.title = "Item \(number)"
        item.metadata.authors = []
        item.metadata.labels = []
        item.metadata.language = text.language
        return item
      })
    _ = try stage.builder.update(isChanged: true)
    return stage
  }
}

@Suite struct StemTests {
  @Test func `a word finds the words with the same stem in its languages`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try StemTable.stage(root)
      for (query, found) in StemTable.queries {
        let titles = try stage.titles(query)
        #expect(Set(titles) == Set(found.map { "Item \($0)" }), "\(query): \(titles)")
      }
      #expect(try stage.find("escribimos").matches.last?.snippet?.marks.isEmpty == false)
      let hospital = try #require(try stage.find("Haus ").matches.first?.snippet)
      #expect(hospital.text.contains("Krankenh") && hospital.marks.count == 1)
    }
  }

  @Test func `a word of removed items only has no other forms`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try StemTable.stage(root)
      try StemTests.removeSpeakers(stage)
      // Item 20 still has the word, in a language without stems.
      #expect(try stage.titles("escribir ") == ["Item 20"])
      #expect(Set(try stage.titles("escribe ")) == ["Item 0", "Item 2"])
      #expect(try stage.titles("escribimos ").contains("Item 20") == false)
    }
  }

  /// Removes the only Spanish item with "escribir".
  static func removeSpeakers(_ stage: SearchStage) throws {
    let item = try #require(try stage.find("\"quieren escribir\"").matches.first?.item)
    try stage.catalog.record([.remove(item.key, folder: item.folder)])
    _ = try stage.builder.update(isChanged: true)
  }

  @Test(arguments: [
    ("running", "run", "4"), ("history", "histori", "1i"), ("книгами", "книг", "3"),
    ("run", "run", "0"), ("élan", "èlan", "4èlan"), ("a", "b", "1b"),
  ])
  func `a stem is written as the ending that replaces that of the word`(
    word: String, stem: String, code: String
  ) {
    var bytes: [UInt8] = []
    let (wordBytes, stemBytes) = (Array(word.utf8), Array(stem.utf8))
    wordBytes.withUnsafeBufferPointer { word in
      stemBytes.withUnsafeBufferPointer { WordStems.append($0, after: word, to: &bytes) }
    }
    let digit = PostingCode.digits[Int(String(code.prefix(1))) ?? 0]
    #expect(bytes == [digit] + code.dropFirst().utf8)
  }

  @Test(arguments: [
    ("word", true), ("книга", true), ("是", false), ("灯塔", false), ("2024", false), ("a4b", false),
    ("¤lde", false), ("ab", false), ("für", true), ("हिन्दी", true),
    (String(repeating: "a", count: 61), false),
  ])
  func `only words of alphabets have stems`(term: String, isWord: Bool) {
    var term = term
    #expect(term.withUTF8 { WordStemmer.isWord($0) } == isWord)
  }

  @Test(arguments: [
    ("de-AT", "de"), ("EN", "en"), ("nb", "no"), ("ger", "de"), ("pt_BR", "pt"), ("ja", nil),
    ("", nil), ("english", nil),
  ])
  func `a tag names a language with stems`(tag: String, code: String?) {
    #expect(StemLanguage(tag: tag)?.code == code)
  }

  private static let tags: [(tag: String?, code: String?)] = [
    (nil, "en"), ("", "en"), ("und", "en"), ("UND-Latn", "en"), ("fr", "fr"), ("ja", nil),
    ("xx", nil),
  ]

  @Test(arguments: tags)
  func `the language of an item that names none is guessed`(tag: String?, code: String?) {
    let words: Set = ["the", "and", "of", "harbour"]
    let fields = SearchFields(title: "", language: tag)
    #expect(fields.stemLanguage(hasWord: words.contains)?.code == code)
    // Two words of one language are too few, and so are as many of another one.
    #expect(StemLanguage(ofTextWith: { ["the", "and"].contains($0) }) == nil)
    #expect(StemLanguage(ofTextWith: { ["the", "and", "of", "les", "des"].contains($0) }) == nil)
  }

  @Test func `libstemmer knows each language`() {
    let stemmer = WordStemmer()
    for number in StemLanguage.codes.indices {
      var word = "words"
      var found = false
      word.withUTF8 { bytes in
        stemmer.withStem(bytes, StemLanguage(number: number)) { _ in found = true }
      }
      #expect(found, "\(StemLanguage.codes[number])")
    }
  }

  @Test(arguments: [
    ("history", "histori", "histor"), ("histories", "histori", "histor"), ("running", "run", nil),
    ("книгах", "книг", "книг"), ("дома", "дом", "дом"), ("parlare", "parl", "parl"),
    ("frequence", "frequent", "frequen"), ("منارة", "نار", nil),
  ])
  func `other forms share a prefix that few words have`(
    word: String, stem: String, prefix: String?
  ) {
    #expect(WordStems.prefix(of: word, stem) == prefix)
  }

  @Test func `a shard gives the stems of words in the languages of their passages`() {
    var counter = TermCounter()
    var builder = SegmentBuilder(itemCount: 3)
    for (text, language) in [
      ("running walks nation", "en"), ("casas running", "es"), ("walks 2024", "ja"),
    ] {
      builder.add(PassageTerms(text, SearchFields(title: "", language: language), &counter))
    }
    let text = builder.shards().map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    let values = text.split(separator: "\t", omittingEmptySubsequences: false)
    let stems = values.enumerated().filter { $0.offset % 2 == 1 }.map { value in
      value.element.split(separator: "<", omittingEmptySubsequences: false).dropFirst()
        .map(String.init)
    }
    let digits = PostingCode.digits.prefix(5).map { String(UnicodeScalar($0)) }
    // "casas" is "cas", "running" in English "run" and in Spanish "running", "walks" is "walk".
    #expect(stems.filter { !$0.isEmpty } == [[digits[2]], [digits[4]], [digits[1]]])
  }
}

extension InBrowser.SearchInBrowserTests {
  @Test func `the page finds other forms of a word as the command does`() async throws {
    try await TemporaryFolder.with("search") { root in
      let stage = try StemTable.stage(root)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for (query, found) in StemTable.queries {
          let shown = try await open(Self.hash(query)).titles
          #expect(Set(shown) == Set(found.map { "Item \($0)" }), "\(query)")
          #expect(try stage.titles(query) == shown, "\(query)")
        }
        let page = try await open(Self.hash("escribimos ")).page
        #expect(page.contains("<mark>escribir</mark>"))
        let hospital = try await open(Self.hash("Haus ")).page
        #expect(hospital.contains("<mark>Krankenhäusern</mark>"))
        #expect(hospital.contains("<mark>Krankenhaus</mark>"))
      }
      try StemTests.removeSpeakers(stage)
      try await browsing(root, in: LibraryBrowser.Name.ofTables) { open in
        for query in ["escribir ", "escribe "] {
          let shown = try await open(Self.hash(query)).titles
          #expect(try stage.titles(query) == shown, "\(query)")
        }
      }
    }
  }
}
