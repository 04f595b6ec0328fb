import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// One source's part in a run: list, plan, then the items.
struct SourceRun: Sendable {
  struct Outcome: Sendable {
    var report: SourceReport
    var error: StorageError?
    /// Whether the previous run terminated unexpectedly, so that the library may lack its items.
    var previousRunCrashed = false
  }

  let source: RunSource
  let archive: Archive
  let fetcher: AssetFetcher
  let library: LibraryBuilder
  let journal: WorkJournal
  let options: RunOptions
  let clock: ArchiverClock
  let events: any EventSink

  func run() async -> Outcome {
    var outcome = Outcome(report: SourceReport(name: source.name, kind: source.kind))
    var record = RunRecord(source: source.name, kind: source.kind, started: clock.now())
    do throws(StorageError) {
      let previous = try archive.catalog.runs(source: source.name, limit: 1).first
      let id = try archive.catalog.beginRun(record)
      outcome = await work(outcome.report, previousRun: previous?.started)
      outcome.previousRunCrashed =
        previous.map { $0.finished == nil || $0.outcome == .died } ?? false
      if outcome.previousRunCrashed, !journal.wasReported {
        outcome.report.diedBefore = previous?.started
      }
      outcome.report.stillFailing = try stillFailing(outcome.report)
      record.close(
        outcome, cancelled: Task.isCancelled && options.timeLimit?.isOver != true,
        now: clock.now())
      try archive.catalog.finishRun(id, record)
    } catch {
      outcome.error = outcome.error ?? error
    }
    events.send(
      .sourceFinished(
        source: source.name, failure: outcome.report.failure?.message ?? outcome.error?.message))
    return outcome
  }

  /// Returns the number of failing items that this run did not try.
  private func stillFailing(_ report: SourceReport) throws(StorageError) -> Int {
    let tried = Set(report.failed.map(\.id))
    return try archive.catalog.failures(source: source.name).count { !tried.contains($0.key.id) }
  }

  private func work(_ initial: SourceReport, previousRun: Date?) async -> Outcome {
    var outcome = Outcome(report: initial)
    do {
      let listing = try await plan(previousRun: previousRun)
      // An account in which nothing changed costs no request, but for once a week.
      if options.only.isEmpty, listing.failure == nil, listing.isWhole || listing.plan.hasChanges {
        try await keepAccount()
      }
      outcome.report.plan = listing.plan
      outcome.report.gaps = listing.gaps
      var selection = WorkSelection(only: options.only, now: clock.now(), force: options.force)
      outcome.report.unchanged = outcome.report.plan.unchanged
      let budget = try openBudget(&outcome)
      outcome.report.unknown = try archive.catalog.unknown(options.only, of: source.name)
      let due = try archive.catalog.workCount(source: source.name, selection)
      let plan = outcome.report.plan
      // New items older than those that the retention policy keeps are left out.
      let kept = source.retention?.keep.map { $0 + plan.changed + plan.retries }
      outcome.report.plan.selected = min(due, options.maxItems ?? due, kept ?? due)
      events.send(.planned(source: source.name, plan: outcome.report.plan))
      selection.limit = nil
      // Items in work when the process died are tried after all others, one at a time.
      for blame in [WorkSelection.Blame.none, .some] {
        selection.blame = blame
        outcome = try await fetch(
          outcome.report, selection: selection, within: budget,
          patience: max(.zero, options.patience - listing.waited))
        guard outcome.error == nil, outcome.report.failure == nil, !Task.isCancelled else { break }
      }
      try archive.catalog.endFetching(source: source.name)
      try Deletion(policy: options.onDeleted, archive: archive, source: source.name)
        .carryOut(&outcome)
      outcome.report.waiting = try archive.catalog.workCount(
        source: source.name, WorkSelection(now: clock.now()))
      if outcome.report.failure == nil { outcome.report.failure = listing.failure }
    } catch let error as AdapterError {
      outcome.report.failure = error
    } catch let error as StorageError {
      outcome.error = error
    } catch is CancellationError {
      outcome.report.failure = AdapterError(.cancelled, "Cancelled")
    } catch {
      outcome.report.failure = AdapterError(.unavailable, "\(error)", underlying: error)
    }
    return outcome
  }

  /// Retries, one at a time, the items that count as failed after crashes. Called when the library
  /// is up to date, as the process may die again.
  func tryLast(_ outcome: Outcome) async -> Outcome {
    guard outcome.error == nil, outcome.report.failure == nil, !Task.isCancelled else {
      return outcome
    }
    var selection = WorkSelection(only: options.only, now: clock.now(), force: options.force)
    selection.blame = .failed
    var last = outcome
    do throws(StorageError) {
      guard try archive.catalog.workCount(source: source.name, selection) > 0 else {
        return outcome
      }
      last = try await fetch(
        outcome.report, selection: selection, within: try openBudget(&last),
        patience: options.patience)
    } catch {
      last.error = error
    }
    return last
  }

