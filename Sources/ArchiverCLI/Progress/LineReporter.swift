import ArchiverCore
import ArchiverPipeline

/// Writes plain lines without control characters: to standard error, or to a log with the time before each.
struct LineReporter: RunReporter {
  let output: any TextOutput
  private let detail: EventText.Detail
  private let wording: Wording
  /// Whether it writes a log, as for `--log-file` and `watch`.
  private let isLog: Bool

  /// - Parameters:
  ///   - verbosity: See `EventText.Detail`.
  ///   - isQuiet: Whether to write only failures and warnings.
  init(
    output: any TextOutput, verbosity: Int, isQuiet: Bool = false, isLog: Bool = false,
    wording: Wording = .english
  ) {
    self.output = output
    detail = EventText.Detail(isQuiet: isQuiet, verbosity: verbosity, listsItems: !isQuiet)
    self.isLog = isLog
    self.wording = wording
  }

  func begin(archive: String, sources: [String], at now: Date) {
    guard isLog, !detail.isQuiet else { return }
    write("run begins: \(sources.joined(separator: ", ")) to \(archive)", at: now)
  }

  func show(_ event: Event, at now: Date) {
    if let line = EventText.line(event, detail, in: wording) { write(line, at: now) }
  }

  func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    // The lines of failed items were written when they failed.
    for line in RunSummary.lines(
      report, isDryRun: isDryRun, onlyTrouble: detail.isQuiet, in: wording)
    {
      write(line, at: now)
    }
  }

  func write(_ line: String, at now: Date) {
    output.write((isLog ? "\(now.formatted(.iso8601)) " : "") + line + "\n")
  }
}
