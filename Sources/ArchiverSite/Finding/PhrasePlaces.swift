/// The passages with all words of a phrase. Only their texts show whether they contain the phrase itself.
struct PhrasePlaces {
  private let wanted: [ByteKey]
  /// Passages by the numbers of their items, in order.
  private let passages: [Int: [Int]]

  /// Looks a phrase up in the index.
  init(_ phrase: String, _ index: IndexReader) {
    wanted = PhrasePlaces.words(of: phrase)
    var passages: [Int: [Int]] = [:]
    let terms = wanted.isEmpty ? [] : SearchQuery.phraseTerms(phrase)
    let postings = terms.map { index.postings($0.term, longer: $0.isPrefix) }
    for (number, segment) in index.segments.enumerated() where !terms.isEmpty {
      // The passages of the segment, counted from 0.
      let sets = postings.map { lists in
        var found: Set<Int> = []
        for part in lists[number].exact + lists[number].longer {
          ShardPostings.forEach(part) { passage, _ in found.insert(passage) }
        }
        return found
      }.sorted { $0.count < $1.count }
      let common = sets[0].filter { one in sets.dropFirst().allSatisfy { $0.contains(one) } }
      for (item, passage) in common.sorted().compactMap(segment.passage) {
        passages[item, default: []].append(passage)
      }
    }
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
      let all = (passage == 0 ? lines : []) + [texts.file(passage)?.text ?? ""]
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
