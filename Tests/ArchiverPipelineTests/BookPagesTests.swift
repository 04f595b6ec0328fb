import ArchiverCore
import ArchiverEPUB
import ArchiverPDF
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

@Suite struct BookPagesTests {
  /// An EPUB of one page, by Ann Author, in German.
  static let epub = """
    UEsDBBQAAAAIAFNZdV0YBE8MeAAAAK4AAAAWAAAATUVUQS1JTkYvY29udGFpbmVyLnhtbE2NQQ4CIQxFr0LYmpE9Ae
    5SmaJEaBsoid7eiYvR3V+8/17ITAqVcJhXbzSjXYM8w6zTE3ScXrNnQdo5r46k/ov582ZTGMxaasP5m6as1jYBfUSb
    ryzFmo57hU3fgtGCSKsZtDI5xpvMA81PuOPlsFuXgvtzurOVPlBLAwQUAAAACABTWXVdeeGQnf0AAAC0AQAABQAAAG
    Mub3BmVZHdbsMgDIVfBXE7NbTbxaQoidRd7TUYOIk1/gpmyd5+hLSpdmfOOf5kmy5I9S0nYKs1LvV8JgqtEMuyNKjD
    2Pg4idfz+V34MHL2AzGhdz1/a86cZYe3DCfU4AhHhNjzzIfOAkktSe7IVquDGnI0laiVAAO29CVxaS6idGnVPkEMdW
    Wtnfin1xghGRg+qrXXm6oiSPJxuDrHrplmH2vgIW+RkL8MprlgPn1OUP2ntiWMdFMu1xj07h7vTjy2KvtJhyMkGjok
    sHVUydkcYSxFs85kDWcWNMoT/QYoYggGlaRyOVHtl3IZLjbogUoBHezEAirQHVdTd0/cv2r4A1BLAwQUAAAACABTWX
    VdMuBKRF8AAABzAAAABwAAAGEueGh0bWwljEsKgDAMBa9SPECDuKrEXMEz+Cm20B8aSb29SnePmeGh4xhUjSFdU+eY
    ywggIloGnc8DemMM1L/pCJ1ddkL2HCwxQhsIDa95fwgLzWmz6i45qUWxjxahfE2z8B/RC1BLAQIUAxQAAAAIAFNZdV
    0YBE8MeAAAAK4AAAAWAAAAAAAAAAAAAACAAQAAAABNRVRBLUlORi9jb250YWluZXIueG1sUEsBAhQDFAAAAAgAU1l1
    XXnhkJ39AAAAtAEAAAUAAAAAAAAAAAAAAIABrAAAAGMub3BmUEsBAhQDFAAAAAgAU1l1XTLgSkRfAAAAcwAAAAcAAA
    AAAAAAAAAAAIABzAEAAGEueGh0bWxQSwUGAAAAAAMAAwCsAAAAUAIAAAAA
    """

  private static func item(_ bytes: [UInt8], revision: String = "1") -> ScriptedSource.Item {
    var item = ScriptedSource.Item(id: "b", revision: revision, title: "A Book", html: nil)
    item.attachments = [
      Attachment(.file, .inline(bytes), name: "a.epub", mediaType: "application/epub+zip")
    ]
    return item
  }

