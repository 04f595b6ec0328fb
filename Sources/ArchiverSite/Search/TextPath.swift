import ArchiverStorage

/// The paths of many items' text files, as hashes: making each path and no more would take most of
/// the time that an update looks at an item.
struct TextPath {
  private static let template = Array("library/text/00/00000000000000-0.js".utf8)
  private static let nameLength = 14
  private static let digits = Array("0123456789abcdef".utf8)

  private var path = TextPath.template

  /// Returns the hashes of `SearchIndex.textPath` of an item's passages.
  mutating func hashes(_ row: LibraryRow, _ passageCount: Int) -> [UInt64] {
    guard passageCount == 1 else {
      return (0..<passageCount).map { FileListing.hash(SearchIndex.textPath(row.textName, $0)) }
    }
    var mixed = Fingerprint.mixed(row.marks.key)
    let start = "library/text/00/".utf8.count
    for place in 0..<TextPath.nameLength {
      mixed = mixed << 4 | mixed >> 60
      path[start + place] = TextPath.digits[Int(mixed & 15)]
    }
    path[start - 3] = path[start]
    path[start - 2] = path[start + 1]
    return [path.withUnsafeBytes { WordHash.of($0) }]
  }
}
