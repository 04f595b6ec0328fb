import ArchiverCore

/// Files that are replaced atomically: other processes see the old content or the new.
enum AtomicFile {
  /// Why a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Writes a new file beside the old one, makes it durable and renames it over the old one.
  ///
  /// A symbolic link named by the user stays, and its target is replaced. Anything other than a
  /// regular file, such as `/dev/stdout`, is written to directly.
  static func write(
    _ text: String, to path: String, mode: mode_t, isNamedByUser: Bool = false
  ) throws(Failure) {
    try write(Array(text.utf8), to: path, mode: mode, isNamedByUser: isNamedByUser)
  }

  /// Writes bytes in the same way.
  static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t, isNamedByUser: Bool = false
  ) throws(Failure) {
    let reason =
      if isNamedByUser, isStream(path) {
        pour(bytes, into: path)
      } else {
        replace(isNamedByUser ? target(of: path) : path, with: bytes, mode: mode)
      }
    if reason != 0 { throw Failure(description: "\(path): \(String(cString: strerror(reason)))") }
  }

  /// Returns the target of a path; the path itself if nothing exists there.
  static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a path names a device, a pipe or the like, which must not be replaced.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private static func pour(_ bytes: [UInt8], into path: String) -> Int32 {
    // Opening a pipe without a reader is an error; it must not block.
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    // From here on writes may block, for a slow reader.
    guard fcntl(descriptor, F_SETFL, O_WRONLY) == 0 else { return errno }
    return fill(descriptor, with: bytes)
  }

  /// Returns 0, or the `errno` of the failure.
  private static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) -> Int32 {
    // The name is random. In a directory where other users may write, a file with a predictable
    // name could already exist: a pipe without a reader, or a file of another owner.
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
}

/// Writes all bytes; returns 0, or the `errno` of the failure.
private func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      // A full disk accepts a part first; only the write of the rest reports why.
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

extension String {
  /// The directory of a file with this absolute path.
  var parentFolder: String { "/" + split(separator: "/").dropLast().joined(separator: "/") }
}
