import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Values that archives of earlier versions contain, and small decisions about items.
struct HashFormTests {
  @Test func `the hash of an item has the form that archives contain`() throws {
    var metadata = ItemMetadata(kind: .article, title: "Title")
    metadata.labels = ["b", "a"]
    let url = try #require(WebURL("https://a.test/f.pdf?w=1"))
    let annotations = [Annotation(id: "h", text: "words")]
    var item = SourceItem(
      reference: ItemReference(id: "item", revision: "1"), metadata: metadata,
      body: .none(reason: ""),
      attachments: [
        Attachment(.file, .remote(url), name: "f.pdf", caption: "words", revision: "1")
      ], annotations: annotations, record: [1, 2])
    item.metadata.modified = Date(timeIntervalSince1970: 1_700_000_000)
    let body = Array("<p>Text</p>".utf8)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    let content = body + [0] + Array("filehttps://a.test/f.pdf".utf8)
    let first = String(Digest.sha256Hex(content).prefix(32))
    var all = Array(first.utf8) + body
    all += Array("\0file https://a.test/f.pdf 1\0f.pdf\0words\0".utf8)
    all += [UInt8](try encoder.encode(metadata)) + [0]
    all += [UInt8](try encoder.encode(annotations))
    all += Array("\0[]\0[]\0null\0[]\0[]\0".utf8) + [1, 2]
    let second = String(Digest.sha256Hex(all).prefix(32))
    #expect(ContentHash(body: body, item: item, origin: nil).text == first + second)
  }

  private func hash(_ html: String, remarks: String? = "r") -> ContentHash {
    let item = SourceItem(
      reference: ItemReference(id: "1", revision: "1"),
      metadata: ItemMetadata(kind: .page, title: "T"), body: .none(reason: ""))
    return ContentHash(body: Array(html.utf8), item: item, origin: nil, remarks: remarks)
  }

  @Test(arguments: [" ", "\n", "\t \n", ""])
  func `white space before remarks is no content`(space: String) {
    let remark = "<div class=\"r\"><p>Fine</p></div>"
    #expect(hash("<p>Text</p>\(space)\(remark)").hasSameContent(as: hash("<p>Text</p>")))
    #expect(!hash("<p>Text</p>!\(remark)").hasSameContent(as: hash("<p>Text</p>")))
  }

  @Test func `of several lost parts the first is named`() {
    let old = CatalogItem(
      key: ItemKey(source: "s", id: "a"), revision: "1", folder: "s/a",
      metadata: ItemMetadata(kind: .book, title: ""), firstArchived: .distantPast,
      lastArchived: .distantPast, contentHash: "", losses: Losses())
    let parts = [
      MissingPart(.mainFile, name: "", reason: "503"), MissingPart(.text, name: "", reason: "404"),
    ]
    #expect(
      Regression.newLoss(Losses(parts), since: old)
        == "the text is missing (404); the earlier copy is kept")
  }

  @Test(arguments: [(25, 15), (10, 0), (3, -7), (0, -10), (-5, -10)])
  func `the minimum free space is not available`(free: Int, left: Int) {
    #expect(DiskRoom(minFree: 10, free: { free }).left() == left)
    #expect(DiskRoom(minFree: 10, free: { nil }).left() == nil)
  }

  @Test func `a file does not keep its name unless it may`() {
    let object = StoredObject(sha256: "0123456789abcdef0123456789abcdef", byteCount: 9)
    let table = CachedAsset(url: "", object: object, mediaType: "text/csv")
    let file = ItemAssets.LocalFile(table, name: "database.csv")
    #expect(file.path == "assets/0123456789abcdef.csv")
    let assets = ItemAssets(slots: [], attachments: [])
    #expect(assets.byteCount == 0 && !assets.countsCuts && !assets.isUnreached)
  }

  @Test(arguments: [true, false])
  func `a record has what was delivered only if the page shows something else`(
    isSame: Bool
  ) throws {
    let origin = try #require(WebURL("https://a.test/")?.origin)
    let source = RunSource(
      name: "s", adapter: ScriptedAdapter(source: ScriptedSource()),
      client: HandlerHTTPClient(handlers: [:]), origin: origin)
    let url = try #require(WebURL("https://a.test/f?sig=1"))
    var inline = Attachment(.file, .inline([1, 2]), name: "i")
    inline.address = WebURL("https://a.test/i")
    let item = SourceItem(
      reference: ItemReference(id: "1", revision: "1"),
      metadata: ItemMetadata(kind: .article, title: "T"), body: .none(reason: "No text."),
      attachments: [Attachment(.file, .remote(url), name: "f"), inline],
      annotations: [Annotation(id: "h", text: "words")], notes: ["a note"])
    var metadata = item.metadata
    if !isSame { metadata.wordCount = 5 }
    let shown = CatalogItem(
      key: ItemKey(source: "s", id: "1"), revision: "1", folder: "s/1", metadata: metadata,
      firstArchived: .distantPast, lastArchived: .distantPast, contentHash: "",
      annotations: isSame ? item.annotations : [])
    let content = DeliveredContent(item, shown: shown, source: source)
    #expect(content.metadata == (isSame ? nil : item.metadata))
    #expect(content.annotations == (isSame ? nil : item.annotations))
    #expect(content.noText == "No text." && content.base == nil && content.notes == ["a note"])
    #expect(content.files.map(\.url) == ["https://a.test/f?sig=removed", "https://a.test/i"])
    #expect(content.files.map(\.sha256) == [nil, Digest.sha256Hex([1, 2])])
    #expect(content.origin == "\(origin)")
  }
}

