/// The severity of a log line.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case debug, info, warning, error

  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// An event of a run; library modules never print.
public enum Event: Sendable {
  /// A log line. `source` is the source's name, `nil` for the run itself.
  case log(LogLevel, source: String?, message: String)
  /// Progress of a source's listing: `count` references so far, of `total` if the source reports
  /// it.
  case listed(source: String, count: Int, total: Int?)
  /// The plan for a source is complete.
  case planned(source: String, plan: PlanSummary)
  /// Work on an item began.
  case itemStarted(source: String, id: String, title: String)
  /// Work on an item ended.
  case itemFinished(source: String, id: String, title: String, outcome: ItemOutcome)
  /// An asset was fetched (`bytes` received, 0 if it was in the archive) or failed.
  case assetFinished(source: String, url: String, bytes: Int, failure: String?)
  /// Progress of a file's download: `bytes` of `total`, if the server declared it; sent several
  /// times a second. `bytes` is `nil` once the download has ended.
  case downloading(source: String, id: String, bytes: Int?, total: Int?)
  /// A request is about to be repeated.
  case retrying(url: String, attempt: Int, delay: Duration, reason: String)
  /// The run of a source ended; `failure` is `nil` if it succeeded.
  case sourceFinished(source: String, failure: String?)
}

/// The plan for a source's items, as counts.
public struct PlanSummary: Sendable, Hashable {
  public var new = 0
  public var changed = 0
  public var unchanged = 0
  public var deleted = 0
  /// Archived items that are no longer readable at the source.
  public var withheld = 0
  /// Deleted or withheld items that are listed again.
  public var returned = 0
  /// Failed items whose next attempt is due.
  public var retries = 0
  /// Items that this run will process, at most `--max`.
  public var selected = 0

  /// Whether the source reported anything new, changed or gone.
  public var hasChanges: Bool { new + changed + deleted + withheld + returned > 0 }

  public init() {}
}

/// The outcome of one item.
public enum ItemOutcome: Sendable, Hashable {
  /// A bundle was written, with this many images missing.
  case archived(imagesMissing: Int)
  /// The content is already archived; nothing was written.
  case unchanged
  /// The new copy was worse than the archived one, which was kept, with the reason.
  case kept(reason: String)
  /// The item is not ready at the source; a later run fetches it.
  case deferred(reason: String)
  /// A setting excludes the item, with the reason.
  case leftOut(reason: String)
  /// The item failed; it is retried if the error is retryable.
  case failed(reason: String)
}

/// Receives events. Called from any thread; must not block.
public protocol EventSink: Sendable {
  func send(_ event: Event)
}

/// Drops every event.
public struct SilentEventSink: EventSink {
  public init() {}
  public func send(_ event: Event) {}
}
