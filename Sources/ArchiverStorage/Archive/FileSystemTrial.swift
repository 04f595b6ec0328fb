import ArchiverCore

/// Tests the file system's features that an archive needs, in a temporary directory.
package struct FileSystemTrial: Sendable {
  /// A feature of the file system that an archive uses.
  package enum Step: String, Sendable, CaseIterable {
    /// Create a directory, write and flush a file. Required.
    case write
    /// Lock a file against another process. Required.
    case lock
    /// Rename a directory. Required.
    case rename
    /// Share the memory of a mapped file, for the catalog's WAL. Without it the catalog uses a
    /// rollback journal, so readers wait for a run.
    case map
    /// Exchange two directories atomically. Without it a bundle is missing for a moment while it is
    /// replaced.
    case exchange
    /// Hard-link a file. Without it each version of an item has copies of its files.
    case link

    /// Whether every run needs it.
    package var isEssential: Bool {
      switch self {
      case .write, .lock, .rename: true
      case .map, .exchange, .link: false
      }
    }
  }

  /// A failed test, with the system's reason.
  package struct Failure: Sendable, Hashable {
    package let step: Step
    /// A phrase such as `Operation not supported`.
    package let reason: String
  }

  private let path: String
  private let faults: (any FaultInjector)?
  private let vfs: String?

  /// - Parameter path: An existing directory on the file system to test.
  package init(in path: String) {
    self.init(in: path, faults: nil)
  }

  /// `faults` and an SQLite VFS let a test make steps fail.
  init(in path: String, faults: (any FaultInjector)?, vfs: String? = nil) {
    self.path = path
    self.faults = faults
    self.vfs = vfs
  }

  /// Performs every step and returns those that failed, in the order of `Step`. If the temporary
  /// directory cannot be created, returns only that failure.
  package func failures() -> [Failure] {
    let fileSystem = FileSystem(faults: faults)
    let name = ".archiver-trial-\(getpid())"
    let parent: Folder
    let folder: Folder
    do throws(StorageError) {
      parent = try Folder.open(path: path)
      // A killed trial may have left it; nothing else has this name.
      try fileSystem.removeTree(name, in: parent)
      try fileSystem.makeFolder(name, in: parent, mode: 0o700)
      folder = try parent.folder(name)
    } catch {
      return [Failure(step: .write, reason: FileSystemTrial.reason(error))]
    }
    // If the removal fails, the next trial by a process with this pid repeats it.
    defer { try? fileSystem.removeTree(name, in: parent) }
    return Step.allCases.compactMap { step in
      do throws(StorageError) {
        try take(step, in: folder, fileSystem)
        return nil
      } catch {
        return Failure(step: step, reason: FileSystemTrial.reason(error))
      }
    }
  }

  private func take(
    _ step: Step, in folder: Folder, _ fileSystem: FileSystem
  ) throws(StorageError) {
    switch step {
    case .write:
      let file = try fileSystem.create("file", in: folder)
      try fileSystem.announce(.write, file.path)
      try file.write(ArraySlice(repeating: 0x61, count: 4096))
      try file.synchronise()
    case .lock: try lock(in: folder, fileSystem)
    case .rename:
      try fileSystem.makeFolder("old", in: folder)
      try fileSystem.rename("old", in: folder, to: "new", in: folder)
    case .map:
      let connection = try SQLiteCatalog.writing(folder.at("catalog"), vfs: vfs)
      let mode = try connection.first("PRAGMA journal_mode", []) { $0.text(0) }
      guard mode == "wal" else { throw StorageError(.io, "no shared memory") }
    case .exchange:
      try fileSystem.makeFolder("one", in: folder)
      try fileSystem.makeFolder("other", in: folder)
      guard try fileSystem.exchange("one", in: folder, with: "other", in: folder) else {
        throw .file(ENOTSUP, "exchange", folder.at("one"))
      }
    case .link:
      try fileSystem.announce(.link, folder.at("second"))
      guard linkat(folder.descriptor, "file", folder.descriptor, "second", 0) == 0 else {
        throw .file(errno, "link", folder.at("second"))
      }
    }
  }

  /// Takes a lock; also fails if a second open file can take it meanwhile.
  private func lock(in folder: Folder, _ fileSystem: FileSystem) throws(StorageError) {
    try fileSystem.announce(.create, folder.at(ArchiveLayout.lock))
    let first = try ArchiveLock(in: folder, of: folder.path, holder: "trial", now: Date())
    defer { withExtendedLifetime(first) {} }
    do throws(StorageError) {
      _ = try ArchiveLock(in: folder, of: folder.path, holder: "trial", now: Date())
    } catch {
      if error.code == .locked { return }
      throw error
    }
    throw StorageError(.io, "two processes can have the same lock")
  }

  /// Returns the system's message, without the path of the temporary directory.
  private static func reason(_ error: StorageError) -> String {
    error.errorNumber.map { String(cString: strerror($0)) } ?? error.message
  }
}
