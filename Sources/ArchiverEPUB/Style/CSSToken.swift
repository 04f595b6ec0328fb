/// A token of a style sheet (CSS Syntax Module Level 3 section 4) with decoded escapes.
enum CSSToken: Equatable {
  case identifier(String)
  /// A name and the parenthesis that follows it.
  case function(String)
  case atKeyword(String)
  case hash(String)
  case string(String)
  case url(String)
  /// A number with its unit or per cent sign, as written.
  case number(String)
  case whitespace
  case symbol(UInt8)

  /// The serialised token, which parses to itself; characters that could end a string or a style
  /// element are escaped.
  var text: String {
    switch self {
    case .identifier(let name): CSSToken.escaped(name)
    case .function(let name): CSSToken.escaped(name) + "("
    case .atKeyword(let name): "@" + CSSToken.escaped(name)
    case .hash(let name): "#" + CSSToken.escaped(name, isName: true)
    case .string(let value): CSSToken.quoted(value)
    case .url(let value): "url(" + CSSToken.quoted(value) + ")"
    case .number(let text): text
    case .whitespace: " "
    case .symbol(let byte): String(UnicodeScalar(byte))
    }
  }

  static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "\0"..."\u{1F}", "\u{7F}": text += hex(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Serialises a name; a digit at its start is escaped, except after a hash.
  static func escaped(_ name: String, isName: Bool = false) -> String {
    var text = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      let isDigit = ("0"..."9").contains(scalar)
      let isPlain =
        scalar.value >= 0x80 || isDigit || scalar == "-" || scalar == "_"
        || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      if isPlain, !(isDigit && index == 0 && !isName) {
        text.unicodeScalars.append(scalar)
      } else {
        text += hex(scalar)
      }
    }
    return text
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    "\\" + String(scalar.value, radix: 16) + " "
  }
}

extension ArraySlice<CSSToken> {
  /// Removes what is before a closing parenthesis whose opening one has been removed, and the
  /// parenthesis; returns what was before it, or `nil` if there is none.
  mutating func takeArguments() -> ArraySlice<CSSToken>? {
    var open = 1
    for index in indices {
      switch self[index] {
      case .function, .symbol(0x28): open += 1
      case .symbol(0x29): open -= 1
      default: break
      }
      guard open == 0 else { continue }
      let arguments = self[..<index]
      self = self[(index + 1)...]
      return arguments
    }
    return nil
  }
}
