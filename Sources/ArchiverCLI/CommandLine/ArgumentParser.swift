import ArchiverCore

/// Turns the words of a command line into a command with checked options and operands.
///
/// Long options as `--name value` or `--name=value`, short ones as `-n value`, `-nvalue` or bundled
/// (`-qv`); `--` ends the options. `--help` and `--version` win over everything after them.
struct ArgumentParser {
  enum Outcome {
    case run(path: [String], Command, ParsedArguments)
    case help(path: [String], Command)
    case version
  }

  private let variables: [String: String]
  private var path: [String]
  private var command: Command
  private var words: ArraySlice<String>
  private var arguments = ParsedArguments()
  private var isAfterOptions = false

  /// Parses `words`, the command line without the program's name.
  ///
  /// Throws `UsageError` for unknown words and invalid values.
  static func parse(
    _ words: [String], root: Command, variables: [String: String] = [:]
  ) throws(UsageError) -> Outcome {
    var parser = ArgumentParser(
      variables: variables, path: [root.name], command: root, words: words[...])
    return try parser.parse()
  }

  private mutating func parse() throws(UsageError) -> Outcome {
    while let word = words.popFirst() {
      if isAfterOptions || !word.hasPrefix("-") || word == "-" {
        try take(word: word)
      } else if word == "--" {
        isAfterOptions = true
      } else if word.hasPrefix("--") {
        if let outcome = try take(long: word) { return outcome }
      } else if let outcome = try take(bundle: word) {
        return outcome
      }
    }
    try checkOperands()
    try addEnvironment()
    return .run(path: path, command, arguments)
  }

  private mutating func take(word: String) throws(UsageError) {
    guard !command.subcommands.isEmpty else { return arguments.operands.append(word) }
    guard let subcommand = command.subcommand(named: word) else {
      let hint = NearestName.hint(word, among: command.subcommands.map(\.name))
      throw failure("'\(DisplayText.line(word))' is not a command\(hint)")
    }
    command = subcommand
    path.append(subcommand.name)
  }

  private mutating func take(long word: String) throws(UsageError) -> Outcome? {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.option(named: name) else { throw unknown(name) }
    let given = parts.count == 2 ? String(parts[1]) : nil
    if !option.takesValue, given != nil {
      throw failure("\(option.flag) takes no value")
    }
    return try take(option, given: given)
  }

  private mutating func take(bundle word: String) throws(UsageError) -> Outcome? {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.option(short: letter) else {
        throw failure(
          "unknown option '-\(DisplayText.line(String(letter)))'\(hint(misread: word))")
      }
      if option.takesValue, !letters.isEmpty {
        let rest = letters.first == "=" ? letters.dropFirst() : letters
        return try take(option, given: String(rest))
      }
      if let outcome = try take(option, given: nil) { return outcome }
    }
    return nil
  }

  /// Returns a hint how to pass an argument that begins with a hyphen; empty if the word cannot be one.
  private func hint(misread word: String) -> String {
    guard word.count > 2, !command.operands.isEmpty else { return "" }
    return "; put an argument that begins with '-' after '--'"
  }

  private mutating func take(_ option: Option, given: String?) throws(UsageError) -> Outcome? {
    if option == .help { return .help(path: path, command) }
    if option == .version { return .version }
    guard option.takesValue else {
      arguments.add(.count(1), to: option, from: .commandLine)
      return nil
    }
    let text: String
    if let given { text = given } else { text = try nextValue(of: option) }
    arguments.add(try check(text, option, named: option.flag), to: option, from: .commandLine)
    return nil
  }

  private mutating func nextValue(of option: Option) throws(UsageError) -> String {
    if let word = words.first, !word.hasPrefix("-") || word == "-" || Double(word) != nil {
      words.removeFirst()
      return word
    }
    let form = "\(option.flag)=\(option.valueName ?? "VALUE")"
    throw failure("\(option.flag) needs a value: \(form)")
  }

  private func check(
    _ text: String, _ option: Option, named name: String
  ) throws(UsageError) -> OptionValue {
    switch option.value.parse(text) {
    case .success(let value): return value
    case .failure(let expected):
      let hint = NearestName.hint(text, among: expected.choices)
      // A URL may contain a password, whichever option it belongs to.
      let isPrivate = option.value == .url && text.contains("@")
      let shown = isPrivate ? "" : ", not '\(DisplayText.line(text))'\(hint)"
      throw failure("\(name) takes \(expected.words)\(shown)")
    }
  }

  private func checkOperands() throws(UsageError) {
    let given = arguments.operands.count
    let required = command.operands.filter { !$0.isOptional }
    if given < required.count {
      let missing = required[given]
      var choices = ""
      if case .choice(let words) = missing.value { choices = ": \(words.joined(separator: ", "))" }
      throw failure("\(path.joined(separator: " ")) needs \(missing.name)\(choices)")
    }
    if given > command.operands.count, command.operands.last?.isRepeatable != true {
      let extra = arguments.operands[command.operands.count]
      throw failure("unexpected argument '\(DisplayText.line(extra))'")
    }
    for (operand, word) in zip(command.operands, arguments.operands) {
      guard case .choice(let choices) = operand.value, !choices.contains(word) else { continue }
      let hint = NearestName.hint(word, among: choices)
      throw failure(
        "\(operand.name) is one of \(choices.joined(separator: ", ")), not '\(DisplayText.line(word))'\(hint)"
      )
    }
  }

  private mutating func addEnvironment() throws(UsageError) {
    for option in command.options where !arguments.has(option) {
      guard let name = option.environment, let text = variables[name], !text.isEmpty else {
        continue
      }
      if !option.takesValue {
        let count = try count(text, option, name)
        if count > 0 {
          arguments.add(.count(count), to: option, from: .environment(name))
        }
        continue
      }
      let texts = option.isRepeatable ? CommaList.split(text) : [text]
      for text in texts {
        let value = try check(text, option, named: name)
        arguments.add(value, to: option, from: .environment(name))
      }
    }
  }

  /// Parses the count of a flag in its environment variable: `true`, `false` or, for a counter, a number.
  private func count(
    _ text: String, _ option: Option, _ name: String
  ) throws(UsageError) -> Int {
    if option.value == .counter, let number = Int(text), (0...9).contains(number) { return number }
    guard let flag = Bool(flag: text) else {
      throw failure("\(name) takes true or false, not '\(DisplayText.line(text))'")
    }
    return flag ? 1 : 0
  }

  private func unknown(_ name: String) -> UsageError {
    let shown = DisplayText.line(name)
    if command.action == nil,
      let owner = command.subcommands.first(where: { $0.option(named: name) != nil })
    {
      return failure("--\(shown) must follow its command: \(path[0]) \(owner.name) --\(shown)")
    }
    let hint = NearestName.hint(name, among: command.options.map(\.name), prefix: "--")
    return failure("unknown option '--\(shown)'\(hint)")
  }

  private func failure(_ message: String) -> UsageError {
    UsageError(message, helpPath: path)
  }
}
