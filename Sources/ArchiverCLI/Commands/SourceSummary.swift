import ArchiverCore
import ArchiverStorage

/// The status of a source, as `status` shows it.
struct SourceSummary: Sendable {
  let status: SourceStatus
  let isEnabled: Bool
  /// The time of the next automatic run; `nil` if there is none.
  let nextRun: Date?
  /// Bytes per month at the rate of the last thirty days; `nil` if it is too early to tell.
  let growth: Int?
  /// The last runs, newest first.
  let runs: [RunRecord]
  /// The number of items of which a newer copy is held back.
  var heldBack = 0

  init(
    _ status: SourceStatus, rules: SourceRules, runs: [RunRecord], schedule: NextRuns, now: Date
  ) {
    self.status = status
    isEnabled = rules.isEnabled
    nextRun =
      rules.isEnabled ? schedule.next(rules, lastSuccess: status.lastSuccess, now: now) : nil
    growth = SourceSummary.growth(runs, now: now)
    self.runs = runs
  }

  private static func growth(_ runs: [RunRecord], now: Date) -> Int? {
    let month = 30.0 * 86_400
    let recent = runs.filter { now.timeIntervalSince($0.started) <= month }
    guard let first = recent.last, let oldest = runs.last else { return nil }
    // A source that is older than a month counts the whole month.
    let span = oldest.started < first.started ? month : now.timeIntervalSince(first.started)
    guard span >= 86_400 else { return nil }
    return Int(Double(recent.reduce(0) { $0 + $1.byteCount }) * month / span)
  }

  /// The source's status, as a phrase and a colour.
  var state: (phrase: Phrase, style: Style) {
    if !isEnabled { return (.disabled, .dim) }
    guard let run = status.lastRun else { return (.notRun, .yellow) }
    switch run.outcome {
    case nil: return (.running, .green)
    case .ok, .partial:
      if status.failing > 0 { return (.someFail, .yellow) }
      // Items that failed in the run and no longer do were archived, accepted or requeued since.
      if run.outcome == .partial, run.failure != nil { return (.runIncomplete, .yellow) }
      return (status.incomplete > 0 ? .okButIncomplete : .ok, .green)
    case .interrupted:
      return run.failure == nil ? (.stopped, .yellow) : (.notWritten, .red)
    case .died: return (.died, .red)
    case .sourceFailed: return (.failed, .red)
    }
  }

  /// Returns sentences about failures; empty if there are none.
  func trouble(in wording: Wording) -> [String] {
    let name = status.source
    var lines = failure(in: wording)
    if status.withheld > 0 {
      let items = wording.count(status.withheld, .item, .items)
      lines.append(wording.text(.sharedNoMore, name, items))
    }
    if status.deleted > 0 {
      let items = wording.count(status.deleted, .item, .items)
      let isHeld = status.discovery.deletionsHeld > 0
      lines.append(wording.text(isHeld ? .deletionsHeld : .deletedThere, name, items))
    }
    if heldBack > 0 {
      lines.append(
        wording.text(heldBack == 1 ? .heldOne : .heldMany, name, wording.number(heldBack)))
    }
    if status.waiting > 0, [.ok, .partial].contains(status.lastRun?.outcome) {
      let items = wording.count(status.waiting, .item, .items)
      lines.append(wording.text(.queuedForNext, name, items))
    }
    return lines
  }

  /// Returns a sentence if the last successful run is longer ago than this many seconds, otherwise
  /// `nil`. A time in the future comes from a wrong clock and is ignored.
  func tooOld(_ age: Double, now: Date, in wording: Wording) -> String? {
    let passed = status.lastSuccess.map { now.timeIntervalSince($0) }
    if let passed, (0...age).contains(passed) { return nil }
    let words = passed.map { wording.rough(max(0, $0), past: true) } ?? wording.text(.never)
    return wording.text(.lastSuccessWas, status.source, words)
  }

  /// Returns sentences about failures of the last run; empty if it succeeded.
  func failure(in wording: Wording) -> [String] {
    let name = status.source
    var lines: [String] = []
    let reason = status.lastRun?.failure.map { ": " + DisplayText.line($0) } ?? ""
    switch status.lastRun?.outcome {
    case .sourceFailed:
      let sentence =
        status.failingSince.map { wording.text(.sourceFailedSince, name, UTCTime.day($0)) }
        ?? wording.text(.sourceFailed, name)
      lines.append(sentence + reason)
    case .died: lines += died(status.lastRun, wording)
    // The run in progress may still report its result; look at the one before.
    case nil: lines += died(runs.dropFirst().first, wording)
    case .interrupted where !reason.isEmpty:
      lines.append(wording.text(.notWrittenWhy, name) + reason)
    case .partial where !reason.isEmpty: lines.append(name + reason)
    default: break
    }
    if status.failing > 0 {
      let items = wording.count(status.failing, .item, .items)
      lines.append(wording.text(status.failing == 1 ? .oneFails : .manyFail, name, items))
    }
    return lines
  }

  private func died(_ run: RunRecord?, _ wording: Wording) -> [String] {
    guard let run, run.outcome == .died else { return [] }
    return [wording.text(.runDied, status.source, run.started.formatted(.iso8601))]
  }

  /// The status as a phrase with its count.
  func stateWords(_ wording: Wording) -> String {
    wording.text(state.phrase, wording.number(status.incomplete))
  }

  func lastRunWords(_ wording: Wording, now: Date) -> String {
    status.lastRun.map { wording.rough(now.timeIntervalSince($0.started), past: true) }
      ?? wording.text(.never)
  }

  func nextRunWords(_ wording: Wording, now: Date) -> String {
    nextRun.map { wording.rough($0.timeIntervalSince(now), past: false) } ?? "-"
  }

  func growthWords(_ wording: Wording) -> String {
    growth.map { "+" + wording.bytes($0) } ?? "-"
  }

  /// The source for `status --json`.
  var line: JSONLine {
    let run: JSONValue =
      status.lastRun.map { run in
        .object([
          "started": .time(run.started), "finished": .time(run.finished),
          "outcome": .text(run.outcome?.rawValue), "failure": .text(run.failure),
          "archived": .integer(run.archived), "unchanged": .integer(run.unchanged),
          "failed": .integer(run.failed), "images": .integer(run.images),
          "imagesMissing": .integer(run.imagesMissing), "bytes": .integer(run.byteCount),
        ])
      } ?? .null
    return [
      "source": .string(status.source), "kind": .string(status.kind),
      "enabled": .bool(isEnabled), "items": .integer(status.itemCount),
      "bytes": .integer(status.byteCount), "bytesPerMonth": .count(growth),
      "waiting": .integer(status.waiting), "failing": .integer(status.failing),
      "incomplete": .integer(status.incomplete),
      "withheld": .integer(status.withheld), "deleted": .integer(status.deleted),
      "heldBack": .integer(heldBack),
      "deletionsHeld": .bool(status.discovery.deletionsHeld > 0),
      "lastSuccess": .time(status.lastSuccess), "failingSince": .time(status.failingSince),
      "wholeListed": .time(status.discovery.wholeListed),
      "wholeFound": .integer(status.discovery.wholeFound),
      "nextRun": .time(nextRun), "lastRun": run,
    ]
  }
}
