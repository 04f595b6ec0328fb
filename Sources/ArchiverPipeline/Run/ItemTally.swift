import ArchiverCore
import ArchiverStorage

/// Records the outcome of each item: in the catalog, in the report and as events.
struct ItemTally {
  private(set) var report: SourceReport
  /// The archived items that lack a part for now.
  private(set) var incomplete: [ItemKey] = []

  private let events: any EventSink
  private let limits: Limits

  init(report: SourceReport, events: any EventSink, limits: Limits) {
    self.report = report
    self.events = events
    self.limits = limits
  }

  func started(_ work: WorkItem, title: String) {
    events.send(.itemStarted(source: report.name, id: work.reference.id, title: title))
  }

  mutating func archived(
    _ work: WorkItem, _ item: ItemProcessor.StagedItem
  ) {
    report.archived += 1
    report.images += item.images
    report.imagesMissing += item.missing
    report.byteCount += item.byteCount
    report.hasChanged = true
    if let conflict = item.conflict { report.conflicts.append(note(work, conflict)) }
    report.losses.add(item.losses)
    if item.losses.completeness != .complete { incomplete.append(key(work)) }
    guard let sentence = item.losses.sentence else {
      return finish(work, title: item.title, .archived(imagesMissing: item.missing))
    }
    // An unreachable server is reported once, however many items it affects.
    if item.isUnreached {
      report.unreached += 1
      let outcome =
        item.missing > 0
        ? ItemOutcome.archived(imagesMissing: item.missing) : .deferred(reason: sentence)
      finish(work, title: item.title, outcome)
    } else {
      var note = note(work, sentence)
      note.isBookWithoutFile =
        [.book, .periodical, .comic].contains(item.bundle.item.metadata.kind)
        && item.losses.count([.mainFile], isEssential: true) > 0
      report.failed.append(note)
      finish(work, title: item.title, .failed(reason: sentence))
    }
  }

  /// Records an item that stays as it is, queued and due, as the server was unreachable.
  mutating func unreached(_ work: WorkItem, _ reason: String) {
    report.unreached += 1
    finish(work, .deferred(reason: reason))
  }

  /// Reports that the run waits for an unavailable source.
  func waiting(_ error: AdapterError) {
    events.send(.waiting(for: report.name, error))
  }

  /// The outcome of an item for which no bundle is written. `retryAfter` is the delay that the source
  /// asked for.
  enum Fate: Sendable {
    case unchanged(revision: String)
    case kept(revision: String, reason: String, isNew: Bool)
    /// Not ready, or missing although listed; a later listing decides. After
    /// `RetrySchedule.longestDeferral` it is a failure.
    case deferred(String, retryAfter: Duration? = nil)
    case failed(String, isRetryable: Bool, retryAfter: Duration? = nil)
    /// The missing parts are still missing.
    case stillMissing(Losses)
  }

  /// Defers an item for which the storage budget has no space.
  mutating func held(
    _ work: WorkItem, needed: Int, catalog: SQLiteCatalog
  ) throws(StorageError) {
    let reason = "it does not fit into the storage budget"
    try catalog.hold(
      key(work), title: work.reference.title, revision: work.reference.revision, needed: needed,
      message: reason)
    report.held.append(note(work, reason))
    finish(work, .deferred(reason: reason))
  }

  /// Suppresses an item older than all that the retention policy keeps.
  mutating func leftOut(_ work: WorkItem, catalog: SQLiteCatalog) throws(StorageError) {
    let reason = "the configured number of newer items is kept"
    try catalog.leaveOut(
      key(work), title: work.reference.title, revision: work.reference.revision, reason: reason)
    report.leftOut += 1
    finish(work, .leftOut(reason: reason))
  }

  /// Bundles were rewritten without a change of their content.
  mutating func mended() { report.hasChanged = true }

  /// Records an eviction.
  mutating func left(_ item: CatalogItem) {
    report.hasChanged = true
    report.left.append(
      SourceReport.ItemNote(
        id: item.key.id, title: item.metadata.title, message: "it was evicted to make space"))
    events.send(
      .log(
        .info, source: report.name,
        message: "\"\(item.metadata.title)\" was evicted to stay within the storage budget"))
  }

