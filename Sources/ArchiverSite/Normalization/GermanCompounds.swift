/// Splits German compounds, so that a query for `Bericht` or `Wetter` finds "Wetterberichte".
///
/// A word is a compound if it ends with one of some 1,400 frequent nouns, perhaps inflected, and at least three
/// letters that may be a word precede it. Decision 66 has the share of words that are split, and how many of
/// them wrongly.
struct GermanCompounds: Sendable {
  static let shared = GermanCompounds(PackageResources.german_nouns_txt)

  /// Follows the stem of a part in the index: `bericht¤`.
  static let mark = WordForms.mark
  private static let shortest = 7
  private static let shortestPart = 3
  /// What may follow a noun of the list; umlauts are folded.
  private static let endings = ["", "s", "es", "e", "en", "n", "er", "ern"]
  /// Prefixes that belong to the noun after them, as in "Wetter|vor|hersage": then the noun of the list is not a
  /// part.
  private static let prefixes = ["be", "ge", "ver", "ent", "zer"].map { Array($0.utf8) }
  /// What precedes a noun and is no word of its own.
  private static let particles: Set<[UInt8]> = Set(
    [
      "ant", "auf", "aus", "vor", "ein", "bei", "nach", "uber", "unter", "mit", "hin", "her",
      "durch",
      "wider", "wieder", "ange", "um", "miss", "ruck", "hinter", "gegen", "voll", "fort", "los",
    ].map { Array($0.utf8) })

  /// Fingerprints of the inflected nouns, read from their ends.
  private let nouns: Set<UInt64>

  /// Takes words separated by white space.
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

  /// Calls `body` with the stem of each part of a folded word: the last noun, what precedes it, and the parts
  /// of that.
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

  /// Returns where the longest noun at the end of a compound begins; `nil` for other words.
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

  /// Whether what precedes a noun may be a word.
  private static func isWord(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    rest.contains { "aeiouy".utf8.contains($0) } && !particles.contains(Array(rest))
      && !prefixes.contains { rest.suffix($0.count).elementsEqual($0) }
  }

  static let language = StemLanguage(number: 1)

  /// Returns the term by which the index has items with compounds of a part; `nil` for a word that cannot be a part.
  static func term(ofPart stem: String) -> String? {
    stem.utf8.count >= shortestPart && stem.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      ? stem + mark : nil
  }

  /// Whether a folded word begins or, before an ending of at most three letters, ends with the part of a term.
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
