import ArchiverCore
import ArchiverStorage

/// Files that are staged until they are renamed into place.
struct StagedFiles {
  /// The prefix of the names of staged files; their index follows.
  let prefix: String
  /// The target paths, relative to the archive, in the order of writing.
  private(set) var paths: [String] = []

  var count: Int { paths.count }

  func temporary(_ place: Int) -> String { prefix + String(place) }

  mutating func write(_ content: [UInt8], _ path: String) throws(StorageError) {
    let temporary = temporary(count)
    guard let file = PieceFile(temporary, .new) else { throw PieceFile.error(temporary) }
    try file.write(content, at: 0)
    paths.append(path)
  }

  mutating func clear() { paths = [] }
}
