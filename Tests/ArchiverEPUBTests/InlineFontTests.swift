import ArchiverCore
import Testing

@testable import ArchiverEPUB

@Suite struct InlineFontTests {
  private func convert(_ builder: BookBuilder) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (book, sink)
  }

  @Test(arguments: [
    ("data:font/woff2;base64,d09GMgABAAA=", "woff2"), ("data:;base64,d09GRgAB", "woff"),
    ("DATA:application/octet-stream;charset=utf-8;BASE64,T1RUTwAK", "otf"),
    ("data:application/x-font-ttf,%00%01%00%00%00", "ttf"),
  ])
  func `a font inside a style sheet becomes a file, known by its bytes`(url: String, ending: String)
    throws
  {
    let css = "@font-face{font-family:F;src:url(\"\(url)\")} p{font-family:F}"
    let page = BookBuilder.page("<p>t</p>", head: "<link rel=\"stylesheet\" href=\"s.css\"/>")
    let (book, sink) = try convert(
      BookBuilder(pages: [("a.xhtml", page)], files: [("s.css", "text/css", Array(css.utf8))]))
    #expect(
      sink.text("style/0001.css").contains("src:url(\"../assets/0001.\(ending)\")"),
      "\(sink.text("style/0001.css"))")
    #expect(sink.files["assets/0001.\(ending)"]?.isEmpty == false)
    #expect(book.notes.isEmpty)
  }

  @Test(arguments: [
    "data:font/woff2;base64,PGh0bWw+", "data:font/ttf;base64,####", "data:font/ttf", "data:,",
    "data:text/html,%3Cscript%3E",
  ])
  func `what is no font is not kept as one`(url: String) throws {
    let css = "@font-face{font-family:F;src:url(\"\(url)\")} p{margin:0}"
    let page = BookBuilder.page("<p>t</p>", head: "<link rel=\"stylesheet\" href=\"s.css\"/>")
    let (_, sink) = try convert(
      BookBuilder(pages: [("a.xhtml", page)], files: [("s.css", "text/css", Array(css.utf8))]))
    #expect(!sink.text("style/0001.css").contains("font-face"))
    #expect(!sink.files.keys.contains { $0.hasPrefix("assets/") })
  }

  @Test func `suggestions of a form field are counted`() throws {
    let body =
      "<input list=\"l\" value=\"kept\"/><datalist id=\"l\"><option value=\"a\">One</option></datalist>"
      + "<datalist/>"
    let (book, _) = try convert(BookBuilder(pages: [("a.xhtml", BookBuilder.page(body))]))
    #expect(book.notes == ["The pages lack parts of the book: suggestions of form fields (1)."])
  }
}
