import ArchiverCore
import ArchiverFuzzing
import ArchiverMarkup
import Testing

/// Articles as a Readeck server delivered them.
@Suite(.enabled(if: fixtures != nil, "the shared fixtures are not beside the project"))
struct ReadeckArticleTests {
  private func article(_ name: String) throws -> SanitizedHTML {
    try HTMLSanitizer(.usual).sanitize(try fixture("readeck/article_\(name).html"), baseURL: page)
  }

  @Test(arguments: [
    ("article", 6), ("article_video", 5), ("dateonly", 0), ("many", 80), ("rtl", 0), ("plain", 0),
    ("empty", 0),
  ])
  func `finds the images of each article`(_ name: String, _ count: Int) throws {
    let result = try article(name)
    let source = text(try fixture("readeck/article_\(name).html"))
    #expect(source.matches(of: #/<img /#).count == count)
    #expect(ImageExtractor.references(in: result.bytes).slots.count == count)
    #expect(result.mediaCount == count)
    #expect(CanonicalGrammar(result.bytes).violations.isEmpty)
    #expect(result.isEmpty == source.isEmpty)
  }

  @Test func `keeps footnotes, highlights, code and formulas`() throws {
    let result = try article("article")
    let html = text(result.bytes)
    #expect(
      html.contains("<a id=\"c-qE.DONc.ref1\" href=\"#c-qE.DONc.fn1\" target=\"_self\">1</a>"))
    #expect(
      html.contains(
        "<li id=\"c-qE.DONc.fn1\">The footnote text. <a href=\"#c-qE.DONc.ref1\" target=\"_self\">back</a></li>"
      ))
    #expect(result.annotations.map(\.id) == ["XqpTvUZyqGgaB9E3rt92Up", "DiCLkuEusGWhicvKBzZYEK"])
    #expect(result.annotations.map(\.color) == ["yellow", "green"])
    #expect(result.annotations.map(\.text) == ["quick brown fox", "Quoted text. One Two link"])
    #expect(result.annotations.first?.note == "A note with <b>html</b> & \"quotes\"")
    #expect(html.contains("<pre><code>let x = 1 &lt; 2\nprint(\"hi\")</code></pre>"))
    #expect(html.contains("<math><mi>x</mi><mo>=</mo><mn>1</mn></math> and emoji 😀 — “quotes”"))
    #expect(result.headings.map(\.text) == ["Images", "Code"])
    #expect(result.firstImageAlt == "A photo")
  }

  @Test func `keeps right-to-left text`() throws {
    let result = try article("rtl")
    #expect(result.headings.first?.text == "مرحبا")
    #expect(result.wordCount > 100)
  }
}
