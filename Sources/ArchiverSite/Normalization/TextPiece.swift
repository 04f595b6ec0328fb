/// A token of a text: a word, or one character of a script without word spaces, with its position.
///
/// The tokens equal those of `tokens.js`.
struct TextPiece: Hashable {
  /// The folded text, truncated to the maximum length of terms in the index.
  let term: String
  /// The range in UTF-8, including characters that search ignores.
  private(set) var range: Range<Int>
  let isDense: Bool

  /// Returns the pieces of a text in order.
  static func all(in text: String) -> [TextPiece] {
    let normal = NormalText(text)
    var pieces = plain(in: normal.text)
    // If one character became several words, only the first has a range.
    var last = 0
    for place in pieces.indices {
      let range = normal.source(pieces[place].range)
      let start = max(last, range.lowerBound)
      last = max(start, range.upperBound)
      pieces[place].range = start..<last
    }
    return pieces
  }

  /// Returns the pieces of a text in the normal form.
  private static func plain(in text: String) -> [TextPiece] {
    var pieces: [TextPiece] = []
    var folded: [UInt8] = []
    var start = 0
    var end = 0
    var isOpen = false
    func close() {
      if !folded.isEmpty {
        pieces.append(TextPiece(term: Tokenizer.term(folded), range: start..<end, isDense: false))
        folded.removeAll(keepingCapacity: true)
      }
      isOpen = false
    }
    var offset = 0
    for scalar in text.unicodeScalars {
      let next = offset + UTF8.width(scalar)
      defer { offset = next }
      let kind = CharacterClass(scalar)
      guard kind == .word || kind == .mark else {
        close()
        if kind == .dense {
          var single: [UInt8] = []
          Folding.shared.append(scalar, to: &single)
          pieces.append(
            TextPiece(
              term: String(decoding: single, as: UTF8.self), range: offset..<next, isDense: true))
        }
        continue
      }
      if kind == .mark, !isOpen, let last = pieces.last, last.isDense,
        last.range.upperBound == offset
      {
        pieces[pieces.count - 1].range = last.range.lowerBound..<next
        continue
      }
      if !isOpen { start = offset }
      isOpen = true
      end = next
      if kind == .word { Folding.shared.append(scalar, to: &folded) }
    }
    close()
    return pieces
  }

  /// Returns the terms of a text: words, and pairs of adjacent characters in scripts without
  /// spaces.
  static func terms(of text: String) -> [(term: String, isWhole: Bool)] {
    var terms: [(term: String, isWhole: Bool)] = []
    var last: TextPiece?
    var run = 0
    for piece in all(in: text) {
      if !piece.isDense {
        terms.append((piece.term, true))
      } else if let last, last.isDense, last.range.upperBound == piece.range.lowerBound {
        if run == 1 { terms.removeLast() }
        run += 1
        terms.append((last.term + piece.term, true))
      } else {
        run = 1
        terms.append((piece.term, false))
      }
      last = piece
    }
    return terms
  }
}
