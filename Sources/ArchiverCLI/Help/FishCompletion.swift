/// Completion for fish.
enum FishCompletion {
  static func script(root: Command) -> String {
    let names = root.subcommands.map(\.name).joined(separator: " ")
    var lines = [
      "# fish completion for archiver", "complete -c archiver -f",
    ]
    for command in root.subcommands {
      lines.append(
        "complete -c archiver -n __fish_use_subcommand -a \(command.name) -d \(quote(command.summary))"
      )
    }
    for option in root.options {
      lines.append(line(option, condition: "not __fish_seen_subcommand_from \(names)"))
    }
    for command in root.subcommands {
      let condition = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options { lines.append(line(option, condition: condition)) }
      if let operand = command.operands.first {
        let values = arguments(CompletionValues(operand, root: root))
        if !values.isEmpty {
          lines.append("complete -c archiver -n \(quote(condition)) \(values)")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ option: Option, condition: String) -> String {
    var words = ["complete -c archiver -n \(quote(condition)) -l \(option.name)"]
    if let short = option.short { words.append("-s \(short)") }
    if option.takesValue {
      let values = CompletionValues(option.value)
      words.append(values == .files ? "-r" : "-x")
      words.append(arguments(values))
    }
    words.append("-d \(quote(option.help))")
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func arguments(_ values: CompletionValues) -> String {
    switch values {
    case .none: ""
    case .files: "-F"
    case .folders: "-a '(__fish_complete_directories)'"
    case .sources: "-a '(archiver sources --names 2>/dev/null)'"
    case .words(let words): "-a \(quote(words.joined(separator: " ")))"
    }
  }

  private static func quote(_ text: String) -> String {
    text.reduce(into: "'") { result, character in
      if character == "'" || character == "\\" { result += "\\" }
      result.append(character)
    } + "'"
  }
}
