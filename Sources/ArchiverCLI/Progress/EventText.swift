import ArchiverCore

/// Events as lines of text for people.
enum EventText {
  /// The amount of output.
  struct Detail: Sendable {
    /// Whether to print only failures and warnings.
    let isQuiet: Bool
    /// 1 adds retries and information, 2 everything.
    let verbosity: Int
    /// Whether to print a line for each successful item too.
    let listsItems: Bool
  }

  /// Returns the line of an event without its line feed; `nil` if `detail` excludes it.
  static func line(
    _ event: Event, _ detail: Detail, in wording: Wording = .english
  ) -> String? {
    switch event {
    case .log(let level, let source, let message):
      let least: LogLevel =
        detail.verbosity >= 2 ? .debug : detail.verbosity == 1 ? .info : .warning
      if level < least { return nil }
      let text = (source.map { "\($0): " } ?? "") + DisplayText.line(message)
      if level < .warning { return text }
      return wording.text(level == .warning ? .warning : .error, text)
    case .planned(let source, let plan):
      return detail.isQuiet ? nil : planned(source, plan, wording)
    case .itemFinished(let source, let id, let title, let outcome):
      return finished(
        outcome, "\(source): \(DisplayText.title(title, id: id))", detail, wording)
    case .assetFinished(let source, let url, _, let failure):
      guard detail.verbosity > 0, let failure else { return nil }
      let address = failure.contains(url) ? "" : "\(DisplayText.line(url)): "
      return wording.text(.noPicture, source, address + DisplayText.line(failure))
    case .retrying(let url, let attempt, let delay, let reason):
      guard detail.verbosity > 0 else { return nil }
      // Most reasons name the address themselves.
      let address = reason.contains(url) ? "" : "\(DisplayText.line(url)): "
      return wording.text(
        .again, wording.time(delay), String(attempt), address + DisplayText.line(reason))
    case .sourceFinished(let source, let failure):
      // The summary has the reason why a source failed.
      guard detail.verbosity > 0, failure == nil else { return nil }
      return "\(source): " + wording.text(.sourceDone)
    case .listed, .itemStarted, .downloading: return nil
    }
  }

  private static func planned(
    _ source: String, _ plan: PlanSummary, _ wording: Wording
  ) -> String {
    func part(_ phrase: Phrase, _ count: Int) -> String {
      wording.text(phrase, wording.number(count))
    }
    var parts = [part(.planNew, plan.new), part(.planChanged, plan.changed)]
    if plan.retries > 0 { parts.append(part(.planRetries, plan.retries)) }
    parts.append(part(.planUnchanged, plan.unchanged))
    if plan.deleted > 0 { parts.append(part(.planGone, plan.deleted)) }
    if plan.withheld > 0 { parts.append(part(.planWithheld, plan.withheld)) }
    return wording.text(
      .plan, source, parts.joined(separator: ", "), wording.number(plan.selected))
  }

  private static func finished(
    _ outcome: ItemOutcome, _ item: @autoclosure () -> String, _ detail: Detail,
    _ wording: Wording
  ) -> String? {
    // The summary has a copy that is newly held back, and the number of suppressed items.
    let isFailure = if case .failed = outcome { true } else { false }
    if !isFailure, !detail.listsItems { return nil }
    if case .leftOut = outcome, detail.verbosity < 1 { return nil }
    let item = item()
    return switch outcome {
    case .archived(imagesMissing: 0): wording.text(.itemArchived, item)
    case .archived(let missing):
      wording.text(.itemLacking, item, wording.count(missing, .picture, .pictures))
    case .unchanged: wording.text(.itemUnchanged, item)
    case .kept(let reason): wording.text(.itemKept, item, DisplayText.line(reason))
    case .deferred(let reason): wording.text(.itemDeferred, item, DisplayText.line(reason))
    case .leftOut(let reason): wording.text(.itemLeftOut, item, DisplayText.line(reason))
    case .failed(let reason): wording.text(.itemFailed, item, DisplayText.line(reason))
    }
  }
}
