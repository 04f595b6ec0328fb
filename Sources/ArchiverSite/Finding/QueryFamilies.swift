import ArchiverStorage

/// The families of the index, for the words of a query.
///
/// A family counts only for words that an item of its language has: the catalog keeps the words of removed
/// items, the library does not.
struct QueryFamilies {
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
    for number in StemLanguage.codes.indices {
      let language = StemLanguage(number: number)
      let items = try QueryFamilies.items(with: language.term, index).filter(isLive)
      if !items.isEmpty { languages.append((language, items)) }
    }
    self.languages = languages
  }

  /// Adds the other words of its families to the forms of each word outside quotes. If no item has the
  /// word, the families are those of its other forms.
  func extend(_ terms: inout [SearchQuery.Term]) throws(StorageError) {
    guard !languages.isEmpty else { return }
    for number in terms.indices where terms[number].isInflected {
      let (term, forms) = (terms[number].term, terms[number].forms)
      var words = try words(ofSame: term)
      if words.isEmpty { for form in forms { words.formUnion(try self.words(ofSame: form)) } }
      words.subtract(([term] + forms).map { ByteKey($0) })
      terms[number].forms += words.sorted().prefix(WordFamily.limit).map(\.text)
    }
  }

  private func words(ofSame term: String) throws(StorageError) -> Set<ByteKey> {
    var term = term
    guard term.withUTF8({ WordStemmer.isWord($0) }) else { return [] }
    var words: Set<ByteKey> = []
    let having = try QueryFamilies.items(with: term, index)
    for (language, items) in languages where !having.isDisjoint(with: items) {
      var found: (stem: String, key: String)?
      term.withUTF8 { bytes in
        stemmer.withStem(bytes, language) { stem in
          found = (
            String(decoding: stem, as: UTF8.self),
            String(decoding: WordFamily.key(stem, language), as: UTF8.self)
          )
        }
      }
      guard let found else { continue }
      words.insert(ByteKey(found.stem))
      for word in try index.words(of: found.key)
      where try !QueryFamilies.items(with: word, index).isDisjoint(with: items) {
        words.insert(ByteKey(word))
      }
    }
    return words
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
