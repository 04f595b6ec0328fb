import ArchiverCore

/// Finds a word of the index to replace a misspelled one.
///
/// An edit is a letter inserted, removed, replaced or exchanged with its neighbour. Words that differ by one edit after
/// the fourth letter come first, then those with one edit at the fourth. If there are none, those that differ by two edits
/// after the third letter follow if the word has at least eight letters, then those with one edit at the second or third
/// letter. Misspellings are rarer there, so these are looked up for one word of a query only. The one in most items is
/// chosen, among equals the first in alphabetical order. Words without a candidate are left out.
/// `query.js` and `search.js` choose the same words.
enum SpellingHelp {
  /// The folded letters of the scripts for whose words the spelling is corrected.
  private static let alphabets: [[Unicode.Scalar]] = [
    "abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюяіє", "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىء",
  ].map { Array($0.unicodeScalars) }
  private static let shortest = 4
  /// The minimum number of letters of a word that may have two edits.
  private static let shortestForTwo = 8
  /// The number of letters at the start that are rarely wrong.
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

  /// Whether the part of a query after this text belongs to a filter.
  private static func isOfFilter(_ before: ArraySlice<UInt8>) -> Bool {
    let words = before.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return words.last?.contains(UInt8(ascii: ":")) == true
  }

  /// - Parameter mayDifferAtStart: Whether candidates with other letters at the start are looked up; becomes
  ///   `false` if they were.
  private static func nearest(
    _ term: String, _ mayDifferAtStart: inout Bool, _ index: IndexReader
  ) -> String? {
    let letters = Array(term.unicodeScalars)
    guard letters.count >= shortest, let alphabet = alphabet(of: letters) else { return nil }
    for words in candidates(like: letters, index) {
      if let best = best(of: words, index) { return best }
    }
    guard mayDifferAtStart else { return nil }
    mayDifferAtStart = false
    return best(of: otherStarts(of: letters, alphabet), index)
  }

  /// Returns the words of the index that begin like a word: those with one edit after the fourth letter, those with one
  /// at the fourth, and those of a long word with two.
  private static func candidates(
    like letters: [Unicode.Scalar], _ index: IndexReader
  ) -> [Set<String>] {
    let start = String(String.UnicodeScalarView(letters.prefix(sameStart)))
    var words: [Set<String>] = [[], [], []]
    for shard in index.shards(having: start, longer: true) {
      shard.forEach(from: start) { word, _ in
        let other = Array(word.unicodeScalars)
        guard abs(other.count - letters.count) <= 2, alphabet(of: other) != nil else { return }
        let same = zip(letters, other).prefix { $0 == $1 }.count
        switch EditDistance.of(letters, other) {
        case 1: words[same > sameStart ? 0 : 1].insert(word)
        case 2 where letters.count >= shortestForTwo: words[2].insert(word)
        default: break
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

  /// Returns all words with one edit of a word at its second or third letter.
  private static func otherStarts(
    of word: [Unicode.Scalar], _ alphabet: [Unicode.Scalar]
  ) -> Set<String> {
    var words: Set<String> = []
    func add(_ letters: [Unicode.Scalar]) {
      words.insert(String(String.UnicodeScalarView(letters)))
    }
    for place in 1..<sameStart {
      for letter in alphabet {
        for rest in [word[place...], word[(place + 1)...]] {
          add(Array(word[..<place]) + [letter] + rest)
        }
      }
      add(Array(word[..<place]) + word[(place + 1)...])
      add(Array(word[..<place]) + [word[place + 1], word[place]] + word[(place + 2)...])
    }
    words.remove(String(String.UnicodeScalarView(word)))
    return words
  }
}
