/// Replaces the old catalog by a new one. Interrupted at any step, one of them is complete.
///
/// Files in `.archiver`, in the order of the steps:
///   1. `catalog.sqlite.new` is filled and closed. The old catalog is hard-linked as
///      `catalog.sqlite.old`, later ones as `.old2` and so on.
///   2. `.new` is renamed to `.ready`. Until then the old catalog counts, from then on the new one;
///      the next process that opens the archive for writing completes the last step.
///   3. The old catalog's WAL and journal are renamed after it, as they must never meet another
///      catalog, and `.ready` takes the catalog's name.
struct CatalogReplacement {
  let control: Folder
  let fileSystem: FileSystem

  /// The new catalog while it is being filled.
  static let new = "\(ArchiveLayout.catalog).new"
  /// The new catalog once it is complete.
  static let ready = "\(ArchiveLayout.catalog).ready"
  /// SQLite's files beside a catalog with content that is not in the catalog itself yet.
  private static let logs = ["-wal", "-journal"]

  /// Removes the files of an interrupted attempt.
  func discard() throws(StorageError) {
    for suffix in ["", "-shm"] + Self.logs where try control.status(Self.new + suffix) != nil {
      try fileSystem.removeFile(Self.new + suffix, in: control)
    }
  }

  /// Completes step 1, after the new catalog was closed, and does steps 2 and 3.
  func carryOut() throws(StorageError) {
    for suffix in Self.logs {
      guard let log = try control.status(Self.new + suffix), log.byteCount > 0 else { continue }
      throw StorageError(
        .full, "\(control.at(Self.new)) could not be completed; the disk may be full")
    }
    try fileSystem.synchroniseAll(control, trees: [])
    try OpenFile.reading(Self.new, in: control).synchronise()
    try nameOld()
    try fileSystem.rename(Self.new, in: control, to: Self.ready, in: control)
    try fileSystem.synchronise(control)
    try finish()
  }

  /// Does step 3; a no-op if step 2 was not reached. May be repeated.
  func finish() throws(StorageError) {
    guard try control.status(Self.ready) != nil else { return }
    for suffix in Self.logs {
      let name = ArchiveLayout.catalog + suffix
      guard try control.status(name) != nil else { continue }
      try fileSystem.rename(name, in: control, to: try place(ofLog: suffix) + suffix, in: control)
    }
    try fileSystem.removeFile(ArchiveLayout.catalog + "-shm", in: control)
    // The removal of WAL and journal must be durable before another catalog takes the name.
    try fileSystem.synchronise(control)
    try fileSystem.rename(Self.ready, in: control, to: ArchiveLayout.catalog, in: control)
    try fileSystem.synchronise(control)
  }

  /// Hard-links the old catalog under an unused name: an earlier backup may be the only one with
  /// queue and runs.
  private func nameOld() throws(StorageError) {
    guard let old = try control.status(ArchiveLayout.catalog) else { return }
    let last = try lastOld()
    // An interrupted attempt has linked it already.
    if last > 0, try control.status(Self.old(last))?.inode == old.inode { return }
    guard old.kind == .file else {
      // Anything but a regular file is not a catalog; it is moved away.
      try fileSystem.rename(ArchiveLayout.catalog, in: control, to: Self.old(last + 1), in: control)
      return
    }
    do throws(StorageError) {
      try fileSystem.link(
        ArchiveLayout.catalog, of: control, to: Self.old(last + 1), in: control)
    } catch {
      // A partial copy, on a file system without links.
      try? fileSystem.removeFile(Self.old(last + 1), in: control)
      throw error
    }
  }

  private func place(ofLog suffix: String) throws(StorageError) -> String {
    let last = try lastOld()
    if last > 0, try control.status(Self.old(last) + suffix) == nil { return Self.old(last) }
    return Self.old(last + 1)
  }

  /// Returns the highest number in use; 0 if there is none. A WAL or journal whose catalog was lost uses
  /// one too.
  private func lastOld() throws(StorageError) -> Int {
    var number = 0
    while try isUsed(number + 1) { number += 1 }
    return number
  }

  private func isUsed(_ number: Int) throws(StorageError) -> Bool {
    for suffix in [""] + Self.logs where try control.status(Self.old(number) + suffix) != nil {
      return true
    }
    return false
  }

  private static func old(_ number: Int) -> String {
    "\(ArchiveLayout.catalog).old" + (number == 1 ? "" : String(number))
  }
}