/// Signatures of files at their limits.
struct FileMarkTests {
  private static func header(_ name: String, _ checksum: String, type: UInt8 = 0) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    header.replaceSubrange(0..<name.utf8.count, with: name.utf8)
    header.replaceSubrange(148..<148 + checksum.utf8.count, with: checksum.utf8)
    header[156] = type
    return header
  }

  @Test func `the checksum of an old tar archive covers its header, with spaces for itself`() {
    // A name of one character: 49 and eight spaces.
    #expect(FileSignature.archive(Self.header("1", "000461\u{0} ")) == "application/x-cbt")
    // Eight digits before a type that is a digit as well.
    let full = Self.header("1.gif", "00001305", type: 0x30)
    #expect(FileSignature.archive(full) == "application/x-cbt")
    #expect(FileSignature.archive(full + [1, 2, 3]) == "application/x-cbt")
  }

  @Test func `a ZIP archive remains one whatever its entries contain`() {
    let bytes = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 1, count: 253) + Array("ustar".utf8)
    #expect(FileSignature.archive(bytes) == "application/vnd.comicbook+zip")
  }

  @Test(
    arguments: [
      ("<FictionBook><body/></FictionBook>", true), ("<x><FictionBook/></x>", false),
      ("<!DOCTYPE FictionBook [<!ENTITY a \"b\">]><FictionBook/>", false),
      ("<FictionBook xmlns=\"http://www.w3.org/1999/xhtml\"/>", false),
      ("<FictionBook><b xmlns=\"http://www.w3.org/1999/xhtml\"/></FictionBook>", false),
    ])
  func `a FictionBook without another vocabulary stays one`(text: String, isKept: Bool) {
    let type = FictionBook.keptType(Array("<?xml version=\"1.0\"?>\(text)".utf8))
    #expect(type == (isKept ? FictionBook.mediaType : "text/plain"))
  }

  @Test func `a DjVu document that ends after its size lacks the rest`() throws {
    let folder = try TemporaryFolder.make("mark")
    defer { TemporaryFolder.remove(folder) }
    let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
    let object = try archive.objects.store(Array("AT&TFORM".utf8) + [0, 0, 0, 9])
    let defect = try FileEnd.defect(
      of: object, mediaType: DjVuPrograms.mediaType, in: archive.objects)
    #expect(defect == "it has 12 of 21 bytes")
  }

  @Test(arguments: [
    "htm", "html", "xhtml", "xhtm", "xht", "shtml", "mht", "mhtml", "svg", "svgz", "xml", "xsl",
    "xslt", "xsd", "xbl", "rng", "rss", "atom", "rdf", "mml", "mathml", "js", "mjs", "cjs", "wasm",
    "swf", "php", "hta", "desktop", "lnk", "url", "webloc", "exe", "bat", "cmd", "com", "msi",
    "scr", "vbs", "ps1",
  ])
  func `the ending of a file that could act is not kept`(ending: String) {
    for name in ["a.\(ending)", "a.\(ending.uppercased())"] {
      #expect(FileExtension.of(mediaType: "application/octet-stream", name: name) == "bin")
    }
  }
}
