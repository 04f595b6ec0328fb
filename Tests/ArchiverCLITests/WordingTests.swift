import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import Testing

@testable import ArchiverCLI

@Suite struct WordingTests {
  @Test(arguments: Wording.all)
  func `every phrase is in every language, with the same places to fill`(wording: Wording) throws {
    for phrase in Phrase.allCases {
      let text = try #require(wording.phrases[phrase], "\(wording.language) lacks \(phrase)")
      let english = try #require(Wording.english.phrases[phrase])
      // A singular form may omit the number.
      let isOne = [.waitsOne, .laterOne].contains(phrase)
      #expect(isOne || places(text) == places(english), "\(wording.language): \(text)")
    }
  }

  private func places(_ text: String) -> Set<Character> {
    Set(zip(text, text.dropFirst()).filter { $0.0 == "%" }.map(\.1))
  }

  static let locales: [([String: String], String)] = [
    (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "de_DE.UTF-8", "LC_ALL": "es_ES.utf8"], "es"),
    (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"], "zh"), (["LANG": "C.UTF-8"], "en"),
    (["LANG": "de_DE.ISO-8859-1"], "en"), (["LANG": "fr_FR.UTF-8"], "en"), ([:], "en"),
  ]

  @Test(arguments: locales)
  func `the language is that of the locale`(variables: [String: String], language: String) {
    #expect(Wording.chosen(by: variables).language == language)
  }

  @Test func `a summary in another language has the same figures`() {
    var source = SourceReport(name: "readeck", kind: "readeck")
    source.archived = 1
    source.images = 12
    source.losses = Losses([
      MissingPart(
        .picture, name: "https://example.org/a.png", reason: "gone", isPermanent: true,
        isEssential: false)
    ])
    source.waiting = 1204
    source.byteCount = 3_400_000
    let report = RunReport(sources: [source])
    let lines = RunSummary.lines(report, isDryRun: false, onlyTrouble: false, in: .german)
    #expect(
      lines == [
        "Archiviert: 1 Eintrag, 12 Bilder, 3,4 MB in 0,0 s.",
        "1 Bild fehlt; die Seite verweist auf das Original.",
        "1.204 weitere warten auf den nächsten Lauf.",
      ])
  }

  @Test func `pages that could not be rebuilt are named, at most five of them`() {
    var report = RunReport(sources: [SourceReport(name: "books", kind: "books")])
    report.notRemade = (1...7).map {
      SourceReport.ItemNote(id: "\($0)", title: "Book \($0)", message: "a reason.")
    }
    let lines = RunSummary.lines(report, isDryRun: false, onlyTrouble: false).filter {
      $0.contains("Book") || $0.contains("more")
    }
    #expect(lines.count == 6)
    #expect(lines.first == "Book 1: its earlier page stays, as it could not be rebuilt: a reason.")
    #expect(lines.last == "The same holds for 2 items more.")
  }

  @Test func `only images with a URL are said to be linked to`() {
    func part(_ name: String) -> MissingPart {
      MissingPart(.picture, name: name, reason: "gone", isPermanent: true, isEssential: false)
    }
    func lines(_ names: [[String]]) -> ArraySlice<String> {
      var source = SourceReport(name: "readeck", kind: "readeck")
      source.archived = 1
      for item in names { source.losses.add(Losses(item.map(part))) }
      return RunSummary.lines(
        RunReport(sources: [source]), isDryRun: false, onlyTrouble: false
      ).dropFirst()
    }
    #expect(lines([["data:image/png"]]) == ["1 image without a URL is missing."])
    #expect(
      lines([["a cover"], ["https://a.example/1", "https://a.example/2", ""]])
        == [
          "2 images are missing; the pages link to the originals.",
          "2 images without a URL are missing.",
        ])
  }

  @Test func `numbers are written as the language writes them`() {
    let shown = Wording.all.map { [$0.number(1204), $0.number(12_040), $0.bytes(1_250_000)] }
    #expect(
      shown == [
        ["1,204", "12,040", "1.3 MB"], ["1.204", "12.040", "1,3 MB"],
        ["1204", "12.040", "1,3 MB"], ["1,204", "12,040", "1.3 MB"],
      ])
    #expect(Wording.spanish.time(.milliseconds(420)) == "0,4 s")
  }

  @Test func `a value with a per cent sign stays as it is`() {
    #expect(
      Wording.english.text(.expired, "a%2b", "1 item")
        == "a%2b: removed 1 item, as configured.")
  }

  @Test func `run and status speak the language of the locale, JSON does not`() async throws {
    let desk = try Desk()
    var variables = Desk.configured
    variables["LANG"] = "de_DE.UTF-8"
    let run = await desk.type("run", variables: variables)
    #expect(run.error.contains("Nichts Neues"))
    let json = await desk.type("run", "--json", variables: variables)
    #expect(json.output.contains("\"event\":\"finished\"") && !json.output.contains("Nichts"))
  }

  @Test func `a source that was not reached is not said to have nothing new`() {
    var source = SourceReport(name: "readeck", kind: "readeck")
    source.failure = AdapterError(.unavailable, "it is down")
    let report = RunReport(sources: [source])
    let lines = RunSummary.lines(report, isDryRun: false, onlyTrouble: false)
    #expect(lines == ["readeck: it is down"])
  }
}

/// A run prints the language in place of the whole dictionary.
extension Wording: CustomTestStringConvertible {
  package var testDescription: String { language }
}
