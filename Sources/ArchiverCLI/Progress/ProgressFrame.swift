import ArchiverCore

/// The lines of the live display for a state, a time and a width.
struct ProgressFrame {
  let state: ProgressState
  let now: Date
  /// The number of columns that may be used.
  let columns: Int
  let styles: Styles
  var wording = Wording.english

  /// The number of titles shown below each source.
  private static let titles = 4
  /// The maximum number of lines, so that the display fits on any terminal.
  private static let lines = 14

  /// Returns the lines, each at most `columns` wide.
  func text() -> [String] {
    let active = state.sources.filter { !$0.isFinished }
    let lines = active.flatMap(source).prefix(Self.lines)
    return Array(lines)
  }

  private func source(_ source: ProgressState.Source) -> [String] {
    guard let plan = source.plan else { return [fit(listing(source))] }
    var lines = [head(source, plan), fit("  " + figures(source))]
    for item in source.current.prefix(Self.titles) {
      lines.append(line(of: item))
    }
    let more = source.current.count - Self.titles
    if more > 0 { lines.append(fit("  " + wording.text(.more, String(more)))) }
    return lines
  }

  /// Returns the line of an item in progress: how much of its file has arrived, `45%  12.3 MB of
  /// 27.1 MB`, or the elapsed time if it is long.
  private func line(of item: ProgressState.Item) -> String {
    let title = "  \(styles.arrow) " + DisplayText.title(item.title, id: item.id)
    guard let figures = figures(of: item) else { return fit(title) }
    let room = columns - TextWidth.of(figures)
    guard room >= 16 else { return fit(title) }
    return TextWidth.truncate(title, to: room, ellipsis: styles.ellipsis) + figures
  }

  private func figures(of item: ProgressState.Item) -> String? {
    guard let received = item.received else {
      let elapsed = now.timeIntervalSince(item.started)
      guard elapsed >= 3 else { return nil }
      return styles.separator + wording.time(.seconds(elapsed), tenths: false)
    }
    guard let total = item.total, total > 0 else { return "  " + wording.bytes(received) }
    let whole = wording.text(.ofTotal, wording.bytes(received), wording.bytes(total))
    return "  \(min(100, received * 100 / total))%  \(whole)"
  }

  private func listing(_ source: ProgressState.Source) -> String {
    let listed = wording.number(source.listed)
    let count = source.total.map { wording.text(.ofTotal, listed, wording.number($0)) } ?? listed
    return "\(source.name)  " + wording.text(.listing, count)
  }

  private func head(_ source: ProgressState.Source, _ plan: PlanSummary) -> String {
    let counts = wording.text(
      .progress, wording.number(source.done), wording.number(plan.selected))
    let left =
      state.timeLeft(of: source, at: now).map {
        "  " + wording.text(.timeLeft, wording.time($0, tenths: false))
      }
      ?? ""
    let room = columns - TextWidth.of(source.name) - TextWidth.of(counts) - TextWidth.of(left) - 4
    let bar = room >= 10 ? bar(source.done, of: plan.selected, width: min(room, 30)) + "  " : ""
    return fit("\(source.name)  \(bar)\(counts)\(left)", style: bar.isEmpty ? .bold : nil)
  }

  private func bar(_ done: Int, of total: Int, width: Int) -> String {
    let filled = total > 0 ? min(width, done * width / total) : 0
    let (full, empty) = styles.isUnicode ? ("━", "─") : ("#", "-")
    return String(repeating: full, count: filled)
      + String(repeating: empty, count: width - filled)
  }

  private func figures(_ source: ProgressState.Source) -> String {
    var parts: [String] = []
    if source.failed > 0 { parts.append(wording.text(.failedCount, String(source.failed))) }
    parts.append(wording.count(source.images, .picture, .pictures))
    if source.imagesMissing > 0 {
      parts.append(wording.text(.missingCount, String(source.imagesMissing)))
    }
    parts.append(wording.bytes(source.bytesSoFar))
    if let rate = state.rate(at: now) { parts.append("\(wording.bytes(Int(rate)))/s") }
    // Drop parts that do not fit, from the end: the least important part is last.
    while parts.count > 1,
      TextWidth.of(parts.joined(separator: styles.separator)) > columns - 2
    {
      parts.removeLast()
    }
    return parts.joined(separator: styles.separator)
  }

  private func fit(_ line: String, style: Style? = nil) -> String {
    let text = TextWidth.truncate(line, to: columns, ellipsis: styles.ellipsis)
    return style.map { styles.apply($0, text) } ?? text
  }
}
