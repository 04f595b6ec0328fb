/// The sanitiser's state about formulas.
struct FormulaTracker {
  /// The pieces of text written last, which go when the formula itself follows.
  struct Written {
    var range: Range<Int>
    /// Length of the plain text before and after it; the latter later means that no words came between.
    var textStart: Int
    var textEnd: Int
    /// Pictures written so far.
    var pictures: Int
    /// Headings ended so far, whose words are known.
    var headings: Int
  }

  /// The script that is open, if it holds a formula.
  var script: FormulaScript?
  var drawing: DrawnFormula?
  var written: Written?
  /// Length of the plain text when a formula ended last.
  var end = 0
  /// Whether that formula may be followed by its source.
  var mayHaveSource = false

  private static let drawings: Set<Substring> = [
    "MathJax", "MathJax_Preview", "MathJax_SVG", "MathJax_CHTML", "mjx-chtml",
  ]

  /// Whether an element of these classes is drawn by MathJax, or a preview of what it would draw.
  static func isDrawing(_ classes: String) -> Bool {
    (classes.hasPrefix("MathJax") || classes.hasPrefix("mjx-"))
      && classes.split(whereSeparator: \.isWhitespace).contains(where: drawings.contains)
  }

  /// Whether code of these classes is a formula that could not be read, of ours or of an adapter.
  static func isSource(_ classes: String) -> Bool { classes == "latex" || classes == "n-latex" }
}
