import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct LossesTests {
  private func picture(_ name: String, isPermanent: Bool = false) -> MissingPart {
    MissingPart(
      .picture, name: name, reason: "no \(name)", isPermanent: isPermanent, isEssential: false)
  }

  @Test func `parts are counted by kind and flags, essential ones first`() {
    var losses = Losses([
      picture("https://example.org/a.png"), picture("http://example.org/b.png"),
      picture("https://example.org/c.png", isPermanent: true),
      MissingPart(.file, name: "notes.pdf", reason: "404"),
      MissingPart(.text, name: "", reason: "the server answered 503"),
    ])
    #expect(losses.entries.map(\.kind) == [.text, .file, .picture, .picture])
    #expect(losses.entries.map(\.count) == [1, 1, 2, 1])
    #expect(losses.entries.map(\.isPermanent) == [false, false, false, true])
    #expect(losses.entries.map(\.withoutURL) == [1, 1, nil, nil])
    #expect(losses.entries[2].name == "https://example.org/a.png", "that of the first one")
    #expect(
      losses.sentence == "the text is missing (the server answered 503), an attached file is "
        + "missing (404)")
    losses.add(Losses([picture("drawn by a script"), picture("https://example.org/d.png")]))
    #expect(losses.entries[2].count == 4)
    #expect(losses.entries[2].withoutURL == 1)
    #expect(losses.total == 7)
    #expect(losses.count([.picture]) == 5)
    #expect(losses.count([.picture, .text], isEssential: true) == 1)
  }

  @Test func `a file that is kept and damaged is told apart from one that is missing`() throws {
    var kept = MissingPart(.mainFile, name: "", reason: "it is truncated")
    kept.isKept = true
    let losses = Losses([kept, MissingPart(.mainFile, name: "", reason: "404")])
    #expect(
      losses.sentence
        == "the file is missing (404), the file cannot be read in full (it is truncated)")
    var files = (0..<2).map { MissingPart(.file, name: "\($0)", reason: "") }
    for index in files.indices { files[index].isKept = true }
    #expect(Losses(files).sentence == "2 attached files cannot be read in full")
    let stored = try JSONDecoder().decode(Losses.self, from: JSONEncoder().encode(losses))
    #expect(stored == losses)
  }

  @Test func `only what is essential or may still arrive makes an item less than complete`() {
    #expect(Losses().completeness == .complete)
    #expect(Losses([picture("a", isPermanent: true)]).completeness == .complete)
    #expect(Losses([picture("a")]).completeness == .incomplete)
    let essential = MissingPart(.mainFile, name: "", reason: "", isPermanent: true)
    #expect(Losses([picture("a"), essential]).completeness == .failed)
    #expect(Losses(pictures: 0).isEmpty)
    #expect(Losses(pictures: 3).sentence == nil)
    #expect(Losses(pictures: 3).wholeSentence == "3 images are missing")
  }

  @Test(
    arguments: [
      (.text, "the text is missing", "the text is missing"),
      (.mainFile, "the file is missing", "the file is missing"),
      (.file, "an attached file is missing", "2 attached files are missing"),
      (.picture, "an image is missing", "2 images are missing"),
      (.children, "a part of the page is missing", "2 parts of the page are missing"),
      (.comments, "the comments are missing", "the comments are missing"),
      (.record, "its metadata is missing", "its metadata is missing"),
    ] as [(MissingPart.Kind, String, String)])
  func `a sentence says what is missing, and how many of it`(
    kind: MissingPart.Kind, one: String, two: String
  ) {
    let part = MissingPart(kind, name: "", reason: "")
    #expect(Losses([part]).sentence == one)
    #expect(Losses([part, part]).sentence == two)
  }
}
