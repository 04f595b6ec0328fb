import ArchiverCore

/// The result of filtering an inline style.
struct StyleFacts {
  /// The canonical style, beginning with a background image as an absolute URL.
  var style: String?
  var background: AuthorColor?
  var text: AuthorColor?
  var whiteSpace: WhiteSpace?
}

/// Keeps the few inline style properties with meaning, with values from fixed lists.
enum StyleFilter {
  private static let keywords: [String: Set<String>] = [
    "text-align": ["left", "right", "center", "justify", "start", "end"],
    "direction": ["ltr", "rtl"],
    "vertical-align": [
      "top", "middle", "bottom", "baseline", "sub", "super", "text-top", "text-bottom",
    ],
    // Editors write emphasis this way.
    "font-weight": [
      "normal", "bold", "bolder", "lighter", "100", "200", "300", "400", "500", "600", "700", "800",
      "900",
    ],
    "font-style": ["normal", "italic", "oblique"],
    "font-variant": ["normal", "small-caps"],
    "text-transform": ["none", "uppercase", "lowercase", "capitalize"],
    "unicode-bidi": [
      "normal", "embed", "isolate", "bidi-override", "isolate-override", "plaintext",
    ],
    "text-decoration": ["none", "underline", "overline", "line-through"],
    "text-decoration-line": ["none", "underline", "overline", "line-through"],
    "list-style-type": [
      "none", "disc", "circle", "square", "decimal", "decimal-leading-zero", "lower-roman",
      "upper-roman", "lower-greek", "lower-alpha", "lower-latin", "upper-alpha", "upper-latin",
      "armenian", "georgian", "hebrew", "hiragana", "katakana", "cjk-ideographic",
    ],
  ]

  static func facts(
    _ style: String, allowsWidth: Bool, _ resolver: inout ReferenceResolver
  ) -> StyleFacts {
    var facts = StyleFacts()
    var kept = [String]()
    var background: String?
    for declaration in declarations(style).prefix(64) {
      guard let colon = declaration.firstIndex(of: ":") else { continue }
      let name = trimmed(declaration[..<colon]).lowercased()
      let value = trimmed(declaration[declaration.index(after: colon)...])
      if name == "background-image" || name == "background" {
        background = address(in: value).flatMap { resolver.image($0) }.flatMap(safeInStyle)
      }
      if note(name, value, &facts) {
        continue
      } else if let accepted = accepted(name, value.lowercased(), allowsWidth) {
        kept.removeAll { $0.hasPrefix(name + ":") }
        kept.append("\(name):\(accepted)")
      }
    }
    if let background { kept.insert("background-image:url(\(background))", at: 0) }
    if !kept.isEmpty { facts.style = kept.joined(separator: ";") }
    return facts
  }

  /// Returns the URL of a style's background image, as written.
  static func background(of style: String) -> String? {
    // Most styles have no function, and need not be taken apart.
    guard style.utf8.contains(UInt8(ascii: "(")) else { return nil }
    var background: String?
    for declaration in declarations(style) {
      guard let colon = declaration.firstIndex(of: ":") else { continue }
      let name = trimmed(declaration[..<colon]).lowercased()
      guard name == "background-image" || name == "background" else { continue }
      background = address(in: trimmed(declaration[declaration.index(after: colon)...]))
    }
    return background
  }

  private static let lines: Set<String> = [
    "block", "flex", "flow-root", "grid", "list-item", "table", "table-cell", "table-row",
  ]

  /// Whether a style puts an inline element on a line of its own. Text flows around one that floats,
  /// such as an initial.
  static func makesLine(_ style: String) -> Bool {
    guard style.utf8.count < 4_096, Array(style.utf8).firstIndex(of: "isplay") != nil else {
      return false
    }
    var isLine = false
    for declaration in declarations(style).prefix(64) {
      guard let colon = declaration.firstIndex(of: ":") else { continue }
      let value = trimmed(declaration[declaration.index(after: colon)...].prefix { $0 != "!" })
      switch trimmed(declaration[..<colon]).lowercased() {
      case "display": isLine = lines.contains(value.lowercased())
      case "float": if value.lowercased() != "none" { return false }
      default: continue
      }
    }
    return isLine
  }

