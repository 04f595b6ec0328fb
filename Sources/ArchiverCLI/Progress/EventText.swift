import ArchiverCore

/// Events as lines of text for people.
enum EventText {
  /// How much is printed.
  struct Detail: Sendable {
    /// Nothing but failures and warnings.
    let isQuiet: Bool
    /// 1 adds repeated requests and information, 2 everything.
    let verbosity: Int
    /// Whether each item gets a line although all went well with it.
    let listsItems: Bool
  }

  /// Returns the line of an event without its line feed; `nil` when `detail` leaves it out.
  static func line(_ event: Event, _ detail: Detail) -> String? {
    switch event {
    case .log(let level, let source, let message):
      let least: LogLevel =
        detail.verbosity >= 2 ? .debug : detail.verbosity == 1 ? .info : .warning
      if level < least { return nil }
      let mark = level >= .warning ? "\(level.word): " : ""
      return mark + (source.map { "\($0): " } ?? "") + DisplayText.line(message)
    case .planned(let source, let plan): return detail.isQuiet ? nil : planned(source, plan)
    case .itemFinished(let source, let id, let title, let outcome):
      return finished(
        outcome, "\(source): \(DisplayText.title(title, id: id))", detail)
    case .assetFinished(let source, let url, _, let failure):
      guard detail.verbosity > 0, let failure else { return nil }
      let address = failure.contains(url) ? "" : "\(DisplayText.line(url)): "
      return "no picture: \(source): \(address)\(DisplayText.line(failure))"
    case .retrying(let url, let attempt, let delay, let reason):
      guard detail.verbosity > 0 else { return nil }
      // Most reasons name the address themselves.
      let address = reason.contains(url) ? "" : "\(DisplayText.line(url)): "
      return "again in \(Quantity.time(delay)) (attempt \(attempt)): \(address)"
        + DisplayText.line(reason)
    case .sourceFinished(let source, let failure):
      // What ended a source is told in the summary, when every line is written.
      return detail.verbosity > 0 ? "\(source): " + DisplayText.line(failure ?? "done") : nil
    case .listed, .itemStarted: return nil
    }
  }

  private static func planned(_ source: String, _ plan: PlanSummary) -> String {
    var parts = ["\(Quantity.grouped(plan.new)) new", "\(Quantity.grouped(plan.changed)) changed"]
    if plan.retries > 0 { parts.append("\(Quantity.grouped(plan.retries)) to try again") }
    parts.append("\(Quantity.grouped(plan.unchanged)) unchanged")
    if plan.deleted > 0 { parts.append("\(Quantity.grouped(plan.deleted)) gone from the source") }
    if plan.withheld > 0 { parts.append("\(Quantity.grouped(plan.withheld)) no longer shared") }
    return "\(source): \(parts.joined(separator: ", ")); taking \(Quantity.grouped(plan.selected))"
  }

  private static func finished(_ outcome: ItemOutcome, _ item: String, _ detail: Detail) -> String?
  {
    let isTrouble =
      switch outcome {
      case .failed, .kept: true
      case .archived, .unchanged, .deferred: false
      }
    if !isTrouble, !detail.listsItems { return nil }
    return switch outcome {
    case .archived(imagesMissing: 0): "archived: \(item)"
    case .archived(let missing):
      "archived: \(item) (\(Quantity.count(missing, "picture")) missing)"
    case .unchanged: "unchanged: \(item)"
    case .kept(let reason): "kept the old copy: \(item): \(DisplayText.line(reason))"
    case .deferred(let reason): "not ready: \(item): \(DisplayText.line(reason))"
    case .failed(let reason): "failed: \(item): \(DisplayText.line(reason))"
    }
  }
}
