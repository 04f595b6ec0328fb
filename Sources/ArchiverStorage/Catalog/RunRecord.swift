package import ArchiverCore

/// One source's part in one run, as kept in the catalog for `status` and the library.
package struct RunRecord: Sendable, Hashable {
  package enum Outcome: String, Sendable, Codable, CaseIterable {
    /// All that was taken went well.
    case ok
    /// Some items failed.
    case partial
    /// The source refused the credential or could not be reached.
    case sourceFailed
    case interrupted
    /// The process ended without a word: killed, or the machine went down.
    case died
  }

  package var source: String
  package var kind: String
  package var started: Date
  package var finished: Date?
  /// `nil` while it runs.
  package var outcome: Outcome?
  /// Why, in a sentence, when the outcome is not `ok`.
  package var failure: String?
  package var archived: Int
  package var unchanged: Int
  package var failed: Int
  package var images: Int
  package var imagesMissing: Int
  /// Bytes received.
  package var byteCount: Int

  package init(source: String, kind: String, started: Date) {
    self.source = source
    self.kind = kind
    self.started = started
    archived = 0
    unchanged = 0
    failed = 0
    images = 0
    imagesMissing = 0
    byteCount = 0
  }
}

/// How a source stands, computed from the catalog.
package struct SourceStatus: Sendable, Hashable {
  package var source: String
  package var kind: String
  package var itemCount: Int
  /// Sum over its bundles, in which shared pictures count once for each.
  package var byteCount: Int
  /// Items that the source no longer lets be read.
  package var withheld = 0
  /// Entries of the work queue that await their turn: neither kept out of the archive nor given up
  /// nor, as what failed is, due at a time of their own.
  package var waiting: Int
  /// Entries of the work queue that failed at least once.
  package var failing: Int
  /// Archived items of which nothing essential is missing, but something else for now.
  package var incomplete = 0
  package var lastRun: RunRecord?
  /// When a run last reached the source.
  package var lastSuccess: Date?
  /// Since when every run failed to reach it; `nil` when the last one did.
  package var failingSince: Date?
  /// When it was last listed from the beginning, and what that found.
  package var discovery = Discovery()

  package init(source: String, kind: String) {
    self.source = source
    self.kind = kind
    itemCount = 0
    byteCount = 0
    waiting = 0
    failing = 0
  }
}
