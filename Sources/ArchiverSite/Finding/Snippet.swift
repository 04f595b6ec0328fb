/// The part of a text that best shows why an item was found.
package struct Snippet: Sendable, Hashable {
  /// The text, on one line.
  package var text: String
  /// The ranges of matches in Unicode code points of the text, in order.
  package var marks: [Range<Int>]
  /// The offset of the best match in the whole text, in UTF-16 units.
  private(set) var place = 0

  /// The number of words before the first match, and the total number of words.
  private static let before = 8
  private static let length = 34

  /// Chooses the part like `snippet.js`; `nil` for an empty text.
  init?(_ text: String, _ query: SearchQuery) {
    let pieces = TextPiece.all(in: text)
    guard !pieces.isEmpty else { return nil }
    let bytes = Array(text.utf8)
    let marked = Snippet.marked(pieces, bytes, query)
    let best = Snippet.best(pieces, marked)
    let first = max(0, best - Snippet.before)
    let last = min(pieces.count, first + Snippet.length) - 1
    let end = last == pieces.count - 1 ? bytes.count : pieces[last].range.upperBound
    var line = Line(first > 0 ? "… " : "")
    var at = first == 0 ? 0 : pieces[first].range.lowerBound
    for number in first...last where marked[number] {
      let range = pieces[number].range
      line.add(bytes[at..<range.lowerBound])
      line.add(bytes[range], isMarked: true)
      at = range.upperBound
    }
    line.add(bytes[at..<end])
    if last < pieces.count - 1 { line.add(Array(" …".utf8)[...]) }
    self.text = line.text
    marks = line.marks
    place = String(decoding: bytes[..<pieces[best].range.lowerBound], as: UTF8.self).utf16.count
  }

  private static func marked(
    _ pieces: [TextPiece], _ bytes: [UInt8], _ query: SearchQuery
  ) -> [Bool] {
    let counts = pieces.indices.map { at in
      hits(pieces[at], query, next: at + 1 < pieces.count ? pieces[at + 1] : nil)
    }
    var marked = counts.indices.map { counts[$0] > 0 || $0 > 0 && counts[$0 - 1] > 1 }
    for group in WordForms.groups(of: pieces, bytes) where group.count > 1 {
      let joined = Tokenizer.term(pieces[group].flatMap { Array($0.term.utf8) })
      guard query.terms.contains(where: { isHit($0, joined) }) else { continue }
      for number in group { marked[number] = true }
    }
    if marked.contains(true) { return marked }
    // The item may have compounds of a word only.
    return pieces.map { piece in
      query.terms.contains { $0.forms.contains { GermanCompounds.isPart($0, of: piece.term) } }
    }
  }

  /// Whether a word, or a pair of characters in a dense script, matches a term.
  private static func isHit(_ wanted: SearchQuery.Term, _ text: String) -> Bool {
    if wanted.forms.contains(where: { ByteKey($0) == ByteKey(text) }) { return true }
    return wanted.isPrefix
      ? text.utf8.starts(with: wanted.term.utf8) : ByteKey(text) == ByteKey(wanted.term)
  }

  /// Returns the number of pieces from this one on that match: two for a pair in a dense script.
  private static func hits(_ piece: TextPiece, _ query: SearchQuery, next: TextPiece?) -> Int {
    query.terms.reduce(0) { most, wanted in
      guard piece.isDense else { return max(most, isHit(wanted, piece.term) ? 1 : 0) }
      if ByteKey(piece.term) == ByteKey(wanted.term) { return max(most, 1) }
      var pair = piece.term
      if let next, next.isDense, next.range.lowerBound == piece.range.upperBound {
        pair += next.term
      }
      return max(most, isHit(wanted, pair) ? 2 : 0)
    }
  }

  /// Returns the start of the part with the most different matches.
  private static func best(_ pieces: [TextPiece], _ marked: [Bool]) -> Int {
    var best = (at: 0, score: -1)
    for at in pieces.indices where marked[at] {
      var different: Set<ByteKey> = []
      var count = 0
      for next in at..<min(pieces.count, at + length - before) where marked[next] {
        different.insert(ByteKey(pieces[next].term))
        count += 1
      }
      let score = different.count * 10 + min(count, 9)
      if score > best.score { best = (at, score) }
    }
    return best.at
  }

  /// Whether the words of a phrase are adjacent in a text.
  static func hasPhrase(_ words: [ByteKey], _ wanted: [ByteKey]) -> Bool {
    guard let first = wanted.first, words.count >= wanted.count else { return wanted.isEmpty }
    return (0...(words.count - wanted.count)).contains { at in
      words[at] == first && words[at..<(at + wanted.count)].elementsEqual(wanted)
    }
  }
}

/// A line assembled from pieces of UTF-8, with collapsed white space.
private struct Line {
  private(set) var text: String
  private(set) var marks: [Range<Int>] = []
  private var count: Int

  init(_ text: String) {
    self.text = text
    count = text.unicodeScalars.count
  }

  mutating func add(_ bytes: ArraySlice<UInt8>, isMarked: Bool = false) {
    let start = count
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if isSpace, text.unicodeScalars.last == " " || count == 0 { continue }
      text.unicodeScalars.append(isSpace ? " " : scalar)
      count += 1
    }
    guard isMarked, count > start else { return }
    // Marks separated only by a space are merged.
    if let last = marks.last,
      text.unicodeScalars.dropFirst(last.upperBound).prefix(start - last.upperBound)
        .allSatisfy({ $0 == " " })
    {
      marks[marks.count - 1] = last.lowerBound..<count
    } else {
      marks.append(start..<count)
    }
  }
}
