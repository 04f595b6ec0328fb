package import ArchiverCore
package import ArchiverStorage

/// The result of a run.
package struct RunReport: Sendable {
  package var sources: [SourceReport]
  package var duration: Duration
  /// Why the run ended early, such as a full or damaged archive; `nil` if it did not.
  package var failure: StorageError?
  package var wasCancelled: Bool
  /// Items missing from the library or its search, and why.
  package var libraryTroubles: [SourceReport.ItemNote] = []
  /// Whether the time limit ended it.
  package var isTimeUp = false
  /// The number of pages rebuilt because an earlier version of the program made them.
  package var remade = 0
  /// Items whose pages an earlier version of the program made and this one could not rebuild. Each is
  /// reported once per version.
  package var notRemade: [SourceReport.ItemNote] = []

  package init(
    sources: [SourceReport] = [], duration: Duration = .zero, failure: StorageError? = nil,
    wasCancelled: Bool = false
  ) {
    self.sources = sources
    self.duration = duration
    self.failure = failure
    self.wasCancelled = wasCancelled
  }
}

extension RunReport {
  /// The requested ids that no source has; empty if any source could not be asked.
  package var unknownIDs: [String] {
    guard failure == nil, !wasCancelled, sources.allSatisfy({ $0.failure == nil }) else {
      return []
    }
    return (sources.first?.unknown ?? []).filter { id in
      sources.allSatisfy { $0.unknown.contains(id) }
    }
  }
}

/// The result of one source's run.
package struct SourceReport: Sendable {
  package var name: String
  package var kind: String
  package var plan = PlanSummary()
  package var archived = 0
  /// The number of items found unchanged, by the listing or by their content.
  package var unchanged = 0
  /// Items whose new copy was worse than the archived one.
  package var kept: [ItemNote] = []
  /// Those of `kept` that no earlier run found: a person must hear of each once.
  package var heldBack: [ItemNote] = []
  /// The number of items that failed in earlier runs and were not tried in this one.
  package var stillFailing = 0
  /// What became of many items that were deleted at the source at once; `nil` if none were.
  package var vanished: Vanished?
  /// When the source's previous run began, if it ended without a report: it was killed or crashed.
  package var diedBefore: Date?
  /// Items that were not ready, or missing although listed.
  package var deferred: [ItemNote] = []
  /// The number of new items left out because the retention policy would remove them again.
  package var leftOut = 0
  /// Items that could not be archived, and those archived without an essential part.
  package var failed: [ItemNote] = []
  /// The number of items archived without an essential part because the source's server was
  /// unreachable.
  package var unreached = 0
  /// The missing parts of the items processed.
  package var losses = Losses()
  /// Essential parts that the listing could not read.
  package var gaps: [ListingGap] = []
  /// Items removed by the source's retention policy after the run.
  package var expired: [ItemNote] = []
  /// Items removed because they were deleted at the source.
  package var removed: [ItemNote] = []
  /// Items deferred because of the storage budget.
  package var held: [ItemNote] = []
  /// Items evicted to stay within the storage budget.
  package var left: [ItemNote] = []
  /// Items that replaced bundles edited by hand, and what became of the edits.
  package var conflicts: [ItemNote] = []
  /// The number of images in the bundles written.
  package var images = 0
  package var imagesMissing = 0
  /// The number of bytes received for assets.
  package var byteCount = 0
  /// Whether bundles were written or removed.
  var hasChanged = false
  /// The number of due entries left in the queue.
  package var waiting = 0
  /// With `dryRun`: what would be fetched, newest first.
  package var wouldFetch: [ItemNote] = []
  /// With `dryRun`: what would be removed because it was deleted at the source.
  package var wouldRemove: [ItemNote] = []
  /// Ids of `only` that are neither archived nor queued after the listing.
  package var unknown: [String] = []
  /// Why the source's run ended early; `nil` if it did not.
  package var failure: AdapterError?

  package init(name: String, kind: String) {
    self.name = name
    self.kind = kind
  }

  /// Items that were deleted at the source since the previous run, if they are suspiciously many.
  package struct Vanished: Sendable, Hashable {
    package let count: Int
    /// The number of items that the source had before.
    package let total: Int
    /// Whether `DeletionPolicy.remove` was not carried out because of it.
    package let wasRefused: Bool

    package init(count: Int, total: Int, wasRefused: Bool) {
      self.count = count
      self.total = total
      self.wasRefused = wasRefused
    }
  }

  /// Whether the run needs a person's decision, although nothing failed.
  package var needsDecision: Bool { !heldBack.isEmpty || vanished?.wasRefused == true }

  /// What could not be reached, as part of a sentence; `nil` if everything could.
  var unreachedSentence: String? {
    guard unreached > 0 else { return nil }
    return "the server could not be reached for parts of \(unreached) "
      + (unreached == 1 ? "item" : "items") + "; the next run retries"
  }

  /// Whether nothing failed.
  package var isWhole: Bool { failed.isEmpty && unreached == 0 && gaps.isEmpty && failure == nil }

  /// An item and a sentence about it.
  package struct ItemNote: Sendable, Hashable {
    package let id: String
    package let title: String
    package let message: String
    /// Whether a book, periodical or comic is archived without its file, or with one that cannot be read in
    /// full.
    package var isBookWithoutFile = false

    package init(id: String, title: String, message: String) {
      self.id = id
      self.title = title
      self.message = message
    }
  }
}
