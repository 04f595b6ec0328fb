/// Reads a formula from MathML in a separate text, by the same rules as other formulas.
final class FormulaReader: HTMLEventHandler {
  private var open: MathWriter?
  private var formula: MathWriter?

  /// Returns the first formula in the text; `nil` if it has none with visible content.
  static func read(
    _ text: [UInt8], limits: SanitizerLimits
  ) throws(MarkupError) -> MathWriter? {
    let reader = FormulaReader()
    try HTMLParser.parseContent(try InputPreparation.prepare(text, limits: limits), into: reader)
    return reader.formula.flatMap { $0.hasContent ? $0 : nil }
  }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) {
    if open == nil, formula == nil, name == "math" { open = MathWriter() }
    open?.start(name, attributes)
  }

  func end(_ name: String) {
    guard open?.end(name) == true else { return }
    formula = open
    open = nil
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) { open?.write(text) }
}
