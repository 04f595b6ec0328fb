import ArchiverCore
import ArchiverEPUB
import ArchiverPDF
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Which of an item's files become pages, and what is said of the others.
struct BookFileRuleTests {
  /// A file of an item: its name, the type that its source declares and the one that it is kept as.
  struct File {
    var name: String?
    var declared: String?
    var kept: String
    var bytes: [UInt8]

    init(_ name: String?, declared: String? = nil, kept: String, _ bytes: [UInt8]) {
      self.name = name
      self.declared = declared
      self.kept = kept
      self.bytes = bytes
    }
  }

  /// Returns the pages of an item's files.
  static func pages(
    _ files: [File], kind: ItemMetadata.Kind = .book,
    _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> BookPages {
    let folder = try TemporaryFolder.make("pages")
    defer { TemporaryFolder.remove(folder) }
    let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
    var attachments: [ArchiverCore.Attachment] = []
    var assets = ItemAssets(slots: [], attachments: [])
    for file in files {
      attachments.append(
        Attachment(.file, .inline(file.bytes), name: file.name, mediaType: file.declared))
      let object = try archive.objects.store(file.bytes)
      let asset = CachedAsset(url: "", object: object, mediaType: file.kept)
      assets.attachments.append(.success(ItemAssets.LocalFile(asset, name: file.name)))
    }
    let item = SourceItem(
      reference: ItemReference(id: "b", revision: "1"),
      metadata: ItemMetadata(kind: kind, title: "A Book"), body: .none(reason: ""),
      attachments: attachments)
    var options = RunOptions()
    change(&options)
    return try BookPages.make(
      of: item, assets: assets, pool: archive.objects, options: options)
  }

  private static let mobi = File(
    "a.mobi", kept: "application/x-mobipocket-ebook",
    [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8))
  private static let djvu = File(
    "a.djvu", kept: "image/vnd.djvu",
    Array("AT&TFORM".utf8) + [0, 0, 0, 4] + Array("DJVU".utf8))
  private static let pdf = File(
    "a.pdf", kept: "application/pdf", Array("%PDF-1.7 %%EOF".utf8))

  private static let fiction = Array(
    ("<?xml version=\"1.0\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\">"
      + "<description><title-info><translator><first-name>Tom</first-name></translator>"
      + "</title-info></description><body><section><p>Once.</p></section></body></FictionBook>")
      .utf8)

  @Test func `what is not installed is that of the first file`() throws {
    #expect(try Self.pages([Self.mobi, Self.djvu]).need == .bookProgram)
    #expect(try Self.pages([Self.djvu, Self.mobi]).need == .djvuPrograms)
    #expect(try Self.pages([Self.mobi, Self.pdf]).need == nil)
    let epub = File("a.epub", kept: "application/epub+zip", SampleBook([]).bytes)
    let book = try Self.pages([Self.mobi, epub])
    #expect(book.need == nil && book.firstPath != nil)
  }

  @Test func `a book that no browser shows names its kinds`() throws {
    let pages = try Self.pages([Self.mobi, Self.djvu])
    #expect(
      pages.notes == [
        "Browsers do not show books of this kind (MOBI, DJVU); open the file in a reading program."
      ])
    #expect(pages.isOfUnreadKind && pages.wholePath == nil)
    let article = try Self.pages([Self.mobi], kind: .article)
    #expect(article.notes.isEmpty && !article.isOfUnreadKind)
    let none = try Self.pages([])
    #expect(none.notes.isEmpty && !none.isOfUnreadKind && none.need == nil)
    let whole = try Self.pages([Self.mobi, Self.pdf])
    #expect(whole.notes.isEmpty && whole.wholePath?.hasSuffix(".pdf") == true)
  }

  @Test func `a truncated file is kept, in a book as the item itself`() throws {
    let cut = File("a.pdf", kept: "application/pdf", Array("%PDF-1.7".utf8))
    let book = try #require(try Self.pages([cut]).missing.first)
    #expect(book.kind == .mainFile && book.name.isEmpty)
    #expect(book.isKept == true && book.isEssential)
    #expect(book.reason == "the file is truncated: it lacks the end of a PDF")
    let article = try #require(try Self.pages([cut], kind: .article).missing.first)
    #expect(article.kind == .file && article.name == "a.pdf" && article.isKept == true)
    let nameless = File(nil, kept: "application/pdf", cut.bytes)
    let other = try Self.pages([nameless, Self.pdf], kind: .article).missing
    #expect(other.map(\.name) == [""])
  }

