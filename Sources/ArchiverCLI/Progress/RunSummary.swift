import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// The sentences at the end of a run.
enum RunSummary {
  /// Returns lines for people; with `onlyTrouble` only those that need attention.
  static func lines(
    _ report: RunReport, isDryRun: Bool, onlyTrouble: Bool, in wording: Wording = .english
  ) -> [String] {
    let total = RunTotals(report)
    var lines: [String] = []
    if isDryRun {
      if !onlyTrouble { lines += plan(report, total, wording) }
    } else if !onlyTrouble {
      lines += ending(report, total, wording)
    }
    lines += report.sources.flatMap { trouble($0, wording) }
    lines += warnings(report, wording)
    lines += report.libraryTroubles.prefix(5).map { note in
      wording.text(
        .notInLibrary, DisplayText.line(note.id, limit: 80), DisplayText.line(note.message))
    }
    lines += report.unknownIDs.map { unknown($0, in: wording) }
    if report.wasCancelled { lines.append(wording.text(.interrupted)) }
    return lines
  }

  private static func ending(
    _ report: RunReport, _ total: RunTotals, _ wording: Wording
  ) -> [String] {
    var lines = isTelling(report, total) ? outcome(report, total, wording) : []
    if total.picturesLacking > 0 {
      lines.append(wording.count(total.picturesLacking, .pictureLacking, .picturesLacking))
    }
    if total.picturesGone > 0 {
      lines.append(wording.count(total.picturesGone, .pictureGone, .picturesGone))
    }
    if total.picturesLater > 0 {
      lines.append(wording.count(total.picturesLater, .pictureLater, .picturesLater))
    }
    if total.deferred > 0 {
      lines.append(wording.text(.notReady, wording.count(total.deferred, .item, .items)))
    }
    lines += report.sources.flatMap { removals($0, wording) }
    lines += remade(report, wording)
    // Items that are not ready wait too, and were reported above.
    if total.stillFailing > 0 {
      let items = wording.count(total.stillFailing, .item, .items)
      lines.append(
        wording.text(total.stillFailing == 1 ? .oneStillFails : .manyStillFail, items))
    }
    let others = total.waiting - total.deferred
    if others > 0 { lines.append(wording.count(others, .waitsOne, .waitsMany)) }
    return lines
  }

  /// Returns one sentence for a subject line: the worst failure, and the number of others; `nil` if there is none.
  static func sentence(_ report: RunReport) -> String? {
    var lines = lines(report, isDryRun: false, onlyTrouble: true)
    if let failure = report.failure { lines.insert(DisplayText.line(failure.message), at: 0) }
    let failures = report.sources.compactMap { source in
      source.failure.map { "\(source.name): \(DisplayText.line($0.message))" }
    }
    let worst = report.failure == nil ? failures.first : nil
    guard var first = worst ?? lines.first else { return nil }
    if first.hasSuffix(".") { first.removeLast() }
    return lines.count > 1 ? "\(first) (and \(lines.count - 1) more)" : first
  }

  /// Returns sentences that need attention even if the run succeeded.
  static func warnings(_ report: RunReport, _ wording: Wording = .english) -> [String] {
    var lines = report.sources.compactMap { source in
      source.vanished.map {
        wording.text(
          $0.wasRefused ? .vanishedRefused : .vanished, source.name, wording.number($0.count),
          wording.number($0.total))
      }
    }
    if let died = report.sources.compactMap(\.diedBefore).max() {
      lines.append(wording.text(.diedBefore, died.formatted(.iso8601)))
    }
    return lines
  }

  /// The maximum number of lines of one kind.
  private static let most = 5

  /// Returns the sentence about a requested id that no source has.
  static func unknown(_ id: String, in wording: Wording = .english) -> String {
    wording.text(.unknownID, DisplayText.line(id))
  }

  /// Whether the counts are meaningful: for a run that reached no source they would say "nothing new".
  private static func isTelling(_ report: RunReport, _ total: RunTotals) -> Bool {
    if !isEmpty(total) { return true }
    let reachesNothing =
      report.failure != nil || report.wasCancelled
      || !report.sources.isEmpty && report.sources.allSatisfy { $0.failure != nil }
    return !reachesNothing
  }

  /// Returns lines about pages of an earlier version of the program: how many were rebuilt, and which were not.
  private static func remade(_ report: RunReport, _ wording: Wording) -> [String] {
    var lines: [String] = []
    if report.remade > 0 { lines.append(wording.count(report.remade, .remadeOne, .remadeMany)) }
    lines += report.notRemade.prefix(most).map { note in
      wording.text(
        .notRemade, DisplayText.title(note.title, id: note.id), DisplayText.line(note.message))
    }
    let rest = report.notRemade.count - most
    if rest > 0 { lines.append(wording.text(.notRemadeMore, wording.count(rest, .item, .items))) }
    return lines
  }

