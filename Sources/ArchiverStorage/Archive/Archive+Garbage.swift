import ArchiverCore

/// What `Archive.collectGarbage` removed.
package struct GarbageReport: Sendable, Hashable {
  package var objects = 0
  package var byteCount = 0

  package init() {}
}

extension Archive {
  /// Removes the objects that no bundle and no remembered address uses.
  ///
  /// An object in use by a bundle has a second link; where the file system has no links, bundles
  /// have copies of their own. Objects stored since the archive was opened and not published yet
  /// stay. May be cut short and repeated.
  package func collectGarbage() throws(StorageError) -> GarbageReport {
    var report = GarbageReport()
    try objects.forEachShard { (shard, entries) throws(StorageError) in
      for entry in entries {
        guard let status = try shard.status(entry.name), status.kind == .file,
          status.linkCount == 1, !objects.isFresh(entry.name),
          try !catalog.remembers(object: entry.name)
        else { continue }
        // In this order: the catalog never vouches for an object that is gone.
        try catalog.forget(object: entry.name)
        try fileSystem.removeFile(entry.name, in: shard)
        report.objects += 1
        report.byteCount += status.byteCount
      }
    }
    return report
  }
}
