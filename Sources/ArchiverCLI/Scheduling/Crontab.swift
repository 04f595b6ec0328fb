/// A user's crontab as text: the managed line among the user's own.
enum Crontab {
  /// Marks the end of the managed line.
  static let mark = "# archiver schedule"

  /// Returns the line; `command` is a shell command.
  static func line(_ schedule: RunSchedule, command: String) -> String {
    // In a crontab an unescaped per cent sign ends the command.
    "\(schedule.cron) \(command.replacingScalars("%", with: "\\%")) \(mark)"
  }

  /// Returns the managed line, or else one written by hand that starts `archiver run`; `nil` if
  /// there is none.
  static func own(in table: String) -> String? {
    let lines = table.split(separator: "\n").map(String.init)
    return lines.first { $0.hasSuffix(mark) } ?? lines.first { ScheduledRun(cron: $0) != nil }
  }

  /// Returns the table with the managed line replaced by `line`, or removed.
  ///
  /// Lines written by hand that start `archiver run` are replaced too: a second run per night would
  /// collide with the first.
  static func replacing(in table: String, with line: String?) -> String {
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    lines.removeAll { $0.hasSuffix(mark) || ScheduledRun(cron: $0) != nil }
    if let line { lines.append(line) }
    return lines.map { $0 + "\n" }.joined()
  }
}
