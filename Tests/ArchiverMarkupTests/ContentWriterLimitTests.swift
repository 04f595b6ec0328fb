import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// The limits of sanitised content, and content at the edges of blocks and lines.
@Suite struct ContentWriterLimitTests {
  private func repeated(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count)
  }

  @Test func `elements that a list requires count as levels`() throws {
    let item = "<div>" + repeated("<ul><li>", 99)
    #expect(try sanitized(item + "x").losses == [:])
    #expect(try sanitized(item + "<ul>x").losses == ["formatting": 1])
    #expect(try sanitized(repeated("<div>", 196) + "<ul><div>x").losses == [:])
    #expect(try sanitized(repeated("<div>", 197) + "<ul><div>x").losses == ["formatting": 1])
  }

  @Test func `an anchor is written inside at most 23 inline elements`() throws {
    func html(_ count: Int) throws -> String {
      try canonical(repeated("<sub>", count) + "<x-y id=k></x-y>a")
    }
    #expect(try html(23).contains("<span id=\"c-k\"></span>a"))
    #expect(try !html(24).contains("c-k"))
  }

  /// The losses of an inline element that is opened again in 15 of 16 blocks.
  private func losses(_ length: Int, before: String = "", after: String = "") throws -> Int? {
    let html =
      before + "<b title=" + repeated("x", length) + ">" + after + repeated("<div>y</div>", 16)
    return try sanitized(html).losses["formatting"]
  }

  @Test func `inline elements are opened again within a budget of 1 MiB`() throws {
    // Each of 15 costs 14 bytes and the length: 15 times 69,905 is one byte less than the budget.
    #expect(try losses(69_891) == nil)
    #expect(try losses(69_892) == 1)
  }

  @Test func `inline elements inside one that is not opened again are lost too`() throws {
    #expect(try losses(69_892, before: "<i>") == 1)
    #expect(try losses(69_892, after: "<i>") == 2)
  }

  @Test(
    arguments: sides(
      of: #"""
        a<div></div><div></div>b => a<br>b
        a<div></div><x-y id=k></x-y> b => a<br><span id="c-k"></span>b
        <ul><div></div></ul> =>
        <ol><p></p></ol>a => a
        <pre>a<wbr>b</pre> => <pre>a<wbr>b</pre>
        <p>a > b & c < d</p> => <p>a &gt; b &amp; c &lt; d</p>
        <b><ruby>a<rt>b</rt></ruby></b> => <b><ruby>a<rt>b</rt></ruby></b>
        <ul><li type=circle>x</ul> => <ul><li style="list-style-type:circle">x</li></ul>
        <p type=circle>x</p> => <p>x</p>
        <p id=k>a<iframe src=/f></iframe>b</p> => <p id="c-k">a</p><p class="embed"><a href="https://example.org/f" rel="noreferrer noopener">Embedded content: https://example.org/f</a></p><p>b</p>
        """#))
  func `content at the edge of a block or a line is written once and in place`(
    html: String, expected: String
  ) throws {
    #expect(try canonical(html) == expected)
  }

  @Test func `no line break opportunity is added to preserved white space`() throws {
    #expect(
      try canonical("<p style=white-space:pre>a\n <wbr>b</p>") == "<p>a<br>\u{A0}b</p>")
  }

  @Test(arguments: [
    "strong", "em", "b", "i", "u", "s", "code", "kbd", "samp", "var", "dfn", "cite",
  ])
  func `an element without an effect inside itself is written once`(name: String) throws {
    let html = "<\(name)>a<\(name)>b</\(name)></\(name)>"
    #expect(try canonical(html) == "<\(name)>ab</\(name)>")
  }

  @Test(arguments: ["sub", "small", "abbr", "time", "del", "ins", "q", "bdi", "bdo"])
  func `an element with an effect inside itself is written again`(name: String) throws {
    let html = "<\(name)>a<\(name)>b</\(name)></\(name)>"
    #expect(try canonical(html) == html)
  }

  @Test(arguments: [("strike", "s"), ("tt", "code"), ("acronym", "abbr")])
  func `the replacement of an obsolete element is written once`(old: String, new: String) throws {
    let html = "<\(old)>a<\(old)>b</\(old)></\(old)>"
    #expect(try canonical(html) == "<\(new)>ab</\(new)>")
  }

  @Test func `an area has at most 2,000 coordinates`() throws {
    let html =
      "<map name=m><area href=/x shape=poly coords='" + repeated("1,", 2_001) + "'></map>"
    #expect(try canonical(html).contains("coords=\"1,1,1,1,"))
  }

  @Test func `every space of an image in the page is encoded`() {
    #expect(
      InlineImage.canonical("data:image/svg+xml,<svg  a/>") == "data:image/svg+xml,<svg%20%20a/>")
  }

  @Test func `the id of a heading is made of its first 60 characters`() {
    #expect(SafeIdentifier.slug("a" + repeated(" ", 58) + "b") == "c-a-b")
    #expect(SafeIdentifier.slug("a" + repeated(" ", 59) + "b") == "c-a")
  }

  @Test(arguments: [
    ("1", 100), ("#", 100), ("\u{A9}", 100), ("a", 100), ("😀😀", 100),
    ("1\u{FE0F}\u{20E3}", 20), ("\u{2764}", 20), ("😀", 20),
  ])
  func `an image named by one emoji is as high as a line`(alt: String, side: Int) {
    let page = Array("<img src=\"https://e.org/i\" alt=\"\(alt)\">".utf8)
    let slots = ImageExtractor.references(in: page).slots
    let rewritten = ImageRewriter.rewrite(page, slots: slots) { _ in
      .local(path: "a", width: 100, height: 100)
    }
    #expect(text(rewritten).contains(" width=\"\(side)\" height=\"\(side)\" "))
  }

  @Test(arguments: [
    ("text", true), ("textbf", true), ("mathrm", true), ("operatorname", true), ("begin", true),
    ("end", true), ("ce", true), ("mbox", true), ("label", true), ("frac", false),
    ("ended", false), ("beginner", false), ("cedilla", false), ("mboxes", false),
    ("labels", false),
  ])
  func `words in the argument of some commands are no prose`(name: String, isTeX: Bool) {
    #expect(FormulaText.readsAsTeX("\\\(name){abc def ghi jkl mno pqr stu}") == isTeX)
  }
}
