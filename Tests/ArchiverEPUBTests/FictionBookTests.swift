import ArchiverCore
import Testing

@testable import ArchiverEPUB

@Suite struct FictionBookTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  private static let description = """
    <description><title-info><genre>sf</genre>
    <author><first-name>Anna</first-name><last-name>Author</last-name></author>
    <book-title>The Book</book-title><annotation><p>About it</p></annotation>
    <keywords>sea, ships</keywords><lang>ru</lang><coverpage><image l:href="#c.png"/></coverpage>
    <translator><nickname>Tr</nickname></translator><sequence name="Sea" number="2"/></title-info>
    <publish-info><publisher>House</publisher><year>2001</year><isbn>1-2</isbn></publish-info></description>
    """

  static func book(_ bodies: String, encoding: String = "utf-8", more: String = "") -> String {
    "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><FictionBook "
      + "xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\" xmlns:l=\"http://www.w3.org/1999/xlink\">"
      + description + bodies + "<binary id=\"c.png\" content-type=\"image/png\">"
      + Data(png).base64EncodedString() + "</binary>\(more)</FictionBook>"
  }

  private static func convert(
    _ bytes: [UInt8], limits: EPUBLimits = EPUBLimits()
  ) throws -> (ConvertedBook, MemorySink) {
    let path = FileManager.default.temporaryDirectory.path + "/fiction-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let sink = MemorySink()
    return (try FictionBookConverter(limits: limits).convert(path: path, to: sink), sink)
  }

  private static func convert(_ text: String) throws -> (ConvertedBook, MemorySink) {
    try convert(Array(text.utf8))
  }

  @Test func `a byte that the encoding does not have costs itself alone`() throws {
    let text = Self.book(
      "<body><section><p>one@two</p><p>three</p></section></body>", encoding: "windows-1251")
    let bytes = text.utf8.map { $0 == 0x40 ? 0x98 : $0 }
    let (book, sink) = try Self.convert(bytes)
    let page = try #require(book.pages.first)
    #expect(sink.text(page.path).contains("one\u{FFFD}two</p>"))
    #expect(sink.text(page.path).contains("three"))
  }

  @Test func `a book whose title has an unclosed element is read whole`() throws {
    let text = Self.book("<body><section><p>alpha</p></section></body>")
      .replacing("<book-title>", with: "<book-title>A & <b>")
    let (book, sink) = try Self.convert(text)
    let page = try #require(book.pages.first)
    #expect(sink.text(page.path).contains("alpha"))
  }

  @Test func `a FictionBook becomes pages that tell of the book and lead to each other`() throws {
    let (book, sink) = try Self.convert(
      Self.book(
        "<body><title><p>The Book</p></title><section id=\"s1\"><title><p>One</p><p>More</p></title>"
          + "<p>First <strong>b</strong> <a l:href=\"#n1\" type=\"note\">[1]</a></p></section>"
          + "<section><title><p>Two</p></title><image l:href=\"#c.png\"/><p><a l:href=\"#s1\">back</a></p>"
          + "</section></body><body name=\"notes\"><section id=\"n1\"><p>A note</p></section></body>"
      ))
    #expect(book.pages.map(\.title) == ["The Book", "One. More", "Two", "Part 4"])
    #expect(book.metadata.title == "The Book" && book.metadata.authors == ["Anna Author"])
    #expect(book.metadata.contributors.map(\.name) == ["Tr"])
    #expect(book.metadata.series == BookMetadata.Series(name: "Sea", position: "2"))
    #expect(book.metadata.language == "ru" && book.metadata.publisher == "House")
    #expect(book.metadata.subjects == ["sea", "ships"] && book.metadata.date == "2001")
    let one = sink.text("text/0002.html")
    #expect(one.contains("<h1 class=\"title\">One<br>More</h1>"))
    #expect(one.contains("<a role=\"doc-noteref\" href=\"0004.html#c-n1\">[1]</a>"))
    #expect(one.contains("href=\"0003.html\" rel=\"next\""))
    #expect(sink.text("text/0003.html").contains("<img src=\"../assets/0001.png\" alt=\"\">"))
    #expect(sink.text("text/0003.html").contains("<a href=\"0002.html#c-s1\">back</a>"))
    #expect(!sink.text("text/0003.html").contains("rel=\"next\""))
    #expect(sink.text("text/0004.html").contains("A note"))
    #expect(sink.files["assets/0001.png"] == Self.png && book.coverPath == "assets/0001.png")
    #expect(book.notes == [])
  }

  @Test func `verse, quotations and tables are shown as such`() throws {
    let (_, sink) = try Self.convert(
      Self.book(
        "<body><section><epigraph><p>E</p><text-author>W</text-author></epigraph>"
          + "<poem><title><p>T</p></title><stanza><v>one</v><v>two</v></stanza></poem>"
          + "<cite><p>said</p></cite><empty-line/><subtitle>S</subtitle>"
          + "<table><tr><th colspan=\"2\" align=\"center\">h</th></tr><tr><td>c</td></tr></table>"
          + "<p><style name=\"x\">st</style> <emphasis>e</emphasis><sub>1</sub><unknown>kept</unknown></p>"
          + "</section></body>"))
    let page = sink.text("text/0001.html")
    for piece in [
      "<blockquote class=\"epigraph\"><p>E</p><p class=\"by\">W</p></blockquote>",
      "<div class=\"stanza\"><p class=\"v\">one</p><p class=\"v\">two</p></div>",
      "<blockquote class=\"cite\"><p>said</p></blockquote><p><br></p><h2 class=\"subtitle\">S</h2>",
      "<table tabindex=\"0\"><tr><th colspan=\"2\" align=\"center\">h</th>",
      "<span>st</span> <em>e</em><sub>1</sub>kept",
    ] {
      #expect(page.contains(piece), "\(page)")
    }
  }

  @Test(arguments: [
    (
      "<section><title><p>A</p></title><subtitle>S</subtitle><section><subtitle>T</subtitle></section></section>",
      [
        "<h1 class=\"title\">A</h1>", "<h2 class=\"subtitle\">S</h2>",
        "<h2 class=\"subtitle\">T</h2>",
      ]
    ),
    (
      "<section><title><p>A</p></title><section><title><p>B</p></title><subtitle>S</subtitle></section></section>",
      ["<h1 class=\"title\">A</h1>", "<h2 class=\"title\">B</h2>", "<h3 class=\"subtitle\">S</h3>"]
    ),
    (
      "<section><title><empty-line/></title><subtitle>* * *</subtitle><subtitle>S</subtitle></section>",
      [
        "<h1 aria-label=\"Part 2\"></h1>", "<p class=\"title\"></p>",
        "<p class=\"subtitle\">* * *</p>",
        "<h2 class=\"subtitle\">S</h2>",
      ]
    ),
    ("<section><p><a type=\"note\" l:href=\"#no\">1</a></p></section>", ["<a>1</a>"]),
  ])
  func `headings of a FictionBook leave out no level`(section: String, pieces: [String]) throws {
    let body = "<body><title><p>X</p></title>\(section)</body>"
    let page = try Self.convert(Self.book(body)).1.text("text/0002.html")
    for piece in pieces { #expect(page.contains(piece), "\(piece) in \(page)") }
  }

  @Test func `a book in an old encoding or in an archive is read`() throws {
    // "Привет" in windows-1251.
    let text = Self.book("<body><section><p>@</p></section></body>", encoding: "windows-1251")
    let words: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
    let bytes = text.utf8.flatMap { $0 == 0x40 ? words : [$0] }
    #expect(try Self.convert(bytes).1.text("text/0001.html").contains("Привет"))
    let zip = try ArchiveSamples.archive([("книга.fb2", bytes)], format: "zip")
    #expect(try Self.convert(zip).1.text("text/0001.html").contains("Привет"))
  }

  @Test func `missing parts of the pages are reported`() throws {
    let (book, _) = try Self.convert(
      Self.book(
        "<body><section><image l:href=\"#no\"/><image l:href=\"#bad\"/><a l:href=\"#x\">y</a></section></body>",
        more: "<binary id=\"bad\">!</binary><binary id=\"other\">AAAA</binary>"))
    #expect(
      book.notes == [
        "The image bad of the book is damaged.", "1 file of the book is not used on its pages.",
        "The pages lack parts of the book: images (2), links that lead nowhere (1).",
      ])
  }

  @Test func `no active content is kept`() throws {
    let (_, sink) = try Self.convert(
      Self.book(
        "<body><section onclick=\"x()\"><p style=\"x\"><script>alert(1)</script>"
          + "<a l:href=\"javascript:alert(1)\">j</a><a l:href=\"https://e.example/\">w</a>"
          + "<html:img xmlns:html=\"http://www.w3.org/1999/xhtml\" src=\"http://e/x\" onerror=\"x()\"/>"
          + "</p></section></body>"))
    let page = sink.text("text/0001.html")
    let main = try #require(page.firstRange(of: "<main"))
    let content = page[main.lowerBound...]
    #expect(!content.contains("<script") && !content.contains("javascript:"))
    #expect(
      !content.contains("onclick") && !content.contains("onerror") && !content.contains("<img"))
    #expect(content.contains("href=\"https://e.example/\" rel=\"noreferrer noopener external\""))
  }

  @Test func `a long section is divided, a deep one ends in time`() throws {
    let long =
      "<section><title><p>Sub</p></title><p>\(String(repeating: "word ", count: 10_000))</p></section>"
    let (book, _) = try Self.convert(
      Self.book("<body><section><title><p>Part</p></title>\(long)\(long)</section></body>"))
    #expect(book.pages.map(\.title) == ["Part", "Sub", "Sub"])
    let deep = String(repeating: "<section>", count: 200) + "<p>x</p>"
    #expect(try Self.convert(Self.book("<body>\(deep)</body>")).0.pages.count == 1)
  }

  @Test(arguments: ["", "<html/>", "<FictionBook/>", "PK"])
  func `a file that is not a FictionBook is refused`(text: String) {
    #expect(throws: EPUBError.self) { try Self.convert(text) }
  }

  @Test func `text beyond the limit is refused and names the limit`() throws {
    var limits = EPUBLimits()
    limits.textBytes = 1_000
    let text = Self.book(
      "<body><section><p>\(String(repeating: "x", count: 2_000))</p></section></body>")
    #expect {
      _ = try Self.convert(Array(text.utf8), limits: limits)
    } throws: {
      ($0 as? EPUBError)?.code == .tooLarge
    }
  }
}
