/// Splits German compounds, so that a query for `Bericht` or `Wetter` finds "Wetterberichte".
///
/// A word is a compound if it ends with one of some 1,400 frequent nouns, perhaps inflected, and at least three
/// letters that may be a word precede it. Decision 66 has the share of words that are split, and how many of
/// them wrongly.
struct GermanCompounds: Sendable {
  static let shared = GermanCompounds(PackageResources.german_nouns_txt)

  /// The mark in the index after the stem of a part: `bericht¤`.
  static let mark = WordForms.mark
  private static let shortest = 7
  private static let shortestPart = 3
  /// The endings that a noun of the list may have; umlauts are folded.
  private static let endings = ["", "s", "es", "e", "en", "n", "er", "ern"]
  /// Prefixes that belong to the following noun, as in "Wetter|vor|hersage": the noun of the list
  /// alone is then not a part.
  private static let prefixes = ["be", "ge", "ver", "ent", "zer"].map { Array($0.utf8) }
  /// Particles before a noun that do not count as a word, so that the noun is not split off.
  private static let particles: Set<[UInt8]> = Set(
    [
      "ant", "auf", "aus", "vor", "ein", "bei", "nach", "uber", "unter", "mit", "hin", "her",
      "durch",
      "wider", "wieder", "ange", "um", "miss", "ruck", "hinter", "gegen", "voll", "fort", "los",
    ].map { Array($0.utf8) })

  /// The fingerprints of the inflected nouns, computed from their last letter to the first.
  private let nouns: Set<UInt64>

  /// Reads the nouns of a list, which are separated by white space.
  init(_ list: [UInt8]) {
    var nouns: Set<UInt64> = []
    var tokenizer = Tokenizer()
    tokenizer.tokens(of: String(decoding: list, as: UTF8.self)) { noun in
      for ending in GermanCompounds.endings + (noun.hasSuffix("in") ? ["nen"] : []) {
        nouns.insert(Fingerprint.of((noun + ending).utf8.reversed()))
      }
    }
    self.nouns = nouns
  }

  /// Calls `body` with the stem of each part of a folded word: the last noun, the rest before it,
  /// and the parts of the rest.
  func forEachPart(
    of word: UnsafeBufferPointer<UInt8>, _ stemmer: WordStemmer,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let place = lastNoun(of: word) else { return }
    let rest = UnsafeBufferPointer(rebasing: word[..<place])
    stemmer.withStem(UnsafeBufferPointer(rebasing: word[place...]), GermanCompounds.language, body)
    stemmer.withStem(rest, GermanCompounds.language, body)
    forEachPart(of: rest, stemmer, body)
  }

  /// Returns the start of the longest noun at the end of a compound; `nil` for other words.
  private func lastNoun(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard word.count >= GermanCompounds.shortest,
      word.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return nil }
    var hash = Fingerprint.seed
    var found: Int?
    for place in (GermanCompounds.shortestPart..<word.count).reversed() {
      hash = Fingerprint.of(CollectionOfOne(word[place]), from: hash)
      if nouns.contains(hash), GermanCompounds.isWord(word[..<place]) { found = place }
    }
    return found
  }

  /// Whether the part before a noun may be a word.
  private static func isWord(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    rest.contains { "aeiouy".utf8.contains($0) } && !particles.contains(Array(rest))
      && !prefixes.contains { rest.suffix($0.count).elementsEqual($0) }
  }

  static let language = StemLanguage(number: 1)

  /// Returns the term of the index for compounds of a part; `nil` if the word cannot be a part.
  static func term(ofPart stem: String) -> String? {
    stem.utf8.count >= shortestPart && stem.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      ? stem + mark : nil
  }

  /// Whether a folded word begins with the part of a term, or ends with it, ignoring an ending of
  /// at most three letters.
  static func isPart(_ term: String, of word: String) -> Bool {
    guard term.hasSuffix(mark), word.utf8.count >= shortest,
      word.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return false }
    let stem = Array(term.utf8.dropLast(mark.utf8.count))
    let word = Array(word.utf8)
    guard word.count >= stem.count + shortestPart else { return false }
    return word.starts(with: stem)
      || (0...shortestPart).contains { ending in
        let rest = word.count - ending - stem.count
        return rest >= shortestPart && word[rest..<rest + stem.count].elementsEqual(stem)
      }
  }
}
