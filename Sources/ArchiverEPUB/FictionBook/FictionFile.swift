import ArchiverCore
import ArchiverMarkup

/// The content of a FictionBook, plain, compressed by gzip or in a ZIP archive, with images separated from text.
struct FictionFile {
  /// An image of the book, as base64 in the file.
  struct Binary {
    let id: String
    fileprivate let range: Range<Int>
  }

  /// The maximum size of the file in bytes, which is read as a whole.
  private static let largest = 64_000_000

  private let bytes: [UInt8]
  /// The document without its images.
  let text: [UInt8]
  private(set) var binaries: [Binary] = []
  /// Sentences about what the archive has besides.
  private(set) var notes: [String] = []

  init(path: String, limits: EPUBLimits) throws(EPUBError) {
    let all = try FictionFile.read(path, limits, &notes)
    var text = [UInt8]()
    var place = 0
    while let binary = FictionFile.nextBinary(all, from: place) {
      text += all[place..<binary.start]
      binaries.append(Binary(id: binary.id, range: binary.content))
      place = binary.end
    }
    text += all[place...]
    guard text.count <= limits.textBytes else {
      throw .limit("the text of the book is too large", .bookTextSize, limits.textBytes)
    }
    bytes = all
    self.text = text
  }

  /// Decodes an image; `nil` if it is not valid base64.
  func decoded(_ binary: Binary) -> [UInt8]? {
    var data = Data(bytes[binary.range])
    // The marks of a CDATA section have letters of base64.
    if let start = data.firstRange(of: Data("<![CDATA[".utf8)) { data.removeSubrange(start) }
    var digits = data.filter(FictionFile.isDigit)
    // The padding is often missing.
    while digits.count % 4 > 1 { digits.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: digits, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
  }

  /// Whether a byte is a digit of base64, without the padding.
  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte & 0x40 != 0
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }

  private static func read(
    _ path: String, _ limits: EPUBLimits, _ notes: inout [String]
  ) throws(EPUBError) -> [UInt8] {
    guard let size = FileSize.of(path) else {
      throw EPUBError(.notAnArchive, "the book's file is missing")
    }
    guard size <= largest else {
      throw EPUBError(.tooLarge, "the book is too large \(Limit.fixed(bytes: largest))")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw EPUBError(.notAnArchive, "the book's file cannot be read", underlying: error)
    }
    if data.starts(with: [0x1F, 0x8B]) { return try expanded(path, limits) }
    guard isArchive(data) else { return [UInt8](data) }
    let archive = try ZipArchive(path: path, limits: limits)
    let names = books(archive)
    guard let name = names.first else {
      throw EPUBError(.malformed, "the archive contains no FictionBook")
    }
    if names.count > 1 {
      notes.append("The archive has \(names.count) books; the pages are those of \(name).")
    }
    var bytes = [UInt8]()
    try archive.stream(name) { piece throws(EPUBError) in try append(piece, to: &bytes) }
    return bytes
  }

  private static func append(
    _ piece: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) throws(EPUBError) {
    guard bytes.count + piece.count <= largest else {
      throw EPUBError(.tooLarge, "the book is too large \(Limit.fixed(bytes: largest))")
    }
    bytes += piece
  }

  /// Returns the content of a book compressed by gzip.
  private static func expanded(
    _ path: String, _ limits: EPUBLimits
  ) throws(EPUBError) -> [UInt8] {
    let archive = try ComicArchive(path: path, limits: limits, isSingle: true)
    guard let file = try archive.next() else {
      throw EPUBError(.notAnArchive, "the compressed book is empty")
    }
    var bytes = [UInt8]()
    try archive.read(file) { piece throws(EPUBError) in try append(piece, to: &bytes) }
    return bytes
  }

  /// Returns the names of the FictionBooks in an archive: by their endings, else by their first bytes.
  private static func books(_ archive: ZipArchive) -> [String] {
    let names = archive.names.filter { name in
      !name.hasPrefix("__MACOSX/") && name.split(separator: "/").last?.hasPrefix("._") != true
    }.sorted()
    let named = names.filter { $0.lowercased().hasSuffix(".fb2") }
    guard named.isEmpty else { return named }
    return names.filter {
      archive.prefix($0, count: 1_024).firstRange(of: Array("<FictionBook".utf8)) != nil
    }
  }

  /// Whether it is a ZIP archive, also one with a few bytes before it: these are not allowed in XML.
  private static func isArchive(_ data: Data) -> Bool {
    data.starts(with: [0x50, 0x4B])
      || data.prefix(1_024).firstRange(of: [0x50, 0x4B, 3, 4] as [UInt8]) != nil
  }

  /// Finds the next `<binary id="…">…</binary>`.
  private static func nextBinary(
    _ bytes: [UInt8], from place: Int
  ) -> (start: Int, id: String, content: Range<Int>, end: Int)? {
    guard let start = bytes.firstIndex(of: "<binary", from: place),
      let open = bytes[start...].firstIndex(of: 0x3E), open > start, bytes[open - 1] != 0x2F,
      let close = bytes.firstIndex(of: "</binary", from: open),
      let end = bytes[close...].firstIndex(of: 0x3E)
    else { return nil }
    let tag = String(decoding: bytes[start..<open], as: UTF8.self)
    return (start, attribute("id", of: tag) ?? "", (open + 1)..<close, end + 1)
  }

  private static func attribute(_ name: String, of tag: String) -> String? {
    var rest = tag[...]
    while let found = rest.firstRange(of: name) {
      let isWhole = rest[..<found.lowerBound].last?.isWhitespace == true
      rest = rest[found.upperBound...]
      let value = rest.drop(while: \.isWhitespace)
      guard isWhole, value.first == "=" else { continue }
      let text = value.dropFirst().drop(while: \.isWhitespace)
      guard let quote = text.first, quote == "\"" || quote == "'" else { continue }
      return String(text.dropFirst().prefix { $0 != quote })
    }
    return nil
  }
}
