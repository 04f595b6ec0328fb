package import ArchiverCore
package import ArchiverStorage

/// Lists sources and reports what a run would fetch. Writes nothing.
///
/// The plan is made by the parts of a real run (`Planner`, `WorkSupply`, `Deletion`), on an
/// in-memory copy of the catalog. It does not know what only the items themselves tell, such as
/// whether a file fits, or whether an item is a favourite, which a retention policy keeps whatever
/// its age.
package struct DryRun: Sendable {
  /// `nil` if there is no archive yet: everything is new.
  private let catalog: SQLiteCatalog?
  private let sources: [RunSource]
  private let options: RunOptions
  private let clock: ArchiverClock
  private let events: any EventSink

  package init(
    catalog: SQLiteCatalog?, sources: [RunSource], options: RunOptions,
    clock: ArchiverClock = .system, events: any EventSink = SilentEventSink()
  ) {
    self.catalog = catalog
    self.sources = sources
    self.options = options
    self.clock = clock
    self.events = events
  }

  /// Returns a report whose sources list in `wouldFetch` what a run with these options would fetch,
  /// and in `wouldRemove` what it would remove as deleted.
  package func run() async -> RunReport {
    var report = RunReport()
    for source in sources {
      var part = SourceReport(name: source.name, kind: source.kind)
      do {
        part = try await plan(source)
      } catch let error as AdapterError where error.code != .cancelled {
        part.failure = error
      } catch let error as StorageError {
        report.failure = error
      } catch {
        part.failure = options.timeLimit?.failure(ofListing: error)
        report.wasCancelled = part.failure == nil
      }
      events.send(.sourceFinished(source: source.name, failure: part.failure?.message))
      report.sources.append(part)
    }
    return report
  }

  private func plan(_ source: RunSource) async throws -> SourceReport {
    let options = options.for(source)
    var report = SourceReport(name: source.name, kind: source.kind)
    let trial = try SQLiteCatalog.trial(of: catalog, sources: [source.name])
    let previous = try trial.runs(source: source.name, limit: 1).first?.started
    let listing = try await Planner(
      source: source, catalog: trial, options: options, clock: clock, events: events,
      previousRun: previous, revisits: false
    ).plan()
    report.plan = listing.plan
    report.gaps = listing.gaps
    report.failure = listing.failure
    report.unchanged = listing.plan.unchanged
    report.unknown = try trial.unknown(options.only, of: source.name)
    try release(trial, source)
    let (taken, leftOut) = try taken(trial, source, options)
    let titles = await titles(of: taken, source)
    report.wouldFetch = taken.map { work in
      let title = titles[work.reference.id] ?? work.reference.title
      return SourceReport.ItemNote(id: work.reference.id, title: source.shown(title), message: "")
    }
    report.plan.selected = taken.count
    report.plan.retries = taken.count { $0.attempts > 0 }
    // All that will be due at some time.
    let all = WorkSelection(only: options.only, now: .distantFuture, force: options.force)
    report.waiting = max(
      0, try trial.workCount(source: source.name, all) - taken.count - leftOut)
    if options.onDeleted == .remove {
      report.wouldRemove = try Deletion.removable(of: source.name, in: trial).notes
    }
    return report
  }

  /// Returns titles of items that were listed without one: those of the archived copies, or the
  /// source's.
  private func titles(of taken: [WorkItem], _ source: RunSource) async -> [String: String] {
    let unnamed = taken.map(\.reference).filter { $0.title.isEmpty }.map(\.id)
    if unnamed.isEmpty { return [:] }
    var titles: [String: String] = [:]
    for id in unnamed {
      // Errors are ignored: the title is only displayed.
      let item = try? catalog?.item(ItemKey(source: source.name, id: id))
      titles[id] = item?.metadata.title
    }
    let unknown = unnamed.filter { titles[$0] == nil }.prefix(1000)
    if unknown.isEmpty { return titles }
    return titles.merging(await source.adapter.titles(of: Array(unknown))) { $1 }
  }

  /// Requeues deferred items that fit into the source's budget.
  private func release(_ trial: SQLiteCatalog, _ source: RunSource) throws(StorageError) {
    try trial.endFetching(source: source.name)
    let used = try trial.byteCount(source: source.name)
    let free = source.minFree.flatMap { least in options.freeBytes?().map { $0 - least } }
    let room = min(source.maxBytes.map { $0 - used } ?? .max, free ?? .max)
    _ = try trial.releaseHeld(source: source.name, room: room)
  }

  /// Returns the entries that the loop of a run would take, in its order, and the number of those
  /// that the source's retention policy would exclude.
  private func taken(
    _ trial: SQLiteCatalog, _ source: RunSource, _ options: RunOptions
  ) throws(StorageError) -> (works: [WorkItem], leftOut: Int) {
    let pinned = Set(try trial.pins(source: source.name).map(\.id))
    var taken: [WorkItem] = []
    var leftOut = 0
    // Items that were named are archived whatever the policy says.
    var bound =
      options.only.isEmpty
      ? try RetentionBound(source.retention, source: source.name, catalog: catalog) : nil
    for blame in [WorkSelection.Blame.none, .some, .failed] {
      var selection = WorkSelection(only: options.only, now: clock.now(), force: options.force)
      selection.blame = blame
      var supply = WorkSupply(
        catalog: trial, source: source.name,
        budget: options.maxItems.map { max(0, $0 - taken.count) }, selection: selection,
        pinned: pinned)
      while true {
        let batch = try supply.next(100)
        if batch.isEmpty { break }
        for work in batch {
          if try bound?.leavesOut(work) == true {
            supply.refundBudget()
            leftOut += 1
          } else {
            taken.append(work)
          }
        }
      }
    }
    return (taken, leftOut)
  }
}
