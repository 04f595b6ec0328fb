import ArchiverCore
import ArchiverPipeline

/// Plain lines on standard error, one per item, without control characters.
struct LineReporter: RunReporter {
  let output: any TextOutput
  let detail: EventText.Detail
  var wording = Wording.english

  func shows(_ event: Event) -> Bool { EventText.line(event, detail, in: wording) != nil }

  func show(_ event: Event, at now: Date) {
    guard let line = EventText.line(event, detail, in: wording) else { return }
    output.write(line + "\n")
  }

  func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    // Failed items had their lines already.
    let lines = RunSummary.lines(
      report, isDryRun: isDryRun, onlyTrouble: detail.isQuiet, in: wording)
    output.write(lines.map { $0 + "\n" }.joined())
  }
}