  @Test func `a text is a book if its name or its declared type says so`() throws {
    let first = "book/text/0001.html"
    for kind in [ItemMetadata.Kind.book, .article] {
      let named = File("a.FB2", kept: "text/plain", Self.fiction)
      #expect(try Self.pages([named], kind: kind).firstPath == first)
      let declared = File(
        nil, declared: "application/x-fictionbook+xml", kept: "text/plain", Self.fiction)
      #expect(try Self.pages([declared], kind: kind).firstPath == first)
      let plain = try Self.pages([File(nil, kept: "text/plain", Self.fiction)], kind: kind)
      #expect(plain.firstPath == nil && plain.missing.isEmpty)
      #expect(plain.wholePath?.hasSuffix(".txt") == true)
      let other = File("a.fb2", kept: "text/csv", Self.fiction)
      #expect(try Self.pages([other], kind: kind).firstPath == nil)
    }
  }

  @Test func `a text that is no book in spite of its name is damaged in a book alone`() throws {
    let words = File("a.fb2", kept: "text/plain", Array("Just words".utf8))
    let article = try Self.pages([words], kind: .article)
    #expect(article.missing.isEmpty && article.notes.isEmpty && article.firstPath == nil)
    let book = try Self.pages([words])
    #expect(!book.missing.isEmpty && book.firstPath == nil)
    #expect(book.notes.first?.hasPrefix("The book could not be converted: ") == true)
  }

  @Test func `a book begins with its first page`() throws {
    let book = SampleBook([("more.xhtml", SampleBook.page)])
    let pages = try Self.pages([File("a.epub", kept: "application/epub+zip", book.bytes)])
    let paths = pages.files.map(\.path)
    #expect(pages.firstPath == "book/text/0001.html")
    #expect(pages.contentsPath == "book/text/contents.html")
    #expect(paths.contains("book/text/0002.html") && paths == paths.sorted())
  }

  @Test func `people beside the authors are shown with their roles`() throws {
    let pages = try Self.pages([File("a.fb2", kept: "application/fb2", Self.fiction)])
    var metadata = ItemMetadata(kind: .book, title: "A Book")
    pages.complete(&metadata)
    #expect(metadata.properties == [ItemProperty("Translator", "Tom")])
  }

  @Test(
    arguments: [(nil, "About ducks"), ("", "About ducks"), ("Own", "Own")] as [(String?, String)])
  func `a book describes itself if its source does not`(summary: String?, shown: String) throws {
    let book = SampleBook([], metadata: "<dc:description>About ducks</dc:description>")
    let pages = try Self.pages([File("a.epub", kept: "application/epub+zip", book.bytes)])
    var metadata = ItemMetadata(kind: .book, title: "A Book")
    metadata.summary = summary
    pages.describe(&metadata)
    #expect(metadata.summary == shown)
  }

  @Test(
    arguments: [
      (nil, nil, []), (3, nil, [ItemProperty("Pages", "3")]), (nil, "A Book", []),
      (nil, "Other", [ItemProperty("Title in the file", "Other")]),
    ] as [(Int?, String?, [ItemProperty])])
  func `a PDF adds its number of pages, and its title if it differs`(
    count: Int?, title: String?, properties: [ItemProperty]
  ) throws {
    let pages = try Self.pages([Self.pdf]) {
      $0.readPDF = { _ in .success(PDFFacts(pageCount: count, title: title)) }
    }
    var metadata = ItemMetadata(kind: .book, title: "A Book")
    pages.complete(&metadata)
    #expect(metadata.title == "A Book" && metadata.properties == properties)
  }

