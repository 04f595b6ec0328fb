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
  /// The target paths, relative to the archive, one after another: a first run has many.
  private var bytes: [UInt8] = []
  /// The end of each path in `bytes`.
  private var ends: [Int32] = []

  init(prefix: String) { self.prefix = prefix }

  var count: Int { ends.count }

  /// The target paths, in the order of writing.
  var paths: some RandomAccessCollection<String> { ends.indices.lazy.map(path) }

  private func path(_ place: Int) -> String {
    let start = place == 0 ? 0 : Int(ends[place - 1])
    return String(decoding: bytes[start..<Int(ends[place])], as: UTF8.self)
  }

  func temporary(_ place: Int) -> String { prefix + String(place) }

  mutating func write(_ content: [UInt8], _ path: String) throws(StorageError) {
    let temporary = temporary(count)
    guard let file = PieceFile(temporary, .new) else { throw PieceFile.error(temporary) }
    try file.write(content, at: 0)
    bytes += path.utf8
    ends.append(Int32(bytes.count))
  }

  mutating func clear() { (bytes, ends) = ([], []) }
}
