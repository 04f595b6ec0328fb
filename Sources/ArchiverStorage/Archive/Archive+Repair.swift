package import ArchiverCore

extension Archive {
  /// Removes objects that verification found damaged from the pool, so that they are fetched again
  /// and not linked into other bundles. Returns how many.
  ///
  /// Bundles keep their damaged copies until they are replaced.
  package func discardDamage(
    _ problems: [VerificationProblem]
  ) throws(StorageError) -> Int {
    var suspects = Set<String>()
    for problem in problems {
      guard let file = problem.file else { continue }
      switch problem.kind {
      case .objectDamaged, .objectMissing: suspects.insert(file)
      case .hashMismatch:
        guard let bytes = try bundles.read(ChecksumList.fileName, of: problem.folder) else {
          continue
        }
        let list = try ChecksumList(bytes, path: problem.folder)
        if let digest = list[file] { suspects.insert(digest) }
      default: continue
      }
    }
    var discarded = 0
    for digest in suspects where Digest.isSHA256(digest) {
      if try discardUnlessWhole(digest) { discarded += 1 }
    }
    return discarded
  }

  private func discardUnlessWhole(_ digest: String) throws(StorageError) -> Bool {
    let place = "\(ArchiveLayout.control)/\(ArchiveLayout.objects)/\(digest.prefix(2))"
    guard let shard = try root.descend(place), try shard.status(digest) != nil else {
      try catalog.forget(object: digest)
      return true
    }
    guard try VerifiedFile(digest, in: shard).sha256 != digest else { return false }
    // First the catalog, then the object: the catalog must never refer to a missing object.
    try catalog.forget(object: digest)
    try fileSystem.removeFile(digest, in: shard)
    return true
  }

  /// Copies a bundle to a directory beside it that the archive does not manage: without record,
  /// checksums and versions. Returns the copy's directory relative to the archive.
  package func copyAside(_ folder: String, now: Date) throws(StorageError) -> String {
    let place = try BundlePlace(folder)
    guard let bundle = try root.descend(folder), let parent = try root.descend(place.parent) else {
      throw StorageError(.notFound, "there is no bundle at \(folder)")
    }
    var names: [String] = []
    for entry in try parent.entries() { names.append(entry.name) }
    let taken = names.filter { $0.hasPrefix("\(place.name)-edited-") }
      .map { String($0.dropFirst(place.name.count + "-edited-".count)) }
    let name = "\(place.name)-edited-\(VersionPlan.name(now, unlike: taken))"
    let staged = staging.uniqueName()
    do throws(StorageError) {
      try fileSystem.makeFolder(staged, in: staging.folder)
      try TreeLinker(fileSystem: fileSystem).forEachFile(
        bundle, into: try staging.folder.folder(staged),
        skipping: [BundlePath.versions, ChecksumList.fileName, ItemRecord.fileName]
      ) { (name, source, target, _) throws(StorageError) in
        try fileSystem.copy(name, of: source, to: name, in: target)
      }
      try fileSystem.synchroniseAll(staging.folder, trees: [staged])
      try fileSystem.rename(staged, in: staging.folder, to: name, in: parent)
      try fileSystem.synchronise(parent)
    } catch {
      staging.discard(staged)
      throw error
    }
    return "\(place.parent)/\(name)"
  }

  /// Returns the latest modification time of a bundle's files, without its versions, in whole
  /// seconds; `nil` if there is no bundle.
  package func lastChange(of folder: String) throws(StorageError) -> Date? {
    guard let bundle = try root.descend(folder) else { return nil }
    var latest = 0
    for entry in try bundle.entries() where entry.name != BundlePath.versions {
      if let status = try bundle.status(entry.name) { latest = max(latest, Int(status.modified)) }
    }
    return Date(timeIntervalSince1970: Double(latest))
  }
}
