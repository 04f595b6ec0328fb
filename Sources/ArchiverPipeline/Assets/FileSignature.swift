/// The signatures of book formats, so that nothing else is taken for a book.
enum FileSignature {
  /// Bytes at an offset.
  private struct Mark {
    var offset = 0
    let bytes: [UInt8]

    init(_ text: String, at offset: Int = 0) {
      self.offset = offset
      bytes = Array(text.utf8)
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func isIn(_ prefix: [UInt8]) -> Bool { prefix.dropFirst(offset).starts(with: bytes) }
  }

  static let epub = "application/epub+zip"
  static let comicZip = "application/vnd.comicbook+zip"

  private static let zip = [Mark("PK")]
  private static let archives: [(type: String, marks: [Mark])] = [
    (comicZip, zip),
    ("application/vnd.comicbook-rar", [Mark("Rar!\u{1A}\u{7}")]),
    ("application/x-cb7", [Mark([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])]),
    ("application/x-cbt", [Mark("ustar", at: 257)]),
  ]
  private static let comics: Set<String> = [
    comicZip, "application/x-cbz", "application/vnd.comicbook-rar",
    "application/x-cbr", "application/x-cb7", "application/x-cbt",
  ]

  /// The name of a type, and the signatures of which one must match.
  private static let books: [String: (name: String, marks: [Mark])] = {
    let office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    let mobi = [
      Mark("BOOKMOBI", at: 60), Mark("TEXtREAd", at: 60), Mark("TPZ"),
      Mark([0xEA] + Array("DRMION".utf8) + [0xEE]), Mark("CONT"), Mark("SIDX"),
    ]
    return [
      epub: ("ZIP file", zip), "application/kepub+zip": ("ZIP file", zip),
      "application/zip": ("ZIP file", zip), office: ("Word document", zip),
      "application/x-mobipocket-ebook": ("Mobipocket book", mobi),
      "application/x-mobi8-ebook": ("Kindle book", mobi),
      "image/vnd.djvu": ("DjVu document", [Mark("AT&TFORM")]),
      "application/rtf": ("RTF document", [Mark("{\\rtf")]),
    ]
  }()

  /// Returns why a file of a declared type is refused, by its first bytes; `nil` if it is kept.
  ///
  /// A book of another kind than declared is kept as what it is. Files of types that are not listed
  /// here may begin with anything.
  static func problem(_ prefix: [UInt8], mediaType: String) -> String? {
    let mediaType = common(mediaType)
    if mediaType == "application/pdf" {
      // Readers accept a PDF that begins within the first kilobyte (ISO 32000-1 annex H.3).
      let head = prefix.prefix(1_024)
      let isPDF = head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
      return isPDF || book(prefix) != nil ? nil : "the server sent something that is not a PDF"
    }
    if comics.contains(mediaType) {
      let isKnown = archive(prefix) != nil || isTape(prefix, mediaType) || book(prefix) != nil
      return isKnown ? nil : "the server sent something that is not a comic"
    }
    guard let (name, marks) = books[mediaType] else { return nil }
    let isKnown =
      marks.contains { $0.isIn(prefix) } || book(prefix) != nil || comic(prefix) != nil
    return isKnown ? nil : "the server sent something that is not a \(name)"
  }

  /// Returns the type of a comic or book by its bytes, whatever type was declared.
  static func type(_ prefix: [UInt8], declared: String) -> String {
    let declared = common(declared)
    let isBook =
      books[declared] != nil || comics.contains(declared) || declared == "application/pdf"
      || declared == FictionBook.mediaType || declared == FictionBook.zippedType
    if isBook || says(nothing: declared), let type = book(prefix) {
      // Both Kindle formats have the same mark.
      return type == mobipocket && declared == "application/x-mobi8-ebook" ? declared : type
    }
    if comics.contains(declared) { return archive(prefix) ?? declared }
    if declared == FictionBook.mediaType || declared == FictionBook.zippedType {
      if hasEntry(prefix) { return FictionBook.zippedType }
      return prefix.starts(with: [0x1F, 0x8B]) ? FictionBook.compressedType : FictionBook.mediaType
    }
    guard let (_, marks) = books[declared], !marks.contains(where: { $0.isIn(prefix) }) else {
      return declared
    }
    return comic(prefix) ?? declared
  }

  /// Whether a file that was declared as a comic in a TAR archive may be a compressed one. Other comics are compressed
  /// already, so that a compressed file in their place is more likely an answer that the server compressed.
  private static func isTape(_ prefix: [UInt8], _ mediaType: String) -> Bool {
    mediaType == "application/x-cbt" && isPacked(prefix)
  }

