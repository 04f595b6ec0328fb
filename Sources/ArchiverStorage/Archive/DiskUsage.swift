package import ArchiverCore

/// The bytes of an archive on disk. Each file counts once, however many hard links it has.
package struct DiskUsage: Sendable, Hashable, Codable {
  /// The time of measuring.
  package var measured: Date
  /// Files of current bundles, except those shared with the pool.
  package var items = 0
  /// Files of earlier versions, except those shared with the pool.
  package var versions = 0
  /// The object pool: images and files of bundles and versions.
  package var pool = 0
  /// The library's pages.
  package var library = 0
  /// The catalog with its WAL, and staging.
  package var catalog = 0

  package init(measured: Date) {
    self.measured = measured
  }

  package var total: Int { items + versions + pool + library + catalog }
}

extension Archive {
  /// Measures the disk usage; `nil` if the time limit was reached first.
  func measure(now: Date, until end: ContinuousClock.Instant) throws(StorageError) -> DiskUsage? {
    var walk = UsageWalk(end: end)
    var usage = DiskUsage(measured: now)
    for entry in try control.entries() {
      switch (entry.kind, entry.name) {
      case (.folder, ArchiveLayout.objects):
        usage.pool = try walk.byteCount(of: control.folder(entry.name))
      case (.folder, _): usage.catalog += try walk.byteCount(of: control.folder(entry.name))
      case (.file, _): usage.catalog += try control.status(entry.name)?.byteCount ?? 0
      case (.link, _), (.other, _): continue
      }
    }
    for source in try root.entries() where source.kind == .folder && !source.name.hasPrefix(".") {
      let folder = try root.folder(source.name)
      if source.name == "library" {
        usage.library = try walk.byteCount(of: folder)
        continue
      }
      for entry in try folder.entries() where entry.kind == .folder {
        let bundle = try folder.folder(entry.name)
        usage.items += try walk.byteCount(of: bundle, without: BundlePath.versions)
        if let versions = try bundle.folderIfPresent(BundlePath.versions) {
          usage.versions += try walk.byteCount(of: versions)
        }
      }
    }
    return walk.isOver ? nil : usage
  }
}

/// Sums file sizes, counting hard-linked files once.
private struct UsageWalk {
  private struct File: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  let end: ContinuousClock.Instant
  private var seen: Set<File> = []
  private(set) var isOver = false

  init(end: ContinuousClock.Instant) {
    self.end = end
  }

  mutating func byteCount(of folder: Folder, without name: String = "") throws(StorageError) -> Int
  {
    if isOver || ContinuousClock.now >= end {
      isOver = true
      return 0
    }
    var sum = 0
    for entry in try folder.entries() where entry.name != name {
      switch entry.kind {
      case .folder: sum += try byteCount(of: folder.folder(entry.name))
      case .file:
        guard let status = try folder.status(entry.name) else { continue }
        let file = File(device: status.device, inode: status.inode)
        if status.linkCount > 1, !seen.insert(file).inserted { continue }
        sum += status.byteCount
      // The target of a symbolic link is not part of the archive.
      case .link, .other: continue
      }
    }
    return sum
  }
}
