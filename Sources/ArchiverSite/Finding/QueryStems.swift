import ArchiverStorage

/// Finds the other forms of a query's words in the index: the words that have a stem in common with them;
/// see `WordStems`. `inflect` in `search.js` does the same.
struct QueryStems {
  private let index: SearchSnapshot
  private let stemmer = WordStemmer()
  /// The numbers of the items of each language that has any.
  private let languages: [(language: StemLanguage, items: Set<Int>)]

  /// - Parameters:
  ///   - index: The catalog's index.
  ///   - isLive: Whether an item's number is in use.
  init(_ index: SearchSnapshot, isLive: (Int) -> Bool) throws(StorageError) {
    self.index = index
    var languages: [(language: StemLanguage, items: Set<Int>)] = []
    let prefix = PassageTerms.weighted(StemLanguage.termPrefix, SegmentBuilder.levels - 1)
    for term in try index.terms(from: prefix) {
      guard let language = StemLanguage(tag: String(term.dropFirst(prefix.count))) else { continue }
      let items = try QueryStems.items(with: language.term, index).filter(isLive)
      if !items.isEmpty { languages.append((language, items)) }
    }
    self.languages = languages
  }

  /// Adds the forms that the index has to those of each word outside quotes. If no item has a form of the
  /// word itself, they are those of its other forms.
  func extend(_ terms: inout [SearchQuery.Term]) throws(StorageError) {
    guard !languages.isEmpty else { return }
    for number in terms.indices where terms[number].isInflected {
      let (term, forms) = (terms[number].term, terms[number].forms)
      var words = try words(like: term)
      if words.isEmpty { for form in forms { words.formUnion(try self.words(like: form)) } }
      words.subtract(([term] + forms).map { ByteKey($0) })
      terms[number].forms += words.sorted().prefix(WordStems.limit).map(\.text)
    }
  }

  /// Returns the words that have a stem in common with a word, and its stems, without the word itself.
  private func words(like word: String) throws(StorageError) -> Set<ByteKey> {
    var words: Set<ByteKey> = []
    for stem in try stems(of: word) {
      guard let prefix = WordStems.prefix(of: word, stem.text) else { continue }
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
    let having = try QueryStems.items(with: word, index)
    for (language, items) in languages where !having.isDisjoint(with: items) {
      if let stem = stem(word, language) { stems.insert(ByteKey(stem)) }
    }
    return stems
  }

  /// Whether a word has a stem in any language of the archive.
  private func mayHave(_ stem: String, _ word: String) -> Bool {
    languages.contains { language, _ in self.stem(word, language) == stem }
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

  private static func items(
    with term: String, _ index: SearchSnapshot
  ) throws(StorageError) -> Set<Int> {
    var numbers: Set<Int> = []
    let texts = (0..<SegmentBuilder.levels).map { PassageTerms.weighted(term, $0) }
    try index.passages(texts, isPrefix: false) { numbers.insert($0.item) }
    return numbers
  }
}
