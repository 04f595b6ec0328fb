import ArchiverStorage

/// The paths of items' text files, as hashes: building each path would dominate the cost of
/// checking an item in an update.
struct TextPath {
  private static let folder = "library/text/".utf8.count
  private static let nameLength = 14
  private static let digits = Array("0123456789abcdef".utf8)

  private var path = Array("library/text/00/00000000000000-0.js".utf8)
  private var key: UInt64?

  /// Returns the hash of `SearchIndex.textPath` of a passage of the item with this hash of source
  /// and id.
  mutating func hash(_ item: UInt64, _ passage: Int) -> UInt64 {
    if key != item { put(item) }
    let end = TextPath.folder + 3 + TextPath.nameLength + 1
    guard passage < 10 else {
      let long = Array(path[..<end]) + "\(passage).js".utf8
      return long.withUnsafeBytes { WordHash.of($0) }
    }
    path[end] = TextPath.digits[passage]
    return path.withUnsafeBytes { WordHash.of($0) }
  }

  /// Inserts an item's name into the path.
  private mutating func put(_ key: UInt64) {
    self.key = key
    let mixed = Fingerprint.mixed(key)
    path.withUnsafeMutableBytes { path in
      TextPath.digits.withUnsafeBufferPointer { digits in
        let name = TextPath.folder + 3
        for place in 0..<TextPath.nameLength {
          path[name + place] = digits[Int(mixed >> UInt64(60 - 4 * place)) & 15]
        }
        path[TextPath.folder] = path[name]
        path[TextPath.folder + 1] = path[name + 1]
      }
    }
  }
}
