/// A formula rendered by MathJax: as text (versions 1 and 2), as characters from style sheets, or
/// as SVG (versions 3 and 4). Or one that a script would render: Distill's `d-math`.
struct DrawnFormula {
  /// The number of open elements inside it.
  var depth = 0
  var words: [UInt8] = []
  /// Whether it also contains the formula's markup.
  var hasFormula = false
  /// The source in `data-latex`; that of the outermost element is complete.
  private var source: String?
  /// The description of the formula for screen readers.
  private var label: String?
  /// The rendered characters, as far as the markup names them.
  private var glyphs = ""
  private let isBlock: Bool
  /// Whether its text is its source in LaTeX.
  private let holdsSource: Bool

  init(_ name: String, _ attributes: HTMLAttributes) {
    label = attributes["aria-label"]
    let isDistill = name == DrawnFormula.distill
    holdsSource = isDistill
    isBlock = attributes["display"] == "true" || isDistill && attributes["block"] != nil
    note(attributes)
  }

  private static let distill = "d-math"

  /// Whether an element is a formula of MathJax or Distill.
  static func isBegun(by name: String, _ attributes: HTMLAttributes) -> Bool {
    name == "mjx-container" || name == distill
      || attributes["class"].map(FormulaTracker.isDrawing) == true
  }

  /// Records the attributes of an element inside it.
  mutating func note(_ attributes: HTMLAttributes) {
    if source == nil, let latex = attributes["data-latex"], !latex.isEmpty { source = latex }
    if label == nil, depth > 0 { label = attributes["data-semantic-speech"] }
    if let code = DrawnFormula.character(attributes) { glyphs.unicodeScalars.append(code) }
  }

  /// The LaTeX source in the form of a MathJax script; `nil` if it is unknown.
  var script: FormulaScript? {
    let text = holdsSource ? String(decoding: words, as: UTF8.self) : nil
    guard let source = source ?? text else { return nil }
    var script = FormulaScript(type: isBlock ? "math/tex; mode=display" : "math/tex")
    script?.source = Array(source.utf8)
    return script
  }

  /// The text to show instead of an unreadable formula, in one line; empty if nothing is known.
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
