// Commands by kind.
extension LaTeXParser {
  mutating func command(_ name: String) throws -> MathNode {
    if let symbol = LaTeXParser.symbol(name) { return symbol }
    if let line = LaTeXSymbols.lines[name] { return .marked(try argument(), [line]) }
    if let accent = LaTeXSymbols.accents[name] {
      return .accent(
        try argument(), mark: accent.mark, isBelow: accent.isBelow, stretches: accent.stretches)
    }
    if let size = LaTeXSymbols.sizes[name] { return .symbol(try delimiter(), .sized(size)) }
    if let alphabet = MathAlphabet(command: name) { return try argument().inAlphabet(alphabet) }
    if let arrow = LaTeXSymbols.arrows[name] { return try labelled(arrow) }
    if let mark = LaTeXSymbols.textAccents[name], name.first?.isLetter == false {
      return .text(try words() + mark)
    }
    if let node = try fraction(name) ?? text(name) ?? mark(name) { return node }
    if let node = try spacing(name) ?? layout(name) ?? unit(name) { return node }
    if LaTeXParser.withoutEffect.contains(name) { return .empty }
    throw Unsupported()
  }

  static func symbol(_ name: String) -> MathNode? {
    if let letter = LaTeXSigns.letters[name] { return .identifier(letter) }
    if let sign = LaTeXSigns.operators[name] { return .symbol(sign) }
    if let sign = LaTeXSigns.large[name] { return .symbol(sign, .large) }
    if let sign = LaTeXSigns.integrals[name] { return .symbol(sign) }
    if let word = LaTeXSymbols.limitFunctions[name] { return .symbol(word, .large) }
    if LaTeXSymbols.functions.contains(name) { return .upright(name) }
    if let sign = LaTeXSigns.uprights[name] { return .upright(sign) }
    if let width = LaTeXSymbols.spaces[name] { return .space(width) }
    if let sign = LaTeXSigns.delimiters[name] { return .symbol(sign, .rigid) }
    return nil
  }

  private static let withoutEffect: Set<String> = [
    "nonumber", "notag", "displaylimits", "allowbreak", "nobreak", "relax", "null", "strut",
    "mathstrut", "DOTSB", "DOTSI", "DOTSX", "noindent", "/", "-", "centering", "protect",
    "limits", "nolimits", "bigskip", "medskip", "smallskip", "goodbreak", "break", "noexpand",
  ]

  private mutating func fraction(_ name: String) throws -> MathNode? {
    switch name {
    case "frac", "nicefrac", "sfrac": return .fraction(try argument(), try argument(), line: nil)
    case "cfrac":
      _ = try optionalArgument()
      return .styled(.fraction(try argument(), try argument(), line: nil), isDisplay: true)
    case "dfrac":
      return .styled(.fraction(try argument(), try argument(), line: nil), isDisplay: true)
    case "tfrac":
      return .styled(.fraction(try argument(), try argument(), line: nil), isDisplay: false)
    case "binom", "dbinom", "tbinom":
      return fenced("(", .fraction(try argument(), try argument(), line: "0"), ")")
    case "genfrac": return try generalFraction()
    case "sqrt":
      let index = try optionalArgument()
      return .root(try argument(), index: index)
    case "root":
      var index: [MathNode] = []
      while let token = current, token != .command("of") {
        if token == .space { position += 1 } else { index.append(try scripted(try atom())) }
      }
      guard take(.command("of")) else { throw Unsupported() }
      return .root(try argument(), index: .row(index))
    default: return nil
    }
  }

  /// `\genfrac{(}{)}{line}{style}{top}{bottom}`.
  private mutating func generalFraction() throws -> MathNode {
    let left = try delimiterArgument()
    let right = try delimiterArgument()
    let line = try words().filter { $0 != " " }
    let thickness = line.isEmpty ? nil : try MathLength(line).text
    let style = try words()
    let fraction = MathNode.fraction(try argument(), try argument(), line: thickness)
    let fenced = left.isEmpty && right.isEmpty ? fraction : self.fenced(left, fraction, right)
    return style.isEmpty ? fenced : .styled(fenced, isDisplay: style == "0")
  }

  private mutating func delimiterArgument() throws -> String {
    skipSpace()
    guard take(.open) else { return try delimiter() }
    skipSpace()
    if take(.close) { return "" }
    let sign = try delimiter()
    skipSpace()
    guard take(.close) else { throw Unsupported() }
    return sign
  }

  /// Reads the labels above and below an arrow.
  private mutating func labelled(_ arrow: String) throws -> MathNode {
    func padded(_ label: MathNode) -> MathNode { .row([.space("0.5em"), label, .space("0.5em")]) }
    let below = try optionalArgument()
    let above = try argument()
    return .limits(.symbol(arrow, .arrow), lower: below.map(padded), upper: padded(above))
  }

