import ArchiverStorage

/// The passages that have all words of a phrase; only their texts tell whether they have the phrase.
struct PhrasePlaces {
  private let wanted: [ByteKey]
  /// By the numbers of their items, in order.
  private let passages: [Int: [Int]]

  /// Asks the index for a phrase.
  init(_ phrase: String, _ index: SearchSnapshot) throws(StorageError) {
    wanted = TextPiece.all(in: phrase).map { ByteKey($0.term) }
    let groups = SearchQuery.phraseTerms(phrase).map { term in
      TermList.entries(of: term).map {
        SearchSnapshot.Wanted(texts: $0.texts, isPrefix: $0.isPrefix)
      }
    }
    var passages: [Int: [Int]] = [:]
    guard !wanted.isEmpty else {
      self.passages = [:]
      return
    }
    try index.passages(ofAll: groups) { passages[$0.item, default: []].append($0.passage) }
    self.passages = passages
  }

  /// Whether an item may have the phrase.
  func mayBe(in number: Int) -> Bool { passages[number] != nil }

  /// Returns the first passage of an item that has the phrase, the one that fits best before all
  /// others; `nil` when none has.
  ///
  /// - Parameters:
  ///   - number: The item's.
  ///   - best: The passage that is tried first.
  ///   - texts: Its texts.
  ///   - lines: What is searched with the first passage: title, authors, labels and notes.
  func first(
    of number: Int, best: Int, _ texts: inout PassageTexts, _ lines: [String]
  ) -> Int? {
    let passages = passages[number] ?? []
    let order = passages.filter { $0 == best } + passages.filter { $0 != best }
    for passage in order {
      let all = (passage == 0 ? lines : []) + [texts[passage] ?? ""]
      if all.contains(where: { Snippet.hasPhrase(PhrasePlaces.words(of: $0), wanted) }) {
        return passage
      }
    }
    return nil
  }

  private static func words(of text: String) -> [ByteKey] {
    TextPiece.all(in: text).map { ByteKey($0.term) }
  }
}
