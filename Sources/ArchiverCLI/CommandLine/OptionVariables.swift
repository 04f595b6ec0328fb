/// Gives every option a variable: `--wait-online` is `ARCHIVER_WAIT_ONLINE`.
///
/// If two commands have different options of one name, the variable also names the command:
/// `ARCHIVER_LIST_LIMIT`.
enum OptionVariables {
  /// Returns the command and all below it with variables for their options.
  static func assigned(to root: Command) -> Command {
    var byName: [String: Set<Option>] = [:]
    var taken: Set<String> = []
    root.forEach { _, command in
      for option in command.options {
        if let variable = option.environment {
          taken.insert(variable)
        } else if option.withoutVariable == nil {
          byName[option.name, default: []].insert(option)
        }
      }
    }
    return root.mapped { path, option in
      guard option.environment == nil, option.withoutVariable == nil else { return option }
      let short = variable([option.name])
      let isAlone = byName[option.name]?.count == 1 && !taken.contains(short)
      var named = option
      named.environment = isAlone ? short : variable(path.dropFirst() + [option.name])
      return named
    }
  }

  private static func variable(_ words: some Sequence<String>) -> String {
    "ARCHIVER_"
      + words.map { $0.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }
      .joined(separator: "_")
  }

  /// Options without a variable, each with the reason, for the documentation.
  static func exceptions(_ root: Command) -> [(name: String, reason: String)] {
    var found: [String: String] = [:]
    root.forEach { _, command in
      for option in command.options { found[option.name] = option.withoutVariable }
    }
    return found.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }
}

extension Command {
  /// Returns the command with its options and those below it as `change` makes them.
  fileprivate func mapped(
    path: [String] = [], _ change: ([String], Option) -> Option
  ) -> Command {
    var command = self
    let path = path + [name]
    command.options = options.map { change(path, $0) }
    command.subcommands = subcommands.map { $0.mapped(path: path, change) }
    return command
  }
}
