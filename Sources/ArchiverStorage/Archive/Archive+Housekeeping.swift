package import ArchiverCore

/// The result of `Archive.housekeeping`.
package struct HousekeepingReport: Sendable, Hashable {
  package var garbage = GarbageReport()
  /// The number of run records merged into summaries.
  package var prunedRuns = 0
  /// The number of items whose bundle differs from the catalog: they are fetched again when a
  /// listing next returns them, or recorded again if the source has deleted them.
  package var distrusted = 0
  /// False if it was not due, or if the time limit was reached; the next call continues there.
  package var isComplete = false

  package init() {}
}

extension Archive {
  /// The number of days for which unused objects are kept, for items in progress and for items that return.
  private static let graceDays = 3.0
  /// The number of days for which the record of each run is kept.
  private static let runDays = 90.0
  /// The number of seconds between two completed passes.
  private static let interval = 20.0 * 3600

  /// Days after which the disk usage is measured again although nothing changed.
  private static let measuringDays = 28.0

  /// Keeps the archive from growing: removes objects unused for some days, merges old run records,
  /// and measures disk usage if anything changed. Once a week, compares the bundles with the catalog.
  ///
  /// A no-op if it was completed in the last 20 hours. Takes at most about `limit` and continues at
  /// the next call. May be interrupted at any point.
  package func housekeeping(now: Date, limit: Duration) throws(StorageError) -> HousekeepingReport {
    var report = HousekeepingReport()
    var state = HousekeepingState(ifReadableIn: control)
    // Also due if the clock went back.
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
    if try isMeasuringDue(state, now: now, report) {
      let sources = try sourceTimes()
      // If the time is too short, the earlier figures stay; they include the time of measuring.
      if let usage = try measure(now: now, until: max(end, .now + .seconds(5))) {
        state.usage = usage
        state.sources = sources
      }
    }
    try state.save(in: self)
    report.isComplete = true
    return report
  }

  /// Whether the disk usage may have changed since it was measured. Measuring reads the status of
  /// every file, so a run that changed nothing skips it.
  private func isMeasuringDue(
    _ state: HousekeepingState, now: Date, _ report: HousekeepingReport
  ) throws(StorageError) -> Bool {
    guard let usage = state.usage, usage.measured <= now,
      now < usage.measured + Self.measuringDays * 86_400, report.garbage.objects == 0
    else { return true }
    return try sourceTimes() != state.sources
  }

  /// Returns when the directory of each source was modified, by name. Adding, replacing or removing a
  /// bundle modifies it.
  private func sourceTimes() throws(StorageError) -> [String: String] {
    var times: [String: String] = [:]
    for entry in try root.entries() where entry.kind == .folder && !entry.name.hasPrefix(".") {
      // Skip the library: every run writes its status.
      if entry.name != "library", let status = try root.status(entry.name) {
        times[entry.name] = "\(status.modified) \(status.modifiedNanoseconds)"
      }
    }
    return times
  }

  /// The disk usage measured by the last housekeeping; `nil` if there is none.
  package func lastUsage() -> DiskUsage? { HousekeepingState(ifReadableIn: control).usage }
}

extension Archive {
  /// Returns the disk usage measured by the last housekeeping of the archive at `path`, which need
  /// not be open; `nil` if there is none.
  package static func lastUsage(path: String) -> DiskUsage? {
    // An unreadable state counts as never measured.
    guard let root = try? Folder.open(path: path),
      let control = try? root.folder(ArchiveLayout.control)
    else { return nil }
    return HousekeepingState(ifReadableIn: control).usage
  }

  /// Whether a run is in progress in the archive at `path`; false if there is no archive.
  package static func isRunAtWork(path: String) -> Bool {
    guard let root = try? Folder.open(path: path),
      let control = try? root.folder(ArchiveLayout.control)
    else { return false }
    return ArchiveLock.isHeldByRun(in: control)
  }
}

/// The progress of housekeeping: `.archiver/housekeeping.json`. Losing it only repeats work.
struct HousekeepingState: Codable {
  private static let fileName = "housekeeping.json"

  /// The last shard processed; empty at the start.
  var shard = ""
  /// The directory of the last bundle compared; `nil` at the start.
  var bundle: String?
  /// When the last comparison of all bundles was completed.
  var compared: Date?
  var completed: Date?
  var usage: DiskUsage?
  /// When the sources' directories had been modified before `usage` was measured: seconds since 1970 and
  /// nanoseconds.
  var sources: [String: String]?

  /// Reads the state; an unreadable file gives the initial state.
  init(ifReadableIn control: Folder) {
    guard let bytes = try? OpenFile.reading(Self.fileName, in: control).readAll(),
      let state = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    else { return }
    self = state
  }

  func save(in archive: Archive) throws(StorageError) {
    try archive.replace(
      Self.fileName, in: archive.control, by: self, [], "the state of housekeeping")
  }
}
