import Testing

@testable import ArchiverSite

@Suite struct WordPairTests {
  private func terms(_ text: String) -> [String] {
    var counter = TermCounter()
    counter.add(text, weight: 1)
    return counter.drainPairs().map { String(decoding: $0, as: UTF8.self) }
  }

  private func queried(_ phrase: String) -> [String] {
    SearchQuery.phraseTerms(phrase).map(\.term).filter { WordPair.isTerm($0.utf8) }.sorted()
  }

  /// The page's script computes the same terms, so they must not change without it.
  @Test(arguments: [
    ("to be", "¤1ei"), ("be to", "¤4rg"), ("Straße gehen", "¤94p"), ("Мой дядя", "¤38k"),
  ])
  func `a pair has one term, in the text as in the query`(text: String, term: String) {
    #expect(terms(text) == [term])
    #expect(queried(text) == [term])
  }

  @Test func `each two adjacent words are a pair, once and in order`() {
    let pairs = terms("To be, or not to be: to be")
    #expect(pairs == pairs.sorted() && Set(pairs).count == pairs.count)
    #expect(Set(pairs) == Set(["to be", "be or", "or not", "not to", "be to"].flatMap(terms)))
    #expect(Set(queried("or not to be")) == Set(["or not", "not to", "to be"].flatMap(terms)))
    #expect(terms("a bc") != terms("ab c"))
  }

  @Test func `characters of scripts without spaces and single words are no pair`() {
    for text in ["", "word", "读书", "words 读书 words", "한국 말"] {
      #expect(terms(text) == [], "\(text)")
      #expect(queried(text) == [], "\(text)")
    }
  }

  @Test func `every term of a pair begins with a digit after the mark`() {
    for bucket in 0..<WordPair.bucketCount {
      let term = WordPair.term(bucket)
      guard term.count == WordPair.size, WordPair.isTerm(term) else {
        Issue.record("\(bucket): \(term)")
        continue
      }
    }
    for other in ["word", "¤aquill", "¤", ""] { #expect(!WordPair.isTerm(other.utf8)) }
  }
}
