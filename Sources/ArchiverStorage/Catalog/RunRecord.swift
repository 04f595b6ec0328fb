package import ArchiverCore

/// The record of one source's part in one run, for `status` and the library.
package struct RunRecord: Sendable, Hashable {
  package enum Outcome: String, Sendable, Codable, CaseIterable {
    /// Everything selected was archived.
    case ok
    /// Some items failed.
    case partial
    /// The source refused the credential or could not be reached.
    case sourceFailed
    /// Stopped by a signal or, with a reason in `failure`, by an archive that could not be written.
    case interrupted
    /// The process terminated unexpectedly: it was killed or crashed, or the machine went down.
    case died
  }

  package var source: String
  package var kind: String
  package var started: Date
  package var finished: Date?
  /// The outcome; `nil` while the run is in progress.
  package var outcome: Outcome?
  /// The reason, in a sentence, if the outcome is not `ok`.
  package var failure: String?
  package var archived = 0
  package var unchanged = 0
  package var failed = 0
  package var images = 0
  package var imagesMissing = 0
  /// The number of bytes received.
  package var byteCount = 0

  package init(source: String, kind: String, started: Date) {
    self.source = source
    self.kind = kind
    self.started = started
  }
}

/// The status of a source, computed from the catalog.
package struct SourceStatus: Sendable, Hashable {
  package var source: String
  package var kind: String
  package var itemCount = 0
  /// The sum over its bundles; an image shared by several counts for each of them.
  package var byteCount = 0
  /// The number of items that are no longer readable at the source.
  package var withheld = 0
  /// The number of queue entries that are due: not suppressed, not abandoned, and not waiting for a
  /// retry.
  package var waiting = 0
  /// The number of queue entries that failed at least once.
  package var failing = 0
  /// The number of items that were deleted at the source.
  package var deleted = 0
  /// The number of archived items that are incomplete, with nothing essential missing.
  package var incomplete = 0
  package var lastRun: RunRecord?
  /// When a run last reached the source.
  package var lastSuccess: Date?
  /// When it became unreachable; `nil` if the last run reached it.
  package var failingSince: Date?
  /// When it was last listed in full, and what that found.
  package var discovery = Discovery()

  package init(source: String, kind: String) {
    self.source = source
    self.kind = kind
  }
}
