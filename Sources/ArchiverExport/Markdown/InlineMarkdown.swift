/// Builds a line of Markdown from words, white space and delimiters, which are put in a valid order
/// at the end.
///
/// A delimiter that CommonMark would not recognise in its position, such as `**` between a letter
/// and a quotation mark, becomes an HTML tag.
struct InlineMarkdown {
  enum Mark: String {
    case emphasis = "*"
    case strong = "**"
    case struck = "~~"

    var tag: String {
      switch self {
      case .emphasis: "em"
      case .strong: "strong"
      case .struck: "s"
      }
    }
  }

  private enum Piece: Equatable {
    /// Markdown text, not empty.
    case text(String)
    case space
    case lineBreak
    case open(Mark)
    case close(Mark)

    var isMark: Bool {
      switch self {
      case .open, .close: true
      default: false
      }
    }
  }

  private var pieces: [Piece] = []

  /// Whether there is no visible content yet.
  var isEmpty: Bool {
    pieces.allSatisfy { piece in
      if case .text = piece { false } else { true }
    }
  }

  /// Appends Markdown.
  mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    if case .text(let last) = pieces.last {
      pieces[pieces.count - 1] = .text(last + text)
    } else {
      pieces.append(.text(text))
    }
  }

  /// Appends white space, which is collapsed and removed at line breaks.
  mutating func space() {
    var place = pieces.count
    while place > 0, case .open = pieces[place - 1] { place -= 1 }
    guard place > 0, pieces[place - 1] != .space, pieces[place - 1] != .lineBreak else { return }
    pieces.insert(.space, at: place)
  }

  mutating func lineBreak() {
    if pieces.last == .space { pieces.removeLast() }
    pieces.append(.lineBreak)
  }

  mutating func open(_ mark: Mark) { pieces.append(.open(mark)) }

  mutating func close(_ mark: Mark) {
    var after: [Piece] = []
    while let last = pieces.last, last == .space || last == .lineBreak {
      after.insert(last, at: 0)
      pieces.removeLast()
    }
    if pieces.last == .open(mark) { pieces.removeLast() } else { pieces.append(.close(mark)) }
    for piece in after { piece == .space ? space() : lineBreak() }
  }

  /// Returns the lines. In a paragraph, each but the last ends with `\`, a hard line break.
  func lines() -> [String] {
    var pieces = pieces
    while let last = pieces.last, last == .space || last == .lineBreak { pieces.removeLast() }
    while let first = pieces.first, first == .space || first == .lineBreak { pieces.removeFirst() }
    let tags = tagged(pieces)
    var lines = [""]
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text): lines[lines.count - 1] += text
      case .space: lines[lines.count - 1] += " "
      case .lineBreak: lines.append("")
      case .open(let mark):
        lines[lines.count - 1] += tags[index] ? "<\(mark.tag)>" : mark.rawValue
      case .close(let mark):
        lines[lines.count - 1] += tags[index] ? "</\(mark.tag)>" : mark.rawValue
      }
    }
    return lines
  }

  /// Returns for each piece whether it is a delimiter that must be written as a tag.
  private func tagged(_ pieces: [Piece]) -> [Bool] {
    var tags = [Bool](repeating: false, count: pieces.count)
    let pairs = pairs(pieces)
    for (open, close) in pairs {
      let touches =
        open > 0 && pieces[open - 1].isMark
        || close + 1 < pieces.count && pieces[close + 1].isMark
      if touches { (tags[open], tags[close]) = (true, true) }
    }
    for (open, close) in pairs where !tags[open] {
      let opens = InlineMarkdown.binds(
        inside: first(pieces, open + 1), outside: last(pieces, open - 1))
      let closes = InlineMarkdown.binds(
        inside: last(pieces, close - 1), outside: first(pieces, close + 1))
      if !opens || !closes { (tags[open], tags[close]) = (true, true) }
    }
    return tags
  }

  private func pairs(_ pieces: [Piece]) -> [(open: Int, close: Int)] {
    var open: [Int] = []
    var pairs: [(Int, Int)] = []
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .open: open.append(index)
      case .close: if let start = open.popLast() { pairs.append((start, index)) }
      default: break
      }
    }
    return pairs
  }

  private func first(_ pieces: [Piece], _ index: Int) -> Unicode.Scalar {
    guard pieces.indices.contains(index) else { return " " }
    if case .text(let text) = pieces[index] { return text.unicodeScalars.first ?? " " }
    return pieces[index].isMark ? "<" : " "
  }

  private func last(_ pieces: [Piece], _ index: Int) -> Unicode.Scalar {
    guard pieces.indices.contains(index) else { return " " }
    if case .text(let text) = pieces[index] { return text.unicodeScalars.last ?? " " }
    return pieces[index].isMark ? ">" : " "
  }

  /// Whether a delimiter between two characters opens or closes at the inner one (CommonMark,
  /// flanking runs). Versions of the standard differ in whether symbols are punctuation.
  private static func binds(inside: Unicode.Scalar, outside: Unicode.Scalar) -> Bool {
    if inside.properties.isWhitespace { return false }
    if !isPunctuation(inside), !isSymbol(inside) { return true }
    return outside.properties.isWhitespace || isPunctuation(outside)
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII, isSymbol(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return true
    default: return false
    }
  }

  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: true
    default: false
    }
  }
}
