import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// How sanitised HTML is written for books, and pages are read for queries.
@Suite struct BookFragmentBoundaryTests {
  private static func fragment(
    _ html: String, resolve: @escaping XHTMLFragment.Resolve = { _, address in address }
  ) throws -> String {
    text(try XHTMLFragment.make(Array(html.utf8), resolve: resolve))
  }

  @Test(arguments: [
    // What has no end tag, or loses its tags, does not end the element around it.
    ("<p>a<br>b</p>c", "<p>a<br/>b</p>c"),
    ("<p><img src=\"a\">x</p>c", "<p><img src=\"a\" alt=\"\"/>x</p>c"),
    ("<p>a<object>b</object>c</p>d", "<p>abc</p>d"),
    ("<video><source src=\"a\"><track>b</video><p>c</p>", "b<p>c</p>"),
    (
      "<p title=\"&lt;&quot;\">a &lt; b\u{FFFD}\u{FFFE}\u{FFFF}</p>",
      "<p title=\"&lt;&quot;\">a &lt; b\u{FFFD}</p>"
    ),
    ("a\u{FFFF}", "a"), ("\u{FFFE}é", "é"),
    // Attributes of formulas are all kept, of other elements those that books have.
    (
      "<p foo=\"a\">b</p><math><mi mathvariant=\"normal\">x</mi></math><p foo=\"a\">c</p>",
      "<p>b</p><math xmlns=\"http://www.w3.org/1998/Math/MathML\">"
        + "<mi mathvariant=\"normal\">x</mi></math><p>c</p>"
    ),
    (
      "<ol reversed start=\"3\"><li>a</li></ol>",
      "<ol reversed=\"reversed\" start=\"3\"><li>a</li></ol>"
    ),
    ("<p lang=\"de\">a</p>", "<p lang=\"de\" xml:lang=\"de\">a</p>"),
    (
      "<p id=\"a\">1</p><p id=\"b\">2</p><p id=\"a\">3</p>",
      "<p id=\"a\">1</p><p id=\"b\">2</p><p>3</p>"
    ),
    ("<p style=\"background-image:url(a)\">b</p>", "<p>b</p>"),
    ("<p style=\"color:red\">a</p>", "<p style=\"color:red\">a</p>"),
    ("<p style=\"direction: ltr ; unicode-bidi:embed\">a</p>", "<p dir=\"ltr\">a</p>"),
    ("<p style=\"unicode-bidi:embed;color:red\">a</p>", "<p style=\"color:red\">a</p>"),
    ("<p style=\"direction:inherit\">a</p>", "<p>a</p>"),
    ("<a href=\"http://e.org/À%C3\">a</a>", "<a href=\"http://e.org/À%C3\">a</a>"),
    ("<a href=\"http://e.org/%4%zz%\">a</a>", "<a href=\"http://e.org/%254%25zz%25\">a</a>"),
    (
      "<time datetime=\"2024-01-02T03:04:05.6789+01:00\">a</time>",
      "<time datetime=\"2024-01-02T03:04:05.678+01:00\">a</time>"
    ),
    ("<time datetime=\"03:04:05.6\">a</time>", "<time datetime=\"03:04:05.6\">a</time>"),
  ])
  func `a fragment is well-formed and has what books may have`(
    html: String, expected: String
  ) throws {
    #expect(try Self.fragment(html) == expected)
  }

  @Test func `addresses are resolved by element, an image without one is its words`() throws {
    var asked: [String] = []
    let html =
      "<p><img src=\"a\" alt=\"A &amp; B\"><img src=\"b\" alt=\"C\" width=\"9\">"
      + "<a href=\"c\">d</a><a href=\"e\">f</a><img alt=\"G\"></p>"
    let written = try Self.fragment(html) { element, address in
      asked.append("\(element) \(address)")
      return ["b", "c"].contains(address) ? address + "&" : nil
    }
    #expect(asked == ["img a", "img b", "a c", "a e"])
    #expect(
      written
        == "<p><span class=\"absent\">A &amp; B</span><img src=\"b&amp;\" alt=\"C\" width=\"9\"/>"
        + "<a href=\"c&amp;\">d</a><a>f</a><span class=\"absent\">G</span></p>")
  }

  @Test func `the ids of a page are found in tags only`() {
    let html = "<p id=\"a&amp;b\">id=\"c\"</p><h2 title=\"t\" id=\"d\">&lt;p id=\"e\"&gt;</h2>"
    #expect(XHTMLFragment.ids(Array(html.utf8)) == ["a&b", "d"])
  }

  @Test func `a tag of a page has at most 500 attributes`() throws {
    func page(_ count: Int) -> [UInt8] {
      Array("<p \((0..<count).map { "a\($0)=\($0) " }.joined())>x".utf8)
    }
    let root = try #require(try HTMLDocument.parse(page(500)).root)
    #expect(root.descendants("p").first?.attributes.count == 500)
    do throws(MarkupError) {
      _ = try HTMLDocument.parse(page(501))
      Issue.record("it was read")
    } catch {
      #expect(error.code == .tooManyNodes)
    }
  }

  @Test func `a page keeps the order of its text and elements`() throws {
    let html = "<body>a<b>b<i>c</i>d</b>e<script>f</script>g"
    let root = try #require(try HTMLDocument.parse(Array(html.utf8)).root)
    #expect(root.name == "html" && root.parent == nil)
    #expect(root.text == "abcdefg")
    #expect(root.descendants.map(\.name) == ["head", "body", "b", "i", "script"])
  }

  @Test(arguments: [
    ("<html>", true), (" \n\r<!DOCTYPE html>", true), ("<!-- a --><head>", true),
    ("<?xml?><!-- --> <BODY class=a>", true), ("<frameset>", true),
    ("<!--a--><!-- <p> --><html/>", true),
    ("<p><html>", false), ("a<html>", false), ("<htmlx>", false), ("<!-- <html>", false),
    ("<framesets>", false), ("<!--a-->", false), ("<!--", false), ("<?a", false), ("<", false),
    ("", false),
  ])
  func `a document is told from the content of a body by its first tag`(
    html: String, isDocument: Bool
  ) {
    #expect(HTMLParser.isDocument(Array(html.utf8)) == isDocument)
  }

  @Test(arguments: [
    ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("\r", "\n"), ("\r\n", "\n"), ("\r\r\n\r", "\n\n\n"),
    ("ab", "ab"),
    ("\n\r", "\n\n"), ("", ""),
  ])
  func `each end of a line is a line feed`(given: String, expected: String) {
    #expect(HTMLParser.withLineFeeds(Array(given.utf8)) == Array(expected.utf8))
  }

  @Test func `elements are told to a depth of 512, images a little deeper`() throws {
    /// The greatest depth, and the number of elements that are told.
    func told(_ html: String) throws -> [Int] {
      let log = HTMLEventLog()
      try HTMLParser.parse(Array(html.utf8), in: .init(name: "body"), into: log)
      return [log.greatestDepth, log.starts]
    }
    // The root is the first.
    let blocks = String(repeating: "<div>", count: 511)
    #expect(try told(blocks) == [512, 512])
    #expect(try told(blocks + "<div>") == [512, 512])
    #expect(try told(blocks + "<img>") == [513, 513])
    #expect(try told(blocks + "<p>x</p><br><hr>") == [513, 514])
  }
}
