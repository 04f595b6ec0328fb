import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Books that are packed once more than their format says.
@Suite struct PackedBookTests {
  enum Content: CaseIterable {
    case gzippedFiction, epubInZip, epubInRar, fictionInTar, epubAsTar

    var ending: String {
      switch self {
      case .gzippedFiction: "fb2.gz"
      case .epubInZip: "zip"
      case .epubInRar: "rar"
      case .fictionInTar, .epubAsTar: "tar"
      }
    }

    /// The types under which catalogs may serve it.
    var declared: [String] {
      switch self {
      case .gzippedFiction: ["application/x-fictionbook", "application/fb2+zip"]
      case .epubInZip: ["application/zip", "application/epub+zip", "application/octet-stream"]
      case .epubInRar, .epubAsTar: ["application/epub+zip"]
      case .fictionInTar: ["application/zip"]
      }
    }

    func bytes() throws -> [UInt8] {
      let epub = [UInt8](
        try #require(Data(base64Encoded: BookPagesTests.epub, options: .ignoreUnknownCharacters)))
      let fiction =
        "<?xml version=\"1.0\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\">"
        + "<body><section><p>Once.</p></section></body></FictionBook>"
      switch self {
      case .gzippedFiction: return try GZip.compressed(Array(fiction.utf8))
      case .epubInZip:
        return StoredZip.archive([
          .init("A Book/metadata.opf", "<package/>"), .init("A Book/a.epub", bytes: epub),
        ])
      case .epubInRar: return StoredRar.five([.init("a.epub", bytes: epub)])
      case .fictionInTar: return StoredRar.tar([.init("a.fb2", fiction)])
      case .epubAsTar: return StoredRar.tar(PackedBookTests.entries)
      }
    }
  }

