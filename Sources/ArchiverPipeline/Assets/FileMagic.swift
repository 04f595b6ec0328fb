/// Whether a file begins as its type says it must, so that an error page is not taken for a book.
enum FileMagic {
  /// Returns what is wrong with the beginning of a file of a type; `nil` when nothing is, or when
  /// files of the type may begin with anything.
  static func problem(_ prefix: [UInt8], mediaType: String) -> String? {
    switch mediaType {
    case "application/epub+zip", "application/kepub+zip", "application/vnd.comicbook+zip",
      "application/zip":
      // A local file header, or the end of an archive that is empty.
      return prefix.starts(with: [0x50, 0x4B])
        ? nil : "the server sent something that is no ZIP file"
    case "application/pdf":
      // Readers accept a PDF that begins within the first kilobyte (ISO 32000-1 annex H.3).
      let head = prefix.prefix(1_024)
      let isPDF = head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
      return isPDF ? nil : "the server sent something that is no PDF"
    default: return nil
    }
  }

  /// Returns the type that a file is kept as: text where it begins like a page or other markup and its
  /// type does not settle what browsers take it for.
  ///
  /// Firefox looks into a file from disk whose ending it does not know, and runs a page that it finds
  /// there (tried with `.fb2`, `.gpx`, `.mobi` and made-up endings).
  static func keptType(_ prefix: [UInt8], mediaType: String) -> String {
    isMarkup(prefix) && !settled.contains(mediaType) ? "text/plain" : mediaType
  }

  /// Types whose files both browsers show as text or hand on, whatever is in them.
  private static let settled: Set<String> = [
    "application/json", "application/pdf", "text/csv", "text/plain",
  ]

  private static func isMarkup(_ prefix: [UInt8]) -> Bool {
    let start = prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? prefix.dropFirst(3) : prefix[...]
    let first = start.first { ![0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    return first == UInt8(ascii: "<")
  }
}
