/// Counts the terms of a passage.
struct TermCounter {
  private var terms = TermTable()
  /// The count of each term.
  private var counts: [Int] = []
  /// The buckets of pairs of adjacent words, with repetitions.
  private var pairs: [UInt32] = []
  /// The number of terms counted, with repetitions.
  private(set) var length = 0

  /// Counts the terms of a text; each occurrence counts as `weight`.
  mutating func add(_ text: String, weight: Int) {
    let normal = NormalText.of(text)
    var tokenizer = Tokenizer()
    var pair = WordPair()
    tokenizer.terms(ofNormal: normal) { term in
      count(term, weight)
      if let bucket = pair.bucket(endingWith: term) { pairs.append(bucket) }
    }
    WordForms.forEach(in: normal) { term in
      var term = term
      term.withUTF8 { count($0, weight) }
    }
  }

  /// Whether a term was counted.
  func has(_ term: String) -> Bool {
    var term = term
    return term.withUTF8 { terms.has($0) }
  }

  /// Returns the terms of the pairs of adjacent words, each once and in order, and forgets them.
  mutating func drainPairs() -> [[UInt8]] {
    defer { pairs.removeAll(keepingCapacity: true) }
    pairs.sort()
    var last: UInt32?
    return pairs.compactMap { bucket in
      defer { last = bucket }
      return bucket == last ? nil : WordPair.term(bucket)
    }
  }

  /// Calls `body` with each term except those of pairs and its count, in the order of first
  /// occurrence, and resets the counter.
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