  private static let entries: [StoredZip.Entry] = [
    .init(
      "META-INF/container.xml",
      "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>"
        + "<rootfile full-path=\"c.opf\"/></rootfiles></container>"),
    .init(
      "c.opf",
      "<package xmlns=\"http://www.idpf.org/2007/opf\"><manifest>"
        + "<item id=\"c\" href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/></manifest>"
        + "<spine><itemref idref=\"c\"/></spine></package>"),
    .init(
      "c.xhtml",
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>In a tape archive.</p></body></html>"),
  ]

  /// An EPUB whose entries are compressed by PPMd (APPNOTE.TXT, method 98).
  private static let unusual = """
    UEsDBBQAAAAAAMQ+gV0AAAAAAAAAAAAAAAAJAAAATUVUQS1JTkYvUEsDBD8AAABiAMQ+gV1FBtqzVgAAAIMAAAAWAAAA
    TUVUQS1JTkYvY29udGFpbmVyLnhtbAcAPClOldNH7euhLcf+4xtwa1C9jb9euCxOwdMiCExbN449ipTrIQN3Z27qEAoG
    Cq8ETHVMuAk/wzu1XKgjF/dL6r9iIHMXdSUUjuwjg0OYX8Zs3OQAUEsDBD8AAABiAMQ+gV0I5mWspgAAAAwBAAAFAAAA
    Yy5vcGYHADw18RA7RdLoSH8fQ85ulpjgvSJvNUmSXuLob8MD+Q9Pu7F6dFnVMkawqSphWI3eza4zcQeFfIFonfPcSBMS
    p+v2az629wdifOG71c89CF6BMGIFY6SbLUc/0Se77PwO1kjnKwEzA7P31pR9QbyiuNU7mChw/cj05XM6IzSb/a4oIwpe
    eEiAFPH1J4pPkcu8laqktUhg5i2Sxo4QqCbfis57Y80AUEsDBD8AAABiAMQ+gV11yCvOXgAAAHoAAAAHAAAAYy54aHRt
    bAcAPC413oEodjMFF90LsM8igrqyqaqdFq7RS6a7EL5IUuOvGj7ibKLljZSZye4vXGgwmHhlrJNHe6w1X3GJppRm+7ZX
    eI1zIJvMwGaQAvc6BZwdSAqEpsCeNJXYAQBQSwECPwMUAAAAAADEPoFdAAAAAAAAAAAAAAAACQAkAAAAAAAAABCA7UEA
    AAAATUVUQS1JTkYvCgAgAAAAAAABABgA1zPpI2mB3QEAAAAAAAAAAAAAAAAAAAAAUEsBAj8DPwAAAGIAxD6BXUUG2rNW
    AAAAgwAAABYAJAAAAAAAAAAggKSBJwAAAE1FVEEtSU5GL2NvbnRhaW5lci54bWwKACAAAAAAAAEAGADXM+kjaYHdAQAA
    AAAAAAAAAAAAAAAAAABQSwECPwM/AAAAYgDEPoFdCOZlrKYAAAAMAQAABQAkAAAAAAAAACCApIGxAAAAYy5vcGYKACAA
    AAAAAAEAGADXM+kjaYHdAQAAAAAAAAAAAAAAAAAAAABQSwECPwM/AAAAYgDEPoFddcgrzl4AAAB6AAAABwAkAAAAAAAA
    ACCApIF6AQAAYy54aHRtbAoAIAAAAAAAAQAYANcz6SNpgd0BAAAAAAAAAAAAAAAAAAAAAFBLBQYAAAAABAAEAHMBAAD9
    AQAAAAA=
    """

  @Test(arguments: Content.allCases)
  func `a book packed once more becomes pages, and its file is kept as it is`(
    content: Content
  ) async throws {
    let bytes = try content.bytes()
    for declared in content.declared {
      try await Bench.with(try ArchivedBookTests.source(bytes, declared)) { bench in
        let report = try await bench.run()
        #expect(report.failed.isEmpty, "\(declared)")
        #expect(try bench.page("b").contains("href=\"book/text/"), "\(declared)")
        let files = try bench.files("b").filter { $0.hasPrefix("assets/") }
        let isKept = files.allSatisfy { $0.hasSuffix(".\(content.ending)") }
        #expect(files.count == 1 && isKept, "\(files)")
      }
    }
  }

  @Test func `an archive among the files of an article remains a file`() async throws {
    let source = try ArchivedBookTests.source(
      try Content.epubInZip.bytes(), "application/zip", kind: .article)
    try await Bench.with(source) { bench in
      let (report, page) = (try await bench.run(), try bench.page("b"))
      #expect(report.failed.isEmpty)
      #expect(!page.contains("book/text/"))
    }
  }

  @Test func `an archive with several books is kept, and its page says that no browser shows it`()
    async throws
  {
    let epub = [UInt8](
      try #require(Data(base64Encoded: BookPagesTests.epub, options: .ignoreUnknownCharacters)))
    let bytes = StoredZip.archive([.init("a.epub", bytes: epub), .init("b.epub", bytes: epub)])
    try await Bench.with(try ArchivedBookTests.source(bytes, "application/zip")) { bench in
      let (report, page) = (try await bench.run(), try bench.page("b"))
      #expect(report.failed.isEmpty)
      #expect(!page.contains("book/text/"))
      #expect(page.contains("Browsers do not show books of this kind"))
    }
  }

  @Test func `an EPUB compressed by a method of libarchive alone becomes pages`() async throws {
    let bytes = [UInt8](
      try #require(Data(base64Encoded: Self.unusual, options: .ignoreUnknownCharacters)))
    try await Bench.with(try ArchivedBookTests.source(bytes, "application/epub+zip")) { bench in
      #expect(try await bench.run().failed.isEmpty)
      let text = try bench.text("b", "book/text/0001.html")
      #expect(text.contains("Words packed by PPMd."))
    }
  }

  @Test func `an EPUB compressed by a method of no library is told as such, and its file is kept`()
    async throws
  {
    var bytes = StoredZip.archive([.init("mimetype", "application/epub+zip")] + Self.entries)
    let places = bytes.indices.dropLast(10).filter { bytes[$0...].starts(with: [0x50, 0x4B]) }
    // The method of all entries but the first is Deflate64 (APPNOTE.TXT section 4.4.5).
    for (signature, offset) in [(UInt8(3), 8), (1, 10)] {
      for place in places.filter({ bytes[$0 + 2] == signature }).dropFirst() {
        bytes[place + offset] = 9
      }
    }
    try await Bench.with(try ArchivedBookTests.source(bytes, "application/epub+zip")) { bench in
      // The file is complete, so that no later run tries it again.
      #expect(try await bench.run().failed.isEmpty)
      let page = try bench.page("b")
      #expect(page.contains("the entry META-INF/container.xml cannot be unpacked"))
      #expect(!page.contains("is not an EPUB"))
      #expect(try bench.files("b").contains { $0.hasPrefix("assets/") && $0.hasSuffix(".epub") })
    }
  }

  @Test func `a packed book that cannot be unpacked is told, and its file is kept`() async throws {
    var bytes = try Content.epubInZip.bytes()
    let place = bytes.count / 2
    bytes[place] ^= 1
    try await Bench.with(try ArchivedBookTests.source(bytes, "application/zip")) { bench in
      _ = try await bench.run()
      let page = try bench.page("b")
      #expect(!page.contains("book/text/"))
      #expect(page.contains("a.epub in the archive cannot be unpacked"))
      #expect(try bench.files("b").contains { $0.hasPrefix("assets/") && $0.hasSuffix(".zip") })
    }
  }
}
