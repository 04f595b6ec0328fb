import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// What a navigation document or an NCX has besides the entries of its lists.
@Suite struct NavigationPageTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private static let toc =
    "<nav epub:type=\"toc\">@<ol><li><a href=\"a.xhtml\" title=\"Of ships\">1</a></li></ol></nav>"

  private static func convert(
    _ navigation: String, type: String = "application/xhtml+xml", isInSpine: Bool = false
  ) throws -> (text: String, book: ConvertedBook, sink: MemorySink) {
    let name = type.hasSuffix("ncx+xml") ? "toc.ncx" : "nav.xhtml"
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<p id=\"x1\">A</p>"))],
      files: [
        (name, type, Array(navigation.utf8)), ("pic.png", "image/png", png),
      ], itemProperties: ["nav.xhtml": "nav"])
    if isInSpine {
      builder.rewritePackage { $0.replacing("</spine>", with: "<itemref idref=\"f0\"/></spine>") }
    }
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (sink.text("text/contents.html"), book, sink)
  }

  @Test func `headings of the lists are shown, also where they precede them`() throws {
    let list = "<ol><li><a href=\"a.xhtml\">x</a></li></ol>"
    for toc in [
      "<header><h1>Table of <i>Contents</i></h1></header>@",
      "@<header><h1>Table of Contents</h1></header>", "@<h1>Table of <i>Contents</i></h1>",
      "<h1>Table of <i>Contents</i></h1>@",
    ] {
      let parts = toc.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
      let (text, book, _) = try Self.convert(
        BookBuilder.page(
          parts[0] + Self.toc.replacing("@", with: parts[1])
            + "<nav epub:type=\"landmarks\"><h2>Guide</h2>\(list)</nav>"
            + "<nav epub:type=\"page-list\"><h2>Ink print</h2>\(list)</nav>"))
      #expect(text.contains("<h2 dir=\"auto\">Table of Contents</h2>"))
      #expect(text.contains("<h2 dir=\"auto\">Guide</h2>"))
      #expect(text.contains("<summary dir=\"auto\">Ink print</summary>"))
      #expect(book.pages.count == 1, "\(toc)")
    }
  }

  @Test func `the title of a link is kept beside its words`() throws {
    let (text, _, _) = try Self.convert(BookBuilder.page(Self.toc.replacing("@", with: "")))
    #expect(text.contains("dir=\"auto\" title=\"Of ships\">1</a>"))
  }

  @Test(arguments: [
    "<p>A word before</p>@", "@<div>A <b>word</b> after</div>", "@<p><img src=\"pic.png\"/></p>",
    "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\"><img src=\"pic.png\" alt=\"One\"/></a></li></ol></nav>",
    "<h1>Contents</h1><p><a href=\"a.xhtml\">One</a> without any list</p>",
  ])
  func `a navigation document with more than lists is a page, too`(body: String) throws {
    let page = BookBuilder.page(
      body.replacing("@", with: Self.toc.replacing("@", with: "")))
    let (text, book, sink) = try Self.convert(page)
    #expect(text.contains("<a href=\"0002.html\">The book's own table of contents</a>"))
    #expect(book.pages.map(\.path) == ["text/0001.html", "text/0002.html"])
    let own = sink.text("text/0002.html")
    #expect(own.contains("word") == body.contains("word"))
    #expect(own.contains("../assets/0001.png") == body.contains("pic.png"))
    // One in the reading order is a page as it is.
    let (again, all, _) = try Self.convert(page, isInSpine: true)
    #expect(!again.contains("own table of contents") && all.pages.count == 2)
  }

  @Test func `labels and remarks of an NCX are shown, its media counted`() throws {
    let label = "<navLabel><text>@</text></navLabel>"
    func labelled(_ words: String) -> String { label.replacing("@", with: words) }
    let media = labelled("One").replacing(
      "</navLabel>", with: "<audio src=\"a.mp3\"/><img src=\"pic.png\"/></navLabel>")
    let remark = "<navInfo><text>@ is new</text></navInfo>"
    let (text, book, _) = try Self.convert(
      "<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\"><navMap>"
        + remark.replacing("@", with: "Part") + labelled("All parts")
        + "<navPoint>\(media)<content src=\"a.xhtml\"/></navPoint></navMap><pageList>"
        + remark.replacing("@", with: "Page") + labelled("All pages")
        + "<pageTarget>\(labelled("7"))<content src=\"a.xhtml#x1\"/></pageTarget></pageList>"
        + "<navList>\(remark.replacing("@", with: "Map"))\(labelled("Maps"))<navTarget>\(labelled("A map"))"
        + "<content src=\"a.xhtml\"/></navTarget></navList></ncx>",
      type: "application/x-dtbncx+xml")
    for words in ["<h2 dir=\"auto\">All parts</h2>", "<summary dir=\"auto\">All pages</summary>"] {
      #expect(text.contains(words), "\(text)")
    }
    for words in ["Part", "Page", "Map"] {
      #expect(text.contains("<span dir=\"auto\">\(words) is new</span>"), "\(text)")
    }
    #expect(
      book.notes == [
        "The pages lack parts of the book: audio of the table of contents (1), images of the table "
          + "of contents (1)."
      ])
  }
}
