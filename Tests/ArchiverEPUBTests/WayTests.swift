import Testing

@testable import ArchiverEPUB

/// Navigation of books that violate the specifications.
@Suite struct WayTests {
  private func convert(_ builder: BookBuilder) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    return (try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }, sink)
  }

  private static let ncx = "application/x-dtbncx+xml"

  @Test func `a table of contents finds files whose names differ in case`() throws {
    let contents =
      "<ncx><navMap><navPoint><navLabel><text>First</text></navLabel>"
      + "<content src=\"text/one.xhtml\"/><navPoint><navLabel><text>Inner</text></navLabel>"
      + "<content src=\"text/one.xhtml#s\"/></navPoint></navPoint></navMap></ncx>"
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("Text/One.xhtml", BookBuilder.page("<p>1</p>"))],
        files: [("toc.ncx", Self.ncx, Array(contents.utf8))], spine: "toc=\"f0\""))
    #expect(book.pages.map(\.title) == ["First"])
    let html = sink.text("text/contents.html")
    #expect(html.contains("<a href=\"0001.html\" dir=\"auto\">First</a>"))
    #expect(html.contains("<a href=\"0001.html#c-s\" dir=\"auto\">Inner</a>"))
  }

  /// A book of one page whose navigation document, beside the reading order, has these lines.
  private static func navigated(_ lines: String, page: String) -> BookBuilder {
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\" id=\"toc\"><ol>\(lines)</ol></nav>")
    return BookBuilder(
      pages: [("a.xhtml", BookBuilder.page(page))],
      files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
      itemProperties: ["nav.xhtml": "nav"])
  }

  @Test func `a line of the contents may have its link inside another element`() throws {
    let (book, _) = try convert(
      Self.navigated("<li><p><a href=\"a.xhtml\">Deep</a></p></li>", page: "1"))
    #expect(book.pages.map(\.title) == ["Deep"])
  }

  @Test func `a text outside the reading order becomes a page if it is linked`() throws {
    let (book, sink) = try convert(
      BookBuilder(
        pages: [
          ("a.xhtml", BookBuilder.page("<a href=\"notes.xhtml#n\">1</a>")),
          ("b.xhtml", BookBuilder.page("B")),
        ],
        files: [
          (
            "notes.xhtml", "application/xhtml+xml",
            Array(
              BookBuilder.page(
                "<p id=\"n\">A note <a href=\"a.xhtml\">back</a>, <a href=\"more.html\">more</a></p>"
              ).utf8)
          ),
          ("more.html", "", Array(BookBuilder.page("<p>More</p>").utf8)),
          ("left.xhtml", "application/xhtml+xml", Array(BookBuilder.page("Left").utf8)),
        ]))
    #expect(sink.text("text/0001.html").contains("<a href=\"0003.html#c-n\">1</a>"))
    let note = sink.text("text/0003.html")
    #expect(note.contains("<p id=\"c-n\">A note <a href=\"0001.html\" data-running=\"\">back</a>"))
    #expect(note.contains("<a href=\"0004.html\" data-running=\"\">more</a>"))
    #expect(!note.contains("rel=\"next\""))
    #expect(sink.text("text/0004.html").contains("<p>More</p>"))
    #expect(sink.files["text/0005.html"] == nil)
    #expect(book.pages.count == 4)
  }

  @Test func `addresses from the book's root and of Windows find their files`() throws {
    let page = BookBuilder.page(
      "<img src=\"/OEBPS/pics/a.png\" alt=\"A\"/><img src=\"pics\\a.png\" alt=\"B\"/>"
        + "<img src=\"/etc/passwd\" alt=\"C\"/><img src=\"..\\..\\a.png\" alt=\"D\"/>"
        + "<img src=\"//OEBPS/pics/a.png\" alt=\"E\"/>")
    let (_, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", page)], files: [("pics/a.png", "image/png", [1])]))
    let html = sink.text("text/0001.html")
    for name in ["A", "B"] {
      #expect(html.contains("<img src=\"../assets/0001.png\" alt=\"\(name)\">"), "\(name)")
    }
    #expect(html.contains("CDE"))
  }

  @Test func `a link to the book's navigation leads to the contents`() throws {
    let (_, sink) = try convert(
      Self.navigated(
        "<li><a href=\"a.xhtml\">A</a></li>", page: "<a href=\"nav.xhtml#toc\">up</a>"))
    #expect(sink.text("text/0001.html").contains("<a href=\"contents.html\">up</a>"))
  }

  @Test(arguments: ["text/xml", "application/octet-stream", "application/x-dtbook+xml"])
  func `a chapter of a wrong or old type is a chapter`(type: String) throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>text</p>"))])
    let package = try #require(builder.entries.firstIndex { $0.name.hasSuffix(".opf") })
    builder.entries[package].bytes = Array(
      String(decoding: builder.entries[package].bytes, as: UTF8.self)
        .replacing("application/xhtml+xml", with: type).utf8)
    let (book, sink) = try convert(builder)
    #expect(book.notes.isEmpty)
    #expect(sink.text("text/0001.html").contains("<p>text</p>"))
  }

  @Test func `a document that browsers cannot show has a page with a message`() throws {
    let (book, sink) = try convert(
      BookBuilder(pages: [("a.xhtml", BookBuilder.page("A")), ("b.swf", "x")]).typed(
        "b.swf", "application/x-shockwave-flash"))
    #expect(book.pages.count == 2)
    #expect(book.notes == ["OEBPS/b.swf has a format that browsers do not show."])
    let text = sink.text("text/0002.html")
    #expect(text.contains("class=\"absent\""))
    #expect(text.contains("<a href=\"../assets/0001.bin\" download=\"b.swf\">b.swf</a>"))
    #expect(sink.files["assets/0001.bin"] == Array("x".utf8))
  }

  @Test func `without a table of contents pages are called by their headings`() throws {
    let (book, sink) = try convert(
      BookBuilder(pages: [
        ("a.xhtml", BookBuilder.page("<div><h2>The  <i>Harbour</i></h2></div><h1>x</h1>")),
        (
          "b.xhtml", BookBuilder.page("<p>no heading</p>").replacing("<title>t", with: "<title>Two")
        ),
        (
          "c.xhtml",
          BookBuilder.page("<p>no heading</p>").replacing("<title>t", with: "<title>A Book")
        ),
      ]))
    #expect(book.pages.map(\.title) == ["The Harbour", "Two", "Part 3"])
    #expect(sink.text("text/contents.html").contains("<a href=\"0001.html\">The Harbour</a>"))
    #expect(sink.text("text/0001.html").contains("<title>The Harbour – A Book</title>"))
  }

  @Test(arguments: ["guide", "manifest", "first page"])
  func `a cover is found where the book does not call it one`(place: String) throws {
    let page = BookBuilder.page(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">"
        + "<image xlink:href=\"Front.png\"/></svg>")
    let text = ("b.xhtml", BookBuilder.page("<p>\(String(repeating: "text ", count: 60))</p>"))
    let name = place == "manifest" ? "Cover.png" : "Front.png"
    var builder = BookBuilder(
      pages: place == "first page" ? [("a.xhtml", page), text] : [text, ("a.xhtml", page)],
      files: [("x.png", "image/png", [1]), (name, "image/png", [2])])
    if place == "guide" {
      let package = try #require(builder.entries.firstIndex { $0.name.hasSuffix(".opf") })
      builder.entries[package].bytes = Array(
        String(decoding: builder.entries[package].bytes, as: UTF8.self).replacing(
          "</package>",
          with: "<guide><reference type=\"cover\" href=\"a.xhtml\"/></guide></package>"
        ).utf8)
    }
    let (book, sink) = try convert(builder)
    #expect(sink.files[try #require(book.coverPath)] == [2])
  }

  @Test func `a page of text is no cover`() throws {
    let page = BookBuilder.page(
      "<p><img src=\"x.png\" alt=\"\"/>\(String(repeating: "text ", count: 60))</p>")
    let (book, _) = try convert(
      BookBuilder(pages: [("a.xhtml", page)], files: [("x.png", "image/png", [1])]))
    #expect(book.coverPath == nil)
  }

  @Test func `the place in a series has no zeros that say nothing`() throws {
    let meta =
      "<meta name=\"calibre:series\" content=\"S\"/><meta name=\"calibre:series_index\" content=\"2.0\"/>"
    let (book, _) = try convert(
      BookBuilder(pages: [("a.xhtml", BookBuilder.page("A"))], metadata: meta))
    #expect(book.metadata.series == BookMetadata.Series(name: "S", position: "2"))
  }

  @Test(arguments: [("YesAndRightToLeft", "← <span>Next</span>"), ("Yes", "<span>Next</span> →")])
  func `a comic that says so is turned to the left`(manga: String, arrow: String) throws {
    var builder = BookBuilder()
    builder.entries = [
      .init(name: "1.png", bytes: [1]), .init(name: "2.png", bytes: [2]),
      .init(
        name: "ComicInfo.xml", bytes: Array("<ComicInfo><Manga>\(manga)</Manga></ComicInfo>".utf8)),
    ]
    let sink = MemorySink()
    _ = try builder.withFile { try ComicConverter().convert(path: $0, title: "C", to: sink) }
    #expect(sink.text("text/0001.html").contains(">\(arrow)</a>"))
  }

  @Test func `a page outside of the linear order leads back into it`() throws {
    var builder = BookBuilder(
      pages: ["cover", "a", "note", "b"].map { ("\($0).xhtml", BookBuilder.page($0)) },
      itemProperties: [:])
    builder.rewritePackage { package in
      ["p0", "p2"].reduce(package) { text, id in
        text.replacing("<itemref idref=\"\(id)\"", with: "<itemref linear=\"no\" idref=\"\(id)\"")
      }
    }
    let sink = try convert(builder).1
    func turns(_ number: Int) -> [String] {
      let bar = sink.text("text/000\(number).html").split(separator: "<span class=\"turn\">")[1]
      return bar.prefix(400).split(separator: "href=\"").dropFirst().map {
        String($0.prefix { $0 != "\"" })
      }.filter { $0.hasPrefix("000") }
    }
    #expect(turns(1) == ["0002.html"])
    #expect(turns(2) == ["0004.html"], "the linear order passes over both")
    #expect(turns(3) == ["0002.html", "0004.html"])
    #expect(turns(4) == ["0002.html"])
  }

  @Test func `a mark of protection without a locked file locks nothing`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>open</p>"))])
    builder.add("META-INF/rights.xml", "<rights/>")
    let (book, sink) = try convert(builder)
    #expect(book.protection == nil)
    #expect(sink.text("text/0001.html").contains("<p>open</p>"))
    builder.add(
      "META-INF/encryption.xml",
      "<encryption><EncryptedData><EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#aes128-cbc\"/>"
        + "<CipherData><CipherReference URI=\"OEBPS/a.xhtml\"/></CipherData></EncryptedData></encryption>"
    )
    #expect(try convert(builder).0.protection == "Adobe ADEPT")
  }

  @Test func `notes that a book hides for its reader's window stay in sight`() throws {
    let page = BookBuilder.page(
      "<aside epub:type=\"footnote\" id=\"n\" hidden=\"hidden\">note</aside>"
        + "<nav epub:type=\"page-list\" hidden=\"\"><p>1</p></nav>")
    let (_, sink) = try convert(BookBuilder(pages: [("a.xhtml", page)]))
    let html = sink.text("text/0001.html")
    #expect(
      html.contains(
        "<aside role=\"doc-footnote\" id=\"c-n\" data-epub-type=\"footnote\">note</aside>"))
    #expect(html.contains("<nav hidden=\"\" data-epub-type=\"page-list\" aria-label="))
    #expect(sink.text("style/page.css").contains("[role=\"doc-footnote\"]"))
  }
}

extension BookBuilder {
  /// The book with another type of one of its files.
  fileprivate func typed(_ name: String, _ type: String) -> BookBuilder {
    var builder = self
    for index in builder.entries.indices where builder.entries[index].name.hasSuffix(".opf") {
      builder.entries[index].bytes = Array(
        String(decoding: builder.entries[index].bytes, as: UTF8.self).replacing(
          "href=\"\(name)\" media-type=\"application/xhtml+xml\"",
          with: "href=\"\(name)\" media-type=\"\(type)\""
        ).utf8)
    }
    return builder
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
