import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

@Suite struct ContentTests {
  private func convert(
    _ builder: BookBuilder, limits: EPUBLimits = EPUBLimits()
  ) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let converter = EPUBConverter(limits: limits, sha1: { _ in Array(repeating: 0x5A, count: 20) })
    let book = try builder.withFile { try converter.convert(path: $0, to: sink) }
    return (book, sink)
  }

  private func body(_ html: String, head: String = "") throws -> String {
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page(html, head: head)), ("b.xhtml", BookBuilder.page("B"))],
      files: [("pic.png", "image/png", [0x89, 0x50]), ("s.mp3", "audio/mpeg", [1])])
    return try convert(builder).1.text("text/0001.html")
  }

  @Test(arguments: [
    ("<p onclick=\"x()\">t</p>", "<p>t</p>"),
    ("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>"),
    ("<a href=\"javascript:alert(1)\">t</a>", "<a>t</a>"),
    ("<a href=\"java&#10;script:alert(1)\">t</a>", "<a>t</a>"),
    ("<a href=\"b.xhtml#n 1\" id=\"r\">t</a>", "<a id=\"c-r\" href=\"0002.html#c-n-1\">t</a>"),
    ("<a href=\"#x\">t</a>", "<a href=\"#c-x\">t</a>"),
    ("<a href=\"../../etc/passwd\">t</a>", "<a>t</a>"),
    (
      "<a href=\"https://e.example/x\">t</a>",
      "<a href=\"https://e.example/x\" rel=\"noreferrer noopener external\">t</a>"
    ),
    ("<img src=\"pic.png\" alt=\"A\"/>", "<img src=\"../assets/0001.png\" alt=\"A\">"),
    (
      "<img src=\"http://evil/x.png\" alt=\"A\"/>",
      "<a href=\"http://evil/x.png\" rel=\"noreferrer noopener external\">A</a> "
    ),
    ("<a><img src=\"http://evil/x.png\" alt=\"A\"/></a>", "<a>A </a>"),
    ("<p class=\"skip bar\">t</p>", "<p class=\"b-skip b-bar\">t</p>"),
    ("<iframe src=\"b.xhtml\">x</iframe>y", "<a href=\"0002.html\">b.xhtml</a> y"),
    ("<div/><p>t</p>", "<div></div><p>t</p>"),
    ("<p>1 &lt; 2 &nbsp;&amp;</p>", "<p>1 &lt; 2 \u{A0}&amp;</p>"),
    ("<p style=\"margin:0;background:url(http://e/x)\">t</p>", "<p style=\"margin:0\">t</p>"),
    ("<ruby>漢<rt>kan</rt></ruby>", "<ruby>漢<rt>kan</rt></ruby>"),
    (
      "<aside epub:type=\"footnote\" id=\"f\">n</aside>",
      "<aside role=\"doc-footnote\" id=\"c-f\" data-epub-type=\"footnote\">n</aside>"
    ),
    (
      "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mi href=\"javascript:x\">x</mi><script>1</script></math>",
      "<math><mi>x</mi></math>"
    ),
    (
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 1 1\" onload=\"x()\"><script>1</script><image xlink:href=\"pic.png\"/></svg>",
      "<svg viewBox=\"0 0 1 1\"><image href=\"../assets/0001.png\"></image></svg>"
    ),
    ("<p>a</p>" + multiplied + "<p>b</p>", "<p>a</p><p>b</p>"),
    (
      "<audio src=\"s.mp3\" autoplay=\"\">no</audio>",
      "<audio controls=\"\" preload=\"metadata\"><source src=\"../assets/0001.mp3\">no</audio>"
    ),
    ("<form action=\"http://e/\"><input name=\"a\"/><p>t</p></form>", "<div>____<p>t</p></div>"),
  ])
  func `writes from the allow-list only`(html: String, expected: String) throws {
    let page = try body(html)
    #expect(page.contains("<div class=\"sheet\">\n\(expected)\n</div>"), "\(page)")
  }

  @Test func `pages have the policy first and lead to their neighbours`() throws {
    let page = try body("t")
    #expect(
      page.hasPrefix(
        "<!doctype html>\n<html lang=\"en\" dir=\"ltr\"><head><meta http-equiv=\"Content-Security-Policy\""
      ))
    #expect(page.contains("href=\"0002.html\" rel=\"next\""))
    #expect(page.contains("href=\"../../index.html\" rel=\"up\""))
    #expect(!page.contains("rel=\"prev\""))
  }

  @Test func `style sheets are filtered, scoped and may bring fonts`() throws {
    var builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page(
            "t", head: "<link rel=\"stylesheet\" href=\"s.css\"/><style>p{margin:0}</style>")
        )
      ],
      files: [
        (
          "s.css", "text/css",
          Array("@font-face{font-family:F;src:url(f.otf)} h1{color:red;float:left}".utf8)
        ),
        ("f.otf", "font/otf", Array(repeating: 0, count: 2_000)),
      ])
    builder.add(
      "META-INF/encryption.xml",
      "<encryption><EncryptedData><EncryptionMethod Algorithm=\"http://www.idpf.org/2008/embedding\"/><CipherData><CipherReference URI=\"OEBPS/f.otf\"/></CipherData></EncryptedData></encryption>"
    )
    let (book, sink) = try convert(builder)
    let css = sink.text("style/0001.css")
    #expect(css.contains("url(\"../assets/0001.otf\")"))
    #expect(css.contains(".sheet h1{float:left}"))
    #expect(css.contains("@media (prefers-color-scheme:light){.sheet h1{color:red}}"))
    #expect(sink.text("text/0001.html").contains("<style>.sheet p{margin:0}\n</style>"))
    let font = try #require(sink.files["assets/0001.otf"])
    #expect(font[0] == 0x5A && font[1_039] == 0x5A && font[1_040] == 0)
    #expect(book.notes.isEmpty)
  }

  @Test func `fonts that Adobe's way hides are revealed by the book's own number`() throws {
    var builder = BookBuilder(
      pages: [
        ("a.xhtml", BookBuilder.page("t", head: "<link rel=\"stylesheet\" href=\"s.css\"/>"))
      ],
      files: [
        ("s.css", "text/css", Array("@font-face{font-family:F;src:url(f.otf)}".utf8)),
        ("f.otf", "font/otf", Array(repeating: 0, count: 2_000)),
      ])
    builder.add(
      "META-INF/encryption.xml",
      "<encryption><EncryptedData><EncryptionMethod Algorithm=\"http://ns.adobe.com/pdf/enc#RC\"/><CipherData><CipherReference URI=\"OEBPS/f.otf\"/></CipherData></EncryptedData></encryption>"
    )
    let font = try #require(try convert(builder).1.files["assets/0001.otf"])
    // The UUID is 00000000-0000-4000-8000-00000000000a, repeated to 1,024 bytes.
    #expect(Array(font[0..<16]) == [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x0A])
    #expect(font[1_023] == 0x0A && font[1_024] == 0 && font[1_030] == 0)
  }

  @Test func `footnotes keep their way there and back and what they are`() throws {
    let html =
      "<p>A<a epub:type=\"noteref\" href=\"#n1\" id=\"r1\">1</a> <a href=\"b.xhtml#n2\">2</a></p>"
      + "<aside epub:type=\"footnote\" id=\"n1\"><p>N <a epub:type=\"backlink\" href=\"#r1\">up</a></p></aside>"
    let builder = BookBuilder(pages: [
      ("a.xhtml", BookBuilder.page(html)), ("b.xhtml", BookBuilder.page("<p id=\"n2\">M</p>")),
    ])
    let sink = try convert(builder).1
    let page = sink.text("text/0001.html")
    #expect(page.contains(/<a (?=[^>]*role="doc-noteref")(?=[^>]*href="#c-n1")(?=[^>]*id="c-r1")/))
    #expect(page.contains(/<aside (?=[^>]*role="doc-footnote")(?=[^>]*id="c-n1")/))
    #expect(page.contains(/<a (?=[^>]*role="doc-backlink")(?=[^>]*href="#c-r1")/))
    #expect(page.contains("href=\"0002.html#c-n2\""))
    #expect(sink.text("text/0002.html").contains("id=\"c-n2\""))
  }

  @Test func `the title of a page has neither notes in its heading nor their numbers`() throws {
    let html =
      "<h2>The <i>Harbour</i><a epub:type=\"noteref\" href=\"#n\">[1]</a>"
      + "<aside epub:type=\"footnote\" id=\"n\">A note</aside></h2>"
    let book = try convert(BookBuilder(pages: [("a.xhtml", BookBuilder.page(html))])).0
    #expect(book.pages.map(\.title) == ["The Harbour"])
  }

  @Test(arguments: ["-epub-writing-mode", "-webkit-writing-mode", "writing-mode"])
  func `text in columns stays in columns`(property: String) throws {
    let builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page("縦", head: "<link rel=\"stylesheet\" href=\"s.css\"/>")
        ), ("b.xhtml", BookBuilder.page("横")),
      ],
      files: [("s.css", "text/css", Array("html{\(property):vertical-rl}".utf8))],
      spine: "page-progression-direction=\"rtl\"")
    let sink = try convert(builder).1
    #expect(sink.text("style/0001.css").contains("writing-mode:vertical-rl"))
    #expect(sink.text("text/0001.html").contains("<div class=\"vertical\" tabindex=\"0\">"))
    #expect(sink.text("text/0002.html").contains("<div class=\"flow\">"))
  }

  @Test func `a book from right to left is turned to the left`() throws {
    let page =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" dir=\"rtl\" lang=\"ar\"><head/><body><p>نص</p></body></html>"
    let builder = BookBuilder(
      pages: [("a.xhtml", page), ("b.xhtml", page)],
      spine: "page-progression-direction=\"rtl\"")
    let first = try convert(builder).1.text("text/0001.html")
    #expect(first.contains("<article class=\"book\" lang=\"ar\" dir=\"rtl\">"))
    #expect(first.contains("← Next") || first.contains("←"), "the next page lies to the left")
    #expect(!first.contains("→"))
  }

  @Test func `audio of a page is above it, once, and without the network`() throws {
    let smil = """
      <smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body>
      <par><text src="a.xhtml#w1"/><audio src="s.mp3" clipBegin="0s" clipEnd="1s"/></par>
      <par><text src="a.xhtml#w2"/><audio src="s.mp3#t=1"/></par>
      <par><audio src="https://evil.example/x.mp3"/></par><par><audio src="p.png"/></par>
      </body></smil>
      """
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t")), ("b.xhtml", BookBuilder.page("u"))],
      files: [
        ("o.smil", "application/smil+xml", Array(smil.utf8)),
        ("s.mp3", "audio/mpeg", Array("ID3".utf8)), ("p.png", "image/png", [0x89]),
      ])
    builder.rewritePackage {
      $0.replacing("href=\"a.xhtml\"", with: "href=\"a.xhtml\" media-overlay=\"f0\"")
    }
    let sink = try convert(builder).1
    let page = sink.text("text/0001.html")
    let sound = "<audio src=\"../assets/0001.mp3\" controls=\"\" preload=\"none\"></audio>"
    #expect(page.ranges(of: sound).count == 1)
    #expect(page.contains("this page does not.</p>"), "what the page does not do is said")
    #expect(!page.contains("evil") && sink.files["assets/0001.mp3"] == Array("ID3".utf8))
    #expect(!sink.text("text/0002.html").contains("<audio"))
  }

  @Test func `the first contents of the book serve as table of contents`() throws {
    let nav = BookBuilder.page(
      "<nav epub:type=\"landmarks\"><ol><li><a href=\"a.xhtml\">L</a></li></ol></nav>"
        + "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">First &amp; last</a><ol><li><a href=\"a.xhtml#s\">Inner</a></li></ol></li></ol></nav>"
    )
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t"))],
      files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
      itemProperties: ["nav.xhtml": "nav"])
    let (book, sink) = try convert(builder)
    #expect(book.pages.first?.title == "First & last")
    #expect(sink.text("text/contents.html").contains("href=\"0001.html#c-s\""))
    let text = sink.text("text/contents.html")
    let landmarks = try #require(text.firstRange(of: "<h2"))
    #expect(!text[..<landmarks.lowerBound].contains(">L<"))
    #expect(text[landmarks.upperBound...].contains(">L<"))
  }

  @Test func `a page with a fixed size is scaled to the window`() throws {
    let builder = BookBuilder(
      pages: [
        (
          "a.xhtml",
          BookBuilder.page("t", head: "<meta name=\"viewport\" content=\"width=600, height=800\"/>")
        )
      ],
      metadata: "<meta property=\"rendition:layout\">pre-paginated</meta>",
      spine: "page-progression-direction=\"rtl\"")
    let page = try convert(builder).1.text("text/0001.html")
    #expect(page.contains("<div class=\"fixed\">"))
    #expect(page.contains(".fixed .sheet{width:600px;height:800px}"))
    #expect(page.contains("@media (max-width:300px){.fixed .book{width:270px;height:360px}"))
  }

  @Test func `SVG images may be pages, and missing pages say so`() throws {
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\"><rect width=\"5\" height=\"5\"/></svg>"
    var builder = BookBuilder(pages: [("a.svg", svg), ("b.xhtml", "x")])
    builder.entries.removeAll { $0.name == "OEBPS/b.xhtml" }
    let (book, sink) = try convert(builder)
    #expect(sink.text("text/0001.html").contains("<rect width=\"5\" height=\"5\"></rect>"))
    #expect(sink.text("text/0002.html").contains("missing from the book"))
    #expect(book.notes.count == 1)
  }

  @Test func `metadata has series, authors and identifiers`() throws {
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t"))],
      metadata:
        "<dc:creator>A</dc:creator><dc:creator>B</dc:creator><meta name=\"calibre:series\" content=\"S\"/><meta name=\"calibre:series_index\" content=\"2.0\"/>"
    )
    let metadata = try convert(builder).0.metadata
    #expect(metadata.authors == ["A", "B"])
    #expect(metadata.series == BookMetadata.Series(name: "S", position: "2.0"))
    #expect(metadata.identifiers == ["urn:uuid:00000000-0000-4000-8000-00000000000a"])
    let collection = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t"))],
      metadata:
        "<meta property=\"belongs-to-collection\" id=\"c1\">T</meta><meta refines=\"#c1\" property=\"group-position\">3</meta><meta name=\"calibre:series\" content=\"S\"/>"
    )
    #expect(
      try convert(collection).0.metadata.series == BookMetadata.Series(name: "T", position: "3"))
  }
}

