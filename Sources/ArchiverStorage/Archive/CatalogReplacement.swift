/// Puts a new catalog in the place of the old one, so that a stop at any step leaves one of them whole.
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

  /// The new catalog while it is filled.
  static let new = "\(ArchiveLayout.catalog).new"
  /// The new catalog once it is whole.
  static let ready = "\(ArchiveLayout.catalog).ready"
  /// Where SQLite keeps what is not in the catalog's own file yet.
  private static let logs = ["-wal", "-journal"]

  /// Removes what an attempt that was stopped left.
  func discard() throws(StorageError) {
    for suffix in ["", "-shm"] + Self.logs where try control.status(Self.new + suffix) != nil {
      try fileSystem.removeFile(Self.new + suffix, in: control)
    }
  }

  /// Steps 1, after the new catalog was closed, to 3.
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

  /// Step 3; does nothing where step 2 was not reached. May be repeated.
  func finish() throws(StorageError) {
    guard try control.status(Self.ready) != nil else { return }
    for suffix in Self.logs {
      let name = ArchiveLayout.catalog + suffix
      guard try control.status(name) != nil else { continue }
      try fileSystem.rename(name, in: control, to: try place(ofLog: suffix) + suffix, in: control)
    }
    try fileSystem.removeFile(ArchiveLayout.catalog + "-shm", in: control)
    // The logs must be gone for good before another catalog has their name.
    try fileSystem.synchronise(control)
    try fileSystem.rename(Self.ready, in: control, to: ArchiveLayout.catalog, in: control)
    try fileSystem.synchronise(control)
  }

  /// Gives the old catalog its second name, one that is not taken: what was set aside first may be the
  /// only one with the queue and the runs.
  private func nameOld() throws(StorageError) {
    guard let old = try control.status(ArchiveLayout.catalog) else { return }
    let last = try lastOld()
    // It has one from an attempt that was stopped.
    if last > 0, try control.status(Self.old(last))?.inode == old.inode { return }
    guard old.kind == .file else {
      // Whatever stands there, it is no catalog, and gives way before another takes the name.
      try fileSystem.rename(ArchiveLayout.catalog, in: control, to: Self.old(last + 1), in: control)
      return
    }
    do throws(StorageError) {
      try fileSystem.link(
        ArchiveLayout.catalog, of: control, to: Self.old(last + 1), in: control)
    } catch {
      // Half a copy, where there are no links.
      try? fileSystem.removeFile(Self.old(last + 1), in: control)
      throw error
    }
  }

  private func place(ofLog suffix: String) throws(StorageError) -> String {
    let last = try lastOld()
    if last > 0, try control.status(Self.old(last) + suffix) == nil { return Self.old(last) }
    return Self.old(last + 1)
  }

  /// The highest number that is taken; 0 when there is none.
  private func lastOld() throws(StorageError) -> Int {
    var number = 0
    while try control.status(Self.old(number + 1)) != nil { number += 1 }
    return number
  }

  private static func old(_ number: Int) -> String {
    "\(ArchiveLayout.catalog).old" + (number == 1 ? "" : String(number))
  }
}
