import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What a downloaded file is taken for, by its first bytes.
struct FileKindTests {
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// The reason of a refusal, or the type under which a file is kept.
  private func kind(_ prefix: [UInt8], _ type: String?, said: String = "") -> String {
    switch AssetKind(prefix: prefix, content: .file(mediaType: type), mediaType: said) {
    case .refused(let reason): reason
    case .unexpected(_, let type): "unexpected \(type)"
    case .file(let type): type
    case .image(let format): "image \(format)"
    case .svg: "svg"
    }
  }

  @Test(arguments: [
    "<!DOCTYPE html>", "<html>", "<head>", "<body class=a>", "<SCRIPT>", "<meta name=x>",
    "\u{FEFF}\r\n <html>", spaces(507) + "<html>",
  ])
  func `a web page in place of a file is refused`(page: String) {
    let reason = "the server sent a web page instead of the file"
    #expect(kind(Self.bytes(page), nil) == reason)
    #expect(kind(Self.bytes(page), "application/epub+zip") == reason)
    #expect(kind(Self.bytes(page), "text/html") == "text/plain")
  }

  @Test(arguments: [spaces(508) + "<html>", "x<html>", "<htm", "<p>words</p>"])
  func `only the start of a file shows that it is a page`(text: String) {
    #expect(
      kind(Self.bytes(text), "application/x-thing")
        != "the server sent a web page instead of the file")
  }

  @Test(arguments: ["{\"a\":1}", "[1]", "<error/>", "\u{FEFF}\r\n\t {}", " \r\n\t", " "])
  func `a message of a server in place of a book is not kept`(text: String) {
    let reason = "the server sent something that is not a ZIP file"
    #expect(kind(Self.bytes(text), "application/epub+zip") == reason)
  }

  @Test(
    arguments: [
      (Array("out of order".utf8), "text/plain", "text/plain"),
      (Array("out of order".utf8), "text/html", "application/octet-stream"),
      ([0x61, 0, 0x62], "text/plain", "application/octet-stream"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "text/plain", "image/jpeg"),
      ([1, 2, 3], "application/json", "application/octet-stream"),
    ] as [([UInt8], String, String)])
  func `what was sent instead of a book is kept as a type that no browser runs`(
    bytes: [UInt8], said: String, kept: String
  ) {
    #expect(kind(bytes, "application/epub+zip", said: said) == "unexpected \(kept)")
  }

  @Test(
    arguments: [
      (nil, "", "application/octet-stream"), (nil, "audio/mpeg", "audio/mpeg"),
      ("application/x-thing", "audio/mpeg", "application/x-thing"),
    ] as [(String?, String, String)])
  func `a file has the type of its source, or else that of the server`(
    type: String?, said: String, kept: String
  ) {
    #expect(kind([1, 2, 3], type, said: said) == kept)
  }

  @Test(arguments: [(0, true), (1_019, true), (1_020, false), (2_000, false)])
  func `a PDF begins within its first kilobyte`(before: Int, isPDF: Bool) {
    let file = Self.bytes(Self.spaces(before) + "%PDF-1.7")
    for type in ["application/pdf", "application/x-pdf"] {
      #expect((FileSignature.problem(file, mediaType: type) == nil) == isPDF)
    }
  }

  private static let kindle = "application/x-mobipocket-ebook"

  @Test(
    arguments: [
      ("BOOKMOBI", 60, kindle), ("TEXtREAd", 60, kindle), ("TPZ", 0, kindle), ("CONT", 0, kindle),
      ("SIDX", 0, kindle), ("ustar", 257, "application/x-cbt"), ("PK", 0, "application/zip"),
      ("Rar!\u{1A}\u{7}", 0, "application/x-cbr"),
      ("AT&TFORM", 0, "image/x-djvu"), ("{\\rtf", 0, "text/rtf"),
    ])
  func `a mark counts at its place alone`(mark: String, place: Int, type: String) {
    for (before, isKnown) in [(place, true), (place + 1, false)] {
      let file = [UInt8](repeating: 1, count: before) + Self.bytes(mark)
      #expect((FileSignature.problem(file, mediaType: type) == nil) == isKnown, "\(before)")
    }
  }

  /// The header of an old TAR archive, which has a checksum and no name of its format.
  private static let tapeHeader: [UInt8] = {
    var header = [UInt8](repeating: 0, count: 512)
    header.replaceSubrange(0..<5, with: "1.gif".utf8)
    header.replaceSubrange(148..<156, with: "001225\u{0} ".utf8)
    return header
  }()

  @Test(
    arguments: [
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-cb7"),
      ([0x50, 0x4B, 3, 4], "application/vnd.comicbook+zip"),
      (Array("Rar!\u{1A}\u{7}".utf8), "application/vnd.comicbook-rar"),
      ([UInt8](repeating: 1, count: 257) + Array("ustar".utf8), "application/x-cbt"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27], nil), ([0x50], nil),
      (tapeHeader, "application/x-cbt"), (tapeHeader.dropLast(), nil),
    ] as [([UInt8], String?)])
  func `a comic's archive is known by its first bytes`(bytes: [UInt8], type: String?) {
    #expect(FileSignature.archive(bytes) == type)
    #expect((FileSignature.problem(bytes, mediaType: "application/x-cbz") == nil) == (type != nil))
  }

  @Test(
    arguments: [
      [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD],
    ] as [[UInt8]])
  func `a comic in a TAR archive may be compressed as a whole, others may not`(mark: [UInt8]) {
    #expect(FileSignature.problem(mark, mediaType: "application/x-cbt") == nil)
    #expect(FileSignature.problem(mark.dropLast(), mediaType: "application/x-cbt") != nil)
    #expect(FileSignature.problem(mark, mediaType: "application/x-cb7") != nil)
  }

  /// The beginning of an EPUB: the header of its first entry, 30 bytes, then its name and content.
  private static func epub(_ header: Int = 30) -> [UInt8] {
    [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: header - 4)
      + bytes("mimetypeapplication/epub+zip")
  }

  @Test func `an EPUB declares itself in its first entry`() {
    #expect(FileSignature.isEPUB(Self.epub()))
    #expect(!FileSignature.isEPUB(Self.epub(31)))
    #expect(!FileSignature.isEPUB([1] + Self.epub().dropFirst()))
    #expect(!FileSignature.isEPUB(Self.epub().dropLast()))
    for said in ["", "application/octet-stream", "application/zip", "application/pdf"] {
      #expect(FileSignature.type(Self.epub(), declared: said) == "application/epub+zip", "\(said)")
    }
    #expect(FileSignature.type(Self.epub(), declared: "text/plain") == "text/plain")
  }

  @Test(
    arguments: [
      ([0x50, 0x4B, 3, 4], "application/fb2+zip"), ([9, 0x50, 0x4B, 3, 4], "application/fb2+zip"),
      ([0x1F, 0x8B, 8], "application/fb2+gzip"), ([0x1F, 8], "application/fb2"),
      ([0x50, 0x4B, 3, 5], "application/fb2"), ([0x50, 0x4B, 4, 4], "application/fb2"),
    ] as [([UInt8], String)])
  func `a FictionBook may be packed whatever it is called`(bytes: [UInt8], type: String) {
    for declared in ["application/fb2", "application/fb2+zip", "application/x-fictionbook+xml"] {
      #expect(FileSignature.type(bytes, declared: declared) == type)
    }
  }

  @Test(
    arguments: [
      ("application/vnd.comicbook+zip", "application/zip"),
      ("application/vnd.comicbook-rar", "application/vnd.rar"),
      ("application/x-cb7", "application/x-7z-compressed"),
      ("application/x-cbt", "application/x-tar"),
    ])
  func `an archive with a book in it is stored as an archive`(comic: String, type: String) {
    #expect(FileSignature.packedType(comic) == type)
  }

  @Test(
    arguments: [
      ("application/epub+zip", true), ("application/x-cbr", true), ("application/zip", true),
      ("application/rtf", false), ("application/pdf", false), ("image/vnd.djvu", false),
      ("application/x-mobipocket-ebook", false), ("text/plain", false),
    ])
  func `some types of books are in ZIP archives`(type: String, isZip: Bool) {
    #expect(FileSignature.isZip(type) == isZip)
  }

  @Test(
    arguments: [
      ("a.abcdefgh", "abcdefgh"), ("a.abcdefghi", "bin"), ("a.", "bin"), ("a.1", "1"),
      ("a.0z9A", "0z9a"), ("a.tar.gz", "gz"), ("a.b/", "bin"), ("a.b:", "bin"), ("a.b`", "bin"),
      ("a.b{", "bin"), ("a.é", "bin"),
    ])
  func `the ending of a file's name is kept if it is short and plain`(name: String, ending: String)
  {
    #expect(FileExtension.of(mediaType: "application/octet-stream", name: name) == ending)
  }

  @Test(
    arguments: [
      ("<FictionBook>", true), ("<?xml version='1.0'?><FictionBook>", true),
      ("<?xml version='1.0'?><x/>", false), ("<x><FictionBook/></x>", false),
      ("\u{FEFF} \t\u{C}\r\n<FictionBook>", true), ("\u{FEFF}x<FictionBook>", false), ("", false),
    ])
  func `a FictionBook begins with its own tag or with a declaration`(text: String, isBook: Bool) {
    #expect(FileMagic.beginsLikeFictionBook(Self.bytes(text)) == isBook)
    #expect(FileMagic.isFictionBook(Self.bytes(text), FictionBook.mediaType) == isBook)
    #expect(!FileMagic.isFictionBook(Self.bytes(text), "text/plain"))
  }
}
