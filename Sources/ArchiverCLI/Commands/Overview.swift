/// The output of `archiver` without arguments: the commands and how to begin.
enum Overview {
  static func text(_ root: Command) -> String {
    let width = root.subcommands.reduce(0) { max($0, $1.name.count) }
    let commands = root.subcommands.map { command in
      "  \(TextWidth.pad(command.name, to: width))  \(command.summary)\n"
    }
    return """
      archiver: \(root.summary)

        archiver run --source readeck --max 20

      Commands:
      \(commands.joined())
      'archiver help COMMAND' tells more of each, 'archiver help topics' of the rest.

      """
  }
}
