import ArchiverCore
import ArchiverStorage

/// Lists a source and queues new and changed items.
struct Planner: Sendable {
  let source: RunSource
  let catalog: SQLiteCatalog
  let options: RunOptions
  let clock: ArchiverClock
  let events: any EventSink
  /// When the source's previous run began; `nil` if there was none.
  var previousRun: Date?
  /// The maximum number of ids that one run asks the source about; the next run continues after
  /// them.
  var askedAtMost = Planner.usuallyAsked

  /// Whether items are fetched that the listing shows unchanged; see `ListingPage.revisited`.
  var revisits = true

  /// The result of a listing.
  struct Outcome {
    var plan = PlanSummary()
    /// Essential parts that the listing could not read.
    var gaps: [ListingGap] = []
    /// Why the listing ended early although the source responds; `nil` if it did not.
    var failure: AdapterError?
    /// The number of references that the source listed.
    var listed = 0
    /// Whether the source was listed as a whole.
    var isWhole = false
    /// How long the listing waited for a source that went away.
    var waited = Duration.zero
  }

  /// Performs a complete listing. Throws `AdapterError` or `StorageError`.
  ///
  /// A listing that fails does not keep the queue from being worked off: if the source's server
  /// responds otherwise, the error is returned as `failure`, and all that was listed before is
  /// queued.
  func plan() async throws -> Outcome {
    let id = try catalog.beginListing(source: source.name)
    let start = clock.now()
    let known = try catalog.discovery(source: source.name)
    // A checkpoint of another server or account says nothing about this one.
    let isOther = known.credential != nil && known.credential != source.credentialMark
    let isWhole =
      options.fullListing || options.force || isOther
      || WholeListing.isDue(known, previousRun: previousRun, now: start)
    let isChecked = isWhole || known.credential != source.credentialMark
    let account = isChecked ? try await checkedAccount(known) : nil
    let checkpoint = isWhole ? nil : try catalog.checkpoint(source: source.name)
    var outcome = Outcome()
    outcome.isWhole = checkpoint == nil
    var admission = try Admission(source, catalog, accepts: !isOther || options.acceptsAccount)
    do {
      try await enqueue(
        source.adapter, since: checkpoint, listing: id, through: &admission, into: &outcome)
    } catch let error as AdapterError where !error.endsSource {
      if try await isWorthListingAgain(after: error, &outcome) {
        admission = try Admission(source, catalog, accepts: !isOther || options.acceptsAccount)
        try await listAgain(isWhole: checkpoint == nil, id, &admission, &outcome)
      } else {
        outcome.failure = error
      }
    }
    if isChecked, admission.isOpen {
      try catalog.noteAccount(
        account ?? known.account, credential: source.credentialMark, source: source.name)
    }
    if checkpoint == nil, outcome.failure == nil, admission.isOpen {
      try catalog.noteWholeListing(source: source.name, at: start, found: outcome.listed)
    }
    return outcome
  }

  /// Returns whether a listing that broke off can be read again in this run, waiting for the source if
  /// it is down. Throws the error if the source does not respond.
  ///
  /// Only a listing that had begun is read again, and only after a failure without a response:
  /// waiting for a source that is down from the start is the caller's decision.
  private func isWorthListingAgain(
    after error: AdapterError, _ outcome: inout Outcome
  ) async throws -> Bool {
    let hasBegun = outcome.listed > 0
    if await Outage.answers(source) { return hasBegun && error.underlying is HTTPError }
    guard hasBegun, options.patience > .zero else { throw error }
    events.send(.waiting(for: source.name, error))
    let start = clock.now()
    let wait = Outage(
      source: source, clock: clock,
      end: start.addingTimeInterval(options.patience / .seconds(1)))
    guard await wait.isOver() else { throw error }
    outcome.waited = .seconds(max(0, clock.now().timeIntervalSince(start)))
    return true
  }

  /// Reads a listing once more, from the last checkpoint or, if it is a whole one, from the start.
  private func listAgain(
    isWhole: Bool, _ id: ListingID, _ admission: inout Admission, _ outcome: inout Outcome
  ) async throws {
    outcome.listed = 0
    // What a whole listing met before is met again if it is still there.
    if isWhole { outcome.gaps = [] }
    do {
      try await enqueue(
        source.adapter, since: isWhole ? nil : try catalog.checkpoint(source: source.name),
        listing: id, through: &admission, into: &outcome)
    } catch let error as AdapterError where !error.endsSource {
      guard await Outage.answers(source) else { throw error }
      outcome.failure = error
    }
  }

  /// Returns the source's account, if it says. Fails if the archive has the items of another one.
  private func checkedAccount(_ known: Discovery) async throws -> SourceAccount? {
    let account: SourceAccount?
    do throws(AdapterError) {
      account = try await source.adapter.account()
    } catch {
      if error.endsSource { throw error }
      // The account stays unknown this time; the next full listing asks again.
      events.send(.log(.debug, source: source.name, message: error.message))
      return nil
    }
    if let account, let old = known.account, old.id != account.id, !options.acceptsAccount {
      throw AdapterError(
        .unauthorized,
        "\(source.name) now returns the items of \(account.name), but the archive has those of "
          + "\(old.name); configure a separate source, or run once with --new-account")
    }
    return account
  }

