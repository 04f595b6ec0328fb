import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverEPUB

/// The words of elements that are on lines of their own by a book's style.
@Suite struct LineTests {
  private static func words(_ body: String, _ style: String) throws -> String {
    let builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page(body, head: "<link rel=\"stylesheet\" href=\"s.css\"/>")
        )
      ],
      files: [("s.css", "text/css", Array(style.utf8))])
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    let text = sink.text("text/0001.html")
    guard let start = text.firstRange(of: "<main"), let end = text.firstRange(of: "</main>") else {
      return ""
    }
    return try HTMLSanitizer().plainText(of: Array(text[start.lowerBound..<end.lowerBound].utf8))
  }

  private static let spans =
    "<p class=\"v\">a <span class=\"l\">One</span><span class=\"l\">Two</span></p>"

  @Test(arguments: [
    (".l{display:block}", "a\nOne\nTwo"), ("span{display:list-item}", "a\nOne\nTwo"),
    (".v span{display:table-cell}", "a\nOne\nTwo"), ("p > .l{position:absolute}", "a\nOne\nTwo"),
    (".w span{display:block}", "a OneTwo"), ("span{display:inline-block}", "a OneTwo"),
    (".l:first-child{display:block}", "a OneTwo"), (".l{display:block;float:left}", "a OneTwo"),
    (".l{color:red}", "a OneTwo"), (".m{display:block}", "a OneTwo"),
  ])
  func `elements on lines of their own are not one word`(style: String, words: String) throws {
    #expect(try Self.words(Self.spans, style) == words)
  }

  @Test(arguments: [
    ("<i style=\"display:block\">One</i><i style=\"display:block\">Two</i>", "One\nTwo"),
    ("<table><tr><td>One</td><td>Two</td></tr></table>", "One\nTwo"),
    ("<ul><li>One</li><li>Two</li></ul>", "One\nTwo"),
    ("<ruby>漢<rt>かん</rt></ruby>字", "漢字 かん"),
    ("<p>One<br/>Two</p>", "One\nTwo"), ("<p>O<i>n</i>e</p>", "One"),
  ])
  func `cells, items and readings are words of their own`(body: String, words: String) throws {
    #expect(try Self.words(body, "") == words)
  }
}
