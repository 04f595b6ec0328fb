import ArchiverCore
import ArchiverPipeline

/// The lines of `run --json`: the events and their keys, all of which are always present.
enum EventRecord {
  /// One kind of line.
  struct Shape: Sendable {
    let name: String
    let keys: [String]
    let help: String

    /// - Parameter keys: The keys besides `event`, separated by spaces.
    init(_ name: String, _ keys: String, _ help: String) {
      self.name = name
      self.keys = ["event"] + keys.split(separator: " ").map(String.init)
      self.help = help
    }
  }

  static let schema = [
    Shape("started", "time version archive sources", "The run begins"),
    Shape(
      "listed", "time source count total", "Progress of a listing: items so far, of how many"),
    Shape(
      "planned", "time source new changed unchanged deleted withheld retries selected",
      "The plan: numbers of items by reason; selected ones are archived now"),
    Shape("itemStarted", "time source id title", "Work on an item began"),
    Shape(
      "itemFinished", "time source id title outcome imagesMissing reason",
      "Work on an item ended: archived, unchanged, kept, deferred, leftOut or failed"),
    Shape(
      "asset", "time source url bytes failure",
      "An image or file could not be fetched; with -v also each that was"),
    Shape(
      "downloading", "time source id bytes total",
      "Progress of a download: bytes so far, of how many; with -v"),
    Shape(
      "retrying", "time url attempt delay reason",
      "A request will be retried after delay seconds; with -v"),
    Shape(
      "log", "time level source message",
      "A log message: warning or error; with -v info; with -vv debug"),
    Shape(
      "planItem", "time source id title reason", "With --dry-run: an item that would be fetched"),
    Shape(
      "planRemoval", "time source id title reason",
      "With --dry-run: an item that would be removed"),
    Shape(
      "sourceFinished", "time source failure",
      "A source is done; failure is the reason if it ended early"),
    Shape("error", "time message exitCode", "The run failed"),
    Shape(
      "finished",
      "archived unchanged failed images imagesMissing bytes seconds kept heldBack deferred removed "
        + "waiting stillFailing exitCode", "The last line of every run that started"),
  ]

  /// Returns the line of an event; `nil` if `verbosity` excludes it.
  static func line(_ event: Event, at now: Date, verbosity: Int) -> JSONLine? {
    switch event {
    case .log(let level, let source, let message):
      let least: LogLevel = verbosity >= 2 ? .debug : verbosity == 1 ? .info : .warning
      if level < least { return nil }
      return [
        "event": "log", "time": .time(now), "level": .string("\(level)"), "source": .text(source),
        "message": .string(message),
      ]
    case .listed(let source, let count, let total):
      return [
        "event": "listed", "time": .time(now), "source": .string(source), "count": .integer(count),
        "total": .count(total),
      ]
    case .planned(let source, let plan):
      return [
        "event": "planned", "time": .time(now), "source": .string(source),
        "new": .integer(plan.new), "changed": .integer(plan.changed),
        "unchanged": .integer(plan.unchanged), "deleted": .integer(plan.deleted),
        "withheld": .integer(plan.withheld), "retries": .integer(plan.retries),
        "selected": .integer(plan.selected),
      ]
    case .itemStarted(let source, let id, let title):
      return [
        "event": "itemStarted", "time": .time(now), "source": .string(source), "id": .string(id),
        "title": .string(title),
      ]
    case .itemFinished(let source, let id, let title, let outcome):
      return [
        "event": "itemFinished", "time": .time(now), "source": .string(source), "id": .string(id),
        "title": .string(title), "outcome": .string(outcome.word),
        "imagesMissing": .integer(outcome.imagesMissing), "reason": .text(outcome.reason),
      ]
    case .assetFinished(let source, let url, let bytes, let failure):
      if failure == nil, verbosity == 0 { return nil }
      return [
        "event": "asset", "time": .time(now), "source": .string(source),
        "url": .string(withoutQuery(url)), "bytes": .integer(bytes), "failure": .text(failure),
      ]
    case .downloading(let source, let id, let bytes, let total):
      guard verbosity > 0, let bytes else { return nil }
      return [
        "event": "downloading", "time": .time(now), "source": .string(source), "id": .string(id),
        "bytes": .integer(bytes), "total": .count(total),
      ]
    case .retrying(let url, let attempt, let delay, let reason):
      if verbosity == 0 { return nil }
      return [
        "event": "retrying", "time": .time(now), "url": .string(withoutQuery(url)),
        "attempt": .integer(attempt), "delay": .number(seconds(delay)), "reason": .string(reason),
      ]
    case .sourceFinished(let source, let failure):
      return [
        "event": "sourceFinished", "time": .time(now), "source": .string(source),
        "failure": .text(failure),
      ]
    }
  }

  static func started(archive: String, sources: [String], version: String, at now: Date) -> JSONLine
  {
    [
      "event": "started", "time": .time(now), "version": .string(version),
      "archive": .string(archive), "sources": .array(sources.map { .string($0) }),
    ]
  }

  /// Returns a line `planItem` or `planRemoval` of a dry run.
  static func plan(
    _ name: String, _ note: SourceReport.ItemNote, source: String, at now: Date
  ) -> JSONLine {
    [
      "event": .string(name), "time": .time(now), "source": .string(source),
      "id": .string(note.id), "title": .string(note.title), "reason": .string(note.message),
    ]
  }

  static func error(_ message: String, _ code: ExitCode, at now: Date) -> JSONLine {
    [
      "event": "error", "time": .time(now), "message": .string(message),
      "exitCode": .integer(Int(code.rawValue)),
    ]
  }

  static func finished(_ total: RunTotals, _ code: ExitCode) -> JSONLine {
    [
      "event": "finished", "archived": .integer(total.archived),
      "unchanged": .integer(total.unchanged), "failed": .integer(total.failed),
      "images": .integer(total.images), "imagesMissing": .integer(total.imagesMissing),
      "bytes": .integer(total.bytes), "seconds": .number(seconds(total.duration)),
      "kept": .integer(total.kept), "heldBack": .integer(total.heldBack),
      "deferred": .integer(total.deferred), "removed": .integer(total.removed),
      "waiting": .integer(total.waiting), "stillFailing": .integer(total.stillFailing),
      "exitCode": .integer(Int(code.rawValue)),
    ]
  }

  /// Queries may hold signatures.
  private static func withoutQuery(_ url: String) -> String {
    WebURL(url)?.withoutQuery.absoluteString ?? String(url.prefix { $0 != "?" })
  }

  /// Seconds with three digits after the point.
  private static func seconds(_ duration: Duration) -> Double {
    (duration / .milliseconds(1)).rounded() / 1000
  }
}

extension ItemOutcome {
  var word: String {
    switch self {
    case .archived: "archived"
    case .unchanged: "unchanged"
    case .kept: "kept"
    case .deferred: "deferred"
    case .leftOut: "leftOut"
    case .failed: "failed"
    }
  }

  var imagesMissing: Int {
    if case .archived(let count) = self { count } else { 0 }
  }

  var reason: String? {
    switch self {
    case .archived, .unchanged: nil
    case .kept(let reason), .deferred(let reason), .leftOut(let reason), .failed(let reason):
      reason
    }
  }
}

extension ProcessEnvironment {
  /// Ends the events of a run with the error that stopped it.
  func writeEvent(of error: any Error) {
    output.write(
      EventRecord.error(ErrorText.message(error), ExitCode(error), at: clock.now()).text)
  }
}
