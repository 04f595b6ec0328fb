/// Expands macros: those defined in a formula, and those of LaTeX packages.
///
/// A definition applies to the end of the formula. Expansion is limited; beyond the limit the
/// formula is unsupported.
struct LaTeXMacros {
  typealias Token = LaTeXScanner.Token

  private struct Macro {
    var parameters = 0
    /// The default of the first parameter, if it is optional.
    var standard: [Token]?
    var body: [Token]
  }

  private static let mostExpansions = 2_000
  private static let mostTokens = 100_000

  /// The remaining tokens in reverse.
  private var rest: [Token]
  private var output: [Token] = []
  private var macros: [String: Macro] = [:]
  private var expansions = 0

  /// Returns the expanded tokens; throws for an invalid definition.
  static func expanded(_ tokens: [Token]) throws -> [Token] {
    var macros = LaTeXMacros(rest: tokens.reversed())
    try macros.run()
    return macros.output
  }

  private init(rest: [Token]) { self.rest = rest }

  private mutating func run() throws {
    while let token = rest.popLast() {
      guard case .command(let name) = token, try !define(name) else {
        if case .command = token { continue }
        output.append(token)
        continue
      }
      guard let macro = macros[name] ?? LaTeXMacros.packages[name] else {
        output.append(token)
        continue
      }
      try expand(macro)
    }
  }

  private mutating func expand(_ macro: Macro) throws {
    expansions += 1
    var arguments: [[Token]] = []
    if let standard = macro.standard { arguments.append(try optionalArgument() ?? standard) }
    while arguments.count < macro.parameters { arguments.append(try argument()) }
    var result: [Token] = []
    var index = 0
    while index < macro.body.count {
      if macro.body[index] == .character("#"), index + 1 < macro.body.count,
        case .character(let digit) = macro.body[index + 1],
        let number = digit.wholeNumberValue, number > 0, number <= arguments.count
      {
        result += arguments[number - 1]
        index += 2
      } else {
        result.append(macro.body[index])
        index += 1
      }
    }
    guard expansions <= LaTeXMacros.mostExpansions,
      rest.count + result.count + output.count <= LaTeXMacros.mostTokens
    else { throw LaTeXParser.Unsupported() }
    rest += result.reversed()
  }

  /// Reads a definition; returns false if the command does not define a macro.
  private mutating func define(_ name: String) throws -> Bool {
    switch name {
    case "def", "gdef", "edef", "xdef": try definePlainly()
    case "newcommand", "renewcommand", "newcommand*", "renewcommand*": try defineCommand()
    case "providecommand", "providecommand*": try defineCommand(overrides: false)
    case "DeclareMathOperator", "DeclareMathOperator*":
      let defined = try definedName()
      let words = try argument()
      let command = name.hasSuffix("*") ? "operatorname*" : "operatorname"
      macros[defined] = Macro(body: [.command(command), .open] + words + [.close])
    case "let":
      let defined = try definedName()
      skipSpace()
      if rest.last == .character("=") { rest.removeLast() }
      skipSpace()
      guard let token = rest.popLast() else { throw LaTeXParser.Unsupported() }
      if case .command(let other) = token, let macro = macros[other] {
        macros[defined] = macro
      } else {
        macros[defined] = Macro(body: [token])
      }
    case "global", "long": break
    default: return false
    }
    return true
  }

  private mutating func definePlainly() throws {
    let name = try definedName()
    var parameters = 0
    while rest.last == .character("#") {
      rest.removeLast()
      parameters += 1
      guard rest.popLast() == .character(Character(String(parameters % 10))), parameters < 10 else {
        throw LaTeXParser.Unsupported()
      }
    }
    guard rest.last == .open else { throw LaTeXParser.Unsupported() }
    macros[name] = Macro(parameters: parameters, body: try argument())
  }

  private mutating func defineCommand(overrides: Bool = true) throws {
    let name = try definedName()
    var macro = Macro(body: [])
    if let count = try optionalArgument() {
      guard count.count == 1, case .character(let digit) = count[0],
        let number = digit.wholeNumberValue
      else { throw LaTeXParser.Unsupported() }
      macro.parameters = number
      macro.standard = try optionalArgument()
      if macro.standard != nil, number == 0 { throw LaTeXParser.Unsupported() }
    }
    macro.body = try argument()
    if overrides || macros[name] == nil { macros[name] = macro }
  }

  /// Reads `\name` or `{\name}`.
  private mutating func definedName() throws -> String {
    let tokens = try argument().filter { $0 != .space }
    guard tokens.count == 1, case .command(let name) = tokens[0] else {
      throw LaTeXParser.Unsupported()
    }
    return name
  }

  private mutating func skipSpace() {
    while rest.last == .space { rest.removeLast() }
  }

  /// Reads one token or the content of a group.
  private mutating func argument() throws -> [Token] {
    skipSpace()
    guard let first = rest.popLast() else { throw LaTeXParser.Unsupported() }
    guard first == .open else { return [first] }
    return try balanced { $0 == .close }
  }

  private mutating func optionalArgument() throws -> [Token]? {
    skipSpace()
    guard rest.last == .character("[") else { return nil }
    rest.removeLast()
    return try balanced { $0 == .character("]") }
  }

  /// Reads up to a token outside of groups.
  private mutating func balanced(_ isEnd: (Token) -> Bool) throws -> [Token] {
    var tokens: [Token] = []
    var level = 0
    while let token = rest.popLast() {
      if level == 0, isEnd(token) { return tokens }
      if token == .open { level += 1 }
      if token == .close { level -= 1 }
      tokens.append(token)
    }
    throw LaTeXParser.Unsupported()
  }

  /// Macros of `braket`, `amsmath` and TeX itself.
  private static let packages: [String: Macro] = {
    let sources = [
      "bra": #"\langle#1|"#, "ket": #"|#1\rangle"#, "braket": #"\langle#1\rangle"#,
      "Bra": #"\left\langle#1\right|"#, "Ket": #"\left|#1\right\rangle"#,
      "Braket": #"\left\langle#1\right\rangle"#, "set": #"\{\,#1\,\}"#,
      "Set": #"\left\{\:#1\:\right\}"#, "pod": #"\quad(#1)"#, "idotsint": #"\int\cdots\int"#,
      "varlimsup": #"\mathop{\overline{\mathrm{lim}}}"#,
      "varliminf": #"\mathop{\underline{\mathrm{lim}}}"#,
      "varinjlim": #"\mathop{\underrightarrow{\mathrm{lim}}}"#,
      "varprojlim": #"\mathop{\underleftarrow{\mathrm{lim}}}"#, "bgroup": "{", "egroup": "}",
      "begingroup": "{", "endgroup": "}",
    ]
    return sources.mapValues { source in
      Macro(parameters: source.contains("#1") ? 1 : 0, body: LaTeXScanner.tokens(source))
    }
  }()
}
