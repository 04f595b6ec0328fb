import ArchiverCore

/// A command: its description for the parser, the help, the completions and the manual page, and its action.
struct Command: Sendable {
  /// An operand: a word after the command's name.
  struct Operand: Sendable, Hashable {
    let name: String
    let value: Option.Value
    let isOptional: Bool
    let isRepeatable: Bool
    let help: String

    init(
      _ name: String, _ value: Option.Value, isOptional: Bool = false, isRepeatable: Bool = false,
      help: String
    ) {
      self.name = name
      self.value = value
      self.isOptional = isOptional
      self.isRepeatable = isRepeatable
      self.help = help
    }

    /// Items, named by id, folder or title.
    static let items = Operand(
      "ITEM", .text, isOptional: true, isRepeatable: true,
      help: "An id as printed by 'archiver list', a bundle's folder, or words of a unique title")

    var synopsis: String {
      let word = isRepeatable ? name + "…" : name
      return isOptional ? "[\(word)]" : word
    }
  }

  /// A command line to copy, and its effect.
  struct Example: Sendable, Hashable {
    let line: String
    let help: String

    init(_ line: String, _ help: String) {
      self.line = line
      self.help = help
    }
  }

  typealias Action = @Sendable (Invocation) async throws -> ExitCode

  let name: String
  /// The summary in one line, without a full stop.
  let summary: String
  /// The paragraphs of the description.
  let discussion: [String]
  let operands: [Operand]
  var options: [Option]
  let examples: [Example]
  /// The possible exit codes, besides `.usage`.
  let exitCodes: [ExitCode]
  /// The meaning of exit code 1 for this command; `nil` if `ExitCode.someFailed.meaning` fits.
  let meaningOfOne: String?
  var subcommands: [Command]
  /// How the command enters the sandbox; `nil` if it runs unsandboxed.
  let confinement: Confinement?
  let action: Action?

  init(
    _ name: String, summary: String, discussion: [String] = [], operands: [Operand] = [],
    options: [Option] = [], examples: [Example] = [], exitCodes: [ExitCode] = [.success],
    meaningOfOne: String? = nil, subcommands: [Command] = [], confinement: Confinement? = nil,
    action: Action? = nil
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    let hasSandbox = confinement == nil || options.contains { $0.name == Option.noSandbox.name }
    self.options = options + (hasSandbox ? [] : [.noSandbox]) + [.help]
    self.examples = examples
    self.exitCodes = exitCodes
    self.meaningOfOne = meaningOfOne
    self.subcommands = subcommands
    self.confinement = confinement
    self.action = action
  }

  func option(named name: String) -> Option? { options.first { $0.name == name } }

  func option(short: Character) -> Option? { options.first { $0.short == short } }

  func subcommand(named name: String) -> Command? { subcommands.first { $0.name == name } }

  /// Options by heading, in the order they were declared.
  var groups: [(heading: String, options: [Option])] {
    var headings: [String] = []
    for option in options where !headings.contains(option.group) { headings.append(option.group) }
    return headings.map { heading in (heading, options.filter { $0.group == heading }) }
  }

  /// Calls `body` with this command and every subcommand, each with the words that lead to it.
  func forEach(path: [String] = [], _ body: ([String], Command) -> Void) {
    let path = path + [name]
    body(path, self)
    for subcommand in subcommands { subcommand.forEach(path: path, body) }
  }
}

/// A parsed command line.
struct Invocation: Sendable {
  /// The words that led to the command: `["archiver", "run"]`.
  let path: [String]
  let command: Command
  var arguments: ParsedArguments
  let environment: ProcessEnvironment
  var services: Services
  let root: Command

  /// The path of the configuration file: the given one or the default.
  var configurationPath: String {
    arguments.text(.config).map(environment.expanded)
      ?? environment.configurationFolder + "/config.json5"
  }

  /// Prints the line with `--json`, otherwise the text.
  func report(_ line: @autoclosure () -> JSONLine, _ text: @autoclosure () -> String) {
    environment.output.write(arguments.has(.json) ? line().text : text())
  }

  /// Returns an error that points to the command's help.
  func misuse(_ message: String) -> UsageError { UsageError(message, helpPath: path) }
}