  private func plan(previousRun: Date?) async throws -> Planner.Outcome {
    let planner = Planner(
      source: source, catalog: archive.catalog, options: options, clock: clock, events: events,
      previousRun: previousRun)
    do {
      return try await planner.plan()
    } catch {
      throw options.timeLimit?.failure(ofListing: error) ?? error
    }
  }

  /// Stores what the account has beside items. If the source does not tell, the last result stays.
  private func keepAccount() async throws {
    let account: JSONValue?
    do throws(AdapterError) {
      account = try await source.adapter.accountRecord()
    } catch {
      if error.code == .cancelled { throw error }
      return events.send(
        .log(
          .warning, source: source.name,
          message: "what the account has beside items was not archived: \(error.message)"))
    }
    guard let account else { return }
    try archive.store(Archive.AccountData(kind: source.kind, account: account), of: source.name)
  }

  /// Evicts items over the budget, and requeues deferred items that fit.
  private func openBudget(_ outcome: inout Outcome) throws(StorageError) -> StorageBudget? {
    let catalog = archive.catalog
    try catalog.endFetching(source: source.name)
    guard source.maxBytes != nil || source.minFree != nil else {
      _ = try catalog.releaseHeld(source: source.name, room: nil)
      return nil
    }
    let room = source.minFree.map { minFree in
      DiskRoom(minFree: minFree) { [archive, options] in
        options.freeBytes.map { $0() } ?? archive.freeBytes
      }
    }
    let budget = try StorageBudget(
      limit: source.maxBytes, room: room, source: source.name, archive: archive)
    for leaving in try budget.evictionsOverLimit() {
      try budget.leave(leaving)
      outcome.report.hasChanged = true
      outcome.report.left.append(
        SourceReport.ItemNote(
          id: leaving.item.key.id, title: leaving.item.metadata.title,
          message: "it was evicted to stay within the storage budget"))
    }
    _ = try catalog.releaseHeld(source: source.name, room: budget.limit - (try budget.used()))
    return budget
  }

  /// - Parameter patience: How long the items may wait for the source if it goes away.
  private func fetch(
    _ report: SourceReport, selection: WorkSelection, within budget: StorageBudget?,
    patience: Duration
  ) async throws(StorageError) -> Outcome {
    let pinned = Set(try archive.catalog.pins(source: source.name).map(\.id))
    let processor = ItemProcessor(
      source: source, archive: archive, fetcher: fetcher, library: library, options: options,
      clock: clock)
    let loop = ItemLoop(
      source: source, processor: processor, archive: archive,
      queue: WorkSupply(
        catalog: archive.catalog, source: source.name,
        budget: options.maxItems.map { max(0, $0 - report.archived) }, selection: selection,
        pinned: pinned),
      tally: ItemTally(
        report: report, events: events, limits: options.limits),
      clock: clock, jobs: options.jobs, budget: budget,
      bound: try RetentionBound(source.retention, source: source.name, catalog: archive.catalog),
      patience: patience, journal: journal, isOneByOne: selection.blame != .none)
    return await loop.run()
  }
}

extension SQLiteCatalog {
  /// Returns those of the ids that are neither archived nor queued.
  func unknown(_ ids: [String], of source: String) throws(StorageError) -> [String] {
    var unknown: [String] = []
    for id in ids where try item(ItemKey(source: source, id: id)) == nil {
      let selection = WorkSelection(only: [id], now: .distantPast, force: true)
      if try workCount(source: source, selection) == 0 { unknown.append(id) }
    }
    return unknown
  }
}

extension RunRecord {
  /// Fills in the result of the run. What could not be reached is not among the failing items, as it is
  /// due again at once, so that the record alone says it. A run that its time limit ended reached the source: `cancelled`
  /// is false, and its failure is only that it was cancelled.
  fileprivate mutating func close(_ outcome: SourceRun.Outcome, cancelled: Bool, now: Date) {
    let report = outcome.report
    finished = now
    archived = report.archived
    unchanged = report.unchanged
    failed = report.failed.count
    images = report.images
    imagesMissing = report.imagesMissing
    byteCount = report.byteCount
    let sourceFailure = report.failure.flatMap { $0.code == .cancelled ? nil : $0 }
    failure =
      sourceFailure?.message ?? outcome.error?.message ?? report.gaps.first?.message
      ?? report.unreachedSentence
    if cancelled || outcome.error != nil {
      failure = outcome.error?.message
      self.outcome = .interrupted
    } else if sourceFailure != nil {
      self.outcome = .sourceFailed
    } else {
      let isWhole = report.failed.isEmpty && report.unreached == 0 && report.gaps.isEmpty
      self.outcome = isWhole ? .ok : .partial
    }
  }
}
