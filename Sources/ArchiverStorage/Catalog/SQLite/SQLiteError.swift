import ArchiverCore
import CSQLite

extension StorageError {
  /// Makes an error of a failed SQLite call (https://sqlite.org/rescode.html).
  static func sqlite(_ result: Int32, _ handle: OpaquePointer?, _ path: String) -> StorageError {
    let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    let system = handle.map { sqlite3_system_errno($0) } ?? 0
    let primary = result & 0xFF
    if primary == SQLITE_FULL || (primary == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(system)) {
      return StorageError(.full, "archive is full: could not write \(path) (\(reason))")
    }
    switch primary {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return StorageError(
        .damaged, "\(path) is damaged (\(reason)); \"archiver repair --catalog\" rebuilds it")
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      return StorageError(
        .notWritable, "could not open or write \(path): \(reason); check owner and permissions")
    case SQLITE_INTERRUPT:
      return StorageError(
        .damaged,
        "reading \(path) took too long; \"archiver repair --catalog\" rebuilds it")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return StorageError(.locked, "\(path) is in use by another process")
    default:
      return StorageError(.io, "\(path): \(reason)")
    }
  }
}
