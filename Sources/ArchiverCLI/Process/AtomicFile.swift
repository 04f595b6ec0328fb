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
  ///
  /// With `followsLinks` a symbolic link at `path` stays, and the file that it leads to is replaced.
  static func write(
    _ text: String, to path: String, mode: mode_t, followsLinks: Bool = false
  ) throws(Failure) {
    try write(Array(text.utf8), to: followsLinks ? target(of: path) : path, mode: mode)
  }

  /// Does the same with bytes.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(Failure) {
    let reason = replace(path, with: bytes, mode: mode)
    if reason != 0 { throw Failure(description: "\(path): \(String(cString: strerror(reason)))") }
  }

  /// Where a path leads; the path itself when nothing is there.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns 0, or the number of `errno` that tells why it failed.
  private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) -> Int32 {
    // A name that nobody can guess: in a folder where others write too, it would be taken already, by
    // a pipe that nobody reads or by a file that stays theirs.
    let draft = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return errno }
    var reason = fill(descriptor, with: bytes)
    if reason == 0, fsync(descriptor) != 0 { reason = errno }
    if close(descriptor) != 0, reason == 0 { reason = errno }
    if reason == 0, rename(draft, path) != 0 { reason = errno }
    if reason != 0 { unlink(draft) }
    return reason
  }

  /// A full disk takes a part first and tells why only when asked for the rest.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
        #else
          let count = Darwin.write(descriptor, piece.baseAddress, piece.count)
        #endif
        if count < 0, errno == EINTR { continue }
        if count < 0 { return errno }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }
}
