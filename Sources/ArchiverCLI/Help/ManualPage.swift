/// The manual page archiver(1) in the macros of man(7), generated from the table of commands.
enum ManualPage {
  static func text(root: Command, version: String) -> String {
    var page = [
      ".TH \(root.name.uppercased()) 1 \"\" \"\(root.name) \(escape(version))\" \"User Commands\"",
      // Disable hyphenation and justification: words are commands and paths to copy. groff 1.23
      // sets the adjustment of each paragraph to the string AD.
      ".nh", ".ds AD l", ".ad l", ".SH NAME", "\(root.name) \\- \(escape(root.summary))",
      ".SH SYNOPSIS",
    ]
    root.forEach { path, command in
      guard command.action != nil, path.count > 1 else { return }
      page += [".B \(escape(path.joined(separator: " ")))", "[options]"]
      page.append(contentsOf: command.operands.map { "\\fI\(escape($0.synopsis))\\fR" })
      page.append(".br")
    }
    page += section("DESCRIPTION", root.discussion)
    page.append(".SH COMMANDS")
    root.forEach { path, command in
      if path.count > 1 { page += commandText(path, command) }
    }
    for topic in ManualTopic.all { page += section(topic.title, topic.paragraphs) }
    page += environment(root) + [".SH \(ManualTopic.exitCodes.title)"]
    for code in ExitCode.allCases { page += term("\\fB\(code.rawValue)\\fR", code.meaning) }
    return page.joined(separator: "\n") + "\n"
  }

  private static func commandText(_ path: [String], _ command: Command) -> [String] {
    var lines = [".SS \"\(escape(HelpPage.usage(path: path, command: command)))\""]
    lines.append(escape(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."))
    for paragraph in command.discussion { lines += [".PP", escape(paragraph)] }
    for operand in command.operands {
      lines += term("\\fI\(escape(operand.name))\\fR", operand.help)
    }
    for (heading, options) in command.groups {
      if heading != "Options" { lines += [".PP", "\\fB\(escape(heading))\\fR"] }
      for option in options where option != .help { lines += optionText(option) }
    }
    if !command.examples.isEmpty { lines += [".PP", "Examples:"] }
    for example in command.examples {
      lines += term("\\fB\(escape(example.line))\\fR", example.help)
    }
    return lines
  }

  private static func optionText(_ option: Option) -> [String] {
    var names = "\\fB\(escape(option.flag))\\fR"
    if let short = option.short { names = "\\fB\\-\(short)\\fR, " + names }
    if let value = option.valueName { names += " \\fI\(escape(value))\\fR" }
    return term(names, option.fullHelp + ".")
  }

  private static func environment(_ root: Command) -> [String] {
    let topic = ManualTopic.environment(root)
    return section(topic.title, ManualTopic.beforeVariables)
      + ManualTopic.allVariables(root).flatMap { term("\\fB\(escape($0.name))\\fR", $0.help) }
      + ManualTopic.afterVariables(root).flatMap { [".PP", escape($0)] }
  }

  private static func section(_ title: String, _ paragraphs: [String]) -> [String] {
    [".SH \(title)"] + paragraphs.flatMap { [".PP", escape($0)] }.dropFirst()
  }

  /// A tagged paragraph.
  private static func term(_ tag: String, _ text: String) -> [String] {
    [".TP", tag, escape(text)]
  }

  /// Returns text that roff prints literally: backslashes and hyphens are escaped, no line begins
  /// like a request, and characters beyond ASCII are code points. Long paths may be broken at a
  /// slash.
  static func escape(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let result = words.map(escape(word:)).joined(separator: " ")
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func escape(word: Substring) -> String {
    let slash = word.count > 40 ? "/\\:" : "/"
    var result = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "/": result += slash
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default:
        if scalar.value < 0x7F {
          result.unicodeScalars.append(scalar)
        } else {
          let hex = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "]"
        }
      }
    }
    return result
  }
}
