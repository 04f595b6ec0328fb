/// A name in `.archiver/staging` for a folder in which another program may work.
package struct WorkFolder: Sendable {
  private let staging: Staging
  private let name: String

  init(_ staging: Staging) {
    self.staging = staging
    name = staging.uniqueName()
  }

  /// The path, at which nothing is yet.
  package var path: String { staging.folder.at(name) }

  /// Removes the folder; what cannot be removed now goes when the archive is opened next.
  package func discard() { staging.discard(name) }
}

extension ObjectPool {
  /// Returns a directory that is created when first used.
  package func makeWorkFolder() -> WorkFolder { WorkFolder(staging) }
}
