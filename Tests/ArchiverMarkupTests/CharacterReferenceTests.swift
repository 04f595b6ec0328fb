import ArchiverMarkup
import ArchiverTestKit
import Testing

/// Character references and comments as the HTML standard reads them.
@Suite struct CharacterReferenceTests {
  @Test(arguments: [
    ("a<!-->b", "ab"), ("a<!--->b", "ab"), ("a<!-- x <!--> b", "a b"),
    ("it&#146;s", "it\u{2019}s"), ("it&#x92;s &#X80;", "it\u{2019}s \u{20AC}"),
    ("&#151 x", "\u{2014} x"), ("&#65;", "A"), ("R&#D", "R&#D"), ("R&#xZ", "R&#xZ"),
    ("&copy 2024", "\u{A9} 2024"), ("a&nbsp b", "a\u{A0} b"), ("&eacute", "\u{E9}"),
    ("&copy; 2024", "\u{A9} 2024"), ("a &check2 b", "a &check2 b"), ("a & b", "a & b"),
  ])
  func `references and empty comments are read as the standard says`(
    html: String, words: String
  ) throws {
    let found = try canonical("<p>\(html)</p>")
    #expect(found == "<p>\(words.replacing("&", with: "&amp;"))</p>")
  }

  @Test func `a query in an address keeps its names`() throws {
    let html = try canonical("<a href='/x?a=1&copy=2&amp;lang=en'>x</a>")
    #expect(html.contains("?a=1&amp;copy=2&amp;lang=en\""), "\(html)")
  }

  @Test(arguments: ["<!-->", "&#", "&copy ", "<script>", "&#146;", "&#999999999999999999999;"])
  func `repeated references take linear time`(piece: String) throws {
    let html = String(repeating: piece, count: 100_000 / piece.utf8.count)
    let time = try processorTime { _ = try sanitized(html) }
    #expect(time < .seconds(5), "\(time)")
  }
}
