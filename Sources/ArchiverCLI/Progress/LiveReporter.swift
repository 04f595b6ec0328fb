import ArchiverCore
import ArchiverPipeline

/// A display at the foot of the terminal that is redrawn in place. Lines about failures scroll away above it.
///
/// A frame is one write: the cursor moves to the frame's first line, each line is followed by an
/// erase to its end, and the rest of the screen is erased. The cursor stays visible, so nothing
/// needs repair if the process is killed.
struct LiveReporter: RunReporter {
  let output: any TextOutput
  let styles: Styles
  let detail: EventText.Detail
  let wording: Wording

  private var state = ProgressState()
  /// The widths of the lines of the last frame.
  private var drawn: [Int] = []
  private var isStale = false
  private var lastFrame: Date?

  init(
    output: any TextOutput, styles: Styles, detail: EventText.Detail, wording: Wording = .english
  ) {
    self.wording = wording
    self.output = output
    self.styles = styles
    self.detail = detail
  }

  mutating func show(_ event: Event, at now: Date) {
    state.add(event, at: now)
    isStale = true
    if let line = EventText.line(event, detail, in: wording) { draw(above: [line], at: now) }
  }

  mutating func tick(at now: Date) {
    let age = lastFrame.map { now.timeIntervalSince($0) } ?? .infinity
    // Rate and remaining time change even without events.
    if isStale && age >= 0.09 || age >= 1 { draw(above: [], at: now) }
  }

  mutating func end(_ report: RunReport, isDryRun: Bool, at now: Date) {
    state = ProgressState()
    let lines = RunSummary.lines(report, isDryRun: isDryRun, onlyTrouble: false, in: wording)
    let width = max(20, (output.columns ?? 80) - 1)
    // Wrap between words: a terminal would break a line anywhere.
    let wrapped = lines.flatMap { line in
      TextWidth.of(line) <= width
        ? [line]
        : TextWidth.wrap(line, width: width, indent: 0).split(separator: "\n").map(String.init)
    }
    draw(above: wrapped, at: now)
  }

  private mutating func draw(above lines: [String], at now: Date) {
    // The last column stays empty: some terminals wrap when it is written.
    let columns = max(20, (output.columns ?? 80) - 1)
    let frame = ProgressFrame(
      state: state, now: now, columns: columns, styles: styles, wording: wording
    ).text()
    var text = rewind(columns: columns + 1)
    for line in lines { text += line + "\u{1B}[K\n" }
    for line in frame { text += line + "\u{1B}[K\n" }
    output.write(text + "\u{1B}[J")
    drawn = frame.map { TextWidth.shown($0) }
    isStale = false
    lastFrame = now
  }

  /// Moves to the first line of the last frame, whose lines may occupy more rows if the terminal is narrower now.
  private func rewind(columns: Int) -> String {
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    return rows == 0 ? "\r" : "\r\u{1B}[\(rows)A"
  }
}
