import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Entries of a segment in the order of their terms, in a temporary file, which has no name once it is open.
///
/// Each is the lengths of its term and of its postings, four bytes each, and both.
final class EntryFile {
  private static let piece = 1 << 14

  private let file: PieceFile
  private var buffer: [UInt8] = []
  /// While writing, the number of bytes in the file; while reading, those that were read into `buffer`.
  private var done = 0
  /// The index in `buffer` of what was not returned yet.
  private var start = 0

  /// Creates the file in a folder.
  init(in folder: String) throws(StorageError) {
    let path = "\(folder)/entries"
    guard let file = PieceFile(path, .new) else { throw PieceFile.error(path) }
    self.file = file
    unlink(path)
  }

  func append(
    _ term: UnsafeBufferPointer<UInt8>, _ postings: ArraySlice<UInt8>
  ) throws(StorageError) {
    for count in [term.count, postings.count] {
      withUnsafeBytes(of: UInt32(count).littleEndian) { buffer += $0 }
    }
    buffer += term
    buffer += postings
    if buffer.count >= EntryFile.piece { try flush() }
  }

  /// Ends writing; `next` returns the first entry then.
  func rewind() throws(StorageError) {
    try flush()
    (done, start) = (0, 0)
  }

  private func flush() throws(StorageError) {
    try file.write(buffer, at: done)
    done += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Returns the next entry; `nil` after the last.
  func next() throws(StorageError) -> (term: [UInt8], postings: [UInt8])? {
    guard try fill(8) else { return nil }
    let (term, postings) = (length(start), length(start + 4))
    guard try fill(8 + term + postings) else {
      throw StorageError(.io, "the temporary list of the search index is truncated")
    }
    let first = start + 8
    start = first + term + postings
    return (Array(buffer[first..<first + term]), Array(buffer[first + term..<start]))
  }

  private func length(_ place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(buffer[place + $1]) << (8 * $1) }
  }

  /// Reads on until the buffer has this many bytes; returns whether it has.
  private func fill(_ count: Int) throws(StorageError) -> Bool {
    guard buffer.count - start < count else { return true }
    buffer.removeSubrange(..<start)
    start = 0
    let bytes = try file.read(done..<done + max(EntryFile.piece, count))
    buffer += bytes
    done += bytes.count
    return buffer.count >= count
  }
}
