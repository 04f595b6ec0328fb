import ArchiverCore
import Synchronization

/// Keeps a minimum of free space on an archive's disk.
final class FreeSpace: Sendable {
  /// The archive's path, for messages.
  private let archive: String
  /// The number of bytes to keep free.
  let reserve: Int
  /// The bytes that downloads in flight have claimed.
  private let claimed = Mutex(0)

  init(of archive: String, reserve: Int) {
    self.archive = archive
    self.reserve = reserve
  }

  /// Fails with `.full` if `needed` more bytes would use the reserve of the file system that
  /// `folder` is on. A file system that does not report its size has space.
  ///
  /// All calls must name directories on one file system.
  func require(_ needed: Int, in folder: Folder) throws(StorageError) {
    guard let free = FreeSpace.free(in: folder), free - reserve - claimedByteCount < needed else {
      return
    }
    throw StorageError(
      .full, message("\(FreeSpace.text(needed)) and a reserve of \(FreeSpace.text(reserve))", free))
  }

  /// Reserves space for a download of this size until it is released. Fails with `.full` if there
  /// is too little, considering other downloads in flight.
  func claim(_ size: Int, in folder: Folder) throws(StorageError) {
    try require(size, in: folder)
    claimed.withLock { $0 += size }
  }

  /// The bytes that downloads in flight will still write.
  var claimedByteCount: Int { claimed.withLock { $0 } }

  /// Releases bytes that have been written, or will not be written.
  func release(_ size: Int) {
    claimed.withLock { $0 -= size }
  }

  /// Returns the error to report for a full disk or quota: it says how much was needed.
  func explain(_ error: StorageError, needed: Int, in folder: Folder) -> StorageError {
    guard error.code == .full, error.errorNumber != nil else { return error }
    let free = max(FreeSpace.free(in: folder) ?? 0, 0)
    return StorageError(.full, message(FreeSpace.text(needed), free), underlying: error)
  }

  private func message(_ needs: String, _ free: Int) -> String {
    "archive is full: \(archive) needs \(needs), \(FreeSpace.text(free)) are free"
  }

  /// Returns the free bytes on a directory's file system; `nil` if it does not report them.
  static func free(in folder: Folder) -> Int? {
    var status = statvfs()
    guard fstatvfs(folder.descriptor, &status) == 0, status.f_blocks > 0 else { return nil }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
        by: UInt64(status.f_frsize)
      ).partialValue)
  }

  /// Returns a size for people: `12 bytes`, `1.5 MB`.
  static func text(_ byteCount: Int) -> String {
    var value = Double(byteCount)
    var unit = "bytes"
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return unit == "bytes" || tenths % 10 == 0
      ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