  mutating func settle(
    _ work: WorkItem, _ fate: Fate, now: Date, catalog: SQLiteCatalog
  ) throws(StorageError) {
    switch fate {
    case .unchanged(let revision):
      try catalog.markUnchanged(key(work), revision: revision)
      report.unchanged += 1
      finish(work, .unchanged)
    case .kept(let revision, let reason, let isNew):
      try catalog.markUnchanged(key(work), revision: revision)
      let attempts = work.attempts + 1
      try catalog.requeueIncomplete(
        key(work), attempts: attempts,
        nextAttempt: attempts < limits[.attempts]
          ? RetrySchedule.next(attempts: attempts, now: now) : nil)
      report.kept.append(note(work, reason))
      if isNew { report.heldBack.append(note(work, reason)) }
      finish(work, .kept(reason: reason))
    case .deferred(let reason, let retryAfter):
      let until = retryAfter.map { RetrySchedule.next(attempts: 0, now: now, retryAfter: $0) }
      let since = try catalog.putOff(key(work), until: until, message: reason, now: now)
      guard now.timeIntervalSince(since) < RetrySchedule.longestDeferral else {
        return try settle(
          work, .failed(reason + RetrySchedule.deferralNote, isRetryable: true), now: now,
          catalog: catalog)
      }
      report.deferred.append(note(work, reason))
      finish(work, .deferred(reason: reason))
    case .stillMissing(let losses):
      report.losses.add(losses)
      guard let sentence = losses.sentence else {
        let attempts = work.attempts + 1
        let isLast = attempts >= limits[.attempts] || losses.completeness == .complete
        try catalog.recordIncomplete(
          key(work), nextAttempt: isLast ? nil : RetrySchedule.next(attempts: attempts, now: now))
        report.unchanged += 1
        return finish(work, .unchanged)
      }
      try settle(
        work, .failed(sentence.stillMissing, isRetryable: true), now: now, catalog: catalog)
    case .failed(let reason, let isRetryable, let retryAfter):
      let attempts = work.attempts + 1
      let gaveUp = attempts >= RetrySchedule.limit(isRetryable: isRetryable, options: limits)
      let note = attempts < limits[.attempts] ? "" : " \(attemptsNote)"
      let message =
        gaveUp
        ? "\(reason); it is given up until it changes or 'archiver retry' requeues it\(note)"
        : reason
      try catalog.recordFailure(
        key(work), message: message,
        nextAttempt: gaveUp
          ? nil : RetrySchedule.next(attempts: attempts, now: now, retryAfter: retryAfter),
        gaveUp: gaveUp)
      report.failed.append(self.note(work, message))
      finish(work, .failed(reason: message))
    }
  }

  private var attemptsNote: String { Limit.attempts.note(limits[.attempts]) }

  /// Whether the source was unreachable during the run.
  var hadOutage: Bool {
    report.unreached > 0 || report.failure?.code == .unavailable
      || report.failure?.code == .rateLimited
  }

  mutating func endSource(_ error: AdapterError) {
    if report.failure == nil { report.failure = error }
  }

  private func key(_ work: WorkItem) -> ItemKey {
    ItemKey(source: report.name, id: work.reference.id)
  }

  private func note(_ work: WorkItem, _ message: String) -> SourceReport.ItemNote {
    SourceReport.ItemNote(id: work.reference.id, title: work.reference.title, message: message)
  }

  private func finish(_ work: WorkItem, title: String? = nil, _ outcome: ItemOutcome) {
    events.send(
      .itemFinished(
        source: report.name, id: work.reference.id, title: title ?? work.reference.title,
        outcome: outcome))
  }
}

extension String {
  /// A sentence about missing parts, such as "an image is missing", of parts that stayed missing.
  var stillMissing: String {
    replacing(" is missing", with: " is still missing")
      .replacing(" are missing", with: " are still missing")
      .replacing(" cannot be read in full", with: " still cannot be read in full")
  }
}
