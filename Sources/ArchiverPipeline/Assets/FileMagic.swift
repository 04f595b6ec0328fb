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
}
