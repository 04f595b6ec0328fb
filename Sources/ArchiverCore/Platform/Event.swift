/// How much a log line matters.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case debug, info, warning, error

  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// Something that happened during a run, as a value; library modules never print.
public enum Event: Sendable {
  /// A line for the log. `source` is the instance's name, `nil` for the run itself.
  case log(LogLevel, source: String?, message: String)
  /// A source's listing went on: `count` references so far, `total` when the source says.
  case listed(source: String, count: Int, total: Int?)
  /// The plan for a source is made.
  case planned(source: String, plan: PlanSummary)
  /// Work on an item began.
  case itemStarted(source: String, id: String, title: String)
  /// Work on an item ended.
  case itemFinished(source: String, id: String, title: String, outcome: ItemOutcome)
  /// An asset arrived (`bytes` on the wire, 0 when it was in the archive already) or failed.
  case assetFinished(source: String, url: String, bytes: Int, failure: String?)
  /// A file of an item is on its way: `bytes` of `total`, where the server said how many; sent
  /// some times a second. `bytes` is `nil` once it is no longer.
  case downloading(source: String, id: String, bytes: Int?, total: Int?)
  /// A request is about to be repeated.
  case retrying(url: String, attempt: Int, delay: Duration, reason: String)
  /// The listing or the items of a source ended; `nil` when all went well.
  case sourceFinished(source: String, failure: String?)
}

/// How many items of a listing await which treatment.
public struct PlanSummary: Sendable, Hashable {
  public var new = 0
  public var changed = 0
  public var unchanged = 0
  public var deleted = 0
  /// Archived items that the source no longer lets be read.
  public var withheld = 0
  /// Items that were deleted or withheld and are named again.
  public var returned = 0
  /// Items tried before whose next attempt is due.
  public var retries = 0
  /// Items this run will take, at most the limit given by `--max`.
  public var selected = 0

  public init() {}
}

/// What became of one item.
public enum ItemOutcome: Sendable, Hashable {
  /// A bundle was written, with this many images missing.
  case archived(imagesMissing: Int)
  /// The content is what the archive has already; nothing was written.
  case unchanged
  /// The new copy was worse than the old one, which was kept; says why.
  case kept(reason: String)
  /// The item is not ready at the source; it is taken on a later run.
  case deferred(reason: String)
  /// The item failed; it enters the retry queue when the error is retryable.
  case failed(reason: String)
}

/// Receives events. Called from any thread, must not block.
public protocol EventSink: Sendable {
  func send(_ event: Event)
}

/// Drops every event.
public struct SilentEventSink: EventSink {
  public init() {}
  public func send(_ event: Event) {}
}
