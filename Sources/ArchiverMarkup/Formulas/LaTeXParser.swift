/// Reads the common subset of LaTeX mathematics that KaTeX and MathJax show.
///
/// What is outside the subset makes the whole formula fail, so that its source is shown instead of
/// something that only looks right.
struct LaTeXParser {
  typealias Token = LaTeXScanner.Token

  struct Unsupported: Error {}

  private var tokens: [Token]
  private var position = 0
  private var depth = 0
  private static let deepest = 24

  /// Returns the formula, or `nil` when it uses something outside the subset.
  static func parse(_ source: String) -> MathNode? {
    guard source.utf8.count <= 20_000 else { return nil }
    var parser = LaTeXParser(tokens: LaTeXScanner.tokens(source))
    guard let row = try? parser.row(), parser.position == parser.tokens.count else {
      return nil  // the error carries nothing but "unsupported"
    }
    return row
  }

  private init(tokens: [Token]) {
    self.tokens = tokens
  }

  private var current: Token? { position < tokens.count ? tokens[position] : nil }

  private mutating func advance() -> Token? {
    guard let token = current else { return nil }
    position += 1
    return token
  }

  private mutating func skipSpace() {
    while current == .space { position += 1 }
  }

  mutating func take(_ token: Token) -> Bool {
    guard current == token else { return false }
    position += 1
    return true
  }

