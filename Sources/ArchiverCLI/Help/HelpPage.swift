/// The text of `--help`, generated from the table of commands.
enum HelpPage {
  /// Returns the help of a command. Lines are at most `width` columns wide, unless a single word is longer.
  static func text(path: [String], command: Command, width: Int = 80) -> String {
    let width = max(40, min(width, 100))
    var sections: [String?] = [head(path, command, width)]
    for paragraph in command.discussion { sections.append(TextWidth.wrap(paragraph, width: width)) }
    sections.append(section("Arguments", command.operands.map { ($0.name, $0.help) }, width))
    sections.append(section("Commands", command.subcommands.map { ($0.name, $0.summary) }, width))
    for (heading, options) in command.groups {
      let rows = options.map {
        (($0.short.map { "-\($0), " } ?? "    ") + $0.synopsis, $0.fullHelp)
      }
      sections.append(section(heading, rows, width))
    }
    sections.append(examples(command, width))
    if command.action != nil { sections.append(exitCodes(command, width)) }
    if !command.subcommands.isEmpty {
      sections.append("See '\(path.joined(separator: " ")) help COMMAND' for each command.\n")
    }
    return sections.compactMap { $0 }.joined(separator: "\n")
  }

  /// Returns the line after "Usage:".
  static func usage(path: [String], command: Command) -> String {
    var words = path
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    words.append("[options]")
    words += command.operands.map(\.synopsis)
    return words.joined(separator: " ")
  }

  private static func head(_ path: [String], _ command: Command, _ width: Int) -> String {
    TextWidth.wrap("\(path.joined(separator: " ")): \(command.summary)", width: width)
      + "\nUsage: \(usage(path: path, command: command))\n"
  }

  private static func examples(_ command: Command, _ width: Int) -> String? {
    if command.examples.isEmpty { return nil }
    let texts = command.examples.map { example in
      "  \(example.line)\n" + TextWidth.wrap(example.help, width: width, indent: 6)
    }
    return "Examples:\n" + texts.joined()
  }

  private static func exitCodes(_ command: Command, _ width: Int) -> String? {
    let codes = Set(command.exitCodes + [.usage])
    let rows = ExitCode.allCases.filter { codes.contains($0) }.map { code in
      let own = code == .someFailed ? command.meaningOfOne : nil
      return (TextWidth.pad(String(code.rawValue), to: 3, atStart: true), own ?? code.meaning)
    }
    return section("Exit codes", rows, width)
  }

  /// Returns a heading and rows of a term and its explanation; a long term is on a line of its own.
  /// `nil` without rows.
  private static func section(
    _ heading: String, _ rows: [(String, String)], _ width: Int
  ) -> String? {
    if rows.isEmpty { return nil }
    let longest = rows.reduce(0) { max($0, TextWidth.of($1.0)) }
    let indent = min(longest + 4, width / 3)
    return rows.reduce(heading + ":\n") { (text, row) -> String in
      let body = TextWidth.wrap(row.1, width: width, indent: indent)
      let term = "  " + row.0
      guard TextWidth.of(term) + 2 <= indent else { return "\(text)\(term)\n\(body)" }
      return text + TextWidth.pad(term, to: indent) + body.dropFirst(indent)
    }
  }
}
