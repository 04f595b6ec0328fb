package import ArchiverCore

/// Why an item is in the queue.
package enum WorkReason: String, Sendable, Codable, CaseIterable {
  /// Not archived.
  case new
  /// The source's revision differs from the archived one.
  case changed
  /// Archived, but images are missing that a later attempt may fetch.
  case incomplete
}

/// An entry of the work queue: a listed item whose current state is not archived.
///
/// The queue is part of the catalog, so a listing's checkpoint can advance as soon as its pages are
/// queued: what one run does not fetch, a later one does.
package struct WorkItem: Sendable, Hashable {
  package var reference: ItemReference
  package var reason: WorkReason
  /// The number of failed attempts.
  package var attempts: Int
  /// The earliest time of the next attempt; `nil` if it is due.
  package var nextAttempt: Date?
  /// The last failure in a sentence; `nil` if it was never tried.
  package var failure: String?
  /// Abandoned after the maximum number of attempts; only `--force` or a new revision requeues it.
  package var gaveUp: Bool
  /// Whether it is fetched once more in the same run; not stored.
  package var isAgain = false

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

/// Selects the queue entries that a run takes.
package struct WorkSelection: Sendable {
  /// The maximum wait in seconds: an entry postponed for longer was postponed by a wrong clock.
  package static let longestWait: Double = 8 * 86_400

  /// The maximum number of entries; `nil` for no limit.
  package var limit: Int?
  /// The ids to select; if empty, any.
  package var only: [String]
  /// The current time. Entries with a later `nextAttempt` are skipped, unless `force`, or if it is
  /// later by more than `longestWait`.
  package var now: Date
  /// Whether to take abandoned entries as well, and those whose time has not come.
  package var force: Bool
  /// Selects entries by the blame for crashes of the process.
  package var blame = Blame.any

  /// See `SQLiteCatalog.noteDeath`.
  package enum Blame: Sendable {
    case any, none
    /// Blamed, but less than `ProcessDeath.failureLimit`.
    case some
    case failed
  }

  /// The entry after which to start, in the order of `work`; `nil` starts at the first.
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
