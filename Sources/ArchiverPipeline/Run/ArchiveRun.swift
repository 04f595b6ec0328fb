package import ArchiverCore
import ArchiverSite
package import ArchiverStorage

/// A run over one or more sources into one archive.
///
/// Sources run in parallel and share the limits on downloads. Failures are in the report; a run
/// never throws. After the items, the library is updated.
package struct ArchiveRun: Sendable {
  private let archive: Archive
  private let sources: [RunSource]
  private let options: RunOptions
  private let clock: ArchiverClock
  private let events: any EventSink

  package init(
    archive: Archive, sources: [RunSource], options: RunOptions, clock: ArchiverClock = .system,
    events: any EventSink = SilentEventSink()
  ) {
    self.archive = archive
    self.sources = sources
    self.options = options
    self.clock = clock
    self.events = events
  }

  /// Runs to the end, or until the calling task is cancelled; what was finished by then is kept.
  package func run() async -> RunReport {
    let started = ContinuousClock.now
    let fetcher = AssetFetcher(
      catalog: archive.catalog, pool: archive.objects,
      limiter: DownloadLimiter(
        total: options.jobs + options.downloadsAhead, perHost: options.jobsPerHost,
        exemptHosts: Set(sources.compactMap { $0.origin?.host })),
      clock: clock, events: events)
    let library = LibraryBuilder(
      root: archive.path, catalog: archive.catalog, words: options.words, books: options.books)
    let journal = WorkJournal(archive)
    let deathFailure = caught { () throws(StorageError) in try noteDeath(journal) }
    let runs = sources.map { source in
      SourceRun(
        source: source, archive: archive, fetcher: fetcher, library: library, journal: journal,
        options: options.for(source), clock: clock, events: events)
    }
    let outcomes = await withTaskGroup(of: (Int, SourceRun.Outcome).self) { group in
      for (index, run) in runs.enumerated() {
        group.addTask { (index, await run.run()) }
      }
      var outcomes: [(Int, SourceRun.Outcome)] = []
      for await outcome in group { outcomes.append(outcome) }
      return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
    }
    var report = RunReport(sources: outcomes.map(\.report), wasCancelled: Task.isCancelled)
    let failure = expire(&report, library)
    report.failure =
      deathFailure ?? failure ?? outcomes.compactMap(\.error).first ?? mendLinks()
    if report.failure == nil { report.failure = await remakePages(&report, library) }
    report.failure = report.failure ?? update(library, outcomes, &report) ?? freeRoom(report)
    if report.failure == nil { await tryLast(runs, outcomes, &report, library) }
    if report.failure == nil, !Task.isCancelled { report.failure = keepHouse() }
    report.duration = ContinuousClock.now - started
    return report
  }

  /// Records the items that were in work when an earlier process died.
  private func noteDeath(_ journal: WorkJournal) throws(StorageError) {
    if let death = journal.death {
      try archive.catalog.noteDeath(death, journal.left, now: clock.now())
    }
    // Otherwise a run that takes no item would leave it to be counted once more.
    journal.restart()
  }

  /// Returns the error that `body` throws, if any.
  private func caught(_ body: () throws(StorageError) -> Void) -> StorageError? {
    do throws(StorageError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Retries the items at which the process died repeatedly, and updates the library once more.
  private func tryLast(
    _ runs: [SourceRun], _ outcomes: [SourceRun.Outcome], _ report: inout RunReport,
    _ library: LibraryBuilder
  ) async {
    var later: [SourceRun.Outcome] = []
    for (index, run) in runs.enumerated() {
      var outcome = outcomes[index]
      outcome.report = report.sources[index]
      outcome.report.hasChanged = false
      outcome.previousRunCrashed = false
      let last = await run.tryLast(outcome)
      report.sources[index] = last.report
      report.failure = report.failure ?? last.error
      later.append(last)
    }
    guard later.contains(where: \.report.hasChanged) else { return }
    report.failure = report.failure ?? mendLinks() ?? update(library, later, &report)
  }

  /// Removes items that the sources' retention policies no longer keep. A source that was not
  /// reached keeps everything.
  private func expire(_ report: inout RunReport, _ library: LibraryBuilder) -> StorageError? {
    for index in report.sources.indices where report.sources[index].failure == nil {
      guard !Task.isCancelled, let policy = sources[index].retention else { continue }
      do {
        let retention = Retention(policy)
        let plan = try retention.plan(archive.catalog)
        if plan.items.isEmpty { continue }
        _ = try retention.carryOut(plan, in: archive, library: library)
        report.sources[index].expired = plan.items.map {
          SourceReport.ItemNote(id: $0.key.id, title: $0.title, message: "no longer kept")
        }
      } catch let error as StorageError {
        return error
      } catch {
        return StorageError(.io, "old items could not be removed: \(error)", underlying: error)
      }
    }
    return nil
  }

  /// Rebuilds pages that another version of the program made or that are in another language, some of
  /// them in each run.
  private func remakePages(
    _ report: inout RunReport, _ library: LibraryBuilder
  ) async -> StorageError? {
    guard options.only.isEmpty, !Task.isCancelled else { return nil }
    let renderer = PageRenderer(
      archive: archive, sources: sources, options: options, clock: clock, library: library)
    do throws(StorageError) {
      let pages = try await renderer.pages(limit: .seconds(60))
      report.remade = pages.written
      report.notRemade = pages.left
      if pages.written > 0 { try LinkMender(archive: archive).mend() }
      return nil
    } catch {
      return error
    }
  }

  /// Removes objects that only evicted items used from the pool.
  private func freeRoom(_ report: RunReport) -> StorageError? {
    guard report.sources.contains(where: { !$0.left.isEmpty || !$0.held.isEmpty }) else {
      return nil
    }
    return caught { () throws(StorageError) in _ = try archive.collectGarbage() }
  }

  /// Removes what nothing uses; once a day, for a few seconds at most.
  private func keepHouse() -> StorageError? {
    caught { () throws(StorageError) in
      _ = try archive.housekeeping(now: clock.now(), limit: .seconds(2))
    }
  }

  private func mendLinks() -> StorageError? {
    caught { () throws(StorageError) in _ = try LinkMender(archive: archive).mend() }
  }

  private func update(
    _ library: LibraryBuilder, _ outcomes: [SourceRun.Outcome], _ report: inout RunReport
  ) -> StorageError? {
    // Free the memory used for items; building the library needs its own.
    archive.catalog.releaseMemory()
    do {
      // After a run that died everything is compared, as what it published does not count as
      // changed here. The same holds for items that became outdated without being fetched, or were
      // deleted: their cards say so.
      let isAnyOther = outcomes.contains { outcome in
        let plan = outcome.report.plan
        return outcome.previousRunCrashed || plan.changed > 0 && outcome.report.waiting > 0
          || plan.deleted + plan.withheld + plan.returned > 0
      }
      let update = try library.update(
        isChanged: isAnyOther || report.remade > 0 || outcomes.contains(where: \.report.hasChanged))
      report.libraryTroubles = update.troubles.map {
        SourceReport.ItemNote(id: $0.key.id, title: "", message: $0.reason)
      }
      return nil
    } catch let error as StorageError {
      return error
    } catch {
      return StorageError(.io, "the library could not be written: \(error)", underlying: error)
    }
  }
}
