/// Completion for bash 3.2 and later; needs nothing beyond bash.
enum BashCompletion {
  static func script(root: Command) -> String {
    var cases: [String] = []
    var values: [String] = []
    root.forEach { path, command in
      let key = path.dropFirst().joined(separator: " ")
      cases.append("    \(key.shellQuoted)) \(words(command, root: root)) ;;")
      for option in command.options where option.takesValue {
        let names = [option.flag] + (option.short.map { ["-\($0)"] } ?? [])
        let pattern = names.map { "\(key) \($0)".shellQuoted }.joined(separator: "|")
        values.append("    \(pattern)) \(reply(CompletionValues(option.value))) ;;")
      }
    }
    return template(root: root, cases: cases, values: values)
  }

  private static func words(_ command: Command, root: Command) -> String {
    let options = command.options.map(\.flag).joined(separator: " ")
    let commands = command.subcommands.map(\.name).joined(separator: " ")
    let operand = command.operands.first.map { reply(CompletionValues($0, root: root)) } ?? ":"
    return """
      if [[ $cur == -* ]]; then _archiver_words \(options.shellQuoted); \
      else \(commands.isEmpty ? operand : "_archiver_words \(commands.shellQuoted)"); fi
      """
  }

  private static func reply(_ values: CompletionValues) -> String {
    switch values {
    case .none: ":"
    case .files: "_archiver_paths -f"
    case .folders: "_archiver_paths -d"
    case .sources: "_archiver_words \"$(archiver sources --names 2>/dev/null)\""
    case .words(let words): "_archiver_words \(words.joined(separator: " ").shellQuoted)"
    }
  }

  private static func template(root: Command, cases: [String], values: [String]) -> String {
    let commands = root.subcommands.map(\.name).joined(separator: "|")
    return """
      # bash completion for archiver
      _archiver_words() {
        local IFS=$' \\t\\n'
        COMPREPLY=($(compgen -W "$1" -- "$cur"))
      }
      _archiver_paths() {
        local IFS=$'\\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen "$1" -- "$cur"))
      }
      _archiver() {
        local cur="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" word index
        COMPREPLY=()
        for ((index = 1; index < COMP_CWORD; index++)); do
          word="${COMP_WORDS[index]}"
          case "$word" in
            \(commands)) command="$word"; break ;;
          esac
        done
        case "$command $previous" in
      \(values.joined(separator: "\n"))
          *) false ;;
        esac && return
        case "$command" in
      \(cases.joined(separator: "\n"))
        esac
      }
      complete -F _archiver archiver

      """
  }
}
