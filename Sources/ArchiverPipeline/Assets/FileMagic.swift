/// What a file is kept as, by its first bytes.
enum FileMagic {
  /// Returns the type that a file is kept as: text where it begins like a page or other markup and its
  /// type does not settle what browsers take it for. Of a FictionBook the rest has to be seen as well.
  ///
  /// Firefox looks into a file from disk whose ending it does not know, and runs a page that it finds
  /// there (tried with `.fb2`, `.gpx`, `.mobi` and made-up endings).
  static func keptType(_ prefix: [UInt8], mediaType: String) -> String {
    guard let markup = markup(prefix), !settled.contains(mediaType) else { return mediaType }
    return FictionBook.begins(markup) ? FictionBook.mediaType : "text/plain"
  }

  /// Whether it takes all of a file to tell what it is kept as.
  static func isFictionBook(_ prefix: [UInt8], _ keptType: String) -> Bool {
    keptType == FictionBook.mediaType && beginsLikeFictionBook(prefix)
  }

  /// Whether a file may be a FictionBook, by its beginning.
  static func beginsLikeFictionBook(_ prefix: [UInt8]) -> Bool {
    markup(prefix).map { FictionBook.begins($0) } ?? false
  }

  /// Types whose files both browsers show as text or hand on, whatever is in them.
  private static let settled: Set<String> = [
    "application/json", "application/pdf", "text/csv", "text/plain",
  ]

  /// Returns the beginning of a file from its first tag on; `nil` when something else comes first.
  private static func markup(_ prefix: [UInt8]) -> ArraySlice<UInt8>? {
    let start = prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? prefix.dropFirst(3) : prefix[...]
    let rest = start.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    return rest.first == UInt8(ascii: "<") ? rest : nil
  }
}
