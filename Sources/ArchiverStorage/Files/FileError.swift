import ArchiverCore

extension StorageError {
  /// Makes an error of a failed system call; `action` completes "could not …".
  static func file(_ code: Int32, _ action: String, _ path: String) -> StorageError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT:
      return StorageError(
        .full, "archive is full: could not \(action) \(path) (\(reason))", underlying: Errno(code))
    case EROFS, EACCES, EPERM:
      return StorageError(
        .notWritable, "could not \(action) \(path): \(reason); check its owner and permissions",
        underlying: Errno(code))
    case ELOOP:
      return StorageError(
        .io, "could not \(action) \(path): it is a symbolic link, which an archive never holds",
        underlying: Errno(code))
    default:
      return StorageError(.io, "could not \(action) \(path): \(reason)", underlying: Errno(code))
    }
  }

  /// The system's error number, if the failure came from a system call.
  package var errorNumber: Int32? { (underlying as? Errno)?.code }

  /// The error number of a failed system call.
  struct Errno: Error {
    let code: Int32

    init(_ code: Int32) {
      self.code = code
    }
  }
}
