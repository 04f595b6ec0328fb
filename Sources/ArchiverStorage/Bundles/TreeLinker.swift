import ArchiverCore

/// Hard-links the files of one directory tree into another.
struct TreeLinker {
  let fileSystem: FileSystem

  /// Links everything except top-level entries with these names.
  func linkTree(
    _ source: Folder, into target: Folder, skipping: Set<String> = []
  ) throws(StorageError) {
    try forEachFile(source, into: target, skipping: skipping) {
      (name, folder, targetFolder, path) throws(StorageError) in
      guard ChecksumList.canHold(path) else { return }
      try fileSystem.link(name, of: folder, to: name, in: targetFolder)
    }
  }

  /// Links a bundle without its versions and writes its SHA256SUMS; `page`, if given, replaces its
  /// page.
  ///
  /// Pages may have been edited since the bundle was written, and the edited copy is kept; so they
  /// are hashed again, and the record says that the page was edited. Assets keep the digest they
  /// were stored with: a difference there is damage, which `verify` must still find.
  func linkBundle(
    _ bundle: Folder, into target: Folder, page: [UInt8]? = nil
  ) throws(StorageError) {
    let known = try ChecksumList(ifReadableIn: bundle) ?? ChecksumList()
    var checksums = ChecksumList()
    let edited = try editedRecord(bundle, known)
    try forEachFile(bundle, into: target, skipping: [BundlePath.versions, ChecksumList.fileName]) {
      (name, folder, targetFolder, path) throws(StorageError) in
      guard ChecksumList.canHold(path) else { return }
      if path == BundlePath.page, let page {
        try fileSystem.writeFile(name, in: targetFolder, page)
        checksums[path] = Digest.sha256Hex(page)
        return
      }
      if path == ItemRecord.fileName, let edited {
        try fileSystem.writeFile(name, in: targetFolder, edited)
        checksums[path] = Digest.sha256Hex(edited)
        return
      }
      try fileSystem.link(name, of: folder, to: name, in: targetFolder)
      if path.hasPrefix("assets/"), let digest = known[path] {
        checksums[path] = digest
      } else {
        checksums[path] = try OpenFile.reading(name, in: folder).digest().sha256
      }
    }
    try fileSystem.writeFile(ChecksumList.fileName, in: target, checksums.bytes)
  }

  /// Returns the record of a bundle whose page was edited, with that noted; `nil` if it was not
  /// edited or has no readable record.
  private func editedRecord(
    _ bundle: Folder, _ known: ChecksumList
  ) throws(StorageError) -> [UInt8]? {
    guard try bundle.status(BundlePath.page)?.kind == .file,
      try OpenFile.reading(BundlePath.page, in: bundle).digest().sha256 != known[BundlePath.page],
      var record = try ItemRecord(ifReadableIn: bundle)
    else { return nil }
    record.isEdited = true
    return try record.json()
  }

  /// Calls `body` with the name of each file, its folder, the folder in the other tree, which is made,
  /// and the path; not for top-level entries with these names.
  func forEachFile(
    _ source: Folder, into target: Folder, skipping: Set<String>, path: String = "",
    _ body: (String, Folder, Folder, String) throws(StorageError) -> Void
  ) throws(StorageError) {
    for entry in try source.entries() where !skipping.contains(entry.name) {
      let entryPath = path + entry.name
      switch entry.kind {
      case .file: try body(entry.name, source, target, entryPath)
      case .folder:
        try fileSystem.makeFolder(entry.name, in: target)
        try forEachFile(
          try source.folder(entry.name), into: try target.folder(entry.name), skipping: [],
          path: "\(entryPath)/", body)
      case .link, .other: continue
      }
    }
  }
}

extension OpenFile {
  /// Reads the whole file and returns its digest and size.
  func digest() throws(StorageError) -> StoredObject {
    let stream = DigestStream()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var total = 0
    while true {
      let count = try read(into: &buffer)
      guard count > 0 else { break }
      total += count
      buffer.withUnsafeBytes { stream.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
    return StoredObject(sha256: stream.finish(), byteCount: total)
  }
}
