package import ArchiverCore
package import ArchiverStorage

/// Lists sources and tells what a run would fetch; writes nothing.
package struct DryRun: Sendable {
  /// `nil` when there is no archive yet: everything is new.
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

  /// Returns a report whose sources name in `wouldFetch` what a run with these options would take,
  /// and in `wouldRemove` what it would remove as gone.
  package func run() async -> RunReport {
    var report = RunReport()
    for source in sources {
      var part = SourceReport(name: source.name, kind: source.kind)
      do {
        part = try await plan(source.adapter, source: source)
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

  private func plan<Adapter: Source>(
    _ adapter: Adapter, source: RunSource
  ) async throws -> SourceReport {
    var report = SourceReport(name: source.name, kind: source.kind)
    var candidates: [String: ItemReference] = [:]
    let selection = WorkSelection(only: options.only, now: clock.now(), force: options.force)
    if let catalog {
      for work in try catalog.work(source: source.name, selection) {
        candidates[work.reference.id] = work.reference
        if work.attempts > 0 { report.plan.retries += 1 }
      }
    }
    let postponed = try postponed(source, but: candidates)
    let leftOut = try catalog?.leftOut(source: source.name) ?? []
    let checkpoint = try checkpoint(of: source)
    var departures: Departures?
    if let catalog, options.onDeleted == .remove {
      departures = try Departures(source.name, catalog)
    }
    var waiting = 0
    var isComplete = false
    var gaps: [ListingGap] = []
    var iterator =
      if let checkpoint {
        adapter.listing(since: checkpoint).makeAsyncIterator()
      } else {
        adapter.wholeListing(knowing: try catalog?.checkpoint(source: source.name))
          .makeAsyncIterator()
      }
    while let page = try await iterator.next(isolation: nil) {
      try Task.checkCancellation()
      isComplete = page.isCompleteEnumeration
      gaps += page.gaps.filter(\.isEssential)
      departures?.add(page)
      for reference in page.references where isWanted(reference) {
        if !options.force, leftOut.contains(reference.id) {
          report.plan.unchanged += 1
          continue
        }
        // What has failed waits for its next attempt, unless it has changed.
        if postponed[reference.id] == reference.revision {
          waiting += 1
          continue
        }
        try sort(reference, source: source, into: &candidates, &report.plan)
      }
      report.plan.deleted += page.deleted.count
    }
    report.gaps = gaps
    if isComplete, gaps.isEmpty {
      try departures?.addUnnamed()
    } else if checkpoint == nil {
      try await departures?.ask(adapter)
    }
    report.wouldRemove = try departures?.items() ?? []
    for id in options.only where candidates[id] == nil {
      if try catalog?.item(ItemKey(source: source.name, id: id)) == nil {
        report.unknown.append(id)
      }
    }
    let newest = candidates.values.sorted {
      ($0.date ?? .distantPast, $1.id) > ($1.date ?? .distantPast, $0.id)
    }
    report.wouldFetch = newest.prefix(options.for(source).maxItems ?? newest.count).map {
      SourceReport.ItemNote(id: $0.id, title: source.shown($0.title), message: "")
    }
    report.plan.selected = report.wouldFetch.count
    report.unchanged = report.plan.unchanged
    report.waiting = newest.count - report.wouldFetch.count + waiting
    return report
  }

  /// Returns the revisions of items in the queue that a run would not take yet, by id.
  private func postponed(
    _ source: RunSource, but due: [String: ItemReference]
  ) throws(StorageError) -> [String: String] {
    guard let catalog, !options.force else { return [:] }
    var postponed: [String: String] = [:]
    let all = WorkSelection(only: options.only, now: clock.now(), force: true)
    for work in try catalog.work(source: source.name, all)
    where due[work.reference.id] == nil {
      postponed[work.reference.id] = work.reference.revision
    }
    return postponed
  }

  /// Where the run would go on; `nil` when it would list everything.
  private func checkpoint(of source: RunSource) throws(StorageError) -> Checkpoint? {
    guard let catalog, !options.force, !options.fullListing else { return nil }
    let previous = try catalog.runs(source: source.name, limit: 1).first?.started
    let isWhole = WholeListing.isDue(
      try catalog.discovery(source: source.name), previousRun: previous, now: clock.now())
    return isWhole ? nil : try catalog.checkpoint(source: source.name)
  }

  private func isWanted(_ reference: ItemReference) -> Bool {
    options.only.isEmpty || options.only.contains(reference.id)
  }

  private func sort(
    _ reference: ItemReference, source: RunSource, into candidates: inout [String: ItemReference],
    _ plan: inout PlanSummary
  ) throws(StorageError) {
    let existing = try catalog?.item(ItemKey(source: source.name, id: reference.id))
    if existing == nil {
      plan.new += 1
    } else if existing?.revision != reference.revision || options.force {
      plan.changed += 1
    } else {
      plan.unchanged += 1
      return
    }
    candidates[reference.id] = reference
  }
}
