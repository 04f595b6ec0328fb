package import ArchiverCore

/// The status of an item between its source and the archive.
package enum ItemStatus: String, Sendable, Codable, CaseIterable {
  /// Tracked, not stored: evicted, or deferred for lack of space.
  case notCached = "not cached"
  /// Waiting for its first fetch.
  case queued
  /// A run is fetching its files.
  case downloading
  /// Archived and up to date.
  case complete
  /// Archived; the source has a newer revision.
  case outdated
  /// Not archived after failures, or an essential part is missing.
  case failed
  /// Archived; a part that is not essential is missing for now.
  case incomplete

  /// Derives the status from the archived item and its queue entry.
  package init(_ item: CatalogItem?, _ entry: QueueState?) {
    guard let entry else {
      // An item that lacks an essential part always has a queue entry.
      self = item == nil ? .notCached : .complete
      return
    }
    if entry.isFetching {
      self = .downloading
    } else if let item {
      switch entry.reason {
      case .new, .changed: self = .outdated
      case .incomplete: self = item.completeness == .failed ? .failed : .incomplete
      }
    } else if entry.isLeftOut {
      self = .notCached
    } else {
      self = entry.attempts > 0 ? .failed : .queued
    }
  }
}

/// The state of a queue entry, as far as the status depends on it.
package struct QueueState: Sendable, Hashable {
  package var reason: WorkReason
  /// The number of failed attempts.
  package var attempts: Int
  /// Suppressed, or deferred for lack of space.
  package var isLeftOut: Bool
  package var isFetching: Bool
  /// Why it is not archived, in a sentence.
  package var message: String?
  /// `nil` if it is due, or not retried automatically.
  package var nextAttempt: Date?

  package init(
    reason: WorkReason, attempts: Int = 0, isLeftOut: Bool = false, isFetching: Bool = false,
    message: String? = nil, nextAttempt: Date? = nil
  ) {
    self.nextAttempt = nextAttempt
    self.reason = reason
    self.attempts = attempts
    self.isLeftOut = isLeftOut
    self.isFetching = isFetching
    self.message = message
  }
}

/// An item that is tracked but not archived.
package struct AbsentItem: Sendable, Hashable {
  package var key: ItemKey
  package var title: String
  package var date: Date?
  package var state: QueueState

  package init(key: ItemKey, title: String, date: Date? = nil, state: QueueState) {
    self.key = key
    self.title = title
    self.date = date
    self.state = state
  }

  package var status: ItemStatus { ItemStatus(nil, state) }
}
