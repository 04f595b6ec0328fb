/// Splits LaTeX mathematics into tokens.
struct LaTeXScanner {
  enum Token: Hashable {
    /// A command's name without its backslash; a single other character for `\,` and the like.
    case command(String)
    case character(Character)
    case open, close, superscript, `subscript`, separator, newline, space
  }

  /// Returns the tokens; comments are dropped, runs of white space are one.
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

  private static func command(_ rest: inout Substring) -> Token {
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    if !name.isEmpty {
      rest = rest.dropFirst(name.count)
      if rest.first == "*", name == "operatorname" {
        rest.removeFirst()
        return .command("operatorname*")
      }
      return .command(String(name))
    }
    guard let sign = rest.first else { return .command("") }
    rest.removeFirst()
    if sign == "\\" { return .newline }
    return .command(sign.isWhitespace ? " " : String(sign))
  }
}