  /// Records properties that become something else than a style; returns whether it is one.
  private static func note(_ name: String, _ value: String, _ facts: inout StyleFacts) -> Bool {
    let word = trimmed(value.prefix { $0 != "!" })
    switch name {
    case "color": facts.text = AuthorColor(word, for: .text)
    case "background-color": facts.background = AuthorColor(word, for: .background)
    case "background-image": break
    case "background":
      let first = word.hasPrefix("rgb") || word.hasPrefix("hsl") ? word : firstWord(word)
      facts.background = AuthorColor(first, for: .background)
    case "white-space", "white-space-collapse": facts.whiteSpace = WhiteSpace(word.lowercased())
    default: return false
    }
    return true
  }

  private static func firstWord(_ text: String) -> String {
    String(text.prefix { !$0.isWhitespace })
  }

  private static func accepted(_ name: String, _ value: String, _ allowsWidth: Bool) -> String? {
    let words = trimmed(value.prefix { $0 != "!" })
    // The kind of line comes first; its style and colour are left out.
    let word =
      name == "text-decoration" ? trimmed(words.prefix { !$0.isWhitespace }) : words
    if keywords[name]?.contains(word) == true { return word }
    guard name == "width", allowsWidth else { return nil }
    let digits = word.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unit = word.dropFirst(digits.count)
    guard let number = Double(digits), number <= 10_000, ["%", "px", "em"].contains(unit) else {
      return nil
    }
    return "\(digits)\(unit)"
  }

  /// Returns the first URL of a background, which may follow a gradient or be in an `image-set()`.
  private static func address(in value: String) -> String? {
    var rest = value.utf8[...]
    while let open = rest.firstIndex(of: 0x28) {
      let isURL = rest[..<open].suffix(3).elementsEqual("url".utf8) { $0 | 0x20 == $1 }
      rest = rest[open...].dropFirst()
      if isURL { return address(of: Substring(rest)) }
    }
    return nil
  }

  /// Returns the URL at the beginning of what follows `url(`.
  private static func address(of function: Substring) -> String? {
    var rest = function.drop { $0.isWhitespace }
    if let quote = rest.first, quote == "\"" || quote == "'" {
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { return nil }
      return String(rest[..<end])
    }
    guard let end = rest.firstIndex(of: ")") else { return nil }
    return trimmed(rest[..<end])
  }

  /// Returns the URL with characters encoded that could end it.
  private static func safeInStyle(_ address: String) -> String? {
    if address.contains("\\") { return nil }
    var bytes = [UInt8]()
    for byte in address.utf8 {
      switch byte {
      case 0x22, 0x27, 0x28, 0x29, 0x3B, 0x3C, 0x3E, 0x20:
        if byte == 0x3B, address.hasPrefix("data:") {
          bytes.append(byte)
        } else {
          let digits = Array("0123456789ABCDEF".utf8)
          bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Splits at semicolons outside quotes and parentheses.
  private static func declarations(_ style: String) -> [Substring] {
    var parts = [Substring]()
    var start = style.startIndex
    var quote: UInt8?
    var depth = 0
    for index in style.utf8.indices {
      let byte = style.utf8[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == 0x22 || byte == 0x27 {
        quote = byte
      } else if byte == 0x28 {
        depth += 1
      } else if byte == 0x29 {
        depth = max(0, depth - 1)
      } else if byte == 0x3B, depth == 0 {
        parts.append(style[start..<index])
        start = style.utf8.index(after: index)
      }
    }
    parts.append(style[start...])
    return parts
  }

  private static func trimmed(_ text: Substring) -> String {
    var slice = text
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }
}
