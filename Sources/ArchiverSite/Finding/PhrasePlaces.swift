import ArchiverStorage

/// The passages with all words of a phrase. Only their texts tell whether they contain the phrase
/// itself.
struct PhrasePlaces {
  private let wanted: [ByteKey]
  /// Passages by the numbers of their items, in order.
  private let passages: [Int: [Int]]

  /// Looks a phrase up in the index.
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

  /// Whether an item may contain the phrase.
  func mayBe(in number: Int) -> Bool { passages[number] != nil }

  /// Returns the first passage of an item that contains the phrase; `nil` if none does.
  ///
  /// - Parameters:
  ///   - number: The item's number.
  ///   - best: The best passage, which is checked first.
  ///   - texts: The item's texts.
  ///   - lines: Text searched together with the first passage: title, authors, labels and notes.
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
