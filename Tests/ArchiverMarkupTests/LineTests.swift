import Testing

@testable import ArchiverMarkup

/// Inline elements that a style puts on lines of their own.
@Suite struct LineTests {
  private static let one = "<span style=\"display: block\">One</span>"

  @Test(arguments: [
    ("<p>\(one)\(one)</p>", "<p>One<br>One</p>", "One\nOne"),
    ("<p>a\(one)b</p>", "<p>a<br>One<br>b</p>", "a\nOne\nb"),
    ("<h2>\(one)<em style=\"display:table-row\">Two</em></h2>", nil, "One\nTwo"),
    (
      "<p><i>\(one)<b style='DISPLAY:block'>b</b></i></p>", "<p><i>One<br><b>b</b></i></p>",
      "One\nb"
    ),
    ("<p>\(one)<br>\(one)</p>", "<p>One<br>One</p>", "One\nOne"),
    ("<p>O<span style=\"display:inline\">n</span>e</p>", "<p>One</p>", "One"),
    ("<p><b style=\"display:block;float:left\">O</b>nce</p>", "<p><b>O</b>nce</p>", "Once"),
  ])
  func `they keep their lines and words`(html: String, kept: String?, words: String) throws {
    let result = try HTMLSanitizer().sanitize(Array(html.utf8), baseURL: nil)
    if let kept { #expect(String(decoding: result.bytes, as: UTF8.self) == kept) }
    #expect(result.plainText == words)
    let again = try HTMLSanitizer().sanitize(result.bytes, baseURL: nil)
    #expect(again.bytes == result.bytes && again.plainText == result.plainText)
  }

  @Test func `marks of a book's page count when only its text is read`() throws {
    let page = "a<i data-text=\"line\">One</i><b data-text=\"none\">7</b><i data-text=\"x\">b</i>"
    #expect(try HTMLSanitizer().plainText(of: Array(page.utf8)) == "a\nOne\nb")
    #expect(try HTMLSanitizer().sanitize(Array(page.utf8), baseURL: nil).plainText == "aOne7b")
  }
}
