import ArchiverMarkup
import Testing

/// The order and the nesting of elements in chapters of a book, and the values of their attributes.
@Suite struct BookChapterOrderTests {
  private static func fragment(_ html: String) throws -> String {
    text(try XHTMLFragment.make(Array(html.utf8)) { _, address in address })
  }

  private static func rows(_ name: String, _ word: String) -> String {
    "<\(name)><tr><td>\(word)</td></tr></\(name)>"
  }

  @Test(
    arguments: [
      (
        "<colgroup><col></colgroup><caption>c</caption>",
        "<caption>c</caption><colgroup><col/></colgroup>"
      ),
      (
        rows("thead", "1") + "<colgroup><col></colgroup>",
        "<colgroup><col/></colgroup>" + rows("thead", "1")
      ),
      (rows("tbody", "2") + rows("thead", "1"), rows("thead", "1") + rows("tbody", "2")),
      // A second foot is a body, and a body comes before the foot.
      (rows("tfoot", "1") + rows("tfoot", "2"), rows("tbody", "2") + rows("tfoot", "1")),
      (
        rows("tbody", "1") + rows("thead", "2") + rows("thead", "3") + rows("tbody", "4"),
        rows("thead", "2") + rows("tbody", "1") + rows("tbody", "3") + rows("tbody", "4")
      ),
    ] as [(String, String)])
  func `parts of a table are in the order in which browsers show them`(
    parts: String, expected: String
  ) throws {
    #expect(try Self.fragment("<table>\(parts)</table>") == "<table>\(expected)</table>")
  }

  @Test func `every table of a chapter is sorted`() throws {
    let given = "<table>\(Self.rows("tfoot", "1"))\(Self.rows("tbody", "2"))</table>"
    let sorted = "<table>\(Self.rows("tbody", "2"))\(Self.rows("tfoot", "1"))</table>"
    #expect(
      try Self.fragment("\(given)<p>a</p>\(given)b\(given)")
        == "\(sorted)<p>a</p>\(sorted)b\(sorted)")
  }

  @Test(
    arguments: [
      // A term that is not a child of its list makes the list invalid.
      (
        "<dl><dt>a</dt><dd>b<section><dt>c</dt></section></dd></dl>",
        "<div><div>a</div><div>b<section><div>c</div></section></div></div>"
      ),
      ("<ruby>a<rp>(</rp><rp>(</rp><rt>b</rt></ruby>", "<ruby>a<rt>b</rt></ruby>"),
      (
        "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp>c<rt>d</rt></ruby>",
        "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp>c<rt>d</rt></ruby>"
      ),
      (
        "<figure><figcaption>a</figcaption></figure>", "<figure><figcaption>a</figcaption></figure>"
      ),
      ("<p style=\"direction:x:rtl\">a</p>", "<p>a</p>"),
      (
        "<p style=\"text-align:left; direction : rtl\">a</p>",
        "<p style=\"text-align:left\" dir=\"rtl\">a</p>"
      ),
      ("<a href=\"[x]\">a</a>", "<a href=\"%5Bx%5D\">a</a>"),
      ("<a href=\"http://e.org/%20z\">a</a>", "<a href=\"http://e.org/%20z\">a</a>"),
    ] as [(String, String)])
  func `a chapter is valid and keeps its words`(html: String, expected: String) throws {
    #expect(try Self.fragment(html) == expected)
  }

  @Test(
    arguments: [
      ("2024", true), ("2024-01", true), ("2024-01-02", true), ("2024-01-02 03:04Z", true),
      ("2024-01-02T03:04:05+0100", true), ("12-31", true), ("--12-31", true), ("09-29", true),
      ("13-01", false), ("12-32", false), ("12-40", false), ("2024-W05", true), ("03:04", true),
      ("03:04:05", true), ("3:04", false), ("03:04:05.", false), ("5.6789", false), ("", false),
      ("20240", false), ("2024-01-02T03", false),
    ] as [(String, Bool)])
  func `a time keeps a date that books may have`(date: String, isKept: Bool) throws {
    let expected = isKept ? "<time datetime=\"\(date)\">a</time>" : "<span>a</span>"
    #expect(try Self.fragment("<time datetime=\"\(date)\">a</time>") == expected)
  }
}