  /// Returns lines about items that were removed, and about those that the storage budget excluded.
  private static func removals(_ source: SourceReport, _ wording: Wording) -> [String] {
    let all: [(Phrase, [SourceReport.ItemNote])] = [
      (.goneRemoved, source.removed), (.expired, source.expired), (.left, source.left),
      (.held, source.held),
    ]
    let counts = all.map { ($0, $1.count) } + [(Phrase.leftOut, source.leftOut)]
    return counts.compactMap { phrase, count in
      count == 0 ? nil : wording.text(phrase, source.name, wording.count(count, .item, .items))
    }
  }

  private static func outcome(
    _ report: RunReport, _ total: RunTotals, _ wording: Wording
  ) -> [String] {
    let timeUp = report.isTimeUp ? [wording.text(.timeUp, wording.time(total.duration))] : []
    // Without "nothing new": new items may not have been listed.
    if report.isTimeUp, isEmpty(total) { return timeUp }
    return [outcome(total, wording)] + timeUp
  }

  private static func isEmpty(_ total: RunTotals) -> Bool {
    total.archived == 0 && total.failed == 0 && total.kept == 0
  }

  private static func outcome(_ total: RunTotals, _ wording: Wording) -> String {
    let time = wording.time(total.duration)
    let unchanged =
      total.unchanged > 0 ? wording.text(.unchanged, wording.number(total.unchanged)) : ""
    if isEmpty(total) {
      return wording.text(.nothingNew, unchanged, time)
    }
    var parts = [wording.count(total.archived, .item, .items)]
    if total.images > 0 { parts.append(wording.count(total.images, .picture, .pictures)) }
    if total.bytes > 0 { parts.append(wording.bytes(total.bytes)) }
    return wording.text(.archived, parts.joined(separator: ", "), time, unchanged)
  }

  private static func plan(
    _ report: RunReport, _ total: RunTotals, _ wording: Wording
  ) -> [String] {
    var lines: [String] = []
    for source in report.sources {
      for note in source.wouldFetch {
        lines.append("  \(DisplayText.title(note.title, id: note.id))")
      }
    }
    let count = report.sources.reduce(0) { $0 + $1.wouldFetch.count }
    lines.append(wording.text(.wouldArchive, wording.count(count, .item, .items)))
    if total.waiting > 0 {
      lines[lines.count - 1] += " " + wording.count(total.waiting, .laterOne, .laterMany)
    }
    let leaving = report.sources.flatMap(\.wouldRemove)
    if leaving.isEmpty { return lines }
    lines += leaving.map { "  " + wording.text(.gone, DisplayText.title($0.title, id: $0.id)) }
    lines.append(wording.text(.wouldRemove, wording.count(leaving.count, .item, .items)))
    return lines
  }

  /// Returns at most five of these lines about a source, and how many there are besides.
  private static func some(
    _ lines: [String], of source: SourceReport, _ wording: Wording
  ) -> [String] {
    if lines.count <= most { return lines }
    let more = wording.text(.more, String(lines.count - most))
    return lines.prefix(most) + ["\(source.name): \(more)"]
  }

  /// Returns lines about failures of a source; those about single items were printed when they failed.
  private static func trouble(_ source: SourceReport, _ wording: Wording) -> [String] {
    var lines = source.conflicts.map {
      "\(source.name): \(DisplayText.title($0.title, id: $0.id)): \(DisplayText.line($0.message))"
    }
    let books = source.failed.count(where: \.isBookWithoutFile)
    if books > 0 {
      lines.append(
        wording.text(
          books == 1 ? .bookWithoutFile : .booksWithoutFile, source.name, wording.number(books)))
    }
    if source.failed.count > books {
      lines.append(
        wording.text(
          .failedItems, source.name, wording.count(source.failed.count - books, .item, .items)))
    }
    let heldBack = source.heldBack.map { note in
      wording.text(
        .heldBack, source.name, DisplayText.title(note.title, id: note.id),
        DisplayText.line(note.message))
    }
    lines += some(heldBack, of: source, wording)
    // A failure of the source explains the parts that were not reached.
    if source.unreached > 0, source.failure == nil {
      lines.append(
        wording.text(
          .partsUnreached, source.name, wording.count(source.unreached, .item, .items)))
    }
    // The parts that the listing could not read.
    let gaps = source.gaps.map { "\(source.name): \(DisplayText.line($0.message))" }
    lines += some(gaps, of: source, wording)
    if let failure = source.failure, failure.code != .cancelled {
      lines.append("\(source.name): \(DisplayText.line(failure.message))")
    }
    return lines
  }
}