  @Test(arguments: EPUBError.Code.allCases)
  func `a book that cannot be converted is damaged unless the reason says otherwise`(
    code: EPUBError.Code
  ) {
    let pages = BookPages.unread(EPUBError(code, "it is odd"))
    #expect(pages.notes == ["The book could not be converted: it is odd."])
    let isWhole = [.tooLarge, .locked, .noLibrary, .unsupported].contains(code)
    #expect(pages.missing.isEmpty == isWhole)
    if let part = pages.missing.first {
      #expect(part.kind == .mainFile && part.name.isEmpty && part.isKept == true)
      #expect(part.reason == "the server's response cannot be opened: it is odd")
    }
    #expect(pages.need == (code == .noLibrary ? .comicLibrary : nil))
    #expect(!pages.isOfUnreadKind)
  }

  @Test(
    arguments: [
      (.packedZip, true), (.packedRar, true), (.packed7z, true), (.packedTar, true),
      (.epub, false), (.comicZip, false), (.comic7z, false), (.fictionBookZip, false),
      (.fictionBookGzip, false),
    ] as [(BookPages.Kind, Bool)])
  func `an archive with a book in it is unpacked first`(kind: BookPages.Kind, isPacked: Bool) {
    #expect(kind.isPacked == isPacked)
  }
}

/// Scans whose pages are made by scripts instead of DjVuLibre's programs.
struct ScanRuleTests {
  /// Returns the pages of a scan; `pictures` is the fake `ddjvu`, `nil` if it is not installed.
  private func pages(
    words: String, pictures: String? = nil, limit: Int? = nil,
    beside others: [BookFileRuleTests.File] = []
  ) throws -> BookPages {
    let folder = try TemporaryFolder.make("scan")
    defer { TemporaryFolder.remove(folder) }
    func script(_ text: String?, _ name: String) throws -> String? {
      guard let text else { return nil }
      let path = "\(folder)/\(name)"
      try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
      chmod(path, 0o700)
      return path
    }
    let programs = DjVuPrograms(
      words: try script(words, "djvutxt"), pictures: try script(pictures, "ddjvu"),
      searchPath: "/usr/bin:/bin", time: .seconds(20))
    let scan = BookFileRuleTests.File(
      "a.djvu", kept: "image/vnd.djvu",
      Array("AT&TFORM".utf8) + [0, 0, 0, 4] + Array("DJVU".utf8))
    return try BookFileRuleTests.pages([scan] + others) {
      $0.djvuPrograms = programs
      if let limit { $0.limits[.bookPages] = limit }
    }
  }

  private static let twoPages =
    "printf '%s' '(page 0 0 9 9 \"One\") (page 0 0 9 9 \"Two\")' >\"$3\""

  @Test func `a scan begins with its first page`() throws {
    let pages = try pages(words: Self.twoPages)
    #expect(pages.firstPath == "book/text/0001.html")
    #expect(pages.contentsPath == "book/text/contents.html")
    let paths = pages.files.map(\.path)
    #expect(paths.contains("book/text/0002.html") && paths == paths.sorted())
    #expect(pages.need == nil && pages.missing.isEmpty)
  }

  @Test func `a scan with too many pages is kept, and the setting is named`() throws {
    let pages = try pages(words: Self.twoPages, limit: 1)
    #expect(
      pages.notes == [
        "The DjVu document could not be converted: the book has 2 pages (limits.bookPages is 1)."
      ])
    #expect(pages.firstPath == nil && pages.files.isEmpty && pages.missing.isEmpty)
  }

  @Test func `a scan that no program reads is kept, and its note has the status`() throws {
    let pages = try pages(words: "exit 3", pictures: "exit 4")
    #expect(
      pages.notes == [
        "The DjVu document could not be converted: ddjvu exited with status 4. The file is kept."
      ])
    #expect(pages.firstPath == nil && pages.need == nil && !pages.isOfUnreadKind)
  }

  @Test func `beside a PDF no pages are made of a scan`() throws {
    let pdf = BookFileRuleTests.File(
      "a.pdf", kept: "application/pdf", Array("%PDF-1.7 %%EOF".utf8))
    let pages = try pages(words: Self.twoPages, beside: [pdf])
    #expect(pages.firstPath == nil && pages.notes.isEmpty)
    #expect(pages.wholePath?.hasSuffix(".pdf") == true)
  }
}
