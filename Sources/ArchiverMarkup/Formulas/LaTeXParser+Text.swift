// Text in formulas.
extension LaTeXParser {
  mutating func text(_ name: String) throws -> MathNode? {
    switch name {
    case "text", "textrm", "textnormal", "mbox", "textit", "textbf", "texttt", "textsf", "hbox",
      "textup", "textmd", "textsc", "textsl", "emph", "makebox", "intertext", "shortintertext",
      "llap", "rlap", "clap":
      return try textGroup()
    case "operatorname": return .upright(try words())
    case "operatorname*", "operatornamewithlimits": return .symbol(try words(), .large)
    case "pmod":
      return .row([
        .space("1em"), fenced("(", .row([.upright("mod"), .space("0.3em"), try argument()]), ")"),
      ])
    case "mod": return .row([.space("1em"), .upright("mod"), .space("0.3em"), try argument()])
    case "char": return .text(try numberedCharacter())
    case "unicode":
      let code = try words()
      guard code.hasPrefix("x") || code.hasPrefix("U+"),
        let scalar = UInt32(code.drop { $0 == "x" || $0 == "U" || $0 == "+" }, radix: 16)
          .flatMap(Unicode.Scalar.init), scalar.properties.generalCategory != .control
      else { throw Unsupported() }
      return .text(String(Character(scalar)))
    default: return nil
    }
  }

  /// `\char65`, `\char"41`, `\char'101` or ``\char`A``.
  private mutating func numberedCharacter() throws -> String {
    skipSpace()
    var radix = 10
    switch current {
    case .character("`"):
      position += 1
      guard case .character(let character)? = advance() else { throw Unsupported() }
      return String(character)
    case .character("\""): radix = 16
    case .character("'"): radix = 8
    default: break
    }
    if radix != 10 { position += 1 }
    var digits = ""
    while case .character(let digit)? = current, digit.isHexDigit,
      (digit.hexDigitValue ?? 16) < radix
    {
      digits.append(digit)
      position += 1
    }
    guard let scalar = UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init),
      scalar.properties.generalCategory != .control
    else { throw Unsupported() }
    return String(Character(scalar))
  }

  /// Reads `{…}` as plain characters.
  mutating func words() throws -> String {
    skipSpace()
    guard take(.open) else {
      switch advance() {
      case .character(let character)?: return String(character)
      case .command(let name)?:
        guard let sign = LaTeXParser.sign(name) else { throw Unsupported() }
        return sign
      default: throw Unsupported()
      }
    }
    var text = ""
    var level = 1
    while let token = advance() {
      switch token {
      case .open: level += 1
      case .close: level -= 1
      case .command(let name): text += try self.words(of: name)
      case .space, .newline: text.append(" ")
      case .character, .verbatim, .superscript, .subscript, .separator:
        text += LaTeXScanner.text([token])
      }
      if level == 0 { return text }
    }
    throw Unsupported()
  }

  /// Returns the text of a command in text mode.
  private mutating func words(of name: String) throws -> String {
    if LaTeXSymbols.spaces[name] != nil { return name == "!" ? "" : " " }
    if let mark = LaTeXSymbols.textAccents[name] { return try words() + mark }
    if let sign = LaTeXParser.sign(name) { return sign }
    if LaTeXParser.fonts.contains(name) || LaTeXSymbols.textSizes[name] != nil { return "" }
    if LaTeXParser.labels.contains(name) {
      let label = try words()
      return name == "eqref" ? "(\(label))" : name == "textcolor" ? "" : label
    }
    throw Unsupported()
  }

  /// Commands of text with an argument that is not a part of the text.
  private static let labels: Set<String> = ["ref", "eqref", "cite", "textcolor"]

  /// Commands that set the font of text, which are ignored.
  private static let fonts: Set<String> = [
    "bf", "it", "rm", "sf", "tt", "sc", "em", "mathrm", "mathbf", "mathit", "mathsf", "mathtt",
    "textbf", "textit", "texttt", "textsf", "textrm", "textup", "textsc", "text", "mbox", "emph",
    "underline", "textnormal", "operatorname", "relax", "/", "-", "left", "right", "hbox",
    "boldsymbol", "mathop", "textmd", "bfseries", "itshape", "upshape", "rmfamily", "sffamily",
    "ttfamily", "limits", "nolimits", "mathord", "protect",
  ]

  /// Returns the single character of a command without arguments.
  static func sign(_ name: String) -> String? {
    LaTeXSigns.uprights[name] ?? LaTeXSigns.delimiters[name] ?? LaTeXSigns.letters[name]
      ?? LaTeXSigns.operators[name] ?? LaTeXSymbols.limitFunctions[name]
      ?? (LaTeXSymbols.functions.contains(name) ? name : nil)
  }

  /// Reads a group of text, in which `$…$` and `\(…\)` are formulas.
  mutating func textGroup() throws -> MathNode {
    _ = try optionalArgument()
    guard current == .open else { return .text(try words()) }
    position += 1
    var nodes: [MathNode] = []
    var text: [Token] = []
    var level = 0
    func flush() throws {
      guard !text.isEmpty else { return }
      var parser = LaTeXParser(tokens: [.open] + text + [.close], depth: depth)
      nodes.append(.text(try parser.words()))
      text = []
    }
    while let token = advance() {
      switch token {
      case .character("$"), .command("("):
        try flush()
        let end: Token = token == .command("(") ? .command(")") : token
        guard let stop = tokens[position...].firstIndex(of: end) else { throw Unsupported() }
        var parser = LaTeXParser(tokens: Array(tokens[position..<stop]), depth: depth + 1)
        nodes.append(try parser.whole())
        position = stop + 1
      case .command(let name) where LaTeXParser.labels.contains(name):
        let start = position
        _ = try words()
        text += [token] + tokens[start..<position]
      case .close where level == 0:
        try flush()
        return nodes.count == 1 ? nodes[0] : .row(nodes)
      case .open: level += 1
      case .close: level -= 1
      default: text.append(token)
      }
    }
    throw Unsupported()
  }

  /// Reads `{…}` unchanged.
  mutating func rawArgument() throws -> String {
    skipSpace()
    guard take(.open) else { throw Unsupported() }
    var level = 0
    let start = position
    while let token = advance() {
      if token == .open { level += 1 }
      if token == .close {
        level -= 1
        if level < 0 { return LaTeXScanner.text(tokens[start..<(position - 1)]) }
      }
    }
    throw Unsupported()
  }
}
