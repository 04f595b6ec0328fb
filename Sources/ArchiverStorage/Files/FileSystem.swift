import ArchiverCore
import CFileSystem

/// The system calls that change an archive; the fault injector sees each one first.
struct FileSystem: Sendable {
  let faults: (any FaultInjector)?

  /// Fails if the fault injector wants the operation to fail.
  func announce(
    _ operation: FileOperation, _ path: @autoclosure () -> String
  ) throws(StorageError) {
    guard let faults else { return }
    let path = path()
    if let code = faults.fault(before: operation, path: path) {
      throw .file(code, operation.rawValue, path)
    }
  }

  func makeFolder(_ name: String, in parent: Folder, mode: mode_t = 0o755) throws(StorageError) {
    try announce(.makeFolder, parent.at(name))
    guard mkdirat(parent.descriptor, name, mode) == 0 || errno == EEXIST else {
      throw .file(errno, "create", parent.at(name))
    }
  }

  /// Creates a file that must not exist and opens it for writing.
  func create(
    _ name: String, in parent: Folder, mode: mode_t = 0o644
  ) throws(StorageError) -> OpenFile {
    try announce(.create, parent.at(name))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(parent.descriptor, name, flags, mode)
    guard descriptor >= 0 else { throw .file(errno, "create", parent.at(name)) }
    return OpenFile(owning: descriptor, name, in: parent)
  }

  /// Creates a file with these bytes.
  func writeFile(_ name: String, in parent: Folder, _ bytes: [UInt8]) throws(StorageError) {
    let file = try create(name, in: parent)
    guard !bytes.isEmpty else { return }
    try announce(.write, file.path)
    try file.write(bytes[...])
  }

  /// Hard-links a file, or copies it if it cannot be linked (unsupported, across devices, or too
  /// many links).
  func link(
    _ name: String, of folder: Folder, to newName: String, in newFolder: Folder
  ) throws(StorageError) {
    do throws(StorageError) {
      try announce(.link, newFolder.at(newName))
      guard linkat(folder.descriptor, name, newFolder.descriptor, newName, 0) == 0 else {
        throw .file(errno, "link \(folder.at(name)) to", newFolder.at(newName))
      }
    } catch {
      let linkless = [EXDEV, EMLINK, EPERM, ENOTSUP, ENOSYS]
      guard let code = error.errorNumber, linkless.contains(code) else { throw error }
      try copy(name, of: folder, to: newName, in: newFolder)
    }
  }

  func copy(
    _ name: String, of folder: Folder, to newName: String, in newFolder: Folder
  ) throws(StorageError) {
    let source = try OpenFile.reading(name, in: folder)
    let copy = try create(newName, in: newFolder)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = try source.read(into: &buffer)
      guard count > 0 else { return }
      try announce(.write, copy.path)
      try copy.write(buffer[..<count])
    }
  }

  /// Renames an entry, replacing a file of the new name.
  func rename(
    _ name: String, in folder: Folder, to newName: String, in newFolder: Folder
  ) throws(StorageError) {
    try announce(.rename, newFolder.at(newName))
    guard renameat(folder.descriptor, name, newFolder.descriptor, newName) == 0 else {
      throw .file(errno, "rename \(folder.at(name)) to", newFolder.at(newName))
    }
  }

  /// Exchanges two entries atomically. Returns false if the file system cannot.
  func exchange(
    _ name: String, in folder: Folder, with otherName: String, in otherFolder: Folder
  ) throws(StorageError) -> Bool {
    do throws(StorageError) {
      try announce(.exchange, otherFolder.at(otherName))
    } catch {
      if error.errorNumber == ENOSYS { return false }
      throw error
    }
    #if canImport(Glibc)
      let result = renameat2(
        folder.descriptor, name, otherFolder.descriptor, otherName, ARCHIVER_RENAME_EXCHANGE)
    #else
      let result = renameatx_np(
        folder.descriptor, name, otherFolder.descriptor, otherName, UInt32(RENAME_SWAP))
    #endif
    if result == 0 { return true }
    if [EINVAL, ENOSYS, ENOTSUP].contains(errno) { return false }
    throw .file(errno, "exchange \(folder.at(name)) with", otherFolder.at(otherName))
  }

  func removeFile(_ name: String, in folder: Folder) throws(StorageError) {
    try announce(.remove, folder.at(name))
    guard unlinkat(folder.descriptor, name, 0) == 0 || errno == ENOENT else {
      throw .file(errno, "remove", folder.at(name))
    }
  }

  /// Removes an entry and everything below it; symbolic links are removed, not followed.
  func removeTree(_ name: String, in parent: Folder) throws(StorageError) {
    guard try parent.status(name)?.kind == .folder else { return try removeFile(name, in: parent) }
    try empty(try parent.folder(name))
    try announce(.remove, parent.at(name))
    guard unlinkat(parent.descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw .file(errno, "remove", parent.at(name))
    }
  }

  /// Removes an entry whose name is not UTF-8, such as the user's own file in a replaced bundle.
  private func removeTree(
    raw name: [CChar], shownAs shown: String, in parent: Folder
  ) throws(StorageError) {
    try announce(.remove, parent.at(shown))
    if unlinkat(parent.descriptor, name, 0) == 0 || errno == ENOENT { return }
    let reason = errno
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let opened = openat(parent.descriptor, name, flags)
    guard opened >= 0 else { throw .file(reason, "remove", parent.at(shown)) }
    try empty(Folder(owning: opened, path: parent.at(shown)))
    guard unlinkat(parent.descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw .file(errno, "remove", parent.at(shown))
    }
  }

  /// Removes everything in a directory.
  func empty(_ folder: Folder) throws(StorageError) {
    for entry in try folder.entries() {
      if let name = entry.rawName {
        try removeTree(raw: name, shownAs: entry.name, in: folder)
        continue
      }
      switch entry.kind {
      case .folder: try removeTree(entry.name, in: folder)
      case .file, .link, .other: try removeFile(entry.name, in: folder)
      }
    }
  }
}
