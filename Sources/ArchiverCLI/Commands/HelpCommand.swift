/// `archiver help`.
enum HelpCommand {
  static let command = Command(
    "help", summary: "explain a command",
    operands: [
      Command.Operand(
        "COMMAND", .command, isOptional: true, isRepeatable: true, help: "The command to explain")
    ],
    examples: [Command.Example("archiver help run", "Everything about run.")],
    action: { try perform($0) })

  private static func perform(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    var path = [invocation.root.name]
    var command = invocation.root
    for word in invocation.arguments.operands {
      guard let next = command.subcommand(named: word) else {
        let hint = NearestName.hint(word, among: command.subcommands.map(\.name))
        throw UsageError("'\(DisplayText.line(word))' is no command\(hint)", helpPath: path)
      }
      command = next
      path.append(word)
    }
    let output = invocation.environment.output
    output.write(HelpPage.text(path: path, command: command, width: output.columns ?? 80))
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
      invocation.environment.output.write(shell.script(root: invocation.root))
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
