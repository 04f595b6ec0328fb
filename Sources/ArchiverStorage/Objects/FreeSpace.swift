#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Watches that an archive leaves room on its disk.
struct FreeSpace: Sendable {
  /// Bytes to keep free.
  let reserve: Int

  /// Fails with `.full` when `needed` bytes more would use up the reserve of the file system
  /// that `folder` is on. A file system that does not tell its size has room.
  func require(_ needed: Int, in folder: Folder) throws(StorageError) {
    var status = statvfs()
    guard fstatvfs(folder.descriptor, &status) == 0, status.f_blocks > 0 else { return }
    let free = Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    guard free - reserve < needed else { return }
    let wanted = "needs \(FreeSpace.text(needed)) and a reserve of \(FreeSpace.text(reserve))"
    throw StorageError(.full, "archive is full (\(wanted), free \(FreeSpace.text(free)))")
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
