import ArchiverCore

/// How large a file is.
enum FileSize {
  /// Returns the bytes of a file; `nil` when there is none, or it cannot be asked for.
  static func of(_ path: String) -> Int? {
    // What cannot be asked for is what the caller has a word for.
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }
}
