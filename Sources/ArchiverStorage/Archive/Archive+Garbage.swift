import ArchiverCore

/// The unused objects of the pool that `Archive.collectGarbage` removed, or would remove.
package struct GarbageReport: Sendable, Hashable {
  package var objects = 0
  package var byteCount = 0

  package init() {}

  mutating func add(_ byteCount: Int) {
    objects += 1
    self.byteCount += byteCount
  }
}

extension Archive {
  /// Removes the objects that no bundle and no version uses.
  ///
  /// An object in use has a second hard link. If the file system has no links, bundles have copies,
  /// and an object stays while the catalog remembers a URL that returned it. Objects stored since
  /// the archive was opened stay until they are published. May be interrupted and repeated.
  package func collectGarbage() throws(StorageError) -> GarbageReport {
    var report = GarbageReport()
    let linksTell = try linksTell()
    try objects.forEachShard { (shard, entries) throws(StorageError) in
      try removeGarbage(of: shard, entries, unusedSince: nil, linksTell: linksTell, &report)
    }
    return report
  }

  /// Counts what `collectGarbage` would remove.
  package func garbage() throws(StorageError) -> GarbageReport {
    var report = GarbageReport()
    let linksTell = try linksTell()
    try objects.forEachShard { (shard, entries) throws(StorageError) in
      for object in try garbage(of: shard, entries, unusedSince: nil, linksTell: linksTell) {
        report.add(object.byteCount)
      }
    }
    return report
  }

  /// Removes the garbage of one shard, except objects used after `date`.
  func removeGarbage(
    of shard: Folder, _ entries: [Folder.Entry], unusedSince date: Date?, linksTell: Bool,
    _ report: inout GarbageReport
  ) throws(StorageError) {
    let found = try garbage(of: shard, entries, unusedSince: date, linksTell: linksTell)
    guard !found.isEmpty else { return }
    // First the catalog, then the objects: the catalog must never refer to a missing object.
    try catalog.forget(objects: found.map(\.name))
    for object in found {
      try fileSystem.removeFile(object.name, in: shard)
      report.add(object.byteCount)
    }
  }

  func garbage(
    of shard: Folder, _ entries: [Folder.Entry], unusedSince date: Date?, linksTell: Bool
  ) throws(StorageError) -> [(name: String, byteCount: Int)] {
    var found: [(name: String, byteCount: Int)] = []
    for entry in entries {
      guard let status = try shard.status(entry.name), status.kind == .file,
        status.linkCount == 1, !objects.isFresh(entry.name), isOld(status, date)
      else { continue }
      if !linksTell, try catalog.remembers(object: entry.name) { continue }
      found.append((entry.name, status.byteCount))
    }
    return found
  }

  /// Whether a single hard link means that an object is unused. In a copy of an archive without its
  /// links, or without support for links, most objects have one link.
  func linksTell() throws(StorageError) -> Bool {
    var linked = 0
    var count = 0
    for name in try objects.shardNames() where count < 1000 {
      let shard = try objects.shard(name)
      for entry in try shard.entries() {
        guard let status = try shard.status(entry.name), status.kind == .file else { continue }
        count += 1
        if status.linkCount > 1 { linked += 1 }
      }
    }
    return linked > count / 2
  }

  /// Removing a link updates the inode's change time.
  private func isOld(_ status: Folder.Status, _ date: Date?) -> Bool {
    guard let date else { return true }
    return Double(status.changed) < date.timeIntervalSince1970
  }
}
