import ArchiverStorage

/// Collects the stems of words for the catalog's index, each word once.
struct NewFamilies {
  /// The maximum number of words known to be stored; then all are forgotten, to bound the memory.
  private static let limit = 40_000

  private let stemmer = WordStemmer()
  /// The words that were taken, by the number of the language.
  private var known: [Int: TermTable] = [:]
  private var waiting: [SearchFamily] = []

  init() {}

  /// Adds the words of a passage whose language is known.
  mutating func add(_ passage: PassageTerms) {
    guard let language = passage.language else { return }
    var known = self.known.removeValue(forKey: language.number) ?? TermTable()
    if known.count > NewFamilies.limit { known = TermTable() }
    passage.forEach { term, _ in
      guard WordStemmer.isWord(term) else { return }
      let count = known.count
      guard known.number(of: term) == count else { return }
      stemmer.withStem(term, language) { stem in
        guard !stem.elementsEqual(term) else { return }
        waiting.append(
          SearchFamily(
            key: String(decoding: WordFamily.key(stem, language), as: UTF8.self),
            word: String(decoding: term, as: UTF8.self)))
      }
    }
    self.known[language.number] = known
  }

  /// Returns what was added since the last call.
  mutating func take() -> [SearchFamily] {
    defer { waiting = [] }
    return waiting
  }
}
