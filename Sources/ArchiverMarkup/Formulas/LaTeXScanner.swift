/// Splits LaTeX mathematics into tokens.
struct LaTeXScanner {
  enum Token: Hashable {
    /// A command's name without its backslash; a single other character for `\,` and the like.
    case command(String)
    case character(Character)
    /// The verbatim text of `\verb`.
    case verbatim(String)
    case open, close, superscript, `subscript`, separator, newline, space
  }

  /// Returns the tokens; comments are dropped, and runs of white space become one token.
  static func tokens(_ source: String) -> [Token] {
    var tokens: [Token] = []
    var rest = source[...]
    while let character = rest.first {
      rest.removeFirst()
      switch character {
      case "\\": tokens.append(command(&rest))
      case "{": tokens.append(.open)
      case "}": tokens.append(.close)
      case "^": tokens.append(.superscript)
      case "_": tokens.append(.subscript)
      case "&": tokens.append(.separator)
      case "~": tokens.append(.command(" "))
      case "%": rest = rest.drop { !$0.isNewline }
      case _ where character.isWhitespace:
        if tokens.last != .space { tokens.append(.space) }
      default: tokens.append(.character(character))
      }
    }
    return tokens
  }

  /// Commands that have a starred form.
  private static let starred: Set<Substring> = [
    "operatorname", "hspace", "tag", "newcommand", "renewcommand", "providecommand",
    "DeclareMathOperator",
  ]

  private static func command(_ rest: inout Substring) -> Token {
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    if !name.isEmpty {
      rest = rest.dropFirst(name.count)
      if name == "verb" { return verbatim(&rest) }
      if name == "newline" { return .newline }
      if rest.first == "*", starred.contains(name) {
        rest.removeFirst()
        return .command(name + "*")
      }
      return .command(String(name))
    }
    guard let sign = rest.first else { return .command("") }
    rest.removeFirst()
    if sign == "\\" { return .newline }
    return .command(sign.isWhitespace ? " " : String(sign))
  }

  private static func verbatim(_ rest: inout Substring) -> Token {
    if rest.first == "*" { rest.removeFirst() }
    guard let mark = rest.popFirst(), let end = rest.firstIndex(of: mark) else {
      return .command("verb")
    }
    let text = String(rest[..<end])
    rest = rest[rest.index(after: end)...]
    return .verbatim(text)
  }

  /// Returns the source of tokens.
  static func text(_ tokens: some Sequence<Token>) -> String {
    var text = ""
    for token in tokens {
      switch token {
      case .command(let name):
        text += "\\" + name
        if name.last?.isLetter == true { text += " " }
      case .character(let character): text.append(character)
      case .verbatim(let words): text += words
      case .open: text += "{"
      case .close: text += "}"
      case .superscript: text += "^"
      case .subscript: text += "_"
      case .separator: text += "&"
      case .newline: text += "\\\\"
      case .space: text += " "
      }
    }
    return text
  }
}
