/// Completion for zsh.
enum ZshCompletion {
  static func script(root: Command) -> String {
    let commands = root.subcommands.map { command in
      "    \("\(command.name):\(command.summary)".shellQuoted)"
    }
    let cases = root.subcommands.map { command in
      "        \(command.name)) _arguments -s \(arguments(command, root: root)) ;;"
    }
    return """
      #compdef archiver
      _archiver_sources() {
        local -a names
        names=(${(f)"$(archiver sources --names 2>/dev/null)"})
        compadd -a names
      }
      _archiver() {
        local state line context
        typeset -A opt_args
        local -a commands
        commands=(
      \(commands.joined(separator: "\n"))
        )
        _arguments -s -C \(root.options.map(specification).joined(separator: " ")) '1: :->command' '*:: :->rest'
        case $state in
          command) _describe -t commands command commands ;;
          rest)
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac ;;
        esac
      }
      if [ "$funcstack[1]" = "_archiver" ]; then
        _archiver "$@"
      else
        compdef _archiver archiver
      fi

      """
  }

  private static func arguments(_ command: Command, root: Command) -> String {
    let options = command.options.map(specification)
    let operands = command.operands.enumerated().map { index, operand in
      let position = operand.isRepeatable ? "*" : "\(index + 1)"
      let optional = operand.isOptional && !operand.isRepeatable ? "::" : ":"
      let action = action(CompletionValues(operand, root: root))
      return "\(position)\(optional)\(operand.name):\(action)".shellQuoted
    }
    return (options + operands).joined(separator: " ")
  }

  /// Returns the option in the syntax of `_arguments`; with a short form, both forms.
  private static func specification(_ option: Option) -> String {
    let help = escape(option.help)
    var value = ""
    if option.takesValue {
      value = ":\(escape(option.valueName ?? "value")):\(action(CompletionValues(option.value)))"
    }
    let equals = option.takesValue ? "=" : ""
    let repeats = option.isRepeatable || option.value == .counter
    let star = repeats ? "*" : ""
    let long = "\(star)\(option.flag)\(equals)[\(help)]\(value)".shellQuoted
    guard let short = option.short else { return long }
    let plus = option.takesValue ? "+" : ""
    return "\("\(star)-\(short)\(plus)[\(help)]\(value)".shellQuoted) \(long)"
  }

  private static func action(_ values: CompletionValues) -> String {
    switch values {
    case .none: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .sources: "_archiver_sources"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func escape(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
  }
}
