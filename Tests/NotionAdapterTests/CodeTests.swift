import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Code has the colours of its language.
struct CodeTests {
  private static func piece(
    _ text: String, link: String? = nil, color: String = "default", isCode: Bool = false
  ) -> JSONValue {
    let address: JSONValue = link.map { ["url": .string($0)] } ?? .null
    return [
      "type": "text", "text": ["content": .string(text), "link": address],
      "annotations": ["color": .string(color), "code": .bool(isCode)], "plain_text": .string(text),
    ]
  }

  private static func html(_ pieces: [JSONValue], _ language: String = "swift") -> String {
    let html = Render.html([
      FakeBlock("code", ["rich_text": .array(pieces), "language": .string(language)])
    ])
    return html.split(separator: "<code>").last?.split(separator: "</code>").first.map(String.init)
      ?? ""
  }

  @Test func `words of code have classes by their kind`() {
    #expect(
      Self.html([Self.piece("let a = 1 // x")])
        == "<span class=\"n-s-keyword\">let</span> a = <span class=\"n-s-number\">1</span> "
        + "<span class=\"n-s-comment\">// x</span>")
  }

  @Test func `links and colours inside code stay`() {
    #expect(
      Self.html([
        Self.piece("let "), Self.piece("A", link: "https://example.org/a"), Self.piece(" = "),
        Self.piece("nil", color: "red"),
      ])
        == "<span class=\"n-s-keyword\">let</span> <a href=\"https://example.org/a\">A</a> = "
        + "<span class=\"n-c-red\">nil</span>")
  }

  @Test func `a word continues across pieces`() {
    #expect(
      Self.html([Self.piece("/* a "), Self.piece("b */ x", color: "default", isCode: true)])
        == "<span class=\"n-s-comment\">/* a </span><span class=\"n-s-comment\">b */</span> x")
  }

  @Test func `code of an unknown language is plain, line breaks and all`() {
    #expect(Self.html([Self.piece("if a\n\tb")], "klingon") == "if a\n\tb")
  }
}
