/// A user's crontab as text: our line among others' lines.
enum Crontab {
  /// Ends the line that is ours.
  static let mark = "# archiver schedule"

  /// Returns the line; `command` is a line of shell.
  static func line(_ schedule: RunSchedule, command: String) -> String {
    // To cron an unescaped per cent sign ends the command.
    "\(schedule.cron) \(command.replacingScalars("%", with: "\\%")) \(mark)"
  }

  /// Returns the line that is ours, or else one written by hand that starts `archiver run`; `nil`
  /// when there is none.
  static func own(in table: String) -> String? {
    let lines = table.split(separator: "\n").map(String.init)
    return lines.first { $0.hasSuffix(mark) } ?? lines.first { ScheduledRun(cron: $0) != nil }
  }

  /// Returns the table with `line` in the place of ours, or without ours.
  ///
  /// Lines written by hand that start `archiver run` are ours too: a second run a night would meet
  /// the first.
  static func replacing(in table: String, with line: String?) -> String {
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    lines.removeAll { $0.hasSuffix(mark) || ScheduledRun(cron: $0) != nil }
    if let line { lines.append(line) }
    return lines.map { $0 + "\n" }.joined()
  }
}
