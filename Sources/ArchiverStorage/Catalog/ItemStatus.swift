package import ArchiverCore

/// How an item stands between its source and the archive, in one word.
package enum ItemStatus: String, Sendable, Codable, CaseIterable {
  /// Known and kept out: it left, or there is no room for it.
  case notCached = "not cached"
  /// Awaits its first fetching.
  case queued
  /// A run is fetching its files.
  case downloading
  /// Archived as the source has it.
  case complete
  /// Archived, and the source has a newer one.
  case outdated
  /// It could not be archived, or an essential part of it is missing.
  case failed
  /// Archived, and a part that is not essential is missing for now.
  case incomplete

  /// Tells the status from what is archived of an item and from its entry of the queue.
  package init(_ item: CatalogItem?, _ entry: QueueState?) {
    guard let entry else {
      // What lacks an essential part never leaves the queue.
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

/// What the queue knows of an item, as far as its status goes.
package struct QueueState: Sendable, Hashable {
  package var reason: WorkReason
  /// Failed attempts so far.
  package var attempts: Int
  /// Kept out of the archive on purpose or for lack of room.
  package var isLeftOut: Bool
  package var isFetching: Bool
  /// Why it is not archived, in a sentence.
  package var message: String?
  /// `nil` where it is due, or not tried again by itself.
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

/// An item that the archive knows and does not hold.
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
