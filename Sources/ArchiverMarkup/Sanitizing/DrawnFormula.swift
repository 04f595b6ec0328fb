/// An element of MathJax's that draws a formula: by pieces of text (versions 1 and 2), by characters that
/// style sheets add, or by SVG (versions 3 and 4).
struct DrawnFormula {
  /// Open elements inside it.
  var depth = 0
  var words: [UInt8] = []
  /// Whether it also contains the formula itself.
  var hasFormula = false
  /// The source that `data-latex` gives; the outermost has the whole formula.
  private var source: String?
  /// The formula in words, for screen readers.
  private var label: String?
  /// The characters that are drawn, as far as the markup names them.
  private var glyphs = ""
  private let isBlock: Bool

  init(_ attributes: HTMLAttributes) {
    label = attributes["aria-label"]
    isBlock = attributes["display"] == "true"
    note(attributes)
  }

  /// Takes what an element inside tells.
  mutating func note(_ attributes: HTMLAttributes) {
    if source == nil, let latex = attributes["data-latex"], !latex.isEmpty { source = latex }
    if label == nil, depth > 0 { label = attributes["data-semantic-speech"] }
    if let code = DrawnFormula.character(attributes) { glyphs.unicodeScalars.append(code) }
  }

  /// The LaTeX source as a script of MathJax would hold it; `nil` where there is none.
  var script: FormulaScript? {
    guard let source else { return nil }
    var script = FormulaScript(type: isBlock ? "math/tex; mode=display" : "math/tex")
    script?.source = Array(source.utf8)
    return script
  }

  /// What to show where there is no formula that can be read, in one line; empty when nothing is known.
  var substitute: String {
    for text in [String(decoding: words, as: UTF8.self), label ?? "", glyphs] {
      let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !line.isEmpty { return line }
    }
    return ""
  }

  /// The character of a glyph: `<mjx-c class="mjx-c1D438">` or `<use data-c="1D438">`.
  private static func character(_ attributes: HTMLAttributes) -> Unicode.Scalar? {
    let named = attributes["class"]?.split(separator: " ").first { $0.hasPrefix("mjx-c") }
    let code = attributes["data-c"] ?? named.map { String($0.dropFirst(5)) }
    return code.flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init)
  }
}
