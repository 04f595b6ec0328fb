import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// The content of an archive decides what kind of book it is.
@Suite struct ArchivedBookTests {
  enum Content: CaseIterable {
    case comic, comicRar, comicTar, epub, fiction

    var ending: String {
      switch self {
      case .comic: "cbz"
      case .comicRar: "cbr"
      case .comicTar: "cbt"
      case .epub: "epub"
      case .fiction: "fb2.zip"
      }
    }

    func bytes() throws -> [UInt8] {
      switch self {
      case .comic:
        return StoredZip.archive([
          .init("ComicInfo.xml", "<ComicInfo/>"), .init("1.gif", bytes: ScriptedSource.gif("/1")),
        ])
      case .comicRar:
        return StoredRar.five([.init("1.gif", bytes: ScriptedSource.gif("/1"))])
      case .comicTar:
        return StoredRar.tar([.init("1.gif", bytes: ScriptedSource.gif("/1"))])
      case .epub:
        let epub = Data(base64Encoded: BookPagesTests.epub, options: .ignoreUnknownCharacters)
        return [UInt8](try #require(epub))
      case .fiction:
        return StoredZip.archive([
          .init(
            "a.fb2",
            "<?xml version=\"1.0\"?><FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\">"
              + "<body><section><p>Once.</p></section></body></FictionBook>")
        ])
      }
    }
  }

  private static let declared = [
    "application/zip", "application/x-zip-compressed", "application/vnc.comicbook+zip",
    "application/fb2+zip", "application/epub+zip", "application/octet-stream",
  ]

  /// A source with a book, or an item of another kind, that has one file.
  static func source(
    _ bytes: [UInt8], _ type: String, kind: ItemMetadata.Kind = .book
  ) throws -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: "<p>About it.</p>")
    item.kind = kind
    item.attachments = [
      Attachment(
        .file, .remote(try #require(WebURL(ScriptedSource.origin + "/file"))), name: "a.bin",
        mediaType: type)
    ]
    source.set(item)
    source.picture("/file", .data(bytes, type: type))
    return source
  }

  @Test(arguments: Content.allCases, declared)
  func `a book in an archive is what it contains, whatever it is called`(
    content: Content, declared: String
  ) async throws {
    try await Bench.with(try Self.source(try content.bytes(), declared)) { bench in
      let report = try await bench.run()
      #expect(report.failed.isEmpty)
      #expect(try bench.page("b").contains("href=\"book/text/"))
      #expect(
        try bench.files("b").contains {
          $0.hasPrefix("assets/") && $0.hasSuffix(".\(content.ending)")
        })
    }
  }

  @Test(arguments: [
    ("about 1923, unsigned", "about 1923, unsigned"), ("1923-02-30", "1923-02-30"),
    ("1923-05-17T10:00:00+02:00", "17 May 1923"), ("1923", "1923"),
  ])
  func `a comic's date is shown, as it is if it cannot be read`(
    date: String, shown: String
  ) async throws {
    let manifest =
      "{\"metadata\": {\"title\": \"C\", \"published\": \"\(date)\"}, \"readingOrder\": [{\"href\": \"1.gif\"}]}"
    let bytes = StoredZip.archive([
      .init("manifest.json", manifest), .init("1.gif", bytes: ScriptedSource.gif("/1")),
    ])
    let source = try Self.source(bytes, "application/vnd.comicbook+zip", kind: .comic)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.page("b").contains(shown))
    }
  }

  @Test func `an old tar archive is known by the checksum of its first header`() {
    func type(_ checksum: String, name: String = "1.gif") -> String? {
      var header = [UInt8](repeating: 0, count: 512)
      header.replaceSubrange(0..<name.utf8.count, with: name.utf8)
      header.replaceSubrange(148..<148 + checksum.utf8.count, with: checksum.utf8)
      return FileSignature.archive(header)
    }
    // 661: the bytes of the name, and eight spaces for the checksum.
    #expect(type("001225\u{0} ") == "application/x-cbt")
    #expect(type("  1225 \u{0}") == "application/x-cbt")
    #expect(type("001226\u{0} ") == nil)
    #expect(type("000661\u{0} ") == nil)
    #expect(type("") == nil)
    #expect(type("000400\u{0} ", name: "") == nil, "an empty header")
  }

  @Test(arguments: ["index.html", "1.mp3", "[Content_Types].xml", "mimetype"])
  func `images beside a work of another kind make no comic`(name: String) async throws {
    let bytes = StoredZip.archive([
      .init(name, "x"), .init("1.gif", bytes: ScriptedSource.gif("/1")),
    ])
    try await Bench.with(try Self.source(bytes, "application/zip")) { bench in
      _ = try await bench.run()
      #expect(try !bench.page("b").contains("href=\"book/"))
      #expect(try bench.files("b").contains { $0.hasSuffix(".zip") })
    }
  }

  @Test func `an article's archive of images is no comic`() async throws {
    let source = try Self.source(try Content.comic.bytes(), "application/zip", kind: .article)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try !bench.page("b").contains("href=\"book/"))
    }
  }
}
