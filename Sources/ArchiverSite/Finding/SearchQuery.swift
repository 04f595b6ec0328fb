package import ArchiverCore
import ArchiverStorage

/// A parsed query: words, "phrases" and filters such as `label:history` or `before:2024-05`, each
/// of which a preceding hyphen excludes.
///
/// Parsed exactly as in `query.js`, so that the command line and the library give the same results.
package struct SearchQuery: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    package let term: String
    /// Whether it matches a whole word; a single character of a script without word spaces does
    /// not.
    let isWhole: Bool
    /// Whether words that begin with it match too.
    package var isPrefix: Bool
    /// Other forms of the word, with a lower weight.
    package var forms: [String] = []
    /// Whether the index may add other forms, as to a word outside quotes.
    var isInflected = false

    /// Creates a term that matches whole words, or else words that begin with it.
    init(_ term: String, isWhole: Bool = true) {
      self.term = term
      self.isWhole = isWhole
      isPrefix = !isWhole
    }
  }

  package static let filterNames = [
    "label", "source", "site", "before", "after", "type", "year", "author", "lang", "is", "has",
  ]
  /// The values of `is:` and `has:`.
  package static let values = [
    "is": ["unlabelled", "unread", "begun", "read", "favourite", "failed"],
    "has": ["note", "highlight", "file"],
  ]
  /// The operator between alternatives.
  static let either = "OR"
  /// The maximum number of alternatives of one query.
  private static let mostAlternatives = 64

  /// The excluded terms. An excluded word never matches as a prefix: a word that is still being
  /// typed would hide too much.
  package struct Exclusions: Sendable, Hashable {
    package fileprivate(set) var terms: [Term] = []
    /// Phrases of several terms each; a word with a hyphen in it is one too.
    package fileprivate(set) var phrases: [String] = []
    /// The values by the name of the filter, in the given order.
    package fileprivate(set) var filters: [String: [String]] = [:]

    var isEmpty: Bool { self == Exclusions() }

    fileprivate mutating func add(_ text: String) {
      if let signed = WordForms.signed(text) {
        return terms.append(Term(signed))
      }
      let pieces = TextPiece.terms(of: text)
      guard pieces.count == 1 else {
        if !pieces.isEmpty { phrases.append(text) }
        return
      }
      terms += pieces.map { Term($0.term, isWhole: $0.isWhole) }
    }
  }

  /// The query as typed.
  package let text: String
  package internal(set) var terms: [Term] = []
  package private(set) var phrases: [String] = []
  /// The values by the name of the filter, in the given order.
  package private(set) var filters: [String: [String]] = [:]
  package private(set) var excluded = Exclusions()
  /// The term for titles that equal the query's words and phrases.
  private(set) var whole: String?
  /// The names of unknown filters as the user typed them; they are not searched for.
  package private(set) var unknownFilters: [String] = []
  /// The alternative queries if there is an `OR` among the words; otherwise empty.
  private(set) var alternatives: [SearchQuery] = []

  /// The last word matches as a prefix unless white space follows it.
  package init(_ text: String) {
    var scanner = QueryScanner(text)
    var groups: [[QueryScanner.Piece]] = []
    var isEither = false
    while var piece = scanner.next() {
      if !piece.isExcluded, piece.part == .word(SearchQuery.either), !groups.isEmpty {
        isEither = true
        continue
      }
      piece.isLast = scanner.isAtEnd
      if isEither {
        groups[groups.count - 1].append(piece)
      } else {
        groups.append([piece])
      }
      isEither = false
    }
    self.init(groups.flatMap { $0 }, text)
    guard groups.contains(where: { $0.count > 1 }) else { return }
    var lists: [[QueryScanner.Piece]] = [[]]
    for group in groups {
      let choices =
        lists.count * group.count > SearchQuery.mostAlternatives ? [group] : group.map { [$0] }
      lists = lists.flatMap { list in choices.map { list + $0 } }
    }
    alternatives = lists.map { SearchQuery($0, text) }.filter { !$0.isEmpty }
  }

  private init(_ pieces: [QueryScanner.Piece], _ text: String) {
    self.text = text
    var texts: [String] = []
    for piece in pieces {
      switch piece.part {
      case .filter(let name, let value) where piece.isExcluded:
        excluded.filters[name, default: []].append(value)
      case .phrase(let phrase) where piece.isExcluded: excluded.add(phrase)
      case .unknown(let name): unknownFilters.append(name)
      case .word(let word) where piece.isExcluded: excluded.add(word)
      case .filter(let name, let value): filters[name, default: []].append(value)
      case .phrase(let phrase):
        texts.append(phrase)
        if TextPiece.all(in: phrase).count > 1 { phrases.append(phrase) }
        terms += SearchQuery.phraseTerms(phrase)
      case .word(let word):
        texts.append(word)
        let found = SearchQuery.terms(of: word)
        terms += found
        if piece.isLast, !found.isEmpty, WordForms.signed(word) == nil {
          terms[terms.count - 1].isPrefix = true
        }
      }
    }
    whole = WordForms.whole(texts)
  }

  /// Returns the terms for a word, including its other forms.
  private static func terms(of word: String) -> [Term] {
    if let signed = WordForms.signed(word) { return [Term(signed)] }
    let pieces = TextPiece.terms(of: word)
    // Umlauts spelled with two letters, as on keyboards without them.
    let spelt = TextPiece.terms(of: WordForms.spelt(word)).map(\.term)
    let joined = WordForms.joined(word)
    return pieces.enumerated().map { number, piece in
      var term = Term(piece.term, isWhole: piece.isWhole)
      guard piece.isWhole else { return term }
      term.isInflected = true
      var forms = joined.map { [$0] } ?? []
      if spelt.count == pieces.count { forms.append(spelt[number]) }
      forms += WordForms.unspelt(piece.term).map { [$0] } ?? []
      forms += WordForms.shared.variants(of: piece.term)
      for form in forms where ByteKey(form) != ByteKey(piece.term) && !term.forms.contains(form) {
        term.forms.append(form)
      }
      return term
    }
  }

  /// Returns the terms for a phrase.
  static func phraseTerms(_ phrase: String) -> [Term] {
    TextPiece.terms(of: phrase).map { Term($0.term, isWhole: $0.isWhole) }
      + pairs(of: TextPiece.all(in: phrase))
  }

  /// Returns the terms for pairs of adjacent words in a phrase.
  private static func pairs(of words: [TextPiece]) -> [Term] {
    var pair = WordPair()
    return words.compactMap { word in
      var term = word.term
      return term.withUTF8 { pair.bucket(endingWith: $0) }
        .map { Term(String(decoding: WordPair.term($0), as: UTF8.self)) }
    }
  }

  /// Returns a text in the form in which texts are compared: with case, accents and width folded.
  package static func folded(_ text: String) -> String { Folding.shared.fold(text) }

  /// Whether the query has no terms and no filters.
  package var isEmpty: Bool { terms.isEmpty && filters.isEmpty && excluded.isEmpty }

  /// Returns the filter for the catalog from values by name; invalid dates are left out.
  static func filter(_ filters: [String: [String]], sources: [String]) -> SearchFilter {
    let fold = Folding.shared.fold
    var filter = SearchFilter()
    filter.labels = (filters["label"] ?? []).map { value in
      let names = [fold(value)] + value.split(separator: ",").map { fold(String($0)) }
      return names + (names.contains("none") ? [""] : [])
    }
    if (filters["is"] ?? []).contains(where: { $0.lowercased() == "unlabelled" }) {
      filter.labels.append([""])
    }
    filter.sites = (filters["site"] ?? []).map(fold)
    filter.kinds = (filters["type"] ?? []).map(fold)
    filter.sources = (filters["source"] ?? []).flatMap { value in
      // An unknown name remains, so that no item passes.
      let matching = sources.filter { fold($0) == fold(value) }
      return matching.isEmpty ? [value] : matching
    }
    filter.before = (filters["before"] ?? []).compactMap(SearchQuery.day)
    filter.after = (filters["after"] ?? []).compactMap(SearchQuery.day)
    filter.within = (filters["year"] ?? []).map { text in
      guard text.utf8.count == 4, let year = Int(text), let start = SearchQuery.day(text)
      else { return Date.distantPast..<Date.distantPast }
      return start..<midnight(year + 1, 1, 1)
    }
    return filter
  }

  /// Returns the first moment of `2024`, `2024-05` or `2024-05-17` in UTC; `nil` for anything else.
  package static func day(_ text: String) -> Date? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) } + [1, 1]
    return midnight(numbers[0], numbers[1], numbers[2])
  }

  /// Returns midnight in UTC; a month or day out of range carries over.
  private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Date {
    let number = CalendarDay(year: year, month: month, day: day).number
    return Date(timeIntervalSince1970: Double(number) * 86_400)
  }
}
