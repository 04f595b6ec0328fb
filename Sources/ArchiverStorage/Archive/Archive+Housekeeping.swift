package import ArchiverCore

/// What `Archive.housekeeping` did.
package struct HousekeepingReport: Sendable, Hashable {
  package var garbage = GarbageReport()
  /// Records of runs that were summed up with others.
  package var prunedRuns = 0
  /// Items whose bundle was not what the catalog has of it: the next listing that names one has it
  /// fetched again.
  package var distrusted = 0
  /// False when it was not due, or its time was up before it had seen everything; the next call
  /// goes on there.
  package var isComplete = false

  package init() {}
}

extension Archive {
  /// How long a file of the pool stays that nothing uses: an item that is on its way, or comes back,
  /// finds it.
  private static let graceDays = 3.0
  /// How long each run's record stays.
  private static let runDays = 90.0
  /// Housekeeping that was completed is due again after this many seconds.
  private static let interval = 20.0 * 3600

  /// Keeps the archive from growing by what nothing uses: collects files of the pool that no bundle and
  /// no version has used for some days, sums up old runs, and measures what the disk holds. Once a week
  /// it compares the bundles with the catalog.
  ///
  /// Does nothing where it was completed in the last 20 hours. Takes about `limit` at most and goes on
  /// at the next call where it stopped. May be cut short anywhere.
  package func housekeeping(now: Date, limit: Duration) throws(StorageError) -> HousekeepingReport {
    var report = HousekeepingReport()
    var state = HousekeepingState(ifReadableIn: control)
    // A clock that went back makes it due.
    if let done = state.completed, done <= now, now < done + Self.interval { return report }
    let end = ContinuousClock.now + limit
    let used = now - Self.graceDays * 86_400
    let linksTell = try linksTell()
    for name in try objects.shardNames() where name > state.shard {
      guard ContinuousClock.now < end else {
        try state.save(in: self)
        return report
      }
      let shard = try objects.shard(name)
      try removeGarbage(
        of: shard, try shard.entries(), unusedSince: used, linksTell: linksTell, &report.garbage)
      state.shard = name
    }
    if isComparisonDue(state, now: now) {
      guard try distrustStrangers(&state, until: end, &report) else {
        try state.save(in: self)
        return report
      }
      state.compared = now
    }
    report.prunedRuns = try catalog.sumUpRuns(before: now - Self.runDays * 86_400)
    state.shard = ""
    state.completed = now
    state.usage = try measure(now: now, until: max(end, .now + .milliseconds(500)))
    try state.save(in: self)
    report.isComplete = true
    return report
  }

  /// What the disk holds, as housekeeping measured it last; `nil` where it never could.
  package func lastUsage() -> DiskUsage? { HousekeepingState(ifReadableIn: control).usage }
}

extension Archive {
  /// The same for an archive that is not open; `nil` also where there is none.
  package static func lastUsage(path: String) -> DiskUsage? {
    // What cannot be read was never measured.
    guard let root = try? Folder.open(path: path),
      let control = try? root.folder(ArchiveLayout.control)
    else { return nil }
    return HousekeepingState(ifReadableIn: control).usage
  }
}

/// How far housekeeping is: `.archiver/housekeeping.json`. Losing it costs a repetition.
struct HousekeepingState: Codable {
  private static let fileName = "housekeeping.json"

  /// The last shard that was seen; empty at the beginning.
  var shard = ""
  /// The folder of the last bundle that was compared; `nil` at the beginning.
  var bundle: String?
  /// When the last comparison of all bundles ended.
  var compared: Date?
  var completed: Date?
  var usage: DiskUsage?

  /// Reads the state; what cannot be read is the beginning.
  init(ifReadableIn control: Folder) {
    guard let bytes = try? OpenFile.reading(Self.fileName, in: control).readAll(),
      let state = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    else { return }
    self = state
  }

  func save(in archive: Archive) throws(StorageError) {
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try JSONEncoder().encode(self))
    } catch {
      throw StorageError(.io, "the state of housekeeping cannot be written", underlying: error)
    }
    let name = archive.staging.uniqueName()
    do throws(StorageError) {
      try archive.fileSystem.writeFile(name, in: archive.staging.folder, bytes)
      try archive.fileSystem.rename(
        name, in: archive.staging.folder, to: Self.fileName, in: archive.control)
    } catch {
      archive.staging.discard(name)
      throw error
    }
  }
}
