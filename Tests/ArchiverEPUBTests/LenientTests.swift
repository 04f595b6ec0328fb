import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverEPUB

/// Books with the mistakes that many tools make are read as other reading systems read them.
@Suite struct LenientTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private func convert(_ builder: BookBuilder) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (book, sink)
  }

  @Test(arguments: [
    "data:;base64,iVBORw0KGgo=", "DATA:Image/PNG;base64,iVBORw0KGgo=",
    "data:x/y;base64,iVBORw0KGgo=",
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

  @Test(
    arguments: [
      ([1, 0], []), ([0, 16], [0x61, 0x62]), ([0, 0], [0, 0, 0]), ([5, 0], [1]),
    ] as [([UInt8], [UInt8])])
  func `a book whose archive has a comment of another length than declared is read`(
    declared: [UInt8], comment: [UInt8]
  ) throws {
    let builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>text</p>"))])
    let sink = MemorySink()
    try builder.withFile { path in
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      bytes.replaceSubrange((bytes.count - 2)..., with: declared + comment)
      try Data(bytes).write(to: URL(filePath: path))
      _ = try EPUBConverter().convert(path: path, to: sink)
    }
    #expect(sink.text("text/0001.html").contains("<p>text</p>"))
  }

  @Test func `a book that lost its end is read by its files whatever its end looks like`() throws {
    let builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>text</p>"))])
    try builder.withFile { path in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let end: [UInt8] = [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)
      for broken in [Array(bytes.dropLast(30)), Array(bytes.dropLast(40)) + end] {
        try Data(broken).write(to: URL(filePath: path))
        let sink = MemorySink()
        let book = try EPUBConverter().convert(path: path, to: sink)
        #expect(sink.text("text/0001.html").contains("<p>text</p>"))
        #expect(
          book.notes == [
            "The directory of the book's archive is damaged; its files were found without it."
          ])
      }
    }
  }

  @Test(arguments: [nil, "<container/>", "OPS/other.opf"])
  func `a book that does not name its package document is read by the one that it has`(
    container: String?
  ) throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>text</p>"))])
    builder.add("OEBPS/deeper/than/the/other.opf", "<package/>")
    builder.entries.removeAll { $0.name.hasPrefix("META-INF/") }
    if let container {
      let file =
        "<container><rootfiles><rootfile full-path=\"\(container)\"/></rootfiles></container>"
      builder.add("META-INF/container.xml", container.hasPrefix("<") ? container : file)
    }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<p>text</p>"))
    #expect(book.notes.contains { $0.contains("OEBPS/content.opf was taken") }, "\(book.notes)")
  }

  @Test(arguments: ["", "<spine/>", "<spine><itemref idref=\"none\"/></spine>"])
  func `a book without a reading order is read in the order of its package`(spine: String) throws {
    var builder = BookBuilder(
      pages: [
        ("b.xhtml", BookBuilder.page("<p>first</p>")), ("a.xhtml", BookBuilder.page("<p>next</p>")),
      ], files: [("a.png", "image/png", Self.png)])
    builder.rewritePackage { package in
      let start = package.firstRange(of: "<spine")?.lowerBound ?? package.endIndex
      return package[..<start] + spine + "</package>"
    }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<p>first</p>"))
    #expect(sink.text("text/0002.html").contains("<p>next</p>"))
    #expect(book.notes.contains { $0.contains("has no reading order") }, "\(book.notes)")
  }

  @Test func `of several declarations of one file the first counts, and any names its fallback`()
    throws
  {
    var builder = BookBuilder(
      pages: [
        ("a.xhtml", BookBuilder.page("<img src=\"a.xyz\" alt=\"\"/><img src=\"b\" alt=\"\"/>"))
      ],
      files: [
        ("a.xyz", "x/y", [1]), ("a.png", "image/png", Self.png), ("b", "image/png", Self.png),
      ])
    builder.rewritePackage { package in
      // So many that the order of a table would differ from one time to the next.
      let more = (0..<20).map { number in
        "<item id=\"m\(number)\" href=\"a.xyz\" media-type=\"x/y\"/>"
          + "<item id=\"n\(number)\" href=\"b\" media-type=\"text/css\"/>"
      }
      return package.replacing(
        "</manifest>",
        with: "<item id=\"z\" href=\"a.xyz\" media-type=\"x/y\" fallback=\"f1\"/>"
          + "\(more.joined())</manifest>")
    }
    let (book, sink) = try convert(builder)
    #expect(book.notes.isEmpty, "\(book.notes)")
    #expect(sink.files.keys.count { $0.hasPrefix("assets/") } == 2)
  }

  @Test(arguments: [
    ("<image href=\"a.png\"/>", "href=\"data:image/png;base64,iVBORw0KGgo=\"", nil),
    ("<image xlink:href=\"../OEBPS/a.png\"/>", "href=\"data:image/png;base64,iVBORw0KGgo=\"", nil),
    ("<image href=\"gone.png\"/>", "<image", "images (1)"),
    ("<image href=\"http://elsewhere.test/a.png\"/>", "<image", "images (1)"),
    ("<image href=\"s.svg\"/>", "<image", "images (1)"),
    (
      "<rect><animate attributeName=\"x\"/></rect>", "<rect",
      "animations and scripts of SVG images (1)"
    ),
    ("<feImage href=\"a.png\"/><metadata/>", "<svg", "unknown parts of SVG images (1)"),
  ])
  func
    `images inside a drawing of the book are written into it, other parts that it loses are counted`(
      part: String, written: String, lost: String?
    ) throws
  {
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\(part)</svg>"
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<object data=\"s.svg\" type=\"image/svg+xml\"/>"))],
        files: [
          ("s.svg", "image/svg+xml", Array(drawing.utf8)), ("a.png", "image/png", Self.png),
        ]))
    #expect(sink.text("assets/0001.svg").contains(written), "\(sink.text("assets/0001.svg"))")
    #expect(book.notes == (lost.map { ["The pages lack parts of the book: \($0)."] } ?? []))
  }

  @Test func `a compressed SVG image is counted, and its words lead to it`() throws {
    let page = BookBuilder.page("<p><img src=\"s.svgz\" alt=\"the whale\"/></p>")
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", page)], files: [("s.svgz", "image/svg+xml", [0x1F, 0x8B, 8, 0])]))
    let link = "<p><a href=\"../assets/0001.bin\" download=\"s.svgz\">the whale</a> </p>"
    #expect(sink.text("text/0001.html").contains(link))
    #expect(book.notes == ["The pages lack parts of the book: images (1)."])
  }

  @Test func `images of one drawing larger than 16 MiB together are counted`() throws {
    let large = Self.png + [UInt8](repeating: 7, count: (16 << 20) - 8)
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"a.png\"/><image href=\"b.png\"/></svg>"
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<img src=\"s.svg\" alt=\"\"/>"))],
        files: [
          ("s.svg", "image/svg+xml", Array(drawing.utf8)), ("a.png", "image/png", large),
          ("b.png", "image/png", Self.png),
        ]))
    #expect(sink.text("assets/0001.svg").contains("data:image/png"))
    #expect(book.notes.contains("The pages lack parts of the book: images (1)."), "\(book.notes)")
  }

  @Test func `an image or font of a style sheet that is not used is counted once`() throws {
    let css =
      "p{background:url(gone.png)}i{background-image:url(gone.png)}b{background:url(a.png)}"
      + "@font-face{font-family:x;src:url(gone.eot),url(gone.ttf)}u{background:url()}"
    let page = BookBuilder.page("<p>t</p>", head: "<link rel=\"stylesheet\" href=\"s.css\"/>")
    let (book, _) = try convert(
      BookBuilder(
        pages: [("a.xhtml", page), ("b.xhtml", page)],
        files: [("s.css", "text/css", Array(css.utf8)), ("a.png", "image/png", Self.png)]))
    #expect(
      book.notes == [
        "The pages lack parts of the book: fonts of style sheets (1), images of style sheets (1)."
      ])
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
    ("a\u{1}\tb", "a\u{FFFD}\tb"), ("\u{FEFF}\u{FEFF}<a/>", "<a/>"),
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

  @Test(arguments: [
    ("<body><p>alpha</p></body><body><p>omega</p></body>", true),
    ("<body><p>alpha</p></body><p>omega</p>", true), ("<p>alpha</p><body>x</body>omega", true),
    ("<body><p>alpha</p></body>omega<br>", false),
  ])
  func `what a page has outside of its body is shown`(content: String, isXML: Bool) throws {
    let page =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>t</title></head>\(content)</html>"
    let (_, sink) = try convert(BookBuilder(pages: [("a.xhtml", page)]))
    let text = sink.text("text/0001.html")
    #expect(text.contains("alpha") && text.contains("omega"))
    #expect(!text.contains("<title>t</title></head>alpha"))
  }

  @Test func `a page of plain text is shown as it is`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>x</p>"))])
    builder.add("OEBPS/b.txt", "\u{FEFF}one & two\n  <three>")
    builder.rewritePackage {
      $0.replacing(
        "</manifest>", with: "<item id=\"b\" href=\"b.txt\" media-type=\"text/plain\"/></manifest>"
      ).replacing("</spine>", with: "<itemref idref=\"b\"/></spine>")
    }
    let (book, sink) = try convert(builder)
    let text = sink.text("text/0002.html")
    #expect(text.contains("<pre tabindex=\"0\">\none &amp; two\n  &lt;three&gt;</pre>"))
    #expect(book.notes.isEmpty, "\(book.notes)")
  }

  @Test func `a table of contents is found by its name alone`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>x</p>"))])
    builder.add(
      "OEBPS/toc.ncx",
      "<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\"><navMap><navPoint><navLabel><text>Chapter of the whale"
        + "</text></navLabel><content src=\"a.xhtml\"/></navPoint></navMap></ncx>")
    builder.rewritePackage {
      $0.replacing(
        "</manifest>", with: "<item id=\"n\" href=\"toc.ncx\" media-type=\"text/xml\"/></manifest>")
    }
    let (_, sink) = try convert(builder)
    #expect(sink.text("text/contents.html").contains("Chapter of the whale"))
  }
}
