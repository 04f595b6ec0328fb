/// `archiver help`.
enum HelpCommand {
  static let command = Command(
    "help", summary: "explain a command or a topic",
    discussion: [
      "Topics: "
        + (ManualTopic.all + [.exitCodes]).map(\.name).joined(separator: ", ") + ", environment."
    ],
    operands: [
      Command.Operand(
        "COMMAND", .command, isOptional: true, isRepeatable: true,
        help: "The command or topic to explain")
    ],
    examples: [
      Command.Example("archiver help run", "All about run."),
      Command.Example("archiver help exit-codes", "For scripts."),
      Command.Example("archiver help topics", "All topics."),
    ],
    action: { try perform($0) })

  private static func perform(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    var path = [invocation.root.name]
    var command = invocation.root
    let topics = ManualTopic.help(invocation.root)
    if let word = invocation.arguments.operands.first, invocation.arguments.operands.count == 1,
      invocation.root.subcommand(named: word) == nil
    {
      if let topic = topics.first(where: { $0.name == word }) {
        return write([topic], invocation)
      }
      if word == "topics" {
        invocation.environment.output.write(
          topics.map { "\(TextWidth.pad($0.name, to: 12)) \($0.summary)\n" }.joined())
        return .success
      }
    }
    for word in invocation.arguments.operands {
      guard let next = command.subcommand(named: word) else {
        // The help of a command covers its actions, such as `test` of `source test NAME`.
        if case .choice(let actions)? = command.operands.first?.value, actions.contains(word) {
          break
        }
        let names = command.subcommands.map(\.name) + (path.count == 1 ? topics.map(\.name) : [])
        let hint = NearestName.hint(word, among: names)
        throw UsageError(
          "'\(DisplayText.line(word))' is not a command or topic\(hint)", helpPath: path)
      }
      command = next
      path.append(word)
    }
    let output = invocation.environment.output
    output.write(HelpPage.text(path: path, command: command, width: output.columns ?? 80))
    // A command and a topic may share a name; then show both.
    let same = topics.filter { path.count == 2 && $0.name == path[1] }
    return write(same, invocation)
  }

  private static func write(_ topics: [ManualTopic], _ invocation: Invocation) -> ExitCode {
    let output = invocation.environment.output
    for topic in topics {
      output.write("\n\(topic.title)\n\n")
      for paragraph in topic.paragraphs {
        output.write(TextWidth.wrap(paragraph, width: output.columns ?? 80, indent: 2) + "\n")
      }
    }
    return .success
  }
}

/// `archiver completions`.
enum CompletionsCommand {
  static let command = Command(
    "completions", summary: "print the completion script of a shell",
    operands: [
      Command.Operand(
        "SHELL", .choice(CompletionShell.allCases.map(\.rawValue)), help: "bash, zsh or fish")
    ],
    examples: [
      Command.Example(
        "archiver completions bash > ~/.local/share/bash-completion/completions/archiver",
        "For bash, from the next shell on."),
      Command.Example(
        "archiver completions zsh > ~/.zfunc/_archiver", "For zsh, with ~/.zfunc in fpath."),
      Command.Example(
        "archiver completions fish > ~/.config/fish/completions/archiver.fish", "For fish."),
    ],
    action: { invocation in
      guard let shell = CompletionShell(rawValue: invocation.arguments.operands[0]) else {
        return .usage
      }
      invocation.environment.output.write(shell.script)
      return .success
    })
}

/// `archiver man`.
enum ManualCommand {
  static let command = Command(
    "man", summary: "print the manual page",
    examples: [
      Command.Example(
        "archiver man > ~/.local/share/man/man1/archiver.1", "Then 'man archiver' shows it.")
    ],
    action: { invocation in
      invocation.environment.output.write(
        ManualPage.text(root: invocation.root, version: invocation.services.version))
      return .success
    })
}
