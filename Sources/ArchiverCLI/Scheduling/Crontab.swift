/// A user's crontab as text: our line among others' lines.
enum Crontab {
  /// Ends the line that is ours.
  static let mark = "# archiver schedule"

  /// Returns the line; `command` is a line of shell.
  static func line(_ schedule: RunSchedule, command: String) -> String {
    // To cron an unescaped per cent sign ends the command.
    "\(schedule.cron) \(command.replacingScalars("%", with: "\\%")) \(mark)"
  }

  /// Returns the line that is ours; `nil` when there is none.
  static func own(in table: String) -> String? {
    table.split(separator: "\n").first { $0.hasSuffix(mark) }.map(String.init)
  }

  /// Returns the table with `line` in the place of ours, or without ours.
  static func replacing(in table: String, with line: String?) -> String {
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    lines.removeAll { $0.hasSuffix(mark) }
    if let line { lines.append(line) }
    return lines.map { $0 + "\n" }.joined()
  }
}
