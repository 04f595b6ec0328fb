import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverEPUB

/// The numbers of the printed book's pages.
@Suite struct PageNumberTests {
  private static func page(
    _ body: String, list: [(String, String)] = [], head: String = ""
  ) throws -> String {
    let links = list.map { "<li><a href=\"\($0.0)\">\($0.1)</a></li>" }.joined()
    let navigation = BookBuilder.page("<nav epub:type=\"page-list\"><ol>\(links)</ol></nav>")
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page(body, head: head))],
      files: [("nav.xhtml", "application/xhtml+xml", Array(navigation.utf8))],
      itemProperties: ["nav.xhtml": "nav"])
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    let text = sink.text("text/0001.html")
    guard let start = text.firstRange(of: "<main"), let end = text.firstRange(of: "</main>") else {
      return text
    }
    return String(text[start.lowerBound..<end.lowerBound])
  }

  private static func numbers(_ html: String) -> [String] {
    html.split(separator: "data-page=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  private static func words(_ html: String) throws -> String {
    try HTMLSanitizer().plainText(of: Array(html.utf8))
  }

  @Test(arguments: [
    "<span epub:type=\"pagebreak\" id=\"p\" title=\"12\"/>",
    "<span role=\"doc-pagebreak\" id=\"p\" aria-label=\" 12 \"/>",
    "<a epub:type=\"pagebreak\" name=\"p\" title=\"12\"></a>",
    "<hr epub:type=\"pagebreak\" id=\"p\" title=\"12\"/>",
    "<div role=\"doc-pagebreak\" id=\"p\" title=\"12\"/>",
  ])
  func `a number that the book only declares is shown and not part of a word`(
    _ mark: String
  ) throws {
    let page = try Self.page("<div>exam\(mark)ple</div>")
    #expect(Self.numbers(page) == ["12"], "\(page)")
    #expect(page.contains("id=\"c-p\"") && page.contains("role=\"doc-pagebreak\""), "\(page)")
    // axe forbids `aria-label` on it; the heading of the page has one.
    let labels = page.split(separator: "aria-label").count - 1
    #expect(page.contains("title=\"12\"") && labels == 1, "\(page)")
    if !mark.contains("<hr"), !mark.contains("<div") {
      #expect(try Self.words(page) == "example")
    }
  }

  @Test func `a number that the book shows is not shown twice and not searched`() throws {
    let page = try Self.page(
      "<p>exam<span epub:type=\"pagebreak\" id=\"p12\" title=\"12\">[p. 12]</span>ple</p>",
      list: [("a.xhtml#p12", "12")])
    #expect(Self.numbers(page).isEmpty, "\(page)")
    #expect(page.contains(">[p. 12]</span>"), "\(page)")
    #expect(try Self.words(page) == "example")
  }

  @Test func `a position that only the list of pages names has its number`() throws {
    let page = try Self.page(
      """
      <p id="a">First</p><p><a id="b"/>Second</p><h2 id="c">13 Third</h2><p id="d">
      <span epub:type="pagebreak" title="14"/>Fourth</p><p id="e">Fifth</p>
      """,
      list: [
        ("a.xhtml#a", "11"), ("a.xhtml#b", "12"), ("a.xhtml#c", "13"), ("a.xhtml#d", "14"),
        ("a.xhtml", "10"), ("a.xhtml#e", "xv"),
      ])
    #expect(Self.numbers(page) == ["10", "11", "12", "14", "xv"], "\(page)")
    #expect(page.contains("<p id=\"c-a\"><span role=\"doc-pagebreak\" data-page=\"11\""), "\(page)")
    #expect(try !Self.words(page).contains("xv"))
  }

  @Test func `text of a page break that is not its number stays text`() throws {
    let page = try Self.page("<p><span epub:type=\"pagebreak\" title=\"36\">Few words.</span></p>")
    #expect(Self.numbers(page) == ["36"], "\(page)")
    #expect(try Self.words(page) == "Few words.")
  }

  @Test func `text inside a page break stays text`() throws {
    let page = try Self.page(
      "<div epub:type=\"pagebreak\" title=\"7\"><p>\(String(repeating: "words ", count: 20))</p></div>"
    )
    #expect(Self.numbers(page) == ["7"], "\(page)")
    #expect(try Self.words(page).contains("words words"))
  }
}
