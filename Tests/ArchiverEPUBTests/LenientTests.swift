import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverEPUB

/// Books with the mistakes that many tools make are read as other reading systems read them.
@Suite struct LenientTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private func convert(_ builder: BookBuilder) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (book, sink)
  }

  @Test(arguments: [
    "data:;base64,iVBORw==", "DATA:Image/PNG;base64,iVBORw==", "data:x/y;base64,iVBORw==",
  ])
  func `an image inside a page is known by its bytes, whatever its declared type`(
    data: String
  ) throws {
    for body in [
      "<img src=\"\(data)\"/>",
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><image xlink:href=\"\(data)\"/></svg>",
    ] {
      let (book, sink) = try convert(BookBuilder(pages: [("a.xhtml", BookBuilder.page(body))]))
      #expect(sink.files["assets/0001.png"] == Self.png)
      #expect(sink.text("text/0001.html").contains("=\"../assets/0001.png\""))
      #expect(book.notes.isEmpty)
    }
  }

  @Test(arguments: ["gone.png", "http://elsewhere.test/a.png", "data:text/plain,x", "a.xyz"])
  func `an image of a drawing that is not shown counts as lost`(address: String) throws {
    let body =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"\(address)\"/><circle r=\"1\"/></svg>"
    let (book, _) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page(body))], files: [("a.xyz", "x/y", [1])]))
    #expect(book.notes == ["The pages lack parts of the book: images (1)."])
  }

  @Test func `a video in the place of an image is a video`() throws {
    let body = "<img src=\"a.mp4\" alt=\"the whale\" width=\"300\"/>"
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page(body))], files: [("a.mp4", "video/mp4", [1])]))
    #expect(
      sink.text("text/0001.html").contains(
        "<video src=\"../assets/0001.mp4\" controls=\"\" preload=\"metadata\" aria-label=\"the whale\" width=\"300\"></video>"
      ))
    #expect(book.notes.isEmpty)
  }

  @Test func `an image in JPEG XL is kept, and that only some browsers show it is told`() throws {
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<img src=\"a.jxl\" alt=\"A\"/>"))],
        files: [("a.jxl", "image/jxl", [0xFF, 0x0A])]))
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.jxl\" alt=\"A\">"))
    #expect(
      book.notes == ["Only some browsers show images of this book, which are in JPEG XL (1)."])
  }

  @Test func `a file that only claims to be JPEG XL is not kept`() throws {
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<img src=\"a.jxl\" alt=\"A\"/>"))],
        files: [("a.jxl", "image/jxl", Array("<script>x</script>".utf8))]))
    #expect(!sink.files.keys.contains { $0.hasSuffix("jxl") })
    #expect(book.notes == ["The pages lack parts of the book: images (1)."])
  }

  @Test func `a reference above the root of the book stays at the root`() throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<img src=\"../../../pics/p.png\" alt=\"P\"/>"))])
    builder.entries.append(BookBuilder.Entry(name: "pics/p.png", bytes: Self.png))
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\" alt=\"P\">"))
    #expect(book.notes.isEmpty)
  }

  @Test func `entries whose names are percent-encoded in the archive are found`() throws {
    var builder = BookBuilder(
      pages: [("a%20b.xhtml", BookBuilder.page("<p>alpha</p><img src=\"p%20q.png\"/>"))],
      files: [("p%20q.png", "image/png", Self.png)])
    // A name that really has this form takes precedence.
    builder.add("OEBPS/c d.xhtml", BookBuilder.page("<p>plain</p>"))
    builder.add("OEBPS/c%20d.xhtml", BookBuilder.page("<p>encoded</p>"))
    builder.rewritePackage {
      $0.replacing(
        "</manifest>",
        with:
          "<item id=\"c\" href=\"c%20d.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>"
      ).replacing("</spine>", with: "<itemref idref=\"c\"/></spine>")
    }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("alpha"))
    #expect(sink.files["assets/0001.png"] == Self.png)
    #expect(sink.text("text/0002.html").contains("plain"))
    #expect(book.notes.isEmpty)
  }

  private static let pages = [
    ("a.xhtml", BookBuilder.page("<p>A</p>")), ("b.xhtml", BookBuilder.page("<p>B</p>")),
  ]

  private static func ncx(_ points: String) -> [UInt8] {
    Array(
      "<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\"><navMap>\(points)</navMap></ncx>".utf8)
  }

  private static func point(_ label: String, _ source: String) -> String {
    "<navPoint><navLabel><text>\(label)</text></navLabel><content src=\"\(source)\"/></navPoint>"
  }

  @Test(arguments: [true, false])
  func `a navigation document without links gives way to an NCX that has some`(
    hasLinks: Bool
  ) throws {
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li>Plain\n one</li><li>Plain two</li></ol></nav>")
    let points =
      hasLinks
      ? Self.point("First", "a.xhtml") : "<navPoint><navLabel><text>x</text></navLabel></navPoint>"
    let (_, sink) = try convert(
      BookBuilder(
        pages: Self.pages,
        files: [
          ("nav.xhtml", "application/xhtml+xml", Array(nav.utf8)),
          ("toc.ncx", "application/x-dtbncx+xml", Self.ncx(points)),
        ], itemProperties: ["nav.xhtml": "nav"]))
    let text = sink.text("text/contents.html")
    #expect(text.contains("<a href=\"0001.html\" dir=\"auto\">First</a>") == hasLinks)
    #expect(text.contains("<span dir=\"auto\">Plain one</span>") == !hasLinks)
  }

  @Test func `an empty point of an NCX is no entry`() throws {
    let ncx = Self.ncx(Self.point("First", "a.xhtml") + "<navPoint/>")
    let (_, sink) = try convert(
      BookBuilder(pages: Self.pages, files: [("toc.ncx", "application/x-dtbncx+xml", ncx)]))
    #expect(!sink.text("text/contents.html").contains("…"))
  }

  @Test func `a single ampersand and named characters are kept in titles`() throws {
    var builder = BookBuilder(
      pages: Self.pages,
      files: [
        (
          "toc.ncx", "application/x-dtbncx+xml",
          Self.ncx(Self.point("Salt & Pepper caf&eacute;", "a.xhtml"))
        )
      ])
    builder.rewritePackage { $0.replacing("A Book", with: "R & D&nbsp;&amp; more") }
    let (book, sink) = try convert(builder)
    #expect(book.metadata.title == "R & D\u{A0}& more" || book.metadata.title == "R & D & more")
    #expect(sink.text("text/contents.html").contains(">Salt &amp; Pepper café</a>"))
  }

  @Test(arguments: [
    ("a & b", "a &amp; b"), ("&amp;&#65;&#x41;&lt;", "&amp;&#65;&#x41;&lt;"),
    ("&copy;&nosuch;", "&#169;&amp;nosuch;"), ("&", "&amp;"), ("&#xZ;", "&amp;#xZ;"),
    ("<![CDATA[a & b]]>&", "<![CDATA[a & b]]>&amp;"), ("<![CDATA[a & b", "<![CDATA[a & b"),
    ("a\u{1}\tb", "a\u{FFFD}\tb"),
  ])
  func `only references of XML keep their ampersands`(text: String, mended: String) {
    #expect(String(decoding: XMLRepair.mended(Array(text.utf8)), as: UTF8.self) == mended)
  }

  @Test(arguments: [
    ("Gr\u{FC}\u{DF}e caf\u{E9} <", [0xFF] as [UInt8], "Gr\u{FC}\u{DF}e caf\u{E9}"),
    ("Gr", [0xFC, 0xDF, 0x65], "Gr\u{FC}\u{DF}e"),
  ])
  func `a page with an invalid byte keeps the encoding of the others`(
    start: String, bytes: [UInt8], text: String
  ) throws {
    var builder = BookBuilder(pages: [("a.xhtml", "")])
    for index in builder.entries.indices where builder.entries[index].name == "OEBPS/a.xhtml" {
      let html = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>\(start)"
      builder.entries[index].bytes = Array(html.utf8) + bytes + Array("</p></body></html>".utf8)
    }
    let (_, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains(text))
  }

  @Test func `a document in UTF-16 is not changed`() {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x26, 0, 0x20, 0]
    #expect(XMLRepair.mended(bytes) == bytes)
  }

  @Test func `names with punctuation precede numbers and letters, as in file managers`() {
    let names = ["a.jpg", "0102.jpg", "0002.jpg", "_01.jpg", "!cover.jpg", "0001.jpg", "0001b.jpg"]
    #expect(
      NaturalOrder.order(names).map { names[$0] } == [
        "!cover.jpg", "_01.jpg", "0001.jpg", "0001b.jpg", "0002.jpg", "0102.jpg", "a.jpg",
      ])
  }
}
