/// Decides by its first bytes which type a file is stored as.
enum FileMagic {
  /// Returns the type to store a file as: text if it starts like a page or other markup and its own
  /// type does not settle how browsers treat it. A FictionBook must be examined in full.
  ///
  /// Firefox sniffs a file from disk with an unknown extension, and runs a page that it finds.
  static func keptType(_ prefix: [UInt8], mediaType: String) -> String {
    guard let markup = markup(prefix), !settled.contains(mediaType) else { return mediaType }
    return FictionBook.begins(markup) ? FictionBook.mediaType : "text/plain"
  }

  /// Whether the whole file is needed to decide.
  static func isFictionBook(_ prefix: [UInt8], _ keptType: String) -> Bool {
    keptType == FictionBook.mediaType && beginsLikeFictionBook(prefix)
  }

  /// Whether a file may be a FictionBook, by its beginning.
  static func beginsLikeFictionBook(_ prefix: [UInt8]) -> Bool {
    markup(prefix).map { FictionBook.begins($0) } ?? false
  }

  /// Types that all browsers show as text or pass on, whatever the content.
  private static let settled: Set<String> = [
    "application/json", "application/pdf", "text/csv", "text/plain",
  ]

  /// Returns the file from its first tag on; `nil` if something else precedes it.
  private static func markup(_ prefix: [UInt8]) -> ArraySlice<UInt8>? {
    let start = prefix.starts(with: [0xEF, 0xBB, 0xBF]) ? prefix.dropFirst(3) : prefix[...]
    let rest = start.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }
    return rest.first == UInt8(ascii: "<") ? rest : nil
  }
}
