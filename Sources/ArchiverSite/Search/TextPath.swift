import ArchiverStorage

/// The paths of items' texts, by the items' keys.
enum TextPath {
  private static let digits = Array("0123456789abcdef".utf8)
  private static let folder = Array("library/text/".utf8)
  /// The end of the path of an item's first passage.
  private static let ending = Array("-0.js".utf8)

  /// Returns `FileListing.hash` of the path of a passage's text.
  ///
  /// An update computes it for every item, so the path of a first passage is not built as a string.
  static func hash(_ key: UInt64, _ passage: Int) -> UInt64 {
    let length = LibraryRow.textNameLength
    guard passage == 0 else {
      return FileListing.hash(SearchIndex.textPath(LibraryRow.textName(key), passage))
    }
    let count = folder.count + 3 + length + ending.count
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { path in
      path.copyBytes(from: folder)
      let number = Fingerprint.mixed(key)
      let name = folder.count + 3
      for place in 0..<length {
        path[name + place] = digits[Int(number >> UInt64(60 - 4 * place) & 15)]
      }
      path[folder.count] = path[name]
      path[folder.count + 1] = path[name + 1]
      path[folder.count + 2] = UInt8(ascii: "/")
      UnsafeMutableRawBufferPointer(rebasing: path[(name + length)...]).copyBytes(from: ending)
      return WordHash.of(UnsafeRawBufferPointer(path))
    }
  }
}