  /// Commands that draw around, through or behind their argument.
  private mutating func mark(_ name: String) throws -> MathNode? {
    switch name {
    case "boxed": return .marked(try argument(), [.box])
    case "fbox", "framebox": return .marked(try textGroup(), [.box])
    case "cancel": return .marked(try argument(), [.strikeUp])
    case "bcancel": return .marked(try argument(), [.strikeDown])
    case "xcancel": return .marked(try argument(), [.strikeUp, .strikeDown])
    case "sout", "hcancel": return .marked(try argument(), [.strikeAcross])
    case "cancelto":
      let target = try argument()
      return .scripts(.marked(try argument(), [.strikeUp]), lower: nil, upper: target)
    case "angln": return .marked(.identifier("n"), [.lineAbove, .lineAfter])
    case "angl": return .marked(try argument(), [.lineAbove, .lineAfter])
    case "phase": return .row([.symbol("∠", .rigid), .marked(try argument(), [.lineBelow])])
    case "enclose":
      let classes = MathClass.notation(try words())
      guard !classes.isEmpty else { throw Unsupported() }
      return .marked(try argument(), classes)
    case "textcolor":
      let ink = MathClass.ink(try colorName())
      let inner = try argument()
      return ink.map { .marked(inner, [$0]) } ?? inner
    case "colorbox":
      let tint = MathClass.tint(try colorName())
      let inner = try textGroup()
      return tint.map { .marked(inner, [$0]) } ?? inner
    case "fcolorbox":
      _ = try colorName()
      let tint = MathClass.tint(try colorName())
      return .marked(try textGroup(), [.box] + (tint.map { [$0] } ?? []))
    case "bbox": return try bracketBox()
    default: return nil
    }
  }

  /// `\bbox[yellow, 2pt, border: 1px solid]{…}`.
  private mutating func bracketBox() throws -> MathNode {
    skipSpace()
    var words = ""
    if take(.character("[")) {
      while let token = advance(), token != .character("]") { words += LaTeXScanner.text([token]) }
    }
    let parts = words.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    var classes: [MathClass] = parts.contains { $0.hasPrefix("border") } ? [.box] : []
    if let tint = parts.lazy.compactMap({ MathClass.tint(String($0)) }).first {
      classes.append(tint)
    }
    let inner = try argument()
    return classes.isEmpty ? inner : .marked(inner, classes)
  }

  /// Reads a colour and returns it in CSS: `\color[HTML]{FF0000}`, `\color{red}`, `\color{#f00}`.
  mutating func colorName() throws -> String {
    skipSpace()
    var model = ""
    if take(.character("[")) {
      while let token = advance(), token != .character("]") { model += LaTeXScanner.text([token]) }
    }
    let name = try words().filter { !$0.isWhitespace }
    switch model {
    case "HTML": return "#" + name
    case "RGB": return "rgb(\(name))"
    case "rgb":
      let parts = name.split(separator: ",").compactMap { Double($0) }
      guard parts.count == 3, parts.allSatisfy({ (0...1).contains($0) }) else {
        throw Unsupported()
      }
      return "rgb(\(parts.map { String(Int($0 * 255)) }.joined(separator: ",")))"
    default:
      // The names of `dvips` are capitalised and match CSS's, as far as CSS has them.
      return name
    }
  }

  /// Commands for layout, and commands without visible effect.
  private mutating func layout(_ name: String) throws -> MathNode? {
    switch name {
    case "left": return try leftRight()
    case "begin": return try environment()
    case "not": return try negated()
    case "overset", "stackrel":
      let above = try argument()
      return .limits(try argument(), lower: nil, upper: above)
    case "underset":
      let below = try argument()
      return .limits(try argument(), lower: below, upper: nil)
    case "overunderset":
      let above = try argument()
      let below = try argument()
      return .limits(try argument(), lower: below, upper: above)
    case "substack":
      guard take(.open) else { throw Unsupported() }
      let rows = try tableRows().rows
      guard take(.close) else { throw Unsupported() }
      return .table(rows, MathTable(["center"]))
    case "mathop": return .limits(try argument(), lower: nil, upper: nil)
    case "mathrel", "mathbin", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner",
      "ensuremath", "smash", "mathllap", "mathrlap", "mathclap", "vcenter", "underlap", "overlap",
      "textstyle", "cramped", "mathstyle", "boldmath":
      if name == "smash" { _ = try optionalArgument() }
      return try argument()
    case "htmlClass", "htmlId", "htmlStyle", "htmlData", "class", "cssId", "style":
      _ = try words()
      return try argument()
    case "mathchoice":
      let choices = [try argument(), try argument(), try argument(), try argument()]
      return choices[1]
    case "label": return try ignoredArgument()
    case "tag":
      tag = .text("(\(try words()))")
      return .empty
    case "tag*":
      tag = .text(try words())
      return .empty
    case "ref", "eqref":
      let label = try words()
      return .text(name == "eqref" ? "(\(label))" : label)
    case "href":
      let address = try rawArgument()
      return .row([try argument(), .text(" (\(address))")])
    case "url": return .text(try rawArgument())
    case "ce": return try Self.part(Chemistry.latex(try rawArgument()), depth)
    default: return nil
    }
  }

  /// Parses LaTeX that was generated from another notation.
  static func part(_ source: String, _ depth: Int) throws -> MathNode {
    var parser = LaTeXParser(tokens: LaTeXScanner.tokens(source), depth: depth)
    return try parser.whole()
  }

  private mutating func ignoredArgument() throws -> MathNode {
    _ = try words()
    return .empty
  }

  private mutating func negated() throws -> MathNode {
    switch try argument() {
    case .symbol(let sign, let kind):
      return .symbol(LaTeXSymbols.negations[sign] ?? sign + "\u{338}", kind)
    case .upright(let sign): return .upright(LaTeXSymbols.negations[sign] ?? sign + "\u{338}")
    case .identifier(let sign): return .identifier(sign + "\u{338}")
    default: throw Unsupported()
    }
  }
}