  /// Reads until something closes the row; that token is left in place.
  mutating func row() throws -> MathNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= LaTeXParser.deepest else { throw Unsupported() }
    var nodes: [MathNode] = []
    while let token = current, !endsRow(token) {
      if token == .space {
        position += 1
        continue
      }
      if let infix = try infix(token, nodes) { return infix }
      if let isDisplay = LaTeXParser.styles[token] {
        position += 1
        nodes.append(.styled(try row(), isDisplay: isDisplay))
        break
      }
      let base = try atom()
      nodes.append(try scripted(base))
    }
    return nodes.count == 1 ? nodes[0] : .row(nodes)
  }

  private static let styles: [Token: Bool] = [
    .command("displaystyle"): true, .command("textstyle"): false,
    .command("scriptstyle"): false,
  ]

  private func endsRow(_ token: Token) -> Bool {
    switch token {
    case .close, .separator, .newline: true
    case .command(let name): ["right", "end", "middle", "cr"].contains(name)
    default: false
    }
  }

  /// `a \over b` splits its row in two.
  private mutating func infix(_ token: Token, _ before: [MathNode]) throws -> MathNode? {
    guard case .command(let name) = token, ["over", "choose", "atop"].contains(name) else {
      return nil
    }
    position += 1
    let after = try row()
    let fraction = MathNode.fraction(.row(before), after, bar: name == "over")
    return name == "choose" ? fenced("(", fraction, ")") : fraction
  }

  private mutating func scripted(_ base: MathNode) throws -> MathNode {
    var lower: MathNode?
    var upper: MathNode?
    var primes = ""
    var forced: Bool?
    while true {
      skipSpace()
      switch current {
      case .command("limits"): forced = true
      case .command("nolimits"): forced = false
      case .character("'"): primes += "′"
      case .superscript where upper == nil:
        position += 1
        upper = try argument()
        continue
      case .subscript where lower == nil:
        position += 1
        lower = try argument()
        continue
      case .superscript, .subscript: throw Unsupported()
      default:
        return assemble(base, lower, upper, primes, forced)
      }
      position += 1
    }
  }

  private func assemble(
    _ base: MathNode, _ lower: MathNode?, _ upper: MathNode?, _ primes: String, _ forced: Bool?
  ) -> MathNode {
    var upper = upper
    if !primes.isEmpty {
      let mark = MathNode.symbol(primes)
      upper = upper.map { .row([mark, $0]) } ?? mark
    }
    guard lower != nil || upper != nil else { return base }
    return forced ?? base.takesLimits
      ? .limits(base, lower: lower, upper: upper) : .scripts(base, lower: lower, upper: upper)
  }

  private mutating func atom() throws -> MathNode {
    guard let token = advance() else { throw Unsupported() }
    switch token {
    case .open:
      let inner = try row()
      guard take(.close) else { throw Unsupported() }
      return inner
    case .character(let character): return self.character(character)
    case .command(let name): return try command(name)
    case .superscript, .subscript:
      position -= 1
      return .empty
    case .close, .separator, .newline, .space: throw Unsupported()
    }
  }

  private mutating func character(_ character: Character) -> MathNode {
    if character.isNumber || (character == "." && nextIsDigit) {
      var digits = String(character)
      while case .character(let next) = current, next.isNumber || next == "." {
        digits.append(next)
        position += 1
      }
      return .number(digits)
    }
    if character.isLetter { return .identifier(String(character)) }
    return switch character {
    case "-": .symbol("−")
    case "*": .symbol("∗")
    case "'": .symbol("′")
    case "(", ")", "[", "]", "|": .symbol(String(character), .rigid)
    default: .symbol(String(character))
    }
  }

  private var nextIsDigit: Bool {
    if case .character(let next) = current { next.isNumber } else { false }
  }

  private mutating func argument() throws -> MathNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= LaTeXParser.deepest else { throw Unsupported() }
    skipSpace()
    // TeX takes one token: `\frac12` is a half.
    if case .character(let digit)? = current, digit.isNumber {
      position += 1
      return .number(String(digit))
    }
    return try atom()
  }

  /// Reads `{…}` as plain characters.
  mutating func words() throws -> String {
    skipSpace()
    guard take(.open) else {
      guard case .character(let character)? = advance() else { throw Unsupported() }
      return String(character)
    }
    var text = ""
    var level = 1
    while let token = advance() {
      switch token {
      case .open: level += 1
      case .close: level -= 1
      case .character(let character): text.append(character)
      case .space: text.append(" ")
      case .command(let name):
        if name == " " || name == "," || name == "quad" {
          text.append(" ")
        } else {
          guard let sign = LaTeXSymbols.uprights[name] ?? LaTeXSymbols.delimiters[name] else {
            throw Unsupported()
          }
          text += sign
        }
      case .superscript: text.append("^")
      case .subscript: text.append("_")
      case .separator: text.append("&")
      case .newline: text.append(" ")
      }
      if level == 0 { return text }
    }
    throw Unsupported()
  }

  private mutating func command(_ name: String) throws -> MathNode {
    if let symbol = LaTeXParser.symbol(name) { return symbol }
    if let accent = LaTeXSymbols.accents[name] {
      let inner = try argument()
      let node = MathNode.accent(
        inner, mark: accent.mark, isBelow: accent.isBelow, stretches: accent.stretches)
      return node
    }
    if let size = LaTeXSymbols.sizes[name] { return .symbol(try delimiter(), .sized(size)) }
    if let alphabet = MathAlphabet(command: name) { return try argument().inAlphabet(alphabet) }
    return try structure(name)
  }

  static func symbol(_ name: String) -> MathNode? {
    if let letter = LaTeXSymbols.letters[name] { return .identifier(letter) }
    if let sign = LaTeXSymbols.operators[name] { return .symbol(sign) }
    if let sign = LaTeXSymbols.large[name] { return .symbol(sign, .large) }
    if let sign = LaTeXSymbols.integrals[name] { return .symbol(sign) }
    if let word = LaTeXSymbols.limitFunctions[name] { return .symbol(word, .large) }
    if LaTeXSymbols.functions.contains(name) { return .upright(name) }
    if let sign = LaTeXSymbols.uprights[name] { return .upright(sign) }
    if let width = LaTeXSymbols.spaces[name] { return .space(width) }
    if let sign = LaTeXSymbols.delimiters[name] { return .symbol(sign, .rigid) }
    return nil
  }

  private mutating func structure(_ name: String) throws -> MathNode {
    switch name {
    case "frac", "cfrac", "nicefrac":
      return .fraction(try argument(), try argument(), bar: true)
    case "dfrac":
      return .styled(.fraction(try argument(), try argument(), bar: true), isDisplay: true)
    case "tfrac":
      return .styled(.fraction(try argument(), try argument(), bar: true), isDisplay: false)
    case "binom", "dbinom", "tbinom":
      return fenced("(", .fraction(try argument(), try argument(), bar: false), ")")
    case "sqrt": return try root()
    case "left": return try leftRight()
    case "begin": return try environment()
    case "text", "textrm", "textnormal", "mbox", "textit", "textbf", "texttt", "hbox":
      return .text(try words())
    case "operatorname": return .upright(try words())
    case "operatorname*": return .symbol(try words(), .large)
    case "overset", "stackrel":
      let above = try argument()
      return .limits(try argument(), lower: nil, upper: above)
    case "underset":
      let below = try argument()
      return .limits(try argument(), lower: below, upper: nil)
    case "xrightarrow", "xleftarrow":
      let below = try optionalArgument()
      let arrow = MathNode.symbol(name == "xrightarrow" ? "→" : "←")
      return .limits(arrow, lower: below, upper: try argument())
    case "not": return try negated()
    case "pmod":
      return .row([
        .space("1em"), fenced("(", .row([.upright("mod"), .space("0.3em"), try argument()]), ")"),
      ])
    case "mod": return .row([.space("1em"), .upright("mod"), .space("0.3em"), try argument()])
    case "phantom": return .phantom(try argument())
    case "boxed", "fbox": return .enclosed(try argument(), notation: "box")
    case "cancel": return .enclosed(try argument(), notation: "updiagonalstrike")
    case "substack":
      guard take(.open) else { throw Unsupported() }
      let rows = try tableRows()
      guard take(.close) else { throw Unsupported() }
      return .table(rows, alignment: ["center"])
    case "color":
      _ = try words()
      return try row()
    case "textcolor", "colorbox":
      _ = try words()
      return try argument()
    case "mathop":
      return .limits(try argument(), lower: nil, upper: nil)
    case "mathrel", "mathbin", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner",
      "hphantom", "smash", "ensuremath":
      return try argument()
    case "label": return try ignoredArgument()
    case "tag": return .row([.space("2em"), .text("(\(try words()))")])
    case "nonumber", "notag", "hline", "displaylimits", "allowbreak", "relax", "hfill":
      return .empty
    default: throw Unsupported()
    }
  }

  private mutating func ignoredArgument() throws -> MathNode {
    _ = try words()
    return .empty
  }

  mutating func optionalArgument() throws -> MathNode? {
    skipSpace()
    guard take(.character("[")) else { return nil }
    var nodes: [MathNode] = []
    while let token = current, token != .character("]") {
      if token == .space {
        position += 1
        continue
      }
      nodes.append(try scripted(try atom()))
    }
    guard take(.character("]")) else { throw Unsupported() }
    return nodes.count == 1 ? nodes[0] : .row(nodes)
  }

  private mutating func root() throws -> MathNode {
    let index = try optionalArgument()
    return .root(try argument(), index: index)
  }

  private mutating func negated() throws -> MathNode {
    guard case .symbol(let sign, let kind) = try argument() else { throw Unsupported() }
    return .symbol(LaTeXSymbols.negations[sign] ?? sign + "\u{338}", kind)
  }

  private mutating func delimiter() throws -> String {
    skipSpace()
    switch advance() {
    case .character(".")?: return ""
    case .character("<")?: return "⟨"
    case .character(">")?: return "⟩"
    case .character(let character)?: return String(character)
    case .command(let name)?:
      guard let sign = LaTeXSymbols.delimiters[name] else { throw Unsupported() }
      return sign
    default: throw Unsupported()
    }
  }

  private mutating func leftRight() throws -> MathNode {
    var nodes = [fence(try delimiter())]
    while true {
      nodes.append(try row())
      if take(.command("middle")) {
        nodes.append(fence(try delimiter()))
      } else {
        guard take(.command("right")) else { throw Unsupported() }
        nodes.append(fence(try delimiter()))
        return .row(nodes)
      }
    }
  }

  private func fence(_ sign: String) -> MathNode {
    sign.isEmpty ? .empty : .symbol(sign, .fence)
  }

  func fenced(_ left: String, _ inner: MathNode, _ right: String) -> MathNode {
    .row([fence(left), inner, fence(right)])
  }
}
