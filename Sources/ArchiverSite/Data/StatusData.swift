import ArchiverCore
import ArchiverStorage

/// `library/status.js`: the status of the sources, written by every run.
///
///     var archiverStatus = {"failures": […], "sources": [{"source": …, "runs": […], …}]};
///
/// Times are RFC 3339 in UTC; pages compute ages from them when they are opened.
enum StatusData {
  static let path = "library/status.js"
  private static let runLimit = 60
  private static let failureLimit = 100

  static func script(_ catalog: any LibraryCatalog) throws(StorageError) -> [UInt8] {
    var sources: [JSONValue] = []
    for status in try catalog.sources() {
      let runs = try catalog.runs(source: status.source, limit: runLimit)
      sources.append(source(status, runs))
    }
    let failures = try catalog.failures(source: nil)
    return ScriptData.assignment(
      "var archiverStatus",
      .object([
        "sources": .array(sources),
        "failures": .array(failures.prefix(failureLimit).map { failure($0.key, $0.work) }),
        "failureCount": .integer(failures.count),
      ]))
  }

  private static func source(_ status: SourceStatus, _ runs: [RunRecord]) -> JSONValue {
    .object([
      "source": .string(status.source),
      "items": .integer(status.itemCount), "bytes": .integer(status.byteCount),
      "waiting": .integer(status.waiting), "failing": .integer(status.failing),
      "incomplete": .integer(status.incomplete),
      "lastSuccess": time(status.lastSuccess), "failingSince": time(status.failingSince),
      "runs": .array(runs.map(run)),
    ])
  }

  private static func run(_ run: RunRecord) -> JSONValue {
    .object([
      "started": time(run.started), "finished": time(run.finished),
      "outcome": run.outcome.map { .string($0.rawValue) } ?? .null,
      "failure": run.failure.map { .string($0) } ?? .null,
      "archived": .integer(run.archived), "failed": .integer(run.failed),
      "bytes": .integer(run.byteCount),
    ])
  }

  private static func failure(_ key: ItemKey, _ work: WorkItem) -> JSONValue {
    .object([
      "source": .string(key.source), "id": .string(key.id),
      "title": .string(work.reference.title), "message": .string(work.failure ?? ""),
      "attempts": .integer(work.attempts), "next": time(work.nextAttempt),
      "gaveUp": .bool(work.gaveUp),
    ])
  }

  private static func time(_ date: Date?) -> JSONValue {
    date.map { .string(UTCTime.text($0)) } ?? .null
  }
}
