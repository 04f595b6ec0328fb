/// The sanitiser's state for formulas.
struct FormulaTracker {
  /// Rendered text of a formula, which is removed if the formula's markup follows.
  struct Written {
    var range: Range<Int>
    /// The lengths of the plain text before and after it. Equal lengths later mean that no text
    /// came between.
    var textStart: Int
    var textEnd: Int
    /// The number of images written so far.
    var pictures: Int
    /// The number of headings ended so far, whose texts are known.
    var headings: Int
  }

  /// The open script, if it contains a formula.
  var script: FormulaScript?
  var drawing: DrawnFormula?
  var written: Written?
  /// The length of the plain text at the end of the last formula.
  var end = 0
  /// Whether that formula may be followed by its source.
  var mayHaveSource = false

  private static let drawings: Set<Substring> = [
    "MathJax", "MathJax_Preview", "MathJax_SVG", "MathJax_CHTML", "mjx-chtml",
  ]

  /// Whether an element with these classes is MathJax's rendering or preview of a formula.
  static func isDrawing(_ classes: String) -> Bool {
    (classes.hasPrefix("MathJax") || classes.hasPrefix("mjx-"))
      && classes.split(whereSeparator: \.isWhitespace).contains(where: drawings.contains)
  }

  /// Whether code with these classes is an unreadable formula, written by the sanitiser or an
  /// adapter.
  static func isSource(_ classes: String) -> Bool { classes == "latex" || classes == "n-latex" }
}
