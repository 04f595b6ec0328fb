import ArchiverMarkup

/// Writes formulas.
enum Formula {
  /// Writes a formula as MathML; one with unsupported LaTeX as its source.
  static func write(_ source: String, isBlock: Bool, to html: inout HTMLWriter) {
    let source = trimmed(source)
    if !MathMLWriter.write(source, isBlock: isBlock, to: &html) {
      html.element("code", ["class": "n-latex"], text: source)
    }
  }

  private static func trimmed(_ source: String) -> String {
    var text = source[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
