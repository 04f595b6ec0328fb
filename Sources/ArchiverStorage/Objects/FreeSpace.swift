import ArchiverCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Watches that an archive leaves room on its disk.
///
/// While there is much more room than what was asked for since the last look, and that was less
/// than a second ago, the system is not asked again: a run asks for every picture.
final class FreeSpace: Sendable {
  private struct Look {
    let time: ContinuousClock.Instant
    let free: Int
    var promised = 0
  }

  /// The archive's path, for messages.
  private let archive: String
  /// Bytes to keep free.
  let reserve: Int
  private let last = Mutex<Look?>(nil)
  /// What downloads under way will still write.
  private let claimed = Mutex(0)

  init(of archive: String, reserve: Int) {
    self.archive = archive
    self.reserve = reserve
  }

  /// Fails with `.full` when `needed` bytes more would use up the reserve of the file system
  /// that `folder` is on. A file system that does not tell its size has room.
  ///
  /// All folders asked about are on one file system.
  func require(_ needed: Int, in folder: Folder) throws(StorageError) {
    let now = ContinuousClock.now
    let isPlenty = last.withLock { look in
      guard let found = look, now - found.time < .seconds(1) else { return false }
      let promised = found.promised + needed
      look?.promised = promised
      return promised <= (found.free - reserve) / 16
    }
    if isPlenty { return }
    guard let free = FreeSpace.free(in: folder) else { return }
    last.withLock { $0 = Look(time: now, free: free, promised: needed) }
    guard free - reserve - claimedByteCount < needed else { return }
    throw StorageError(
      .full, message("\(FreeSpace.text(needed)) and a reserve of \(FreeSpace.text(reserve))", free))
  }

  /// Fails with `.full` where there is no room for a download of this size beside those under way,
  /// else keeps the room for it until it is released.
  func claim(_ size: Int, in folder: Folder) throws(StorageError) {
    try require(size, in: folder)
    claimed.withLock { $0 += size }
  }

  /// Bytes that downloads under way will still write.
  var claimedByteCount: Int { claimed.withLock { $0 } }

  /// Gives back what was written by now, or will not be written.
  func release(_ size: Int) {
    claimed.withLock { $0 -= size }
  }

  /// Returns the error to report instead of a full disk's or quota's own: it says what was needed.
  func explain(_ error: StorageError, needed: Int, in folder: Folder) -> StorageError {
    guard error.code == .full, error.errorNumber != nil else { return error }
    let free = max(FreeSpace.free(in: folder) ?? 0, 0)
    return StorageError(.full, message(FreeSpace.text(needed), free), underlying: error)
  }

  private func message(_ needs: String, _ free: Int) -> String {
    "archive is full: \(archive) needs \(needs), \(FreeSpace.text(free)) are free"
  }

  /// Returns the bytes that are free where a folder is; `nil` where the file system does not tell.
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
