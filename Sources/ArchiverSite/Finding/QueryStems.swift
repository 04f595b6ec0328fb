import ArchiverStorage

/// Finds the other forms of a query's words in the index: the words that have a stem in common with them;
/// see `WordStems`. `inflect` in `search.js` does the same.
struct QueryStems {
  private let index: SearchSnapshot
  private let stemmer = WordStemmer()
  /// The language of each item by its number, as `StemLanguage.mask`; 0 for none and for removed items.
  private let masks: [UInt32]
  /// The languages that any item has.
  private let languages: [StemLanguage]

  /// - Parameters:
  ///   - index: The catalog's index.
  ///   - items: All items that are not removed.
  private init(_ index: SearchSnapshot, _ items: [SearchSnapshot.Item]) throws(StorageError) {
    self.index = index
    var isLive = Array(repeating: false, count: (items.map(\.number).max() ?? -1) + 1)
    for item in items { isLive[item.number] = true }
    var masks = Array(repeating: UInt32(0), count: isLive.count)
    var all: UInt32 = 0
    // Each item has one of these terms, with the highest score, in its first passage.
    let prefix = PassageTerms.weighted(StemLanguage.termPrefix, SegmentBuilder.levels - 1)
    for term in try index.terms(from: prefix) {
      guard let language = StemLanguage(tag: String(term.dropFirst(prefix.count))) else { continue }
      try index.passages([term], isPrefix: false) { reference in
        guard reference.item < isLive.count, isLive[reference.item] else { return }
        masks[reference.item] |= language.mask
        all |= language.mask
      }
    }
    self.masks = masks
    languages = StemLanguage.all(in: all)
  }

  /// Adds the forms that the index has to those of each word outside quotes that can have any, and compounds of
  /// the word.
  static func extend(
    _ terms: inout [SearchQuery.Term], _ index: SearchSnapshot, _ items: [SearchSnapshot.Item]
  ) throws(StorageError) {
    var parts = terms.map { $0.isInflected ? [$0.term] : [] }
    if terms.contains(where: mayHaveForms) { try QueryStems(index, items).extend(&terms, &parts) }
    for number in terms.indices {
      terms[number].forms += parts[number].compactMap(GermanCompounds.term(ofPart:))
    }
  }

  /// Whether the index is read for other forms of a word or, if it has none, of its own forms.
  private static func mayHaveForms(_ term: SearchQuery.Term) -> Bool {
    term.isInflected && ([term.term] + term.forms).contains { WordStems.prefix(of: $0, $0) != nil }
  }

  /// If no item has a form of a word itself, its forms are those of its other forms.
  ///
  /// - Parameter parts: Receives the stems of each word.
  private func extend(
    _ terms: inout [SearchQuery.Term], _ parts: inout [[String]]
  ) throws(StorageError) {
    guard !languages.isEmpty else { return }
    for number in terms.indices where QueryStems.mayHaveForms(terms[number]) {
      let (term, forms) = (terms[number].term, terms[number].forms)
      var stems: [String] = []
      var words = try words(like: term, &stems)
      if words.isEmpty {
        for form in forms { words.formUnion(try self.words(like: form, &stems)) }
      }
      parts[number] += stems
      words.subtract(([term] + forms).map { ByteKey($0) })
      terms[number].forms += words.sorted().prefix(WordStems.limit).map(\.text)
    }
  }

  /// Returns the words that have a stem in common with a word, and its stems, without the word itself; appends
  /// the stems to `used`.
  private func words(
    like word: String, _ used: inout [String]
  ) throws(StorageError) -> Set<ByteKey> {
    var words: Set<ByteKey> = []
    for stem in try stems(of: word) {
      guard let prefix = WordStems.prefix(of: word, stem.text) else { continue }
      used.append(stem.text)
      words.insert(stem)
      var candidates: Set<ByteKey> = []
      for level in 0..<SegmentBuilder.levels {
        for weighted in try index.terms(from: PassageTerms.weighted(prefix, level)) {
          candidates.insert(ByteKey(String(weighted.dropFirst())))
        }
      }
      for candidate in candidates {
        // The catalog keeps the words of removed items, so each is looked up.
        guard mayHave(stem.text, candidate.text) else { continue }
        if try stems(of: candidate.text).contains(stem) { words.insert(candidate) }
      }
    }
    words.remove(ByteKey(word))
    return words
  }

  /// Returns the stems of a word in the languages of the items that have it, and the word itself.
  private func stems(of word: String) throws(StorageError) -> Set<ByteKey> {
    var stems: Set<ByteKey> = [ByteKey(word)]
    let having = try languages(with: word)
    for language in languages where having & language.mask != 0 {
      if let stem = stem(word, language) { stems.insert(ByteKey(stem)) }
    }
    return stems
  }

  /// Whether a word has a stem in any language of the archive.
  private func mayHave(_ stem: String, _ word: String) -> Bool {
    languages.contains { self.stem(word, $0) == stem }
  }

  private func stem(_ word: String, _ language: StemLanguage) -> String? {
    var word = word
    var found: String?
    word.withUTF8 { bytes in
      guard WordStemmer.isWord(bytes) else { return }
      stemmer.withStem(bytes, language) { found = String(decoding: $0, as: UTF8.self) }
    }
    return found
  }

  /// Returns the languages of the items that have a word.
  private func languages(with term: String) throws(StorageError) -> UInt32 {
    var mask: UInt32 = 0
    let texts = (0..<SegmentBuilder.levels).map { PassageTerms.weighted(term, $0) }
    try index.passages(texts, isPrefix: false) { reference in
      if reference.item < masks.count { mask |= masks[reference.item] }
    }
    return mask
  }
}
