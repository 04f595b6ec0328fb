import ArchiverCore
import ArchiverMarkup

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The content of a FictionBook, plain or in a ZIP archive, with images separated from text.
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

  init(path: String, limits: EPUBLimits) throws(EPUBError) {
    let all = try FictionFile.read(path, limits)
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
    let data = Data(bytes[binary.range])
    return Data(base64Encoded: data, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
  }

  private static func read(_ path: String, _ limits: EPUBLimits) throws(EPUBError) -> [UInt8] {
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
    guard isArchive(data) else { return [UInt8](data) }
    let archive = try ZipArchive(path: path, limits: limits)
    let names = archive.names.filter { $0.lowercased().hasSuffix(".fb2") }.sorted()
    guard let name = names.first else {
      throw EPUBError(.malformed, "the archive contains no FictionBook")
    }
    var bytes = [UInt8]()
    try archive.stream(name) { piece throws(EPUBError) in
      guard bytes.count + piece.count <= largest else {
        throw EPUBError(.tooLarge, "the book is too large \(Limit.fixed(bytes: largest))")
      }
      bytes += piece
    }
    return bytes
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
    guard let start = find("<binary", in: bytes, from: place),
      let open = bytes[start...].firstIndex(of: 0x3E), open > start, bytes[open - 1] != 0x2F,
      let close = find("</binary", in: bytes, from: open),
      let end = bytes[close...].firstIndex(of: 0x3E)
    else { return nil }
    let tag = String(decoding: bytes[start..<open], as: UTF8.self)
    return (start, attribute("id", of: tag) ?? "", (open + 1)..<close, end + 1)
  }

  private static func find(_ text: StaticString, in bytes: [UInt8], from place: Int) -> Int? {
    text.withUTF8Buffer { wanted in
      var index = place
      while index + wanted.count <= bytes.count {
        guard let next = bytes[index...].firstIndex(of: 0x3C) else { return nil }
        if next + wanted.count <= bytes.count,
          bytes[next..<(next + wanted.count)].elementsEqual(wanted)
        {
          return next
        }
        index = next + 1
      }
      return nil
    }
  }

  private static func attribute(_ name: String, of tag: String) -> String? {
    for quote in ["\"", "'"] {
      for space in [" ", "\n", "\t"] {
        guard let start = tag.firstRange(of: "\(space)\(name)=\(quote)") else { continue }
        let value = tag[start.upperBound...].prefix { String($0) != quote }
        return String(value)
      }
    }
    return nil
  }
}
