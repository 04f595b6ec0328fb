/// A directory in `.archiver/staging` for another program.
package struct WorkFolder: Sendable {
  private let staging: Staging
  private let name: String

  init(_ staging: Staging) {
    self.staging = staging
    name = staging.uniqueName()
  }

  /// The path, which does not exist yet.
  package var path: String { staging.folder.at(name) }

  /// Removes the directory; if that fails, it is removed when the archive is next opened.
  package func discard() { staging.discard(name) }
}

extension ObjectPool {
  /// Returns a directory that is created when first used.
  package func makeWorkFolder() -> WorkFolder { WorkFolder(staging) }
}
