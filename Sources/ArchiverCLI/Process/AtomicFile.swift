#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that others see whole: the old content or the new.
enum AtomicFile {
  /// Why a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a new file beside the old one, makes it durable and renames it over the old one.
  static func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  /// Does the same with bytes.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(Failure) {
    guard replace(path, with: bytes, mode: mode) else {
      throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Leaves `errno` when it fails.
  private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) -> Bool {
    // A name that nobody can guess: in a folder where others write too, it would be taken already, by
    // a pipe that nobody reads or by a file that stays theirs.
    let draft = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return false }
    #if canImport(Glibc)
      let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    #else
      let isWritten = Darwin.write(descriptor, bytes, bytes.count) == bytes.count
    #endif
    let isDurable = isWritten && fsync(descriptor) == 0
    let isClosed = close(descriptor) == 0
    if isDurable, isClosed, rename(draft, path) == 0 { return true }
    let reason = errno
    unlink(draft)
    errno = reason
    return false
  }
}
