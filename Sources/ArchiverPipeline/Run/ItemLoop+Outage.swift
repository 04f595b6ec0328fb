import ArchiverCore
import ArchiverStorage

/// Waiting for a source that became unreachable, and what happens to its items.
extension ItemLoop {
  /// Begins to wait for an unavailable source, or to find out whether it is one.
  mutating func startWaiting(_ group: inout TaskGroup<Step>) {
    guard !isStopping else { return }
    let source = source
    // At the end, a single item without its files suffices.
    let isLast = fetching == 0 && processing == 0 && ready.isEmpty && !stranded.isEmpty
    if health.beginProbe(isDue: isLast) { group.addTask { .probed(await Outage.answers(source)) } }
    guard let end = health.beginWaiting() else { return }
    let wait = Outage(source: source, clock: clock, end: end)
    group.addTask { .waited(await wait.isOver()) }
  }

  mutating func handleWaited(_ isBack: Bool) {
    if let error = health.waited(isBack: isBack, at: clock.now()) { tally.endSource(error) }
    if !isBack { isStopping = true }
    guard !isStopping else { return }
    queue.putBack(health.takeSuspects().map(\.0))
    processor.fetcher.recovered(source)
    fetchAgain(stranded.release())
  }

  /// Discards the staged bundles of items and puts their work back.
  private mutating func fetchAgain(_ items: [StrandedItems.Item]) {
    if items.isEmpty { return }
    processor.fetcher.recovered(source)
    for (work, outcome) in items {
      if case .staged(let staged) = outcome { archive.bundles.discard(staged.bundle) }
      budget?.processed(key(work), .interrupted)
      journal.end(key(work))
    }
    queue.putBack(items.map(\.work))
  }

  /// Handles an unavailable source: waits for it if time is left, otherwise ends its run.
  mutating func drop(_ error: AdapterError) {
    if health.isOut || isStopping { return }
    if health.begin(error, at: clock.now()) {
      tally.waiting(error)
    } else {
      tally.endSource(error)
      isStopping = true
    }
  }

  /// Attributes the suspected failures to their items if the source responds, otherwise to the
  /// source. After an outage, items that lack parts are due at the next run.
  mutating func settleSuspects() async {
    // An interrupted run can probe nothing.
    let isCut = Task.isCancelled
    if let error = health.suspects.last?.1, tally.report.failure == nil, !isCut,
      await !Outage.answers(source)
    {
      tally.endSource(error)
    }
    guard storageError == nil else { return }
    if tally.hadOutage {
      do throws(StorageError) {
        try archive.catalog.makeDue(tally.incomplete)
      } catch {
        stop(error)
      }
    }
    guard tally.report.failure == nil else { return }
    for (work, error) in health.takeSuspects(onlyProven: isCut) {
      if error.isOutage(of: source.origin, wasNoticed: tally.hadOutage) {
        tally.unreached(work, error.message)
      } else {
        settle(
          work, .failed(error.message, isRetryable: true, retryAfter: error.retryAfter))
      }
    }
  }

  /// Settles the items that were fetched without their files, as their server is not down, or will not be
  /// waited for. Each is fetched once more before.
  mutating func settleStranded() {
    if !isStopping { fetchAgain(stranded.takeFirst()) }
    for (work, outcome) in stranded.release() { conclude(work, outcome) }
  }
}
