import Synchronization

/// `.archiver/staging`, where everything is written before it is renamed into place. Emptied at
/// start.
final class Staging: Sendable {
  let folder: Folder
  private let fileSystem: FileSystem
  private let counter = Atomic<Int>(0)

  init(folder: Folder, fileSystem: FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// Returns a name that is unique since the archive was opened.
  func uniqueName() -> String {
    "s\(counter.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Removes an entry; if that fails, it is removed when the archive is next opened.
  func discard(_ name: String) {
    try? fileSystem.removeTree(name, in: folder)  // clean-up, repeated at the next start
  }
}
