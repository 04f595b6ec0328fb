import Testing

@testable import ArchiverEPUB

/// What programs that read pages aloud use, and what tells links from text.
@Suite struct LandmarkTests {
  private static func page(_ body: String, sheet: String = "") throws -> String {
    let link = "<link rel=\"stylesheet\" href=\"s.css\"/>"
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page(body, head: link))],
      files: [("s.css", "text/css", Array(sheet.utf8))])
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return sink.text("text/0001.html")
  }

  @Test(arguments: [
    ("<p>Words <a href=\"#x\">link</a> words</p>", true),
    ("<p>It is in the <sup><a href=\"#x\">1</a></sup></p>", true),
    ("<ul><li>See <a href=\"#x\">a</a> or <a href=\"#x\">b</a></li></ul>", true),
    ("<p><a href=\"#x\">Chapter one</a></p>", false),
    ("<p>12. <a href=\"#x\">Chapter one</a> … 34</p>", false),
    ("<p>Many words before<br/><a href=\"#x\">The next chapter</a></p>", false),
    ("<div>Many words before<p><a href=\"#x\">The next chapter</a></p></div>", false),
    ("<p>Words <a id=\"y\">anchor</a> words</p>", false),
  ])
  func `a link in running text is told from it by more than colour`(
    body: String, isRunning: Bool
  ) throws {
    let page = try Self.page(body + "<p id=\"x\">x</p>", sheet: "a { text-decoration: none }")
    #expect(page.contains("data-running") == isRunning, "\(page)")
    #expect(BookStyle.sheet.contains(".sheet a[data-running] { text-decoration-line: underline !"))
  }

  @Test(arguments: [
    ("<h1>One</h1><h2>Two</h2>", "<main id=\"content\"><div"),
    ("<p>One</p>", "<main id=\"content\"><h1 aria-label=\"t\"></h1>"),
    ("<h2>Two</h2>", "<main id=\"content\"><h1 aria-label=\"Two\"></h1>"),
    ("<h2>Two</h2><h3>Three</h3>", "<h2>Two</h2><h3>Three</h3>"),
    (
      "<h4>Four</h4><h5>Five</h5>",
      "<h4 aria-level=\"2\">Four</h4><h5 aria-level=\"3\">Five</h5>"
    ),
    ("<h1>One</h1><h4>Four</h4>", "<h1>One</h1><h4 aria-level=\"2\">Four</h4>"),
    ("<h1><img src=\"a.png\" alt=\"\"/></h1>", "<h1 role=\"none\">"),
    ("<h1> </h1><h2>Two</h2>", "<h1 aria-label=\"Two\"></h1>"),
  ])
  func `every page has a heading of the first level and leaves out none`(
    body: String, expected: String
  ) throws {
    let page = try Self.page(body)
    #expect(page.contains(expected), "\(page)")
  }

  @Test func `pages without text have a heading too`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", "x")])
    builder.entries.removeAll { $0.name == "OEBPS/a.xhtml" }
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(sink.text("text/0001.html").contains("<h1 aria-label=\"Part 1\"></h1>"))
  }

  @Test func `each part for navigation has a label of its own`() throws {
    let list = "<ol><li><a href=\"#x\">x</a></li></ol>"
    let page = try Self.page(
      "<h1>One</h1><nav epub:type=\"toc\"><h2>In  here</h2>\(list)</nav><nav epub:type=\"landmarks\">\(list)</nav>"
        + "<nav aria-label=\"In here\">\(list)</nav><nav>\(list)</nav>")
    for label in ["In here", "Parts of the book", "In here (2)", "Contents"] {
      #expect(page.ranges(of: "aria-label=\"\(label)\"").count == 1, "\(label) in \(page)")
    }
  }

  @Test(arguments: [
    ("<p><a epub:type=\"noteref\">1</a></p>", "<a data-epub-type=\"noteref\">1</a>"),
    (
      "<dl epub:type=\"glossary\"><dt>a</dt><dd>b</dd></dl>", "<dl data-epub-type=\"glossary\">"
    ),
    ("<ol><li role=\"doc-endnote\">a</li></ol>", "<li data-epub-type=\"footnote\">a</li>"),
    ("<section epub:type=\"chapter\">a</section>", "<section role=\"doc-chapter\""),
    ("<p role=\"doc-unknown\">a</p>", "<p>a</p>"),
  ])
  func `an element has no role that it may not have`(body: String, expected: String) throws {
    let page = try Self.page(body)
    #expect(page.contains(expected), "\(page)")
  }

  @Test func `keys reach text in columns`() throws {
    let page = try Self.page("<p>x</p>", sheet: "html { writing-mode: vertical-rl }")
    #expect(page.contains("<div class=\"vertical\" tabindex=\"0\">"), "\(page)")
  }

  @Test func `tools of a drawing keep their descriptions, but have no name`() throws {
    let page = try Self.page(
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><defs><filter id=\"f\"><title>Blur</title></filter></defs>"
        + "<rect width=\"1\" height=\"1\"><title>Box</title></rect></svg>")
    #expect(page.contains("aria-label=\"Box\""), "\(page)")
    #expect(
      page.contains("data-label=\"Blur\"") && !page.contains("aria-label=\"Blur\""), "\(page)")
  }
}
