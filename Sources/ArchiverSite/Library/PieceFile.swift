import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of the library that is read and written in pieces, as it may be larger than what should be
/// in memory. Reading is safe from several threads.
///
/// Not mapped into memory: truncating a mapped file would kill the process that reads it.
final class PieceFile: Sendable {
  enum Mode {
    case read
    /// For reading and writing; made when it is not there.
    case write
    /// As before, and empty.
    case new
    /// As before, where there is nothing of that name.
    case first
  }

  private let descriptor: Int32
  private let path: String
  private let tellsCrash: Bool

  /// Opens a plain file, no link; `nil` for anything else, and for what cannot be opened. With `tellsCrash`
  /// a crash of the process is noted in it (`CrashMark`).
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

  /// Returns the bytes of a range; fewer where the file ends before it.
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

  /// Puts bytes at an offset, however many calls it takes.
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

  /// Waits until what was written is on the disk.
  func flush() throws(StorageError) {
    guard fsync(descriptor) == 0 else { throw SiteFiles.error(path) }
  }

  /// Takes away what is after so many bytes.
  func cut(to byteCount: Int) throws(StorageError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw SiteFiles.error(path) }
  }
}

/// A part of a file that is held in memory while the file is read from its beginning to its end.
struct PieceWindow {
  private static let size = 64 << 10

  private let file: PieceFile
  private let end: Int
  private var start = 0
  private(set) var bytes = RowBytes([])

  /// Looks at the first `end` bytes.
  init(_ file: PieceFile, end: Int) {
    self.file = file
    self.end = end
  }

  /// Returns where in `bytes` a range of the file begins, which it has whole then; `nil` when the file
  /// has not.
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
