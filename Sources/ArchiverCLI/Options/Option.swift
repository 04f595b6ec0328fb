/// An option of a command: its description for the parser, the help, the completions and the manual page.
struct Option: Sendable, Hashable {
  enum Value: Sendable, Hashable {
    /// An option without a value.
    case flag
    /// A flag whose repetition means more: `-vv`.
    case counter
    case text
    /// An http or https URL.
    case url
    case file
    case directory
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A duration; see `Quantity.duration`: `90` (seconds), `15m`, `1w`.
    case duration
    /// A number of bytes; see `Quantity.bytes`: `500M`.
    case size
    /// An age; see `Quantity.age`: `36h`, `90d`, `8w`, `18mo`, `2y`.
    case age
    case choice([String])
    /// The name of a configured source.
    case source
    /// The name of a command or topic.
    case command
  }

  /// The name without its dashes: `keep-versions`.
  let name: String
  let short: Character?
  let value: Value
  /// The placeholder of the value in help, such as `DIR`; `nil` for flags.
  let valueName: String?
  /// Whether all given values are collected; otherwise the last one counts.
  let isRepeatable: Bool
  /// The environment variable that replaces the option if it is not given; `OptionVariables`
  /// derives one if none is named.
  var environment: String?
  /// Why no variable replaces it; `nil` if one does.
  let withoutVariable: String?
  /// The default in words; `nil` if there is none.
  let defaultText: String?
  /// The description: one sentence without a full stop.
  let help: String
  /// The heading it is listed under.
  let group: String

  init(
    _ name: String, short: Character? = nil, _ value: Value = .flag, valueName: String? = nil,
    isRepeatable: Bool = false, environment: String? = nil, withoutVariable: String? = nil,
    defaultText: String? = nil, help: String, group: String = "Options"
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.valueName = valueName
    self.isRepeatable = isRepeatable
    self.environment = environment
    self.withoutVariable = withoutVariable
    self.defaultText = defaultText
    self.help = help
    self.group = group
  }

  var takesValue: Bool { value != .flag && value != .counter }

  /// The option as written on the command line: `--max`.
  var flag: String { "--" + name }

  /// The option with its placeholder: `--max N`.
  var synopsis: String { valueName.map { "\(flag) \($0)" } ?? flag }

  /// The help, with choices, default and environment variable.
  var fullHelp: String {
    var notes: [String] = []
    if case .choice(let choices) = value {
      notes.append("one of " + choices.joined(separator: ", "))
    }
    if isRepeatable { notes.append("may be repeated") }
    if let defaultText { notes.append("default: \(defaultText)") }
    if let environment { notes.append("environment: \(environment)") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

extension Option {
  /// Why an option has no variable.
  enum Reason {
    static let text = "it prints information and does nothing else"
    static let once =
      "it is meant for a single command and would do harm if it stayed in the environment"
    static let setting = "the source's own variable does the same"
  }
}
