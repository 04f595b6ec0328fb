/// The text of a user's crontab, with the managed line among the user's own.
enum Crontab {
  /// The mark at the end of the managed line.
  static let mark = "# archiver schedule"

  /// Returns the line; `command` is a shell command.
  static func line(_ schedule: RunSchedule, command: String) -> String {
    // In a crontab an unescaped per cent sign ends the command.
    "\(schedule.cron) \(command.replacingScalars("%", with: "\\%")) \(mark)"
  }

  /// Returns the managed line, or else the first one written by hand that can be taken over; `nil`
  /// if there is none.
  static func own(in table: String) -> String? {
    lines(table).first { $0.hasSuffix(mark) } ?? takeable(in: table).first
  }

  /// Returns the lines written by hand that only start `archiver run`: an installed line can
  /// replace one of them without a change of meaning.
  static func takeable(in table: String) -> [String] {
    lines(table).filter { !$0.hasSuffix(mark) && ScheduledRun(cron: $0) != nil }
  }

  /// Returns the lines written by hand that start runs in any way: after `nice` or `cd`, in a pipe, at `@daily`.
  static func byHand(in table: String) -> [String] {
    lines(table).filter { !$0.hasSuffix(mark) && startsRun($0) }
  }

  /// Whether a command of the line names the program and, after it, `run` or `watch`.
  private static func startsRun(_ line: String) -> Bool {
    guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { return false }
    let words = line.split { $0.isWhitespace || "|&;<>()`'\"".contains($0) }
    // The line of a variable is `NAME=value`; times begin with a digit, a star or `@`.
    guard !first.isLetter, first != "_",
      let program = words.firstIndex(where: { $0.split(separator: "/").last == "archiver" })
    else { return false }
    let commands = CommandName.running
    return words[program...].dropFirst().contains { commands.contains(String($0)) }
  }

  /// Returns the table with the managed line, or the line `taken`, replaced by `line` or removed.
  /// Every other line stays.
  static func replacing(
    in table: String, with line: String?, taking taken: String? = nil
  ) -> String {
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    lines.removeAll { $0.hasSuffix(mark) }
    if let index = lines.firstIndex(where: { $0 == taken }) { lines.remove(at: index) }
    if let line { lines.append(line) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func lines(_ table: String) -> [String] {
    table.split(separator: "\n").map(String.init)
  }

  /// Returns a line for display. Of URLs, which may contain keys, only the host is shown.
  static func shown(_ line: String) -> String {
    var text = ""
    var rest = line[...]
    while let mark = rest.firstRange(of: "://") {
      text += rest[..<mark.upperBound]
      rest = rest[mark.upperBound...]
      let address = rest.prefix { !$0.isWhitespace && !"'\"".contains($0) }
      let host = address.prefix { !"/?#".contains($0) }
      // A name and a password precede an at sign.
      text += host.split(separator: "@").last ?? ""
      if host.count < address.count { text += "/…" }
      rest = rest[address.endIndex...]
    }
    return text + rest
  }
}
