/// The candidates for a word of a command line, for the completion in shells.
///
/// The scripts of `archiver completions` call the program to get them, so that all shells offer the same.
struct Completion {
  /// The first argument of such a call. The words of the command line up to the cursor follow, without
  /// the program's name.
  static let request = "__complete"

  let root: Command
  /// Returns the names of the sources.
  let sources: () -> [String]

  /// Returns the candidates for the last word, one per line, some with a description after a tab. The
  /// shell drops those that do not begin with the word. In place of `:files` and `:folders` it offers
  /// the paths that it finds.
  func text(_ words: [String]) -> String {
    candidates(words).map { $0 + "\n" }.joined()
  }

  private func candidates(_ words: [String]) -> [String] {
    var command = root
    var given: Set<String> = []
    var operands = 0
    // The option whose value is the next word.
    var open: Option?
    for word in words.dropLast() {
      if open != nil {
        open = nil
      } else if let option = Completion.option(word, of: command) {
        given.insert(option.name)
        if option.takesValue, !word.contains("=") { open = option }
      } else if let next = command.subcommand(named: word) {
        command = next
      } else if !word.hasPrefix("-") {
        operands += 1
      }
    }
    if let open { return values(of: open.value) }
    let word = words.last ?? ""
    if let sign = word.firstIndex(of: "="), let option = Completion.option(word, of: command) {
      return values(of: option.value).map { $0.hasPrefix(":") ? $0 : "\(word[...sign])\($0)" }
    }
    if word.hasPrefix("-") {
      let rest = command.options.filter {
        $0.isRepeatable || $0.value == .counter || !given.contains($0.name)
      }
      return rest.flatMap { option in
        Completion.names(of: option).map { "\($0)\t\(option.help)" }
      }
    }
    if !command.subcommands.isEmpty {
      return command.subcommands.map { "\($0.name)\t\($0.summary)" }
    }
    guard let last = command.operands.last else { return [] }
    if operands < command.operands.count { return values(of: command.operands[operands].value) }
    return last.isRepeatable ? values(of: last.value) : []
  }

  /// Returns the option that a word names, with or without a value; `nil` if it names none.
  private static func option(_ word: String, of command: Command) -> Option? {
    let name = String(word.prefix { $0 != "=" })
    return command.options.first { names(of: $0).contains(name) }
  }

  private static func names(of option: Option) -> [String] {
    [option.flag] + (option.short.map { ["-\($0)"] } ?? [])
  }

  private func values(of value: Option.Value) -> [String] {
    switch value {
    case .file: [":files"]
    case .directory: [":folders"]
    case .source: sources()
    case .choice(let words): words
    case .command: root.subcommands.map(\.name) + ManualTopic.help(root).map(\.name)
    default: []
    }
  }
}
