import ArchiverCore

extension LocalBundleStore {
  /// Returns whether an intended change of a directory was applied. First undoes the first half of
  /// an interrupted two-step replacement.
  func wasApplied(_ intent: Intent) throws(StorageError) -> Bool {
    switch intent {
    case .publish(let publication), .mend(let publication):
      try putBack(publication)
      let folder = publication.item.folder
      guard try visibleManifest(of: folder) == publication.manifest else { return false }
      // The process that renamed it may have died before fsyncing the parent directory.
      if let parent = try root.descend(try BundlePlace(folder).parent) {
        try fileSystem.synchronise(parent)
      }
      return true
    case .remove(_, let folder):
      return try root.descend(folder) == nil
    }
  }

  /// Moves a bundle into staging.
  func takeAway(_ folder: String, as name: String) throws(StorageError) {
    let place = try BundlePlace(folder)
    guard let parent = try root.descend(place.parent), try parent.status(place.name) != nil else {
      return
    }
    try fileSystem.rename(place.name, in: parent, to: name, in: staging.folder)
    try fileSystem.synchronise(parent)
  }

  private func putBack(_ publication: Publication) throws(StorageError) {
    let place = try BundlePlace(publication.item.folder)
    guard let parent = try root.descend(place.parent), try parent.status(place.name) == nil,
      try staging.folder.status(publication.replacedName) != nil
    else { return }
    try fileSystem.rename(
      publication.replacedName, in: staging.folder, to: place.name, in: parent)
    try fileSystem.synchronise(parent)
  }

  private func visibleManifest(of folder: String) throws(StorageError) -> String? {
    try read(ChecksumList.fileName, of: folder).map { Digest.sha256Hex($0) }
  }
}
