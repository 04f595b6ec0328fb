import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that are staged until they are renamed into place.
struct StagedFiles {
  /// The prefix of the names of staged files; their index follows.
  let prefix: String
  /// The target paths, relative to the archive.
  private(set) var paths: [String] = []

  func temporary(_ place: Int) -> String { prefix + String(place) }

  mutating func write(_ bytes: [UInt8], _ path: String) throws(StorageError) {
    let temporary = temporary(paths.count)
    guard let file = PieceFile(temporary, .new) else { throw PieceFile.error(temporary) }
    try file.write(bytes, at: 0)
    paths.append(path)
  }

  mutating func clear() { paths = [] }
}
