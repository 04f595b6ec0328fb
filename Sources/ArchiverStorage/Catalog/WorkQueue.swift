package import ArchiverCore

/// Why an item awaits fetching.
package enum WorkReason: String, Sendable, Codable, CaseIterable {
  /// The archive does not have it.
  case new
  /// Its revision differs from the archived one.
  case changed
  /// Archived, but images are missing that a later attempt may fetch.
  case incomplete
}

/// An entry of the work queue: an item the listing named and that is not archived as it is now.
///
/// The queue is part of the catalog, so that a listing's checkpoint may move on as soon as its
/// pages are in the queue: what one run does not fetch, a later one does.
package struct WorkItem: Sendable, Hashable {
  package var reference: ItemReference
  package var reason: WorkReason
  /// Failed attempts so far.
  package var attempts: Int
  /// Not before this time; `nil` when it may be tried at once.
  package var nextAttempt: Date?
  /// The last failure in a sentence; `nil` when it was never tried.
  package var failure: String?
  /// Tried too often; only `--force` or a new revision brings it back.
  package var gaveUp: Bool

  package init(
    reference: ItemReference, reason: WorkReason, attempts: Int = 0, nextAttempt: Date? = nil,
    failure: String? = nil, gaveUp: Bool = false
  ) {
    self.reference = reference
    self.reason = reason
    self.attempts = attempts
    self.nextAttempt = nextAttempt
    self.failure = failure
    self.gaveUp = gaveUp
  }
}

/// Which entries of the queue a run takes.
package struct WorkSelection: Sendable {
  /// Seconds after which nothing waits: who put an entry off for longer had a clock that was wrong.
  package static let longestWait: Double = 8 * 86_400

  /// At most this many; `nil` takes all.
  package var limit: Int?
  /// Only these ids; empty means any.
  package var only: [String]
  /// Entries whose `nextAttempt` is later than this, but not by more than `longestWait`, are left,
  /// unless `force`.
  package var now: Date
  /// Takes entries that gave up or whose time has not come, too.
  package var force: Bool
  /// Which entries go by how much they are blamed for deaths of the process.
  package var blame = Blame.any

  /// See `SQLiteCatalog.noteDeath`.
  package enum Blame: Sendable {
    case any, none
    /// Blamed, and less than `ProcessDeath.failureLimit`.
    case some
    case failed
  }

  /// Only entries that come after this one in `work`'s order; `nil` starts at the first.
  package var after: ItemReference?

  package init(
    limit: Int? = nil, only: [String] = [], now: Date, force: Bool = false,
    after: ItemReference? = nil
  ) {
    self.limit = limit
    self.only = only
    self.now = now
    self.force = force
    self.after = after
  }
}
