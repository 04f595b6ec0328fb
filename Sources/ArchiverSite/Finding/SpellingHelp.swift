import ArchiverCore

/// Finds a word of the index to replace a misspelled one.
///
/// Words that differ by one edit are looked up first: a letter inserted, removed, replaced or exchanged with its
/// neighbour. Edits after the fourth letter come before one at the fourth: the fewer letters are the same, the more shards
/// of the index have the candidates. If there are none, those that differ by two edits after the third letter follow
/// if the word has at least eight letters, then those with one edit at the second or third letter. Misspellings are
/// rarer there, so these are looked up for one word of a query only. The one in most items is chosen, among equals
/// the first in alphabetical order. Words without a candidate are left out.
/// `query.js` and `search.js` do the same.
enum SpellingHelp {
  /// The folded letters of the scripts whose misspelled words are looked up.
  static let alphabets: [[Unicode.Scalar]] = [
    "abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюяіє", "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىء",
  ].map { Array($0.unicodeScalars) }
  private static let shortest = 4
  /// The least number of letters of a word that may have two wrong ones.
  private static let shortestForTwo = 8
  /// How many letters at the start are more often right.
  private static let sameStart = 3

  /// Returns the query with words that occur in no item replaced or left out; `nil` without any
  /// candidate.
  static func suggestion(
    _ query: SearchQuery, _ index: IndexReader
  ) -> String? {
    var text = query.text
    var isBetter = false
    var mayDifferAtStart = true
    for term in query.terms where term.isWhole {
      guard TermList(term, index).size == 0 else { continue }
      let better = nearest(term.term, &mayDifferAtStart, index)
      let bytes = Array(text.utf8)
      let place = TextPiece.all(in: text).first {
        ByteKey($0.term) == ByteKey(term.term) && !isOfFilter(bytes[..<$0.range.lowerBound])
      }
      guard let range = place?.range else { continue }
      var rest = bytes[range.upperBound...]
      if better == nil, rest.first == UInt8(ascii: " ") { rest.removeFirst() }
      text =
        String(decoding: bytes[..<range.lowerBound], as: UTF8.self) + (better ?? "")
        + String(decoding: rest, as: UTF8.self)
      if better != nil { isBetter = true }
    }
    return isBetter ? text : nil
  }

  /// Whether what follows a part of a query is in a filter.
  private static func isOfFilter(_ before: ArraySlice<UInt8>) -> Bool {
    let words = before.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return words.last?.contains(UInt8(ascii: ":")) == true
  }

  /// - Parameter mayDifferAtStart: Whether candidates with other letters at the start are looked up; becomes
  ///   `false` if they were.
  private static func nearest(
    _ term: String, _ mayDifferAtStart: inout Bool, _ index: IndexReader
  ) -> String? {
    let candidates = words(near: term)
    for words in candidates.dropLast() {
      if let best = best(of: words, index) { return best }
    }
    if let best = best(of: words(farFrom: term, index), index) { return best }
    guard let otherStart = candidates.last, mayDifferAtStart else { return nil }
    mayDifferAtStart = false
    return best(of: otherStart, index)
  }

  /// Returns the words of the index at an edit distance of two from a long word that begin like it.
  private static func words(
    farFrom term: String, _ index: IndexReader
  ) -> Set<String> {
    let letters = Array(term.unicodeScalars)
    guard letters.count >= shortestForTwo, alphabet(of: letters) != nil else { return [] }
    let start = String(String.UnicodeScalarView(letters.prefix(sameStart)))
    var words: Set<String> = []
    for shard in index.shards(having: start, longer: true) {
      shard.forEach(from: start) { word, _ in
        let scalars = Array(word.unicodeScalars)
        if EditDistance.of(letters, scalars) == 2, alphabet(of: scalars) != nil {
          words.insert(word)
        }
      }
    }
    return words
  }

  /// Returns the word that most items have.
  private static func best(
    of words: Set<String>, _ index: IndexReader
  ) -> String? {
    var best: (word: String, count: Int)?
    for word in words {
      let count = TermList(SearchQuery.Term(word), index).size
      guard count > 0 else { continue }
      if let best, best.count > count || (best.count == count && best.word < word) { continue }
      best = (word, count)
    }
    return best?.word
  }

  /// Returns the alphabet that has all these letters.
  private static func alphabet(of letters: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    alphabets.first { alphabet in letters.allSatisfy(alphabet.contains) }
  }

  /// Returns the words at an edit distance of one from a word of at least four letters of one alphabet, by the first
  /// edited letter: from the fifth on, the fourth, and the second or third. Empty for other words.
  static func words(near term: String) -> [Set<String>] {
    let word = Array(term.unicodeScalars)
    guard word.count >= shortest, let alphabet = alphabet(of: word) else { return [] }
    return [
      words(word, alphabet, editedAt: (sameStart + 1)...word.count),
      words(word, alphabet, editedAt: sameStart...sameStart),
      words(word, alphabet, editedAt: 1...(sameStart - 1)),
    ]
  }

  private static func words(
    _ word: [Unicode.Scalar], _ alphabet: [Unicode.Scalar], editedAt places: ClosedRange<Int>
  ) -> Set<String> {
    var words: Set<String> = []
    func add(_ letters: [Unicode.Scalar]) {
      words.insert(String(String.UnicodeScalarView(letters)))
    }
    for place in places {
      for letter in alphabet { add(Array(word[..<place]) + [letter] + word[place...]) }
      guard place < word.count else { continue }
      add(Array(word[..<place]) + word[(place + 1)...])
      for letter in alphabet { add(Array(word[..<place]) + [letter] + word[(place + 1)...]) }
      if place + 1 < word.count {
        add(Array(word[..<place]) + [word[place + 1], word[place]] + word[(place + 2)...])
      }
    }
    words.remove(String(String.UnicodeScalarView(word)))
    return words
  }
}
