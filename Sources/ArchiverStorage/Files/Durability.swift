import ArchiverCore
import CFileSystem

// Making data durable. One syncfs(2) per batch is much cheaper than an fsync per file, and covers
// the catalog's WAL if it is on the same file system.
extension FileSystem {
  /// Makes everything written so far to the file system of `root` durable. Without syncfs, makes
  /// everything below the entries `names` of `root` durable.
  func synchroniseAll(_ root: Folder, trees names: [String]) throws(StorageError) {
    try announce(.synchronise, root.path)
    #if canImport(Glibc)
      if syncfs(root.descriptor) == 0 { return }
      guard errno == ENOSYS || errno == EINVAL else {
        throw .file(errno, "synchronise", root.path)
      }
    #endif
    for name in names { try synchroniseTree(try root.folder(name)) }
    try synchroniseEntries(root)
  }

  /// Makes the names in a directory durable (fsync).
  func synchronise(_ folder: Folder) throws(StorageError) {
    try announce(.synchronise, folder.path)
    try synchroniseEntries(folder)
  }

  private func synchroniseEntries(_ folder: Folder) throws(StorageError) {
    guard synchroniseDescriptor(folder.descriptor) else {
      throw .file(errno, "synchronise", folder.path)
    }
  }

  private func synchroniseTree(_ folder: Folder) throws(StorageError) {
    for entry in try folder.entries() {
      switch entry.kind {
      case .folder: try synchroniseTree(try folder.folder(entry.name))
      case .file: try OpenFile.reading(entry.name, in: folder).synchronise()
      case .link, .other: continue
      }
    }
    try synchroniseEntries(folder)
  }
}

extension ArchiveFile {
  /// Flushes everything written so far to the file system of a directory, and nothing of other file
  /// systems (syncfs(2)). Returns false if the system has no such call.
  package static func flushFileSystem(of folder: String) -> Bool {
    #if canImport(Glibc)
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      return syncfs(descriptor) == 0
    #else
      sync()
      return true
    #endif
  }
}
