import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// The content of a book is kept, replaced by a link, or counted.
@Suite struct KeptTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private func convert(_ builder: BookBuilder) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return (book, sink)
  }

  private func page(_ body: String, head: String = "") throws -> (ConvertedBook, MemorySink) {
    try convert(
      BookBuilder(
        pages: [
          ("a.xhtml", BookBuilder.page(body, head: head)), ("b.xhtml", BookBuilder.page("B")),
        ],
        files: [("pic.png", "image/png", Self.png)]))
  }

  @Test func `an image inside the page becomes a file of the book`() throws {
    let data = "data:image/png;base64,iVBORw=="
    let (book, sink) = try page("<img src=\"\(data)\" alt=\"A\"/><img src=\"\(data)\" alt=\"B\"/>")
    let text = sink.text("text/0001.html")
    #expect(text.contains("<img src=\"../assets/0001.png\" alt=\"A\">"))
    #expect(text.contains("<img src=\"../assets/0001.png\" alt=\"B\">"))
    #expect(sink.files["assets/0001.png"] == Self.png)
    #expect(book.notes.isEmpty)
  }

  @Test func `an image that a script would load is shown`() throws {
    let (book, sink) = try page(
      "<img src=\"data:image/gif;base64,R0lGODlh\" data-src=\"pic.png\" alt=\"A\"/>"
        + "<img data-original=\"pic.png\" alt=\"B\"/>"
        + "<img data-src=\"gone.png\" src=\"pic.png\" alt=\"C\"/>")
    let text = sink.text("text/0001.html")
    for words in ["A", "B", "C"] {
      #expect(text.contains("<img src=\"../assets/0001.png\" alt=\"\(words)\">"))
    }
    #expect(book.notes.isEmpty)
  }

  @Test func `the background of a table is kept`() throws {
    let (book, sink) = try page(
      "<table background=\"pic.png\"><tr>"
        + "<td background=\" pic.png \" style=\"width:9em\">A</td></tr></table>")
    let text = sink.text("text/0001.html")
    let image = "background-image:url(&quot;../assets/0001.png&quot;)"
    #expect(text.contains("<table style=\"\(image)\""))
    #expect(text.contains("<td style=\"\(image);width:9em\">A"))
    #expect(sink.files["assets/0001.png"] == Self.png && book.notes.isEmpty)
  }

  @Test func `a background that the book lacks is counted`() throws {
    let (book, _) = try page("<table background=\"gone.png\"><tr><td>A</td></tr></table>")
    #expect(book.notes == ["The pages lack parts of the book: images of style sheets (1)."])
  }

  @Test func `images of a formula are kept`() throws {
    let (book, sink) = try page(
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow><mi>x</mi>"
        + "<mglyph src=\"pic.png\" alt=\"g\"/></mrow><annotation-xml encoding=\"application/xhtml+xml\">"
        + "<img xmlns=\"http://www.w3.org/1999/xhtml\" src=\"pic.png\" alt=\"The x\"/>"
        + "</annotation-xml></semantics></math>")
    #expect(
      sink.text("text/0001.html").contains(
        "<semantics><mrow><mi>x</mi><mtext><img src=\"../assets/0001.png\" alt=\"g\"></mtext></mrow>"
          + "<annotation-xml encoding=\"text/html\"><img src=\"../assets/0001.png\" alt=\"The x\">"
          + "</annotation-xml></semantics>"
      ))
    let told = "alternatives for other reading systems (1)"
    #expect(book.notes == ["The pages lack parts of the book: \(told)."])
  }

  @Test func `the language of a country's code is declared`() throws {
    var builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page(
            "<p xml:lang=\"jp\">A</p><p lang=\"ENG-GB\">B</p>",
            head: "<style>:lang(jp) p { margin: 2px } p[lang|=eng] { margin: 0 } "
              + "p[lang^=en] { margin: 1px }</style>")
        )
      ])
    builder.rewritePackage { $0.replaced("<dc:language>en<", "<dc:language>jp<") }
    let (book, sink) = try convert(builder)
    let text = sink.text("text/0001.html")
    #expect(book.metadata.language == "ja" && text.contains("<html lang=\"ja\""))
    #expect(text.contains("<p lang=\"ja\">A") && text.contains("<p lang=\"en-GB\">B"))
    for selector in [":lang(ja)", "[lang|=\"en\"]", "[lang^=\"en\"]"] {
      #expect(text.contains(selector))
    }
  }

  @Test(arguments: ["image/x-icon", "image/vnd.microsoft.icon", "application/octet-stream"])
  func `an icon is an image`(type: String) throws {
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<img src=\"i.ico\" alt=\"\"/>"))],
        files: [("i.ico", type, [0, 0, 1, 0])]))
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.ico\" alt=\"\">"))
    #expect(book.notes.isEmpty)
  }

  @Test func `an image that browsers do not show is kept, linked and counted`() throws {
    let (book, sink) = try convert(
      BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<img src=\"star.psd\" alt=\"A star\"/>"))],
        files: [("star.psd", "image/vnd.adobe.photoshop", [1, 2])]))
    let text = sink.text("text/0001.html")
    #expect(text.contains("<a href=\"../assets/0001.bin\" download=\"star.psd\">A star</a>"))
    #expect(sink.files["assets/0001.bin"] == [1, 2])
    #expect(book.notes == ["The pages lack parts of the book: images (1)."])
  }

  @Test func `an image that browsers do not show is replaced by its fallback`() throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<img src=\"x.foo\" alt=\"F\"/>"))],
      files: [("x.foo", "image/x-foo", [1]), ("x.png", "image/png", Self.png)])
    builder.edit("OEBPS/content.opf") {
      $0.replaced("<item id=\"f0\"", "<item id=\"f0\" fallback=\"f1\"")
    }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\" alt=\"F\">"))
    #expect(book.notes.isEmpty)
  }

  @Test func `an image in the reading order is described by its fallback`() throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("A"))],
      files: [
        ("x.png", "image/png", Self.png),
        ("x.xhtml", "application/xhtml+xml", Array(BookBuilder.page("<p>A <b>map</b></p>").utf8)),
      ])
    builder.edit("OEBPS/content.opf") {
      $0.replaced("<item id=\"f0\"", "<item id=\"f0\" fallback=\"f1\"")
        .replaced("</spine>", "<itemref idref=\"f0\"/></spine>")
    }
    let (_, sink) = try convert(builder)
    #expect(
      sink.text("text/0002.html").contains("<img src=\"../assets/0001.png\" alt=\"A map\">"))
  }

  @Test func `an image with a choice of sizes alone is kept`() throws {
    let (_, sink) = try page("<img srcset=\"no.png 1x, pic.png 2x\" alt=\"S\"/>")
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\" alt=\"S\">"))
  }

  @Test func `ids with white space around them are the ids`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>words</p>"))])
    builder.edit("OEBPS/content.opf") {
      $0.replaced("<item id=\"p0\"", "<item id=\" p0 \"")
        .replaced("<itemref idref=\"p0\"", "<itemref idref=\"missing\"/><itemref idref=\"p0\n\"")
    }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("words"))
    #expect(book.notes.count == 1, "the entry without a file is told: \(book.notes)")
  }

  @Test func `a file that is only compressed locks nothing`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("<p>words</p>"))])
    builder.add(
      "META-INF/encryption.xml",
      "<encryption><EncryptedData><CipherData><CipherReference URI=\"OEBPS/a.xhtml\"/></CipherData>"
        + "<EncryptionProperties><EncryptionProperty><Compression Method=\"8\" OriginalLength=\"5\"/>"
        + "</EncryptionProperty></EncryptionProperties></EncryptedData></encryption>")
    let (book, sink) = try convert(builder)
    #expect(book.protection == nil && sink.text("text/0001.html").contains("words"))
  }

  @Test(arguments: [("OEBPS/f.ttf", false), ("OEBPS/a.xhtml", true), ("OEBPS/a.xhtml", false)])
  func `a locked font is missing, a locked page locks the book, one that is plain text does not`(
    path: String, isLocked: Bool
  ) throws {
    var builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page(
            "<p>words</p>",
            head: "<style>@font-face{font-family:F;src:url(f.ttf)} p{font-family:F}</style>")
        )
      ], files: [("f.ttf", "font/ttf", [1, 2, 3])])
    builder.add(
      "META-INF/encryption.xml",
      "<encryption><EncryptedData><EncryptionMethod Algorithm=\"urn:lock\"/>"
        + "<CipherData><CipherReference URI=\"\(path)\"/></CipherData></EncryptedData></encryption>"
    )
    if isLocked { builder.encrypt(path) }
    let (book, sink) = try convert(builder)
    #expect((book.protection != nil) == isLocked)
    #expect(isLocked || sink.text("text/0001.html").contains("words"))
    let notes = path.hasSuffix("ttf") ? 1 : 0
    #expect(isLocked || book.notes.count == notes, "\(path): \(book.notes)")
    let hasFont = sink.files.keys.contains { $0.hasSuffix("ttf") }
    #expect(hasFont == (!isLocked && path.hasSuffix("xhtml")))
  }

  @Test func `names of Windows and with steps that are broken find their files`() throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<img src=\"pics/p.png\" alt=\"P\"/>"))],
      files: [("pics/p.png", "image/png", Self.png)])
    for index in builder.entries.indices {
      switch builder.entries[index].name {
      case "OEBPS/pics/p.png": builder.entries[index].name = "OEBPS\\pics\\p.png"
      case "OEBPS/a.xhtml": builder.entries[index].name = "./OEBPS/./a.xhtml"
      default: break
      }
    }
    builder.add("..\\..\\evil.png", "x")
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\" alt=\"P\">"))
    #expect(book.notes.count == 1, "what leads out is told: \(book.notes)")
  }

  @Test(arguments: [
    ("<iframe src=\"b.xhtml\" title=\"Map\"></iframe>", "<a href=\"0002.html\">Map</a>"),
    (
      "<iframe src=\"https://e.example/x\"></iframe>",
      "<a href=\"https://e.example/x\" rel=\"noreferrer noopener external\">https://e.example/x</a>"
    ),
    ("<embed src=\"pic.png\"/>", "<img src=\"../assets/0001.png\" alt=\"\">"),
    (
      "<video src=\"https://e.example/f.mp4\">no</video>",
      "<a href=\"https://e.example/f.mp4\" rel=\"noreferrer noopener external\">"
    ),
    (
      "<map name=\"m\"><area href=\"b.xhtml\" alt=\"North\" coords=\"0,0,1,1\"/></map>",
      "<a href=\"0002.html\">North</a>"
    ),
    (
      "<form><button>Press</button><select><option>One</option></select><input value=\"V\"/></form>",
      "<div>Press One  V</div>"
    ),
    (
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><title>Fig</title><desc>More</desc><foreignObject x=\"1\" y=\"2\" width=\"5\" height=\"5\" onload=\"x()\"><p xmlns=\"http://www.w3.org/1999/xhtml\">inside<script>1</script></p></foreignObject></svg>",
      "<svg viewBox=\"0 0 9 9\" aria-label=\"Fig. More\"><text x=\"3\" y=\"4\" text-anchor=\"middle\" dominant-baseline=\"middle\">inside</text></svg>"
    ),
    (
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><foreignObject><p xmlns=\"http://www.w3.org/1999/xhtml\">a<b>b</b></p></foreignObject></svg>",
      "<svg></svg><div><p>a<b>b</b></p></div>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mtext><span xmlns=\"http://www.w3.org/1999/xhtml\">if</span></mtext><mstack><mn>4</mn></mstack></math>",
      "<math><mtext><span>if</span></mtext><mtable><mtr><mtd style=\"text-align:right\"><mn>4</mn></mtd></mtr></mtable></math>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mstack><mn>4</mn><msline/><mn>9</mn></mstack></math>",
      "<mtr><mtd style=\"text-align:right;border-top:1px solid\"><mn>9</mn></mtd></mtr></mtable>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mlongdiv><mn>3</mn><mn>7</mn><mn>21</mn></mlongdiv></math>",
      "<mrow><mn>3</mn><mo>)</mo><mtable><mtr><mtd style=\"text-align:right\"><mn>21</mn></mtd></mtr></mtable><mo>=</mo><mn>7</mn></mrow>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow/><annotation encoding=\"application/x-tex\">a^2</annotation></semantics></math>",
      "<code>a^2</code>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mtext><img src=\"pic.png\" alt=\"I\"/></mtext></math>",
      "<mtext><img src=\"../assets/0001.png\" alt=\"I\"></mtext>"
    ),
    (
      "<picture><source srcset=\"pic.png 2x\"/><img alt=\"P\"/></picture>",
      "<img src=\"../assets/0001.png\" alt=\"P\">"
    ),
    (
      "<picture><source srcset=\"pic.png\"/></picture>", "<img src=\"../assets/0001.png\" alt=\"\">"
    ),
    (
      "<xmp>kept</xmp><listing>too</listing>",
      "<pre tabindex=\"0\">kept</pre><pre tabindex=\"0\">too</pre>"
    ),
    (
      "<table><tr><td><table><tr><td><pre>deep</pre></td></tr></table></td></tr></table>",
      "<table tabindex=\"0\"><tr><td><table><tr><td><pre tabindex=\"0\">deep</pre></td></tr></table></td></tr></table>"
    ),
    ("<noembed>words</noembed>", "words"), ("<canvas>words</canvas>", "words"),
  ])
  func `every removed part of a page is counted`(markup: String, expected: String) throws {
    let text = try page(markup).1.text("text/0001.html")
    #expect(text.contains(expected), "\(text)")
  }

  @Test func `scripts are counted wherever they are, if they have code`() throws {
    let head = "<script src=\"a.js\"/><script>1</script><script> </script>"
    let (book, _) = try page("<p>A</p><script/><script type=\"module\">2</script>", head: head)
    #expect(book.notes == ["The pages lack parts of the book: scripts (3)."])
  }

  @Test func `the film of an object without data is counted and linked`() throws {
    let (book, sink) = try page(
      "<object type=\"application/x-shockwave-flash\"><param name=\"Movie\" value=\"https://e.example/film\"/>"
        + "<p>Not available.</p></object><object><param name=\"loop\" value=\"1\"/>Words</object>")
    let text = sink.text("text/0001.html")
    #expect(text.contains("href=\"https://e.example/film\"") && text.contains("Not available."))
    #expect(text.contains("Words"))
    #expect(book.notes == ["The pages lack parts of the book: embedded objects (1)."])
  }

  @Test func `a formula of brackets alone is shown`() throws {
    let text = try page(
      "<p><math xmlns=\"http://www.w3.org/1998/Math/MathML\" alttext=\"none\"><mfenced open=\"{\" close=\"\"><mrow/></mfenced></math></p>"
    ).1.text("text/0001.html")
    #expect(text.contains("<mo fence=\"true\">{</mo>") && !text.contains("<code>"), "\(text)")
  }

  @Test func `lost parts of pages are reported with kind and count`() throws {
    let (book, _) = try page(
      "<img src=\"no.png\" alt=\"\"/><img src=\"https://e.example/x.png\" alt=\"\"/>"
        + "<iframe srcdoc=\"x\"></iframe><script>1</script><script type=\"application/json\">1</script>"
        + "<svg xmlns=\"http://www.w3.org/2000/svg\"><animate/><feImage/><metadata/></svg><canvas></canvas>"
    )
    #expect(
      book.notes == [
        "The pages lack parts of the book: SVG images made by scripts (1), "
          + "animations and scripts of SVG images (1), embedded pages (1), images (2), scripts (1), "
          + "unknown parts of SVG images (1)."
      ])
  }
}

extension BookBuilder {
  /// Changes the text of an entry.
  mutating func edit(_ name: String, _ change: (String) -> String) {
    for index in entries.indices where entries[index].name == name {
      entries[index].bytes = Array(
        change(String(decoding: entries[index].bytes, as: UTF8.self)).utf8)
    }
  }
}

extension String {
  /// The text with every occurrence of another replaced.
  fileprivate func replaced(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
