import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that are staged until they are renamed into place.
struct StagedFiles {
  /// What the names of the files aside begin with; their places follow.
  let prefix: String
  /// Where they belong, relative to the archive.
  private(set) var paths = PathList()

  func temporary(_ place: Int) -> String { prefix + String(place) }

  mutating func write(_ bytes: [UInt8], _ path: String) throws(StorageError) {
    let temporary = temporary(paths.count)
    guard let file = PieceFile(temporary, .new) else { throw SiteFiles.error(temporary) }
    try file.write(bytes, at: 0)
    paths.append(path)
  }

  /// Takes a file that was written elsewhere in the same folder.
  mutating func take(_ file: String, _ path: String) throws(StorageError) {
    guard rename(file, temporary(paths.count)) == 0 else { throw SiteFiles.error(file) }
    paths.append(path)
  }

  mutating func clear() { paths = PathList() }
}
