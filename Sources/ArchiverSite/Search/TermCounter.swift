/// Counts the terms of a passage.
struct TermCounter {
  private var terms = TermTable()
  /// The count of each term.
  private var counts: [Int] = []
  /// The number of terms counted, with repetitions.
  private(set) var length = 0

  /// Counts the terms of a text; each occurrence counts as `weight`.
  mutating func add(_ text: String, weight: Int) {
    let normal = NormalText.of(text)
    var tokenizer = Tokenizer()
    var common: [UInt8] = []
    tokenizer.terms(ofNormal: normal) { term in
      count(term, weight)
      guard WordForms.shared.isCommon(term) else { return common.removeAll(keepingCapacity: true) }
      if !common.isEmpty { countPair(common, term, weight) }
      common.replaceSubrange(common.indices, with: term)
    }
    WordForms.forEach(in: normal) { term in
      var term = term
      term.withUTF8 { count($0, weight) }
    }
  }

  /// Counts a pair of adjacent common words. The words are already counted, so the pair does not add to the length.
  private mutating func countPair(
    _ first: [UInt8], _ second: UnsafeBufferPointer<UInt8>, _ weight: Int
  ) {
    let mark = Array(WordForms.mark.utf8)
    (mark + first + mark + second).withUnsafeBufferPointer { count($0, weight) }
    length -= 1
  }

  /// Whether a term was counted.
  func has(_ term: String) -> Bool {
    var term = term
    return term.withUTF8 { terms.has($0) }
  }

  /// Calls `body` with each term and its count, in the order of first occurrence, and resets the
  /// counter.
  mutating func drain(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) {
    for (number, count) in counts.enumerated() { terms.withTerm(number) { body($0, count) } }
    terms.removeAll()
    counts.removeAll(keepingCapacity: true)
    length = 0
  }

  private mutating func count(_ term: UnsafeBufferPointer<UInt8>, _ weight: Int) {
    length += 1
    let number = terms.number(of: term)
    if number == counts.count { counts.append(weight) } else { counts[number] += weight }
  }
}