  private static func bytes() throws -> [UInt8] {
    [UInt8](try #require(Data(base64Encoded: epub, options: .ignoreUnknownCharacters)))
  }

  @Test func `a book is in its bundle as pages that the reading page leads to`() async throws {
    let source = ScriptedSource()
    source.set(Self.item(try Self.bytes()))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let page = try bench.page("b")
      #expect(page.contains("href=\"book/text/0001.html\""))
      #expect(page.contains("href=\"book/text/contents.html\""))
      #expect(!page.contains("no archived text"))
      #expect(page.contains("SHA-256 <code>\(Digest.sha256Hex(try Self.bytes()))</code>"))
      #expect(try bench.text("b", "book/text/0001.html").contains("Once upon a time"))
      #expect(try bench.item("b").metadata.authors == ["Ann Author"])
      #expect(try bench.item("b").metadata.language == "de")
      #expect(try await bench.verify() == [])
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test(arguments: [true, false])
  func `what a book says of itself is shown if its source says nothing`(
    isSilent: Bool
  ) async throws {
    let book = SampleBook(
      [],
      metadata: "<dc:language>jp</dc:language><dc:date>2019-05</dc:date>"
        + "<dc:subject>Ducks</dc:subject><dc:subject>Ponds</dc:subject><dc:rights>Public</dc:rights>"
        + "<dc:description>&lt;p&gt;About &lt;b&gt;ducks&lt;/b&gt;&lt;/p&gt;</dc:description>")
    var item = Self.item(book.bytes)
    item.kind = .book
    if !isSilent { item.html = "<p>The catalog's own</p>" }
    let source = ScriptedSource()
    source.set(item)
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let (page, metadata) = (try bench.page("b"), try bench.item("b").metadata)
      #expect(metadata.language == "ja")
      #expect(metadata.published == UTCTime.date("2019-05-01"))
      for (name, value) in [("Subjects", "Ducks, Ponds"), ("Rights", "Public")] {
        #expect(metadata.properties.contains(ItemProperty(name, value)))
      }
      #expect(metadata.summary == (isSilent ? "About ducks" : nil))
      #expect(page.contains("About ducks") == isSilent)
    }
  }

  @Test func `a book that cannot be read keeps its file and says why`() async throws {
    let source = ScriptedSource()
    source.set(Self.item(Array(try Self.bytes().prefix(300))))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let page = try bench.page("b")
      #expect(page.contains("could not be converted"))
      #expect(page.contains(".epub\""))
      #expect(!page.contains("book/text"))
    }
  }

  @Test(arguments: [
    ("application/epub+zip", "<?xml version=\"1.0\"?>", false),
    ("application/epub+zip", "PK", true),
    ("application/pdf", "error", false), ("application/pdf", "\n\n%PDF-1.4", true),
    ("text/plain", "error", true), ("application/rtf", "{\\rtf1", true),
    ("application/rtf", "PK", false), ("application/x-cbz", "Rar!\u{1A}\u{7}", true),
    ("application/x-cbt", "BZh91AY", true), ("application/x-cbz", "BZh91AY", false),
    ("application/epub+zip", "BZh91AY", false),
    ("application/x-cbz", "GIF89a", false), ("image/vnd.djvu", "AT&TFORM", true),
    ("image/vnd.djvu", "%PDF-", true), ("image/vnd.djvu", "PK", false),
    ("application/x-mobipocket-ebook", String(repeating: "x", count: 60) + "BOOKMOBI", true),
    ("application/x-mobipocket-ebook", String(repeating: "\0", count: 100), false),
  ])
  func `a file without a book's signature is not a book`(
    type: String, start: String, isAccepted: Bool
  ) {
    #expect((FileSignature.problem(Array(start.utf8), mediaType: type) == nil) == isAccepted)
  }

  private static let fiction = "<?xml version=\"1.0\"?>\n<FictionBook xmlns=\"…\">"
  private static let mobi = String(repeating: "x", count: 60) + "BOOKMOBI"

  @Test(arguments: [
    ("application/epub+zip", fiction, "application/fb2"),
    ("application/epub+zip", mobi, "application/x-mobipocket-ebook"),
    ("application/epub+zip", "Rar!\u{1A}\u{7}", "application/vnd.comicbook-rar"),
    ("application/epub+zip", "PK\u{3}\u{4}", "application/epub+zip"),
    ("application/x-mobipocket-ebook", "%PDF-1.4", "application/pdf"),
    ("application/x-mobi8-ebook", mobi, "application/x-mobi8-ebook"),
    ("application/vnd.comicbook+zip", "AT&TFORM", "image/vnd.djvu"),
    ("application/pdf", "{\\rtf1", "application/rtf"),
    ("image/vnd.djvu", fiction, "application/fb2"),
    ("application/octet-stream", fiction, "application/fb2"),
    ("application/octet-stream", "Rar!\u{1A}\u{7}", "application/octet-stream"),
    ("text/plain", mobi, "text/plain"),
  ])
  func `a book of another kind than declared is kept as what it is`(
    declared: String, start: String, kept: String
  ) {
    let kind = AssetKind(
      prefix: Array(start.utf8), content: .file(mediaType: declared), mediaType: "")
    guard case .file(let type) = kind else {
      Issue.record("\(kind)")
      return
    }
    #expect(type == kept)
  }

