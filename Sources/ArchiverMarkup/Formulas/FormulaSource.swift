/// Formulas of sanitised HTML as LaTeX.
package enum FormulaSource {
  /// Returns the LaTeX of a `math` element on one line: its source if the element has it, otherwise
  /// equivalent LaTeX.
  package static func latex(_ math: ContentElement) -> String {
    if let source = math["alttext"], isSource(source, of: math) {
      let code = TeXComment.removed(from: Array(source.utf8))
      return oneLine(String(decoding: code, as: UTF8.self))
    }
    return oneLine(LaTeXWriter.row(math.children))
  }

  /// Whether a text is the LaTeX of a formula rather than a description.
  private static func isSource(_ text: String, of math: ContentElement) -> Bool {
    var html = HTMLWriter()
    guard MathMLWriter.write(text, isBlock: false, to: &html),
      // `HTMLWriter` writes well-formed HTML.
      let tree = try? ContentTree.parse(html.bytes)
    else { return false }
    return leaves(tree.text).elementsEqual(leaves(math.text))
  }

  private static func leaves(_ text: String) -> String.UnicodeScalarView {
    text.unicodeScalars.filter { !$0.properties.isWhitespace && !(0x2061...0x2064 ~= $0.value) }
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// Writes presentation MathML as LaTeX.
private enum LaTeXWriter {
  static func row(_ nodes: [ContentNode]) -> String {
    joined(
      nodes.compactMap { node in
        guard case .element(let element) = node else { return nil }
        return write(element)
      })
  }

  private static func write(_ element: ContentElement) -> String {
    let parts = element.elements
    func part(_ index: Int) -> String { parts.indices ~= index ? write(parts[index]) : "" }
    switch element.name {
    case "mi": return identifier(element)
    case "mn": return signs(words(element))
    case "mo": return function(words(element)) ?? signs(words(element))
    case "mtext", "ms": return "\\text{\(escapedText(words(element)))}"
    case "mspace": return space(element["width"] ?? "")
    case "mfrac":
      let isLineless = element["linethickness"].map { $0.hasPrefix("0") } ?? false
      return "\\\(isLineless ? "genfrac{}{}{0pt}{}" : "frac"){\(part(0))}{\(part(1))}"
    case "msqrt": return "\\sqrt{\(row(element.children))}"
    case "mroot": return "\\sqrt[\(part(1))]{\(part(0))}"
    case "msub": return base(parts) + "_{\(part(1))}"
    case "msup": return base(parts) + "^{\(part(1))}"
    case "msubsup": return base(parts) + "_{\(part(1))}^{\(part(2))}"
    case "munder": return limits(parts, below: part(1), above: nil)
    case "mover": return limits(parts, below: nil, above: part(1))
    case "munderover": return limits(parts, below: part(1), above: part(2))
    case "mmultiscripts": return scripts(parts)
    case "mtable": return table(parts)
    case "mphantom": return "\\phantom{\(row(element.children))}"
    case "mfenced": return fenced(element)
    case "none", "mprescripts", "annotation", "annotation-xml": return ""
    case "mrow" where element.classes.contains("math-box"):
      return "\\boxed{\(row(element.children))}"
    case "mrow" where element.classes == ["math-line-above"]:
      return "\\overline{\(row(element.children))}"
    case "mrow" where element.classes == ["math-line-below"]:
      return "\\underline{\(row(element.children))}"
    default: return bracketed(parts) ?? row(element.children)
    }
  }

  private static func words(_ element: ContentElement) -> String {
    element.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func identifier(_ element: ContentElement) -> String {
    let text = words(element)
    if let function = function(text) { return function }
    if text.count > 1 { return "\\mathrm{\(signs(text))}" }
    let isUpright = element["mathvariant"] == "normal" && text.utf8.allSatisfy { $0 < 0x80 }
    return isUpright ? "\\mathrm{\(signs(text))}" : signs(text)
  }

  /// Returns the command of a function; `nil` for other text. Programs write functions as identifiers or as
  /// operators.
  private static func function(_ text: String) -> String? {
    if LaTeXSymbols.functions.contains(text) { return "\\\(text)" }
    return LaTeXSymbols.limitFunctions.first { $0.value == text }.map { "\\\($0.key)" }
  }

  /// Returns characters by their names, if they have any.
  private static func signs(_ text: String) -> String {
    joined(
      text.map { character in
        switch character {
        case "{", "}", "$", "%", "#", "&", "_": return "\\\(character)"
        case "\\": return "\\backslash"
        case "^": return "\\hat{}"
        case "~": return "\\sim"
        case "−": return "-"
        case "\u{2061}", "\u{2062}", "\u{2063}", "\u{2064}": return ""
        default:
          return LaTeXSigns.name(of: String(character)).map { "\\\($0)" } ?? String(character)
        }
      })
  }

  private static func escapedText(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "{", "}", "$", "%", "#", "&", "_": result += "\\\(character)"
      case "\\": result += "\\textbackslash{}"
      case "^": result += "\\textasciicircum{}"
      case "~": result += "\\textasciitilde{}"
      default: result.append(character)
      }
    }
  }

  private static func space(_ width: String) -> String {
    guard width.hasSuffix("em"), let size = Double(width.dropLast(2)) else { return "\\," }
    switch size {
    case ..<0: return "\\!"
    case 1.5...: return "\\qquad"
    case 0.75...: return "\\quad"
    case 0.4...: return "\\enspace"
    case 0.25...: return "\\;"
    case 0.2...: return "\\:"
    default: return "\\,"
    }
  }

  /// Returns the base of scripts as one group.
  private static func base(_ parts: [ContentElement]) -> String {
    guard let first = parts.first else { return "{}" }
    let text = write(first)
    let isOne = ["mi", "mn", "mo"].contains(first.name) && first.text.count <= 1
    return isOne && !text.isEmpty || takesLimits(first) ? text : "{\(text)}"
  }

  private static func takesLimits(_ element: ContentElement) -> Bool {
    let text = words(element)
    if element.name == "mo",
      LaTeXSigns.large.values.contains(text) || LaTeXSigns.integrals.values.contains(text)
    {
      return true
    }
    return ["mi", "mo"].contains(element.name)
      && LaTeXSymbols.limitFunctions.values.contains(text)
  }

  private static func limits(
    _ parts: [ContentElement], below: String?, above: String?
  ) -> String {
    guard let first = parts.first else { return "" }
    if takesLimits(first) {
      return write(first) + (below.map { "_{\($0)}" } ?? "") + (above.map { "^{\($0)}" } ?? "")
    }
    let inner = write(first)
    if parts.count == 2, parts[1].name == "mo", let name = accent(words(parts[1]), parts[1], below)
    {
      return "\\\(name){\(inner)}"
    }
    var result = inner
    if let above { result = "\\overset{\(above)}{\(result)}" }
    if let below { result = "\\underset{\(below)}{\(result)}" }
    return result
  }

  private static func accent(_ mark: String, _ element: ContentElement, _ below: String?) -> String?
  {
    let stretches = element["stretchy"] == "true"
    let found = LaTeXSymbols.accents.filter {
      $0.value.mark == mark && $0.value.isBelow == (below != nil)
    }
    let fitting = found.filter { $0.value.stretches == stretches }
    return (fitting.isEmpty ? found : fitting).keys.min { ($0.count, $0) < ($1.count, $1) }
  }

  private static func scripts(_ parts: [ContentElement]) -> String {
    guard let first = parts.first else { return "" }
    let split = parts.firstIndex { $0.name == "mprescripts" } ?? parts.count
    func pairs(_ parts: ArraySlice<ContentElement>) -> String {
      var rest = parts
      var result = ""
      while let lower = rest.popFirst() {
        let below = write(lower)
        let above = rest.popFirst().map(write) ?? ""
        result += (below.isEmpty ? "" : "_{\(below)}") + (above.isEmpty ? "" : "^{\(above)}")
      }
      return result
    }
    let before = split < parts.count ? pairs(parts[(split + 1)...]) : ""
    return (before.isEmpty ? "" : "{}\(before)") + base([first]) + pairs(parts[1..<max(1, split)])
  }

  private static func table(_ rows: [ContentElement]) -> String {
    let lines = rows.map { row in
      row.elements.map { LaTeXWriter.row($0.children) }.joined(separator: " & ")
    }
    return "\\begin{matrix} \(lines.joined(separator: " \\\\ ")) \\end{matrix}"
  }

  private static func fenced(_ element: ContentElement) -> String {
    let separators = Array((element["separators"] ?? ",").filter { !$0.isWhitespace })
    var inside = ""
    for (index, part) in element.elements.enumerated() {
      if index > 0, !separators.isEmpty {
        inside += signs(String(separators[min(index - 1, separators.count - 1)]))
      }
      inside += write(part)
    }
    func fence(_ text: String) -> String { text.isEmpty ? "." : signs(text) }
    let open = fence(element["open"] ?? "(")
    return joined(["\\left", open, inside, "\\right", fence(element["close"] ?? ")")])
  }

  /// Returns a row with stretchy brackets around it; `nil` for any other.
  private static func bracketed(_ parts: [ContentElement]) -> String? {
    guard parts.count > 2, let first = parts.first, let last = parts.last,
      first.name == "mo", last.name == "mo", first["stretchy"] != "false",
      ["(", "[", "{", "⟨", "⌊", "⌈", "|", "‖"].contains(words(first)),
      [")", "]", "}", "⟩", "⌋", "⌉", "|", "‖"].contains(words(last))
    else { return nil }
    let inside = joined(parts[1..<(parts.count - 1)].map(write))
    return joined(["\\left", write(first), inside, "\\right", write(last)])
  }

  /// Joins pieces, with a space where the name of a command would run into the next piece.
  private static func joined(_ pieces: [String]) -> String {
    var result = ""
    for piece in pieces where !piece.isEmpty {
      if endsInName(result), piece.first?.isLetter == true { result += " " }
      result += piece
    }
    return result
  }

  private static func endsInName(_ text: String) -> Bool {
    let name = text.utf8.reversed().prefix { (0x41...0x5A).contains($0 & 0xDF) }
    return !name.isEmpty && text.utf8.dropLast(name.count).last == UInt8(ascii: "\\")
  }
}