  private func enqueue<Adapter: Source>(
    _ adapter: Adapter, since checkpoint: Checkpoint?, listing: ListingID,
    through admission: inout Admission, into outcome: inout Outcome
  ) async throws {
    var forced = ForcedSelection(limit: options.maxItems, only: options.only)
    var isComplete = false
    var iterator =
      if let checkpoint {
        adapter.listing(since: checkpoint).makeAsyncIterator()
      } else {
        adapter.wholeListing(knowing: try catalog.checkpoint(source: source.name))
          .makeAsyncIterator()
      }
    while var page = try await iterator.next(isolation: nil) {
      try Task.checkCancellation()
      page.references = page.references.map { $0.sealed(source.secrets) }
      // A run of a few items leaves the others for a whole run.
      if !revisits || !options.only.isEmpty { page.revisited = [] }
      outcome.listed += page.references.count
      if options.force { forced.add(page.references) }
      for page in try admission.admit(page) {
        outcome.plan.add(
          try catalog.enqueue(page, source: source.name, listing: listing, force: false))
      }
      isComplete = page.isCompleteEnumeration
      for gap in page.gaps {
        if gap.isEssential {
          outcome.gaps.append(gap)
        } else {
          events.send(.log(.info, source: source.name, message: gap.message))
        }
      }
      events.send(.listed(source: source.name, count: outcome.listed, total: page.total))
    }
    try admission.finish(hasGaps: !outcome.gaps.isEmpty)
    if options.force {
      let page = ListingPage(references: forced.newest())
      let summary = try catalog.enqueue(page, source: source.name, listing: listing, force: true)
      outcome.plan.unchanged -= min(outcome.plan.unchanged, summary.changed)
      outcome.plan.changed = max(outcome.plan.changed, summary.changed)
    }
    if checkpoint == nil, !isComplete { outcome.plan.add(try await standings(adapter, listing)) }
    // Items hidden by a gap are unknown, so none counts as deleted.
    outcome.plan.deleted += try catalog.finishListing(
      listing, source: source.name, isCompleteEnumeration: isComplete && outcome.gaps.isEmpty)
  }
}

extension Planner {
  /// The maximum number of ids per request for availability.
  static let askedAtOnce = 100
  static let usuallyAsked = 5_000
  /// The number of consecutive requests for availability after whose failure no more are sent.
  private static let maxFailuresOfAsking = 3

  /// Asks the source for the availability of archived items that its listing did not return.
  private func standings(
    _ adapter: some Source, _ listing: ListingID
  ) async throws -> PlanSummary {
    var plan = PlanSummary()
    // If there are more than one run may ask about, continue where the last run stopped.
    let start = try catalog.askedPlace(source: source.name)
    var last = start
    var isBehindStart = start == nil
    var asked = 0
    var failures = 0
    while asked < askedAtMost, failures < Planner.maxFailuresOfAsking {
      try Task.checkCancellation()
      var ids = try catalog.unnamed(
        listing, source: source.name, after: last, limit: Planner.askedAtOnce)
      if isBehindStart, let start {
        ids.removeAll { !$0.utf8.lexicographicallyPrecedes(start.utf8) && $0 != start }
      }
      guard !ids.isEmpty else {
        last = nil
        if isBehindStart { break }
        isBehindStart = true
        continue
      }
      do {
        plan.add(try catalog.note(try await adapter.standings(of: ids), source: source.name))
        failures = 0
      } catch let error as AdapterError where !error.endsSource {
        // The next full listing asks again; the ids after these are asked about before.
        failures += 1
        events.send(
          .log(
            .info, source: source.name,
            message: "deletions of some items are unknown in this run: \(error.message)"))
      }
      asked += ids.count
      last = ids.last
    }
    try catalog.noteAskedPlace(last, source: source.name)
    return plan
  }
}

/// Selects the items that `--force` fetches again: those given by id, or the newest of the listing.
private struct ForcedSelection {
  let limit: Int?
  let only: Set<String>
  private var references: [ItemReference] = []

  init(limit: Int?, only: [String]) {
    self.limit = limit
    self.only = Set(only)
  }

  mutating func add(_ page: [ItemReference]) {
    references += only.isEmpty ? page : page.filter { only.contains($0.id) }
    guard let limit, (references.count - 100) / 2 > limit else { return }
    trim(to: limit)
  }

  /// Returns the items to fetch again.
  mutating func newest() -> [ItemReference] {
    if let limit { trim(to: limit) }
    return references
  }

  private mutating func trim(to limit: Int) {
    references.sort {
      ($0.date ?? .distantPast, $1.id) > ($1.date ?? .distantPast, $0.id)
    }
    references.removeLast(max(0, references.count - limit))
  }
}

extension ItemReference {
  /// The reference for storage, with placeholders for secrets.
  func sealed(_ secrets: AddressSecrets) -> ItemReference {
    var reference = self
    reference.title = secrets.hidden(Redaction.title(title))
    reference.payload = payload.map(secrets.sealed)
    return reference
  }

  /// The reference for the source, with secrets restored.
  func opened(_ secrets: AddressSecrets) -> ItemReference {
    guard !secrets.isEmpty else { return self }
    var reference = self
    reference.payload = payload.map(secrets.opened)
    return reference
  }
}

extension PlanSummary {
  fileprivate mutating func add(_ other: PlanSummary) {
    new += other.new
    changed += other.changed
    unchanged += other.unchanged
    deleted += other.deleted
    withheld += other.withheld
    returned += other.returned
    retries += other.retries
  }
}
