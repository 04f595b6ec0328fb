/// A formula in a `script` element, as used by MathJax.
struct FormulaScript {
  private enum Notation { case latex, mathML, asciiMath }

  private let notation: Notation
  private let isBlock: Bool
  var source: [UInt8] = []

  /// Recognises a formula by the element's type: `math/tex`, `math/tex; mode=display`, `math/mml`.
  init?(type: String?) {
    guard let type = type?.lowercased(), type.hasPrefix("math/") else { return nil }
    let words = type.split { $0 == ";" || $0.isWhitespace }
    switch words.first {
    case "math/tex", "math/latex": notation = .latex
    case "math/mml": notation = .mathML
    case "math/asciimath": notation = .asciiMath
    default: return nil
    }
    isBlock = words.contains("mode=display")
  }

  /// Returns the formula as MathML; `nil` for an unsupported notation.
  func formula(limits: SanitizerLimits) throws(MarkupError) -> MathWriter? {
    switch notation {
    case .mathML: return try FormulaReader.read(source, limits: limits)
    case .asciiMath: return nil
    case .latex:
      var html = HTMLWriter()
      guard MathMLWriter.write(uncommented, isBlock: isBlock, to: &html) else { return nil }
      return try FormulaReader.read(html.bytes, limits: limits)
    }
  }

  /// The source in one line, without the comments that hide it from XML parsers.
  var words: String { FormulaScript.words(source) }

  private var uncommented: String { FormulaScript.words(TeXComment.removed(from: source)) }

  private static func words(_ source: [UInt8]) -> String {
    var words = source.split(whereSeparator: TextByte.isSpace).map { [UInt8]($0) }
    let begin = ["%", "<![CDATA["].map { Array($0.utf8) }
    if words.starts(with: begin) { words.removeFirst(2) }
    if words.last == Array("%]]>".utf8) { words.removeLast() }
    return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
  }
}
