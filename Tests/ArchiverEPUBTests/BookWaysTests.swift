import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Navigation of a book besides its table of contents.
@Suite struct BookWaysTests {
  private static func contents(_ builder: BookBuilder) throws -> (text: String, notes: [String]) {
    let sink = MemorySink()
    let book = try builder.withFile {
      try EPUBConverter(limits: EPUBLimits()).convert(path: $0, to: sink)
    }
    return (sink.text("text/contents.html"), book.notes)
  }

  private static let pages = [
    ("a.xhtml", BookBuilder.page("<p id=\"x1\">A</p>")),
    ("b.xhtml", BookBuilder.page("<p id=\"x2\">B</p>")),
  ]

  @Test func `landmarks and the pages of the printed book lead to their places`() throws {
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>"
        + "<nav epub:type=\"landmarks\"><ol><li><a epub:type=\"bodymatter\" href=\"b.xhtml\">Start of content</a></li></ol></nav>"
        + "<nav epub:type=\"page-list\"><ol><li><a href=\"a.xhtml#x1\">xii</a></li><li><a href=\"b.xhtml#x2\">13</a></li></ol></nav>"
    )
    let text = try Self.contents(
      BookBuilder(
        pages: Self.pages, files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
        itemProperties: ["nav.xhtml": "nav"])
    ).text
    #expect(text.contains("<h2 lang=\"en\">Parts of the book</h2>"))
    #expect(text.contains("href=\"0002.html\" dir=\"auto\">Start of content</a>"))
    let list = try #require(text.firstRange(of: "<details class=\"places\">"))
    #expect(text[list.upperBound...].contains("href=\"0001.html#c-x1\" dir=\"auto\">xii</a>"))
    #expect(text[list.upperBound...].contains("href=\"0002.html#c-x2\" dir=\"auto\">13</a>"))
  }

  @Test func `the headings of lists without entries are shown`() throws {
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>"
        + "<nav epub:type=\"landmarks\"><h2>Places</h2><ol/></nav>"
        + "<nav epub:type=\"page-list\"><h2>Sheets</h2><ol/></nav>")
    let text = try Self.contents(
      BookBuilder(
        pages: Self.pages, files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
        itemProperties: ["nav.xhtml": "nav"])
    ).text
    #expect(text.contains("<p dir=\"auto\">Places</p><p dir=\"auto\">Sheets</p>"))
  }

  @Test func `an EPUB 2 has both in its guide and its NCX`() throws {
    let ncx = """
      <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="n"><navLabel><text>One</text></navLabel><content src="a.xhtml"/></navPoint></navMap>
      <pageList><pageTarget value="7" type="normal"><navLabel><text>Page 7</text></navLabel><content src="a.xhtml#x1"/></pageTarget><pageTarget value="8"><content src="b.xhtml#x2"/></pageTarget></pageList></ncx>
      """
    var builder = BookBuilder(
      pages: Self.pages, files: [("toc.ncx", "application/x-dtbncx+xml", Array(ncx.utf8))])
    for index in builder.entries.indices where builder.entries[index].name.hasSuffix(".opf") {
      let text = String(decoding: builder.entries[index].bytes, as: UTF8.self).replacing(
        "</package>",
        with:
          "<guide><reference type=\"text\" title=\"Begin reading\" href=\"b.xhtml#x2\"/><reference type=\"other.title-page\" href=\"a.xhtml\"/><reference type=\"toc\" title=\"Gone\" href=\"../../x.xhtml\"/></guide></package>"
      )
      builder.entries[index].bytes = Array(text.utf8)
    }
    let text = try Self.contents(builder).text
    #expect(text.contains("href=\"0002.html#c-x2\" dir=\"auto\">Begin reading</a>"))
    #expect(text.contains("href=\"0001.html\" dir=\"auto\">other.title page</a>"))
    #expect(text.contains("<span dir=\"auto\">Gone</span>"))
    #expect(text.contains("href=\"0001.html#c-x1\" dir=\"auto\">Page 7</a>"))
    #expect(text.contains("href=\"0002.html#c-x2\" dir=\"auto\">8</a>"))
  }

  @Test func `lists of illustrations and tables are shown with their headings`() throws {
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>"
        + "<nav epub:type=\"loi\"><h2>Figures</h2><ol><li><a href=\"a.xhtml#x1\">A map</a></li></ol></nav>"
        + "<nav><ol><li><a href=\"b.xhtml\">Told twice</a></li></ol></nav><nav><h2>Empty</h2><ol></ol></nav>"
    )
    let text = try Self.contents(
      BookBuilder(
        pages: Self.pages, files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
        itemProperties: ["nav.xhtml": "nav"])
    ).text
    let list = try #require(
      text.firstRange(
        of: "<details class=\"list\"><summary dir=\"auto\">Figures</summary>"))
    #expect(text[list.upperBound...].contains("href=\"0001.html#c-x1\" dir=\"auto\">A map</a>"))
    #expect(text.contains("<summary lang=\"en\">Parts of the book</summary>"))
    #expect(text.contains(">Told twice</a>") && text.contains("<p dir=\"auto\">Empty</p>"))
  }

  /// Contents of a `nav` of other forms than the standard's, each with links to "Alpha" and "Beta" and other words.
  private static let forms: [(form: String, content: String, words: [String])] = [
    ("ul", "<ul><li>@A</li><li>@B</li></ul>", []),
    ("ol in a div", "<div><div><ol><li>@A</li><li>@B</li></ol></div></div>", []),
    ("two lists", "<ol><li>@A</li></ol><p>Part two</p><ul><li>@B</li></ul>", ["Part two"]),
    ("no list", "<p>See @A <br/>or</p> or @B", ["See Alpha or", "or Beta"]),
    (
      "two links in an item", "<ol><li>@A (with @B), page 7</li></ol>",
      ["Alpha (with Beta), page 7"]
    ),
    ("a list in an item's div", "<ol><li><div>@A<ul><li>@B</li></ul></div></li></ol>", []),
    ("a list in a list", "<ol><li>@A</li><ol><li>@B</li></ol></ol>", []),
    ("a list of definitions", "<dl><dt>@A</dt><dd>of @B</dd></dl>", ["Alpha of Beta"]),
  ]

  @Test(arguments: forms.indices)
  func `a list of any form is read`(_ index: Int) throws {
    let (form, content, words) = Self.forms[index]
    let links = ["@A": "<a href=\"a.xhtml#x1\">Alpha</a>", "@B": "<a href=\"b.xhtml#x2\">Beta</a>"]
    let list = links.reduce(content) { $0.replacing($1.key, with: $1.value) }
    let other = "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>"
    for nav in [
      "<nav epub:type=\"toc\"><h1>Contents</h1>\(list)</nav>",
      "\(other)<nav epub:type=\"loi\"><h1>Contents</h1>\(list)</nav>",
      "\(other)<nav epub:type=\"page-list\">\(list)</nav>",
      "\(other)<nav epub:type=\"toc\">\(list)</nav>",
      "\(other)<nav epub:type=\"page-list\"><ol><li><a href=\"a.xhtml\">1</a></li></ol></nav><nav epub:type=\"page-list\">\(list)</nav>",
    ] {
      let page = Array(BookBuilder.page(nav).utf8)
      let text = try Self.contents(
        BookBuilder(
          pages: Self.pages, files: [("nav.xhtml", "application/xhtml+xml", page)],
          itemProperties: ["nav.xhtml": "nav"])
      ).text
      for (href, word) in [("0001.html#c-x1", "Alpha"), ("0002.html#c-x2", "Beta")] {
        let link = try #require(
          text.firstRange(of: "href=\"\(href)\" dir=\"auto\">"), "\(form): \(nav)")
        let title = text[link.upperBound...].prefix { $0 != "<" }
        #expect(words.isEmpty ? title == word : title.contains(word), "\(form): \(nav)")
      }
      for words in words { #expect(text.contains(">\(words)<"), "\(form): \(text)") }
    }
  }

  @Test func `lists of an NCX are shown, also beside a navigation document without lists`() throws {
    let ncx = """
      <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="n"><navLabel><text>One</text></navLabel><content src="a.xhtml"/></navPoint></navMap>
      <navList><navLabel><text>Tables</text></navLabel><navTarget id="t"><navLabel><text>Weights</text></navLabel><content src="b.xhtml#x2"/></navTarget></navList><navList/></ncx>
      """
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>")
    let file = ("toc.ncx", "application/x-dtbncx+xml", Array(ncx.utf8))
    for files in [[file], [file, ("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))]] {
      let text = try Self.contents(
        BookBuilder(pages: Self.pages, files: files, itemProperties: ["nav.xhtml": "nav"])
      ).text
      #expect(text.contains("<summary dir=\"auto\">Tables</summary>"))
      #expect(text.contains("href=\"0002.html#c-x2\" dir=\"auto\">Weights</a>"))
    }
  }

  @Test func `a book without them has neither`() throws {
    let text = try Self.contents(BookBuilder(pages: Self.pages)).text
    #expect(!text.contains("<h2") && !text.contains("<details"))
  }

  @Test func `a list of pages beyond the limit is truncated and reported`() throws {
    let items = (0..<30_000).map { "<li><a href=\"a.xhtml#p\($0)\">\($0)</a></li>" }.joined()
    let nav = BookBuilder.page(
      "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">One</a></li></ol></nav>"
        + "<nav epub:type=\"page-list\"><ol>\(items)</ol></nav>")
    let (text, notes) = try Self.contents(
      BookBuilder(
        pages: Self.pages, files: [("nav.xhtml", "application/xhtml+xml", Array(nav.utf8))],
        itemProperties: ["nav.xhtml": "nav"]))
    #expect(text.contains(">One</a>"))
    #expect(notes.contains { $0.hasPrefix("The list of pages is longer") })
  }
}