  private static func pdf() -> ScriptedSource.Item {
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: nil)
    item.kind = .book
    item.attachments = [
      Attachment(
        .file, .inline(Array("%PDF-1.7 %%EOF".utf8)), name: "a.pdf", mediaType: "application/pdf")
    ]
    return item
  }

  @Test func `a PDF's metadata is on its page and in its record`() async throws {
    let source = ScriptedSource()
    source.set(Self.pdf())
    try await Bench.with(source) { bench in
      _ = try await bench.run {
        $0.readPDF = { path in
          #expect(FileManager.default.contents(atPath: path) == Data("%PDF-1.7 %%EOF".utf8))
          return .success(PDFFacts(pageCount: 312, title: "A <Book>"))
        }
      }
      let page = try bench.page("b")
      #expect(page.contains("<dt dir=\"auto\">Pages</dt><dd dir=\"auto\">312</dd>"))
      #expect(page.contains("Title in the file</dt><dd dir=\"auto\">A &lt;Book&gt;</dd>"))
      #expect(page.firstMatch(of: /class="button" href="assets\/[0-9a-f]+\.pdf"/) != nil)
      #expect(!page.contains("no archived text"))
      #expect(try bench.text("b", "item.json").contains("\"312\""))
      #expect(try bench.item("b").metadata.title == "A Book")
      source.change("b") {
        $0.title = ""
        $0.revision = "2"
      }
      _ = try await bench.run { $0.readPDF = { _ in .success(PDFFacts(title: "Its own")) } }
      #expect(try bench.item("b").metadata.title == "Its own")
    }
  }

  private static let silent: [(PDFError.Code, String?)] = [
    (.encrypted, "protected by a password"), (.unreadable, "damaged or unusual"), (.noLibrary, nil),
  ]

  @Test(arguments: silent)
  func `a PDF without metadata is kept`(code: PDFError.Code, note: String?) async throws {
    let source = ScriptedSource()
    source.set(Self.pdf())
    try await Bench.with(source) { bench in
      #expect(try await bench.run { $0.readPDF = { _ in .failure(PDFError(code)) } }.archived == 1)
      let page = try bench.page("b")
      #expect(page.contains(".pdf\""))
      #expect(page.contains("id=\"notes-title\"") == (note != nil))
      #expect(page.contains(note ?? ".pdf\""))
    }
  }

  @Test(arguments: [
    ("text/plain", "txt", true), ("application/x-mobipocket-ebook", "mobi", false),
  ])
  func `a book of plain text can be read; one that no browser shows says so`(
    type: String, ending: String, isShown: Bool
  ) async throws {
    let source = ScriptedSource()
    var item = Self.pdf()
    item.attachments = [
      Attachment(.file, .inline(Array("Once".utf8)), name: "a.\(ending)", mediaType: type)
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("b")
      #expect(page.contains("class=\"button\"") == isShown)
      #expect(page.contains("Browsers do not show books of this kind (MOBI)") != isShown)
    }
  }

  @Test func `an article's PDF is not offered as a book`() async throws {
    let source = ScriptedSource()
    var item = Self.pdf()
    item.kind = .article
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(!(try bench.page("b")).contains("class=\"button\""))
      #expect(try bench.page("b").contains("no archived text"))
    }
  }
}

/// The script of a book's pages.
struct PageScriptTests {
  @Test func `the policy of a book's pages allows the script that they have and no other`() {
    let hex = Array(Digest.sha256Hex(Array(PageScript.text.utf8)).utf8)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(decoding: hex[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    #expect(PageScript.hash == "sha256-" + Data(bytes).base64EncodedString())
    #expect(!PageScript.text.contains("<"), "nothing in it ends its element")
  }
}
