import ArchiverCore
import ArchiverPipeline

/// The sentences that end a run.
enum RunSummary {
  /// Returns lines for people.
  ///
  /// With `onlyTrouble` those that a person must read; none when all went well.
  static func lines(_ report: RunReport, isDryRun: Bool, onlyTrouble: Bool) -> [String] {
    let total = RunTotals(report)
    var lines: [String] = []
    if isDryRun {
      if !onlyTrouble { lines += plan(report, total) }
    } else if !onlyTrouble {
      if isTelling(report, total) { lines.append(outcome(total)) }
      if total.imagesMissing > 0 {
        lines.append(
          "\(Quantity.count(total.imagesMissing, "picture")) could not be had; "
            + "the pages show where they were and link to them.")
      }
      if total.deferred > 0 {
        lines.append(
          "\(Quantity.count(total.deferred, "item")) not there or not ready yet at the source.")
      }
      for source in report.sources where !source.expired.isEmpty {
        lines.append(
          "\(source.name): \(Quantity.count(source.expired.count, "old item")) removed, as its "
            + "configuration asks for.")
      }
      lines += report.sources.flatMap(room)
      if total.waiting > 0 { lines.append("\(waiting(total.waiting)) for the next run.") }
    }
    lines += report.sources.flatMap(trouble)
    lines += report.unknownIDs.map(unknown)
    if report.wasCancelled { lines.append("Interrupted; everything finished so far is kept.") }
    return lines
  }

  /// What the storage budget did.
  private static func room(_ source: SourceReport) -> [String] {
    var lines: [String] = []
    if !source.left.isEmpty {
      lines.append(
        "\(source.name): \(Quantity.count(source.left.count, "item")) left the archive to keep "
          + "within its size.")
    }
    if !source.held.isEmpty {
      lines.append(
        "\(source.name): no room for \(Quantity.count(source.held.count, "item")); "
          + "see 'archiver list --status not-cached'.")
    }
    return lines
  }

  /// The sentence about an id that was asked for and that no source has.
  static func unknown(_ id: String) -> String {
    "No item has the id '\(DisplayText.line(id))'; see 'archiver list'."
  }

  /// Whether the figures say something: of a run that got nowhere they would say "nothing new".
  private static func isTelling(_ report: RunReport, _ total: RunTotals) -> Bool {
    if total.archived + total.failed + total.kept > 0 { return true }
    let reachesNothing =
      report.failure != nil || report.wasCancelled
      || !report.sources.isEmpty && report.sources.allSatisfy { $0.failure != nil }
    return !reachesNothing
  }

  private static func waiting(_ count: Int) -> String {
    count == 1 ? "1 more waits" : "\(Quantity.grouped(count)) more wait"
  }

  private static func outcome(_ total: RunTotals) -> String {
    let time = Quantity.time(total.duration)
    if total.archived == 0, total.failed == 0, total.kept == 0 {
      let known = total.unchanged > 0 ? "; \(Quantity.grouped(total.unchanged)) unchanged" : ""
      return "Nothing new\(known) (\(time))."
    }
    var parts = [Quantity.count(total.archived, "item")]
    if total.images > 0 { parts.append(Quantity.count(total.images, "picture")) }
    if total.bytes > 0 { parts.append(Quantity.bytes(total.bytes)) }
    let unchanged = total.unchanged > 0 ? "; \(Quantity.grouped(total.unchanged)) unchanged" : ""
    return "Archived \(parts.joined(separator: ", ")) in \(time)\(unchanged)."
  }

  private static func plan(_ report: RunReport, _ total: RunTotals) -> [String] {
    var lines: [String] = []
    for source in report.sources {
      for note in source.wouldFetch {
        lines.append("  \(DisplayText.title(note.title, id: note.id))")
      }
    }
    let count = report.sources.reduce(0) { $0 + $1.wouldFetch.count }
    let more = total.waiting > 0 ? " \(waiting(total.waiting)) for later runs." : ""
    lines.append("Would archive \(Quantity.count(count, "item")); nothing was written.\(more)")
    return lines
  }

  /// What went wrong with a source; single items had their lines when they failed.
  private static func trouble(_ source: SourceReport) -> [String] {
    var lines = source.conflicts.map {
      "\(source.name): \(DisplayText.title($0.title, id: $0.id)): \(DisplayText.line($0.message))"
    }
    if !source.failed.isEmpty {
      lines.append(
        "\(source.name): \(Quantity.count(source.failed.count, "item")) failed; "
          + "see 'archiver list --failed'.")
    }
    if let failure = source.failure, failure.code != .cancelled {
      lines.append("\(source.name): \(DisplayText.line(failure.message))")
    }
    return lines
  }
}
