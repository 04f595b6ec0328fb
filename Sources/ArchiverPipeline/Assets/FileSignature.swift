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

  private static let zip = [Mark("PK")]
  private static let archives: [(type: String, marks: [Mark])] = [
    ("application/vnd.comicbook+zip", zip),
    ("application/vnd.comicbook-rar", [Mark("Rar!\u{1A}\u{7}")]),
    ("application/x-cb7", [Mark([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])]),
    ("application/x-cbt", [Mark("ustar", at: 257)]),
  ]
  private static let comics: Set<String> = [
    "application/vnd.comicbook+zip", "application/x-cbz", "application/vnd.comicbook-rar",
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
      "application/epub+zip": ("ZIP file", zip), "application/kepub+zip": ("ZIP file", zip),
      "application/zip": ("ZIP file", zip), office: ("Word document", zip),
      "application/x-mobipocket-ebook": ("Mobipocket book", mobi),
      "application/x-mobi8-ebook": ("Kindle book", mobi),
      "image/vnd.djvu": ("DjVu document", [Mark("AT&TFORM")]),
      "application/rtf": ("RTF document", [Mark("{\\rtf")]),
    ]
  }()

  /// Returns what is wrong with the start of a file of a type; `nil` if nothing, or if the type has
  /// no signature.
  static func problem(_ prefix: [UInt8], mediaType: String) -> String? {
    if mediaType == "application/pdf" {
      // Readers accept a PDF that begins within the first kilobyte (ISO 32000-1 annex H.3).
      let head = prefix.prefix(1_024)
      let isPDF = head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
      return isPDF ? nil : "the server sent something that is no PDF"
    }
    if comics.contains(mediaType) {
      let isArchive = archive(prefix) != nil
      return isArchive || isPDF(prefix) ? nil : "the server sent something that is no comic"
    }
    guard let (name, marks) = books[mediaType], !isPDF(prefix) else { return nil }
    return marks.contains { $0.isIn(prefix) } ? nil : "the server sent something that is no \(name)"
  }

  /// Returns the type of a comic or book by its bytes, whatever type was declared.
  static func type(_ prefix: [UInt8], declared: String) -> String {
    if isPDF(prefix), books[declared] != nil || comics.contains(declared) || says(nothing: declared)
    {
      return "application/pdf"
    }
    if comics.contains(declared) { return archive(prefix) ?? declared }
    if declared == FictionBook.mediaType || declared == FictionBook.zippedType {
      return prefix.starts(with: [0x50, 0x4B, 3, 4])
        ? FictionBook.zippedType : FictionBook.mediaType
    }
    return says(nothing: declared) && isEPUB(prefix) ? "application/epub+zip" : declared
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
  private static func isEPUB(_ prefix: [UInt8]) -> Bool {
    prefix.starts(with: [0x50, 0x4B, 3, 4])
      && prefix.dropFirst(30).starts(with: "mimetypeapplication/epub+zip".utf8)
  }

  private static func archive(_ prefix: [UInt8]) -> String? {
    archives.first { $0.marks.contains { $0.isIn(prefix) } }?.type
      ?? (isTar(prefix) ? "application/x-cbt" : nil)
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

  private static func isPDF(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "%PDF-".utf8) }
}
