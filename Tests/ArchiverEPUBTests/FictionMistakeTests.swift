import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverEPUB

/// FictionBooks with the mistakes that many tools make.
@Suite struct FictionMistakeTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]
  private static let base64 = Data(png).base64EncodedString()

  private static func book(
    _ body: String, binary: String, description: String = "",
    prefix: String = "xmlns:l=\"http://www.w3.org/1999/xlink\""
  ) -> String {
    "<?xml version=\"1.0\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\" \(prefix)>"
      + "<description><title-info><book-title>T</book-title></title-info>\(description)</description>"
      + "<body>\(body)</body>\(binary)</FictionBook>"
  }

  private static func convert(_ bytes: [UInt8]) throws -> (ConvertedBook, MemorySink) {
    let path = FileManager.default.temporaryDirectory.path + "/mistake-\(UUID().uuidString)"
    defer { unlink(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let sink = MemorySink()
    return (try FictionBookConverter().convert(path: path, to: sink), sink)
  }

  @Test(arguments: [
    ("l:href=\"c.png\"", "id=\"c.png\"", base64), ("l:href=\"#C.PNG\"", "id=\"c.png\"", base64),
    ("l:href=\"#c.png\"", "id=\"C.png\"", base64), ("href=\"#c.png\"", "id=\"c.png\"", base64),
    ("q:href=\"#c.png\"", "id=\"c.png\"", base64),
    ("l:href=\"#c.png\"", "content-type = 'image/png'\n id = 'c.png'", base64),
    ("l:href=\"#c.png\"", "id=\"c.png\"", "<![CDATA[\(base64)]]>"),
    ("l:href=\"#c.png\"", "id=\"c.png\"", base64.replacing("=", with: "")),
    (
      "l:href=\"#c.png\"", "data-id=\"x\" id=\"c.png\"",
      " \r\n\(base64.prefix(5))\n\(base64.dropFirst(5))"
    ),
  ])
  func `an image is shown however it is named and encoded`(
    link: String, id: String, content: String
  ) throws {
    let text = Self.book(
      "<section><p>text</p><image \(link)/></section>",
      binary: "<binary \(id)>\(content)</binary>")
    let (book, sink) = try Self.convert(Array(text.utf8))
    #expect(sink.files["assets/0001.png"] == Self.png)
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\""))
    #expect(book.notes.isEmpty, "\(book.notes)")
  }

  @Test func `a cover that the book lacks is counted`() throws {
    let text = Self.book("<section><p>text</p></section>", binary: "")
    let cover = "<coverpage><image l:href=\"#gone.png\"/></coverpage></title-info>"
    let (book, _) = try Self.convert(Array(text.replacing("</title-info>", with: cover).utf8))
    #expect(book.coverPath == nil)
    #expect(book.notes == ["The pages lack parts of the book: images (1)."])
    #expect(try Self.convert(Array(text.utf8)).0.notes.isEmpty)
  }

  @Test func `a link is followed although its namespace is misspelt`() throws {
    let text = Self.book(
      "<section><p>text</p><image l:href=\"#c.png\"/></section>",
      binary: "<binary id=\"c.png\">\(Self.base64)</binary>",
      prefix: "xmlns:l=\"http://www.w3.org//xlink\"")
    let (book, sink) = try Self.convert(Array(text.utf8))
    #expect(sink.text("text/0001.html").contains("<img src=\"../assets/0001.png\""))
    #expect(book.notes.isEmpty, "\(book.notes)")
  }

  @Test func `a title without paragraphs is shown`() throws {
    let text = Self.book(
      "<section><title>One<empty-line/><p>Two</p> three </title><p>text</p></section>", binary: "")
    let (book, sink) = try Self.convert(Array(text.utf8))
    #expect(sink.text("text/0001.html").contains("One<br>Two<br> three </h"))
    #expect(book.pages.map(\.title) == ["One. Two. three"])
  }

  @Test func `elements of HTML keep their form`() throws {
    let (_, sink) = try Self.convert(
      Array(
        Self.book(
          "<section><p>A <b>bold</b><br/><i>word</i></p><ul><li>one</li></ul></section>", binary: ""
        ).utf8))
    let page = sink.text("text/0001.html")
    #expect(page.contains("<p>A <strong>bold</strong><br><em>word</em></p><ul><li>one</li></ul>"))
  }

  @Test func `two images whose ids differ in case only are two`() throws {
    let other = Self.png + [3]
    let text = Self.book(
      "<section><image l:href=\"#a\"/><image l:href=\"#A\"/></section>",
      binary: "<binary id=\"a\">\(Self.base64)</binary><binary id=\"A\">"
        + "\(Data(other).base64EncodedString())</binary>")
    let (_, sink) = try Self.convert(Array(text.utf8))
    #expect(sink.files["assets/0001.png"] == Self.png && sink.files["assets/0002.png"] == other)
    let page = sink.text("text/0001.html")
    #expect(page.contains("0001.png") && page.contains("0002.png"))
  }

  @Test func `the cover of the original is that of a translation without one`() throws {
    let text = Self.book(
      "<section><p>text</p></section>", binary: "<binary id=\"c\">\(Self.base64)</binary>",
      description: "<src-title-info><coverpage><image l:href=\"#none\"/><image l:href=\"#c\"/>"
        + "</coverpage></src-title-info>")
    let (book, sink) = try Self.convert(Array(text.utf8))
    #expect(book.coverPath.map { sink.files[$0] } == Self.png)
  }

  @Test func `text outside of sections and paragraphs is shown`() throws {
    let text = Self.book(
      "alpha <title><p>beta</p></title><section>gamma <p>delta</p> epsilon</section> zeta",
      binary: "")
    let (book, sink) = try Self.convert(Array(text.utf8))
    let all = book.pages.map { sink.text($0.path) }.joined()
    for word in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"] {
      #expect(all.contains(word), "\(word)")
    }
  }

  @Test func `an image keeps its title beside its alternative text`() throws {
    let text = Self.book(
      "<section><p>t <image l:href=\"#c\" alt=\"short\" title=\"Figure 1\"/></p></section>",
      binary: "<binary id=\"c\">\(Self.base64)</binary>")
    let (_, sink) = try Self.convert(Array(text.utf8))
    #expect(sink.text("text/0001.html").contains("alt=\"short\" title=\"Figure 1\""))
  }

  @Test(
    arguments: [
      (["__MACOSX/._b.fb2", "b.fb2"], nil), (["book.xml"], nil), (["a.txt", "Book.FB2"], nil),
      (["b.fb2", "a.fb2"], "The archive has 2 books; the pages are those of a.fb2."),
    ] as [([String], String?)])
  func `the book of an archive is found, and further ones are told`(
    names: [String], note: String?
  ) throws {
    let entries = names.map { name in
      let isBook = !name.hasPrefix("__") && !name.hasSuffix(".txt")
      let text = Self.book("<section><p>in \(name)</p></section>", binary: "")
      return StoredZip.Entry(name, isBook ? text : "not a book")
    }
    let (book, sink) = try Self.convert(StoredZip.archive(entries))
    #expect(sink.text("text/0001.html").contains("in \(note == nil ? names.last ?? "" : "a.fb2")"))
    #expect(book.notes == [note].compactMap(\.self))
  }
}