@Suite struct HostileBookTests {
  @Test(arguments: [(20_010, 1), (3, 40), (3, 3)])
  func `a table of contents that is cut says so`(entries: Int, depth: Int) throws {
    let nested =
      String(repeating: "<li><a href=\"a.xhtml\">x</a><ol>", count: depth)
      + String(repeating: "<li><a href=\"a.xhtml\">x</a></li>", count: entries)
      + String(repeating: "</ol></li>", count: depth)
    let navigation = BookBuilder.page("<nav epub:type=\"toc\"><ol>\(nested)</ol></nav>")
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("t"))],
      files: [("nav.xhtml", "application/xhtml+xml", Array(navigation.utf8))],
      itemProperties: ["nav.xhtml": "nav"])
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: MemorySink()) }
    let isCut = entries > 20_000 || depth > 32
    #expect(book.notes.contains { $0.contains("(20000, a fixed limit)") } == isCut, "\(book.notes)")
  }

  private func code(_ builder: BookBuilder, _ limits: EPUBLimits = EPUBLimits()) throws -> EPUBError
    .Code?
  {
    do {
      _ = try builder.withFile {
        try EPUBConverter(limits: limits).convert(path: $0, to: MemorySink())
      }
      return nil
    } catch let error as EPUBError {
      return error.code
    }
  }

  @Test func `a decompression bomb is refused`() throws {
    let bomb = "<p>" + String(repeating: " ", count: 8 << 20) + "</p>"
    #expect(try code(BookBuilder(pages: [("a.xhtml", BookBuilder.page(bomb))])) == .tooLarge)
  }

  @Test func `a bomb of a gigabyte in a megabyte is refused by its first megabytes`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("t"))])
    let page = try #require(builder.entries.firstIndex { $0.name == "OEBPS/a.xhtml" })
    builder.entries[page].sparseSize = 1 << 30
    try builder.withFile { path in
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      #expect(facts[.size] as? Int ?? .max < 2 << 20)
      let time = processorTime {
        let error = #expect(throws: EPUBError.self) {
          try EPUBConverter().convert(path: path, to: MemorySink())
        }
        #expect(error?.code == .tooLarge)
      }
      #expect(time < .seconds(5))
    }
  }

  @Test func `twenty thousand entries are refused`() throws {
    var builder = BookBuilder(pages: [("a.xhtml", BookBuilder.page("t"))])
    for index in 0..<20_000 { builder.add("x/\(index)", "") }
    #expect(try code(builder) == .tooLarge)
  }

  @Test func `a page that is too large is refused by the limit's name`() throws {
    var limits = EPUBLimits()
    limits.textBytes = 1_000
    let builder = BookBuilder(pages: [
      ("a.xhtml", BookBuilder.page(String(repeating: "ab ", count: 500)))
    ])
    #expect(try code(builder, limits) == .tooLarge)
  }

  @Test func `links and names that lead out are not read`() throws {
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<img src=\"l.png\" alt=\"L\"/>"))],
      files: [("l.png", "image/png", Array("/etc/passwd".utf8))])
    let index = try #require(builder.entries.firstIndex { $0.name == "OEBPS/l.png" })
    builder.entries[index].isLink = true
    let sink = MemorySink()
    let book = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(book.notes.count == 2, "the link, and the picture that a page lost: \(book.notes)")
    #expect(sink.files.keys.allSatisfy { !$0.hasSuffix("png") })
  }

  @Test func `a file that is not an EPUB is refused`() throws {
    var builder = BookBuilder()
    builder.add("readme.txt", "x")
    #expect(try code(builder) == .malformed)
  }
}

/// Two SVG images that together expand to ten million elements.
private let multiplied = (0...1).map { part in
  "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g0\"><path d=\"M0 0\"/></g>"
    + (1...7).filter { $0 % 2 == part }.map { level in
      "<g id=\"g\(level)\">" + String(repeating: "<use href=\"#g\(level - 1)\"/>", count: 10)
        + "</g>"
    }.joined() + "</svg>"
}.joined()
