import ArchiverCore
import ArchiverStorage

/// A file of the library that is read and written in chunks, as it may be larger than the available
/// memory. Reads are thread-safe.
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
    var failure: StorageError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(StorageError) {
        count = try read(at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills a buffer with the bytes at an offset. Returns their number, which is less than the
  /// buffer's size only at the end of the file.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    var count = 0
    while count < buffer.count {
      let got = pread(
        descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count,
        off_t(offset + count))
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw PieceFile.error(path, "read") }
      guard got > 0 else { break }
      count += got
    }
    return count
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
      guard count > 0 else { throw PieceFile.error(path) }
      done += count
    }
  }

  /// Locks the file (flock(2)) without waiting; returns false if another lock prevents that.
  @discardableResult
  func lock(_ kind: Int32) -> Bool {
    flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Truncates the file.
  func cut(to byteCount: Int) throws(StorageError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw PieceFile.error(path) }
  }

  /// Replaces a file atomically: writes another one and renames it.
  static func replace(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    guard let file = PieceFile(path + ".new", .new) else { throw PieceFile.error(path) }
    try file.write(bytes, at: 0)
    guard rename(path + ".new", path) == 0 else { throw PieceFile.error(path) }
  }

  /// Returns the error for a call that failed with `errno`.
  static func error(
    _ path: String, _ what: String = "written", _ number: Int32 = errno
  ) -> StorageError {
    let reason = String(cString: strerror(number))
    let code: StorageError.Code =
      switch number {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .notWritable
      default: .io
      }
    return StorageError(code, "the library's file \(path) cannot be \(what): \(reason)")
  }
}
