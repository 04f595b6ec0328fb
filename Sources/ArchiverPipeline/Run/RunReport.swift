package import ArchiverCore
package import ArchiverStorage

/// How a run went.
package struct RunReport: Sendable {
  package var sources: [SourceReport]
  package var duration: Duration
  /// Why the run as a whole stopped early: the archive is full or damaged; `nil` otherwise.
  package var failure: StorageError?
  package var wasCancelled: Bool
  /// Items that the library does not have, or that are not found in it, and why.
  package var libraryTroubles: [SourceReport.ItemNote] = []
  /// Whether it was stopped as planned before its end.
  package var isTimeUp = false
  /// Pages that were rebuilt because an earlier version of the program had made them.
  package var remade = 0

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
  /// Ids that were asked for and that no source has; none as long as a source could not be asked.
  package var unknownIDs: [String] {
    guard failure == nil, !wasCancelled, sources.allSatisfy({ $0.failure == nil }) else {
      return []
    }
    return (sources.first?.unknown ?? []).filter { id in
      sources.allSatisfy { $0.unknown.contains(id) }
    }
  }
}

/// How a run of one source went.
package struct SourceReport: Sendable {
  package var name: String
  package var kind: String
  package var plan: PlanSummary
  package var archived: Int
  /// Items whose revision had changed but whose content had not, and those the listing found unchanged.
  package var unchanged: Int
  /// Items whose new copy was worse than the old one.
  package var kept: [ItemNote]
  /// Items that were not ready at the source or, though listed, not there.
  package var deferred: [ItemNote]
  /// Items that could not be archived, and those archived without an essential part.
  package var failed: [ItemNote]
  /// Items archived without an essential part because the source's server could not be reached.
  package var unreached = 0
  /// What is missing of the items that were looked at.
  package var losses = Losses()
  /// What the listing could not read and may hide items.
  package var gaps: [ListingGap] = []
  /// Items that the source's retention removed when the run had ended.
  package var expired: [ItemNote] = []
  /// Items that were removed because the source no longer has them.
  package var removed: [ItemNote] = []
  /// Items that the storage budget had no room for.
  package var held: [ItemNote]
  /// Items that left the archive to make room.
  package var left: [ItemNote]
  /// Items that were archived over changes made to their bundles by hand, and what became of those.
  package var conflicts: [ItemNote]
  /// Images in the bundles written.
  package var images: Int
  package var imagesMissing: Int
  /// Bytes received for items' assets.
  package var byteCount: Int
  /// Entries left in the queue, due now, for a later run.
  package var waiting: Int
  /// With `dryRun`: what would be fetched, newest first.
  package var wouldFetch: [ItemNote]
  /// With `dryRun`: what would be removed because the source no longer has it.
  package var wouldRemove: [ItemNote] = []
  /// Ids of `only` that are neither archived nor in the queue once the source was listed.
  package var unknown: [String]
  /// Why the source's run ended early; `nil` otherwise.
  package var failure: AdapterError?

  package init(name: String, kind: String) {
    self.name = name
    self.kind = kind
    plan = PlanSummary()
    archived = 0
    unchanged = 0
    kept = []
    deferred = []
    failed = []
    held = []
    left = []
    conflicts = []
    images = 0
    imagesMissing = 0
    byteCount = 0
    waiting = 0
    wouldFetch = []
    unknown = []
  }

  /// Whether nothing that was wanted failed.
  package var isWhole: Bool { failed.isEmpty && unreached == 0 && gaps.isEmpty && failure == nil }

  /// An item and a sentence about it.
  package struct ItemNote: Sendable, Hashable {
    package let id: String
    package let title: String
    package let message: String
    /// Whether a book, periodical or comic is archived without its file.
    package var isBookWithoutFile = false

    package init(id: String, title: String, message: String) {
      self.id = id
      self.title = title
      self.message = message
    }
  }
}