  /// Whether a type is that of a book in a ZIP archive.
  static func isZip(_ mediaType: String) -> Bool {
    let type = common(mediaType)
    return comics.contains(type)
      || books[type]?.marks.contains { $0.bytes == zip[0].bytes } ?? false
  }

  /// Whether an entry of a ZIP archive begins in these bytes.
  static func hasEntry(_ prefix: [UInt8]) -> Bool {
    prefix.firstRange(of: [0x50, 0x4B, 3, 4]) != nil
  }

  /// Returns the name that the archive uses for a type of books.
  static func common(_ mediaType: String) -> String { aliases[mediaType] ?? mediaType }

  /// Other names of the types of books, as servers and programs use them.
  private static let aliases = [
    "application/fb2+xml": FictionBook.mediaType, "text/fb2+xml": FictionBook.mediaType,
    "application/x-fictionbook": FictionBook.mediaType,
    "application/x-fictionbook+xml": FictionBook.mediaType,
    "application/vnd.amazon.mobi8-ebook": "application/x-mobi8-ebook",
    "application/vnd.amazon.ebook": mobipocket, "image/x-djvu": "image/vnd.djvu",
    "application/x-djvu": "image/vnd.djvu", "text/rtf": "application/rtf",
    "application/x-pdf": "application/pdf",
  ]

  private static let mobipocket = "application/x-mobipocket-ebook"

  /// Returns the type of a book whose first bytes leave no doubt. A ZIP archive without the entry that
  /// names its type may be a book of several kinds.
  private static func book(_ prefix: [UInt8]) -> String? {
    if prefix.starts(with: "%PDF-".utf8) { return "application/pdf" }
    if isEPUB(prefix) { return epub }
    if Mark("BOOKMOBI", at: 60).isIn(prefix) || Mark("TEXtREAd", at: 60).isIn(prefix) {
      return mobipocket
    }
    if Mark("AT&TFORM").isIn(prefix) { return "image/vnd.djvu" }
    if Mark("{\\rtf").isIn(prefix) { return "application/rtf" }
    return FileMagic.beginsLikeFictionBook(prefix) ? FictionBook.mediaType : nil
  }

  /// Whether servers send this type with files of any kind.
  private static func says(nothing type: String) -> Bool {
    [
      "", "application/octet-stream", "binary/octet-stream", "application/download",
      "application/x-download", "application/force-download", "application/zip",
      "application/x-zip-compressed",
    ].contains(type)
  }

  /// Whether the first entry declares an EPUB, as it must (OCF 3.3 section 4.3).
  static func isEPUB(_ prefix: [UInt8]) -> Bool {
    prefix.starts(with: [0x50, 0x4B, 3, 4])
      && prefix.dropFirst(30).starts(with: "mimetypeapplication/epub+zip".utf8)
  }

  /// Returns the type of an archive that can only hold a comic, if it was declared to be a book: ZIP holds
  /// other books as well.
  private static func comic(_ prefix: [UInt8]) -> String? {
    archive(prefix).flatMap { $0 == comicZip ? nil : $0 }
  }

  /// Returns the type of comics in an archive of this kind; `nil` if it is no archive.
  static func archive(_ prefix: [UInt8]) -> String? {
    archives.first { $0.marks.contains { $0.isIn(prefix) } }?.type
      ?? (isTar(prefix) ? "application/x-cbt" : nil)
  }

  /// The types under which archives with a book in them are stored, which reading programs do not open.
  static let packedTypes = [
    "application/zip", "application/vnd.rar", "application/x-7z-compressed", "application/x-tar",
  ]

  /// Returns the type of an archive that contains a book, from that of a comic in such an archive.
  static func packedType(_ comicType: String) -> String {
    switch comicType {
    case comicZip: packedTypes[0]
    case "application/vnd.comicbook-rar": packedTypes[1]
    case "application/x-cb7": packedTypes[2]
    default: packedTypes[3]
    }
  }

  /// Whether a file is compressed by gzip, bzip2, XZ or Zstandard, as whole TAR archives are.
  private static func isPacked(_ prefix: [UInt8]) -> Bool {
    [
      Mark([0x1F, 0x8B]), Mark("BZh"), Mark([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
      Mark([0x28, 0xB5, 0x2F, 0xFD]),
    ].contains { $0.isIn(prefix) }
  }

  /// Whether the checksum of the first header is correct; old archives have no other signature.
  private static func isTar(_ prefix: [UInt8]) -> Bool {
    guard prefix.count >= 512, prefix[0] != 0 else { return false }
    let digits = prefix[148..<156].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    let stated = digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    let sum = prefix[..<512].enumerated().reduce(0) { sum, byte in
      sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
    }
    return !digits.isEmpty && stated == sum
  }
}
