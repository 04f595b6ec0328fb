/// Parses the common subset of LaTeX mathematics that KaTeX and MathJax support.
///
/// An unsupported command makes the whole formula fail, so that its source is shown instead of an
/// incorrect formula.
struct LaTeXParser {
  typealias Token = LaTeXScanner.Token

  struct Unsupported: Error {}

  private(set) var tokens: [Token]
  var position = 0
  private(set) var depth = 0
  /// The number or name of the current line.
  var tag: MathNode?
  private static let deepest = 24

  /// Returns the formula; `nil` if it is unsupported.
  static func parse(_ source: String) -> MathNode? {
    guard source.utf8.count <= 20_000 else { return nil }
    // The error has no information except "unsupported".
    guard let tokens = try? LaTeXMacros.expanded(LaTeXScanner.tokens(source)) else { return nil }
    var parser = LaTeXParser(tokens: withoutDollars(tokens))
    return try? parser.whole()
  }

  /// Removes dollar signs around the whole formula, which some sources contain.
  private static func withoutDollars(_ tokens: [Token]) -> [Token] {
    let dollar = Token.character("$")
    let inside = tokens.drop { $0 == .space || $0 == dollar }
    let before = tokens.prefix(tokens.count - inside.count).count { $0 == dollar }
    var last = inside
    while last.last == .space || last.last == dollar { last.removeLast() }
    let after = tokens[last.endIndex...].count { $0 == dollar }
    guard before == after, (1...2).contains(before), !last.contains(dollar) else { return tokens }
    return Array(last)
  }

  init(tokens: [Token], depth: Int = 0) {
    self.tokens = tokens
    self.depth = depth
  }

  /// Parses the whole formula; separate lines become rows.
  mutating func whole() throws -> MathNode {
    var node = try row()
    if current == .newline {
      position = 0
      tag = nil
      let rows = try tableRows()
      guard rows.rows.allSatisfy({ $0.count == 1 || rows.isTagged }) else { throw Unsupported() }
      node = .table(rows.rows, MathTable(["left"]))
    }
    guard position == tokens.count else { throw Unsupported() }
    if let tag { node = .row([node, .space("2em"), tag]) }
    return node
  }

  var current: Token? { position < tokens.count ? tokens[position] : nil }

  mutating func advance() -> Token? {
    guard let token = current else { return nil }
    position += 1
    return token
  }

  mutating func skipSpace() {
    while current == .space { position += 1 }
  }

  mutating func take(_ token: Token) -> Bool {
    guard current == token else { return false }
    position += 1
    return true
  }

  /// Parses up to the token that closes the row, which is not consumed.
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
      if let rest = try rest(token) {
        nodes.append(rest)
        break
      }
      let base = try atom()
      nodes.append(try scripted(base))
    }
    return nodes.count == 1 ? nodes[0] : .row(nodes)
  }

  /// Parses the rest of a row, to all of which a command applies.
  private mutating func rest(_ token: Token) throws -> MathNode? {
    guard case .command(let name) = token else { return nil }
    if name == "displaystyle" || name == "textstyle" {
      position += 1
      return .styled(try row(), isDisplay: name == "displaystyle")
    }
    if let size = LaTeXSymbols.textSizes[name] {
      position += 1
      return .resized(try row(), size)
    }
    if let alphabet = MathAlphabet(switching: name) {
      position += 1
      return try row().inAlphabet(alphabet)
    }
    guard name == "color" else { return nil }
    position += 1
    let ink = MathClass.ink(try colorName())
    let inner = try row()
    return ink.map { .marked(inner, [$0]) } ?? inner
  }

  private func endsRow(_ token: Token) -> Bool {
    switch token {
    case .close, .separator, .newline: true
    case .command(let name): ["right", "end", "middle", "cr"].contains(name)
    default: false
    }
  }

  /// `a \over b` splits its row in two.
  private mutating func infix(_ token: Token, _ before: [MathNode]) throws -> MathNode? {
    guard case .command(let name) = token, let fences = LaTeXParser.infixes[name] else {
      return nil
    }
    position += 1
    let line = name == "above" ? try length().text : name == "over" ? nil : "0"
    let fraction = MathNode.fraction(.row(before), try row(), line: line)
    return fences.0.isEmpty ? fraction : fenced(fences.0, fraction, fences.1)
  }

  private static let infixes: [String: (String, String)] = [
    "over": ("", ""), "atop": ("", ""), "above": ("", ""), "choose": ("(", ")"),
    "brace": ("{", "}"), "brack": ("[", "]"),
  ]

  mutating func scripted(_ base: MathNode) throws -> MathNode {
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

  mutating func atom() throws -> MathNode {
    guard let token = advance() else { throw Unsupported() }
    switch token {
    case .open:
      let inner = try row()
      guard take(.close) else { throw Unsupported() }
      return inner
    case .character(let character): return self.character(character)
    case .command(let name): return try command(name)
    case .verbatim(let words): return .text(words)
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

  mutating func argument() throws -> MathNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= LaTeXParser.deepest else { throw Unsupported() }
    skipSpace()
    // In TeX an argument is one token: `\frac12` is a half.
    if case .character(let digit)? = current, digit.isNumber {
      position += 1
      return .number(String(digit))
    }
    return try atom()
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

  mutating func delimiter() throws -> String {
    skipSpace()
    switch advance() {
    case .character(".")?: return ""
    case .character("<")?: return "⟨"
    case .character(">")?: return "⟩"
    case .character(let character)?: return String(character)
    case .command(let name)?:
      if name == "lt" || name == "gt" { return name == "lt" ? "⟨" : "⟩" }
      guard let sign = LaTeXSigns.delimiters[name] else { throw Unsupported() }
      return sign
    default: throw Unsupported()
    }
  }

  mutating func leftRight() throws -> MathNode {
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

  func fence(_ sign: String) -> MathNode {
    sign.isEmpty ? .empty : .symbol(sign, .fence)
  }

  func fenced(_ left: String, _ inner: MathNode, _ right: String) -> MathNode {
    .row([fence(left), inner, fence(right)])
  }
}
