import ArchiverStorage

/// A file of the library while it is written in chunks (see `SiteFiles`), compared with the
/// existing one in passing.
final class SiteOutput {
  private static let batch = 64 << 10

  let path: String
  let temporary: String
  private let file: PieceFile
  private let last: PieceFile?
  private var waiting: [UInt8] = []
  /// Bytes in the file.
  private(set) var byteCount = 0
  private var isSame: Bool

  /// `path` is relative to the archive at `root`.
  init(_ path: String, at temporary: String, root: String) throws(StorageError) {
    self.path = path
    self.temporary = temporary
    guard let file = PieceFile(temporary, .new) else { throw SiteFiles.error(temporary) }
    self.file = file
    last = PieceFile("\(root)/\(path)", .read)
    isSame = last != nil
  }

  func write(_ bytes: some Sequence<UInt8>) throws(StorageError) {
    waiting += bytes
    if waiting.count >= SiteOutput.batch { try flush() }
  }

  /// Returns whether the content written equals the existing file's; nothing more may be written.
  func isAsBefore() throws(StorageError) -> Bool {
    try flush()
    waiting = []
    return isSame && last?.byteCount == byteCount
  }

  private func flush() throws(StorageError) {
    guard !waiting.isEmpty else { return }
    try file.write(waiting, at: byteCount)
    if isSame { isSame = try last?.read(byteCount..<byteCount + waiting.count) == waiting }
    byteCount += waiting.count
    waiting.removeAll(keepingCapacity: true)
  }
}
