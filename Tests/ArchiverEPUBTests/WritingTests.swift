import ArchiverCore
import ArchiverMarkup
import Testing

@testable import ArchiverEPUB

@Suite struct WritingTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  private func with<T>(
    _ book: EPUBPublication, _ body: (String) throws -> T
  ) throws -> T {
    let path = "\(FileManager.default.temporaryDirectory.path)/written-\(UUID().uuidString).epub"
    defer { try? FileManager.default.removeItem(atPath: path) }  // a failure only leaves garbage
    try EPUBWriter.write(book, to: path)
    return try body(path)
  }

  private func book(_ html: String, title: String = "A <Book> & \u{1}more") throws
    -> EPUBPublication
  {
    let body = try XHTMLFragment.make(Array(html.utf8)) { element, address in
      element == "img" ? "../images/\(address)" : address
    }
    let chapter = EPUBPublication.Chapter(
      title: title, language: "ar", direction: .rightToLeft, body: body)
    var book = EPUBPublication(
      identifier: "urn:uuid:00000000-0000-8000-8000-00000000000a", title: title, language: "ar",
      modified: Date(timeIntervalSince1970: 1_750_000_000), chapters: [chapter, chapter])
    book.direction = .rightToLeft
    book.authors = ["One", "Two"]
    book.publisher = "The Press"
    book.subjects = ["a label"]
    return book
  }

  @Test func `written books are read back by the converter`() throws {
    let picture = "\(FileManager.default.temporaryDirectory.path)/picture-\(UUID().uuidString).png"
    defer { try? FileManager.default.removeItem(atPath: picture) }
    try Data(Self.png).write(to: URL(filePath: picture))
    var book = try book(
      "<h1>T</h1><p>one<br>two <b>x</b></p><img src=\"p.png\" alt=\"P\"><audio src=\"s.mp3\"></audio>"
    )
    book.pictures = [.init(name: "p.png", mediaType: "image/png", file: picture)]
    book.cover = "p.png"
    let sink = MemorySink()
    let read = try with(book) { try EPUBConverter().convert(path: $0, to: sink) }
    #expect(read.metadata.title == "A <Book> & more")
    #expect(read.metadata.authors == ["One", "Two"])
    #expect(read.metadata.publisher == "The Press")
    #expect(read.metadata.language == "ar")
    #expect(read.metadata.subjects == ["a label"])
    #expect(read.notes.isEmpty, "\(read.notes)")
    #expect(read.coverPath != nil)
    #expect(sink.files.values.contains(Self.png))
    let pages = sink.files.keys.filter { $0.hasPrefix("text/0") }
    #expect(pages.count == 3, "the table of contents and two chapters")
    let text = pages.map(sink.text).joined()
    #expect(text.contains("one<br>two <b>x</b>"))
  }

  @Test func `every document of a book is well-formed XML`() throws {
    let book = try book(
      "<p id=\"a\" onclick=\"x\" data-x=\"1\">1 &lt; 2 &amp;&nbsp;é\u{1}</p><p id=\"a\">twice</p>"
        + "<ol reversed=\"\" start=\"3\"><li>x</ol><details open=\"\"><summary>s</summary></details>"
        + "<math display=\"block\"><mi>x</mi></math><wbr>z<hr><img src=\"p.png\">"
        + "<a href=\"https://e.org/?a=1&amp;b=&quot;2\">l</a><p lang=\"de\" style=\"color:red\">d")
    try with(book) { path in
      let archive = try ZipArchive(path: path, limits: EPUBLimits())
      var count = 0
      for name in archive.names where !name.hasSuffix(".css") && name != "mimetype" {
        let bytes = try #require(try archive.text(name))
        #expect(throws: Never.self, "\(name): \(String(decoding: bytes, as: UTF8.self))") {
          try XMLDocument(bytes, limits: XMLLimits())
        }
        count += 1
      }
      #expect(count == 6)
      let chapter = String(
        decoding: try #require(try archive.text("EPUB/text/chapter-1.xhtml")), as: UTF8.self)
      #expect(chapter.contains("xml:lang=\"ar\" dir=\"rtl\""))
      #expect(chapter.contains("<ol reversed=\"reversed\" start=\"3\">"))
      #expect(chapter.contains("xmlns=\"http://www.w3.org/1998/Math/MathML\""))
      #expect(chapter.contains("<p>twice</p>"), "an id stands once")
      #expect(!chapter.contains("onclick") && !chapter.contains("data-x"))
      let package = String(
        decoding: try #require(try archive.text("EPUB/package.opf")), as: UTF8.self)
      #expect(package.contains("properties=\"mathml\""))
      #expect(package.contains("page-progression-direction=\"rtl\""))
    }
  }

  @Test func `drawings are written as valid ones`() throws {
    let folder = FileManager.default.temporaryDirectory.path
    func drawing(_ id: String) throws -> EPUBPublication.Picture {
      let path = "\(folder)/drawing-\(UUID().uuidString).svg"
      try Data("<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"\(id)\"/></svg>".utf8)
        .write(to: URL(filePath: path))
      return .init(name: "\(id.count).svg", mediaType: "image/svg+xml", file: path)
    }
    var book = try book("<img src=\"1.svg\"><img src=\"3.svg\">")
    book.pictures = [try drawing("a"), try drawing("a b")]
    defer {
      for picture in book.pictures { try? FileManager.default.removeItem(atPath: picture.file) }
    }
    try with(book) { path in
      let archive = try ZipArchive(path: path, limits: EPUBLimits())
      let texts = try ["1.svg", "3.svg"].map { name in
        String(decoding: try #require(try archive.text("EPUB/images/\(name)")), as: UTF8.self)
      }
      #expect(texts[0].hasSuffix("<g id=\"a\"/></svg>"))
      #expect(texts[1].hasSuffix("<g id=\"_a_b\"/></svg>\n"))
    }
  }

  @Test func `the file begins with its type, not packed`() throws {
    try with(try book("<p>x</p>")) { path in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      #expect(
        bytes[26...29].elementsEqual([8, 0, 0, 0]), "a name of eight bytes and nothing extra")
      #expect(bytes[30..<58].elementsEqual("mimetypeapplication/epub+zip".utf8))
    }
  }

  @Test func `a file that cannot be written is an error`() throws {
    let book = try book("<p>x</p>")
    #expect(throws: EPUBError.self) { try EPUBWriter.write(book, to: "/nowhere/book.epub") }
  }

  @Test(arguments: [
    ("en", "en"), ("zh-Hans", "zh-Hans"), ("", "und"), ("English!", "und"), ("e", "und"),
    ("en_US", "und"), ("english", "und"), ("de--x", "und"),
  ])
  func `only tags are languages`(tag: String, expected: String) {
    #expect(XMLText.language(tag) == expected)
  }
}
