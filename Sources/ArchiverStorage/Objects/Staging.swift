import Synchronization

/// `.archiver/staging`, where everything is made before it gets its name. Emptied at start.
final class Staging: Sendable {
  let folder: Folder
  private let fileSystem: FileSystem
  private let counter = Atomic<Int>(0)

  init(folder: Folder, fileSystem: FileSystem) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// Returns a name no one else has had since the archive was opened.
  func uniqueName() -> String {
    "s\(counter.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Removes an entry; what cannot be removed now goes when the archive is opened next.
  func discard(_ name: String) {
    try? fileSystem.removeTree(name, in: folder)  // clean-up, repeated at the next start
  }
}
