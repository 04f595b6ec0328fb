/// A shell that completions can be written for.
enum CompletionShell: String, Sendable, CaseIterable {
  case bash, zsh, fish

  /// Returns the completion script, generated from the table of commands.
  func script(root: Command) -> String {
    switch self {
    case .bash: BashCompletion.script(root: root)
    case .zsh: ZshCompletion.script(root: root)
    case .fish: FishCompletion.script(root: root)
    }
  }
}

/// The values to complete, the same for all shells.
enum CompletionValues: Sendable, Hashable {
  case none
  case files
  case folders
  /// The names of sources, from `archiver sources --names`.
  case sources
  case words([String])

  init(_ value: Option.Value) {
    self =
      switch value {
      case .file: .files
      case .directory: .folders
      case .source: .sources
      case .choice(let words): .words(words)
      default: .none
      }
  }

  init(_ operand: Command.Operand, root: Command) {
    self =
      switch operand.value {
      case .text: .none
      case .source: .sources
      case .choice(let words): .words(words)
      case .command: .words(root.subcommands.map(\.name) + ManualTopic.help(root).map(\.name))
      }
  }
}

extension String {
  /// The text in single quotes, as a POSIX shell reads it.
  var shellQuoted: String {
    "'" + replacingScalars("'", with: "'\\''") + "'"
  }

  /// Replaces a text scalar by scalar, as programs see it: to Swift a quote and a combining mark after
  /// it are one character.
  func replacingScalars(_ text: String, with other: String) -> String {
    String(unicodeScalars.replacing(text.unicodeScalars, with: other.unicodeScalars))
  }
}
