import ArchiverCore

/// Formulas in running text, with the delimiters of MathJax and KaTeX: `\(…\)`, `\[…\]`, `$$…$$`
/// and `\begin{equation}…\end{equation}`.
///
/// Text with such delimiters is a formula only if the text between them looks like TeX.
struct FormulaText {
  struct Piece: Equatable {
    /// The range including delimiters.
    var range: Range<Int>
    /// The source between the delimiters; `nil` for text.
    var source: String?
    var isBlock = false
  }

  private struct Sign {
    var open: [UInt8]
    var close: [UInt8]
    var isBlock: Bool
    /// Whether the delimiters belong to the formula.
    var isPart = false
  }

  private static let longest = 20_000

  private static let signs: [Sign] = {
    var signs = [
      Sign(open: Array("$$".utf8), close: Array("$$".utf8), isBlock: true),
      Sign(open: Array("\\(".utf8), close: Array("\\)".utf8), isBlock: false),
      Sign(open: Array("\\[".utf8), close: Array("\\]".utf8), isBlock: true),
    ]
    for name in ["equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign"] {
      for star in ["", "*"] {
        signs.append(
          Sign(
            open: Array("\\begin{\(name)\(star)}".utf8),
            close: Array("\\end{\(name)\(star)}".utf8), isBlock: true, isPart: true))
      }
    }
    return signs
  }()

  /// Whether text may contain the beginning of a formula.
  static func mayBegin(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    for mark in [UInt8(ascii: "\\"), UInt8(ascii: "$")] {
      var start = 0
      while let index = text.index(of: mark, from: start) {
        if index + 1 < text.count {
          let next = text[index + 1]
          let begins =
            mark == UInt8(ascii: "$")
            ? next == mark
            : next == UInt8(ascii: "(") || next == UInt8(ascii: "[") || next == UInt8(ascii: "b")
          if begins { return true }
        }
        start = index + 1
      }
    }
    return false
  }

  /// Returns text and formulas in order, without gaps.
  static func pieces(of text: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var written = 0
    var index = 0
    // Opening delimiters without a closing one, for which the search is not repeated.
    var unclosed: Set<Int> = []
    while index < text.count {
      guard let number = sign(text, at: index, without: unclosed) else {
        index += 1
        continue
      }
      let sign = signs[number]
      guard let close = position(of: sign.close, in: text, from: index + sign.open.count) else {
        unclosed.insert(number)
        continue
      }
      let open = sign.open == sign.close ? index : last(sign.open, in: text, index..<close)
      let end = close + sign.close.count
      let inside = open + sign.open.count..<close
      let source = String(decoding: text[sign.isPart ? open..<end : inside], as: UTF8.self)
      // "file\(s\)" and "\[1\]" are brackets escaped for Markdown.
      let isWithinWord = open > 0 && isWordByte(text[open - 1])
      guard inside.count <= longest, !isWithinWord || sign.isBlock,
        readsAsTeX(source, isLine: sign.isBlock)
      else {
        index = sign.open == sign.close ? max(close, index + 1) : end
        continue
      }
      if written < open { pieces.append(Piece(range: written..<open)) }
      pieces.append(Piece(range: open..<end, source: source, isBlock: sign.isBlock))
      written = end
      index = end
    }
    if written < text.count { pieces.append(Piece(range: written..<text.count)) }
    return pieces
  }

  private static func sign(_ text: [UInt8], at index: Int, without unclosed: Set<Int>) -> Int? {
    guard text[index] == UInt8(ascii: "\\") || text[index] == UInt8(ascii: "$") else { return nil }
    return signs.indices.first {
      !unclosed.contains($0) && text[index...].starts(with: signs[$0].open)
    }
  }

  private static func position(of sign: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    text.withUnsafeBufferPointer { buffer in
      var start = start
      while let index = buffer.index(of: sign[0], from: start) {
        if buffer[index...].starts(with: sign) { return index }
        start = index + 1
      }
      return nil
    }
  }

  /// Returns the last occurrence of a delimiter in a range, which must begin with it.
  private static func last(_ sign: [UInt8], in text: [UInt8], _ range: Range<Int>) -> Int {
    var index = range.upperBound - 1
    while index > range.lowerBound, !text[index..<range.upperBound].starts(with: sign) {
      index -= 1
    }
    return index
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Whether text is more likely TeX than prose: it has a command or a mathematical sign, and few
  /// words outside arguments of commands. A line of one letter or number does not suffice.
  static func readsAsTeX(_ source: String, isLine: Bool = false) -> Bool {
    var rest = source[...]
    var words = 0
    var hasCommand = false
    var hasSign = false
    var hasContent = false
    while let character = rest.popFirst() {
      if character == "\\" {
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(max(name.count, 1))
        if name.count > 1 { hasCommand = true }
        if takesWords(name), rest.first == "{", let end = rest.firstIndex(of: "}") {
          rest = rest[end...].dropFirst()
        }
        hasContent = true
      } else if character.isLetter {
        let word = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(word.count)
        if word.count >= 2 { words += 1 }
        hasContent = true
      } else if "^_=<>+-−*/|".contains(character) {
        hasSign = true
      } else if character.isNumber {
        hasContent = true
      }
    }
    guard hasContent else { return false }
    if hasCommand { return words <= 6 }
    let last = source.last { !$0.isWhitespace } ?? " "
    return words == 0 && !"+-=*/,;".contains(last) && (hasSign || !isLine && source.count <= 8)
  }

  private static func takesWords(_ name: Substring) -> Bool {
    name.hasPrefix("text") || name.hasPrefix("math") || name.hasPrefix("operatorname")
      || name == "begin" || name == "end" || name == "ce" || name == "mbox" || name == "label"
  }
}

// Formulas in running text.
extension SanitizingSession {
  /// Writes text, and holds back text that may begin a formula until other content follows.
  func writeWords(_ text: UnsafeBufferPointer<UInt8>) {
    if heldWords.isEmpty, !readsFormulasInText || !FormulaText.mayBegin(in: text) || isInCode {
      writer.write(text)
    } else {
      heldWords += text
      if heldWords.count > 1_000_000 { settleWords() }
    }
  }

  /// Whether the current text is code, in which formulas are not recognised.
  private var isInCode: Bool {
    writer.top.kind == .preformatted || ["code", "kbd", "samp"].contains(where: writer.isActive)
  }

  /// Writes the text that was held back, with its formulas.
  func settleWords() {
    guard !heldWords.isEmpty else { return }
    let words = heldWords
    heldWords = []
    for piece in FormulaText.pieces(of: words) {
      let range = words[piece.range]
      if let source = piece.source {
        write(source, isBlock: piece.isBlock, as: String(decoding: range, as: UTF8.self))
      } else {
        range.withUnsafeBufferPointer { writer.write($0) }
      }
    }
  }

  /// Writes a LaTeX formula; an unsupported one is written as in the source.
  private func write(_ source: String, isBlock: Bool, as written: String) {
    var script = FormulaScript(type: isBlock ? "math/tex; mode=display" : "math/tex")
    script?.source = Array(source.utf8)
    // The limits are those of the whole page, which has been parsed already.
    guard let formula = try? script?.formula(limits: options.limits), formula.hasContent else {
      unreadInText += 1
      return writeSource(written.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    write(formula)
  }
}
