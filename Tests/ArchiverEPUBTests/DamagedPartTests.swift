import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

/// Books with a damaged file that is not a page.
@Suite struct DamagedPartTests {
  private static let builder: BookBuilder = {
    let style = "<link rel=\"stylesheet\" type=\"text/css\" href=\"s.css\"/>"
    let nav = "<nav epub:type=\"toc\"><ol><li><a href=\"a.xhtml\">Navigation</a></li></ol></nav>"
    let ncx =
      "<ncx><navMap><navPoint><navLabel><text>Points</text></navLabel><content src=\"a.xhtml\"/>"
      + "</navPoint></navMap></ncx>"
    var builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<p>chapter</p>", head: style))],
      files: [
        ("p.png", "image/png", ArchiveSamples.png),
        ("words.xhtml", "application/xhtml+xml", Array(BookBuilder.page("Described").utf8)),
        ("nav.xhtml", "application/xhtml+xml", Array(BookBuilder.page(nav).utf8)),
        ("toc.ncx", "application/x-dtbncx+xml", Array(ncx.utf8)),
        ("s.css", "text/css", Array("p{margin:1em}".utf8)),
      ], itemProperties: ["nav.xhtml": "nav"])
    builder.rewritePackage {
      $0.replacing("id=\"f0\"", with: "id=\"f0\" fallback=\"f1\"")
        .replacing("</spine>", with: "<itemref idref=\"f0\"/></spine>")
    }
    return builder
  }()

  /// Converts a book after the first byte of a text in its archive was changed.
  private static func convert(
    _ builder: BookBuilder = builder, damaged text: String
  ) throws -> (book: ConvertedBook, sink: MemorySink) {
    var bytes = StoredZip.archive(
      builder.entries.map { StoredZip.Entry($0.name, bytes: $0.bytes) })
    if let range = bytes.firstRange(of: Array(text.utf8)) { bytes[range.lowerBound] ^= 1 }
    let path = FileManager.default.temporaryDirectory.path + "/damaged-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(filePath: path))
    let sink = MemorySink()
    return (try EPUBConverter().convert(path: path, to: sink), sink)
  }

  @Test(arguments: [
    ("Navigation", "OEBPS/nav.xhtml"), ("Points", "OEBPS/toc.ncx"),
    ("Described", "OEBPS/words.xhtml"),
  ])
  func `a damaged list of contents or text for an image costs only itself`(
    text: String, file: String
  ) throws {
    let (book, sink) = try Self.convert(damaged: text)
    #expect(book.pages.count == 2)
    #expect(sink.text("text/0001.html").contains("<p>chapter</p>"))
    #expect(book.notes.contains { $0.contains("\(file) is damaged") }, "\(book.notes)")
  }

  @Test func `an NCX takes the place of a damaged navigation document`() throws {
    let (book, sink) = try Self.convert(damaged: "Navigation")
    #expect(sink.text("text/contents.html").contains("Points"))
    #expect(book.pages.first?.title == "Points")
  }

  @Test func `a damaged style sheet counts as lost`() throws {
    let (book, sink) = try Self.convert(damaged: "margin:1em")
    #expect(sink.text("text/0001.html").contains("<p>chapter</p>"))
    #expect(book.notes.contains { $0.contains("style sheets (1)") }, "\(book.notes)")
  }

  @Test(arguments: ["damaged", "", "no markup", "<container"])
  func `a book whose container document is damaged is read by the package document that it has`(
    content: String
  ) throws {
    var builder = Self.builder
    if content != "damaged" {
      builder.entries.removeAll { $0.name.hasPrefix("META-INF/") }
      builder.add("META-INF/container.xml", content)
    }
    let (book, sink) = try Self.convert(
      builder, damaged: content == "damaged" ? "urn:oasis" : "nowhere in it")
    #expect(sink.text("text/0001.html").contains("<p>chapter</p>"))
    #expect(book.notes.contains { $0.contains("OEBPS/content.opf was taken") }, "\(book.notes)")
  }

  @Test(arguments: ["", "<encryption>in order</encryption>"])
  func `a book that does not say which files are encrypted, and has no licence, is read`(
    content: String
  ) throws {
    var builder = Self.builder
    builder.add("META-INF/encryption.xml", content)
    let (book, sink) = try Self.convert(builder, damaged: "in order")
    #expect(sink.text("text/0001.html").contains("<p>chapter</p>"))
    #expect(book.notes.contains { $0.contains("encrypted is not known") }, "\(book.notes)")
    builder.add("META-INF/rights.xml", "<rights/>")
    #expect(throws: EPUBError.self) { try Self.convert(builder, damaged: "in order") }
  }
}
