import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of the library that is read and written in chunks, as it may exceed the memory that is
/// available. Reads are thread-safe.
///
/// Not memory-mapped: truncating a mapped file would kill the process that reads it.
final class PieceFile: Sendable {
  enum Mode {
    case read
    /// For reading and writing; created if it does not exist.
    case write
    /// Like `write`, but truncated.
    case new
    /// Like `write`, but fails if the file exists.
    case first
  }

  private let descriptor: Int32
  private let path: String
  private let tellsCrash: Bool

  /// Opens a regular file; `nil` for anything else, for symbolic links, and if it cannot be opened.
  /// With `tellsCrash`, a crash of the process is recorded in the file (`CrashMark`).
  init?(_ path: String, _ mode: Mode, tellsCrash: Bool = false) {
    self.tellsCrash = tellsCrash
    let access =
      switch mode {
      case .read: O_RDONLY
      case .write: O_RDWR | O_CREAT
      case .new: O_RDWR | O_CREAT | O_TRUNC
      case .first: O_RDWR | O_CREAT | O_EXCL
      }
    descriptor = open(path, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
    self.path = path
    var status = stat()
    guard descriptor >= 0 else { return nil }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if tellsCrash { CrashMark.register(descriptor) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    if tellsCrash { CrashMark.unregister(descriptor) }
    close(descriptor)
  }

  /// The current size in bytes; 0 if unknown.
  var byteCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns the bytes of a range; fewer if the file is shorter.
  func read(_ range: Range<Int>) throws(StorageError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let got = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + count))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    guard failure == 0 else { throw SiteFiles.error(path, "read", failure) }
    return bytes
  }

  /// Writes all bytes at an offset; repeats partial writes.
  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
          off_t(offset + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SiteFiles.error(path) }
      done += count
    }
  }

  /// Flushes the file to disk (fsync(2)).
  func flush() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw SiteFiles.error(path) }
  }

  /// Truncates the file.
  func cut(to byteCount: Int) throws(StorageError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw SiteFiles.error(path) }
  }
}

/// A window of a file in memory, for reading it sequentially.
struct PieceWindow {
  private static let size = 64 << 10

  private let file: PieceFile
  private let end: Int
  private var start = 0
  private(set) var bytes = RowBytes([])

  /// Reads the first `end` bytes of the file only.
  init(_ file: PieceFile, end: Int) {
    self.file = file
    self.end = end
  }

  /// Loads a range of the file and returns its index in `bytes`; `nil` if the file is shorter.
  mutating func place(_ range: Range<Int>) throws(StorageError) -> Int? {
    guard range.upperBound <= end else { return nil }
    if range.lowerBound < start || range.upperBound > start + bytes.bytes.count {
      let last = min(end, max(range.upperBound, range.lowerBound + PieceWindow.size))
      start = range.lowerBound
      bytes = RowBytes(try file.read(start..<last))
    }
    return range.upperBound <= start + bytes.bytes.count ? range.lowerBound - start : nil
  }
}
