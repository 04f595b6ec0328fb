/// Finds the other forms of a query's words in the index: the words that have a stem in common with them;
/// see `WordStems`. `inflect` in `search.js` does the same.
enum QueryStems {
  /// Adds other forms of each word outside quotes from the index, and compounds of the word. If the
  /// index has none for a word itself, adds those of its known forms.
  static func extend(_ terms: inout [SearchQuery.Term], _ index: IndexReader) {
    for number in terms.indices where terms[number].isInflected {
      let (term, forms) = (terms[number].term, terms[number].forms)
      var parts = [term]
      var words = words(like: term, index, &parts)
      if words.isEmpty {
        for form in forms { words.formUnion(self.words(like: form, index, &parts)) }
      }
      words.subtract(([term] + forms).map { ByteKey($0) })
      terms[number].forms += words.sorted().prefix(WordStems.limit).map(\.text)
      terms[number].forms += Set(parts.compactMap(GermanCompounds.term(ofPart:))).sorted()
    }
  }

  /// Returns the words that have a stem in common with a word, and its stems, without the word itself; appends
  /// the stems to `parts`.
  private static func words(
    like word: String, _ index: IndexReader, _ parts: inout [String]
  ) -> Set<ByteKey> {
    var words: Set<ByteKey> = []
    for stem in stems(of: word, index) {
      guard let prefix = WordStems.prefix(of: word, stem.text) else { continue }
      parts.append(stem.text)
      words.insert(stem)
      for shard in index.shards(having: prefix, longer: true) {
        shard.forEach(from: prefix) { other, stems in
          if stems.contains(where: { ByteKey($0) == stem }) { words.insert(ByteKey(other)) }
        }
      }
    }
    words.remove(ByteKey(word))
    return words
  }

  /// Returns the word itself and its stems in the languages of the passages that have it.
  private static func stems(of word: String, _ index: IndexReader) -> Set<ByteKey> {
    var found: Set<ByteKey> = [ByteKey(word)]
    for shard in index.shards(having: word, longer: false) {
      found.formUnion(shard.stems(of: word).map { ByteKey($0) })
    }
    return found
  }
}
