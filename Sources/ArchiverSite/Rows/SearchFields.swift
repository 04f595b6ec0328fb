import ArchiverCore
import ArchiverStorage

/// The search data of an item, except its text.
struct SearchFields: Sendable, Hashable {
  /// The title and the authors, joined.
  let title: String
  /// The term of the whole title; a query equal to the title finds it first.
  let whole: String?
  let labels: [String]
  /// Highlights and notes.
  let notes: [String]
  let authors: [String]
  let language: String?
  private let hasHighlights: Bool
  private let hasNotes: Bool

  static let labelWeight = 4

  init(
    title: String, authors: [String] = [], labels: [String] = [], annotations: [Annotation] = [],
    language: String? = nil
  ) {
    let authors = authors.filter { !$0.isEmpty }
    whole = WordForms.whole([title])
    self.title = ([title] + authors).joined(separator: " ")
    self.authors = authors
    self.labels = labels
    self.language = language
    hasHighlights = !annotations.isEmpty
    hasNotes = annotations.contains { $0.note?.isEmpty == false }
    notes = annotations.flatMap { [$0.text, $0.note ?? ""] }.filter { !$0.isEmpty }
  }

  /// `title` is the displayed title.
  init(_ item: CatalogItem, title: String) {
    self.init(
      title: title, authors: item.metadata.authors, labels: LibraryRow.labels(item.metadata.labels),
      annotations: item.annotations, language: item.metadata.language)
  }

  init(_ row: LibraryRow, _ annotations: [Annotation]) {
    self.init(
      title: row.title, authors: row.authors, labels: row.labels, annotations: annotations,
      language: row.language)
  }

  /// Returns a hash of all fields.
  func hash(from seed: UInt64) -> UInt64 {
    var hash = seed
    for texts in [[title], authors, labels, notes, language.map { [$0] } ?? []] {
      hash = WordHash.add(UInt64(texts.count), to: hash)
      for text in texts { hash = WordHash.of(text, from: hash) }
    }
    return WordHash.add((hasHighlights ? 1 : 0) + (hasNotes ? 2 : 0), to: hash)
  }

  /// The terms by which filters find the item, without `whole`. They occur in no text.
  var terms: [String] {
    var terms: Set<ByteKey> = []
    var tokenizer = Tokenizer()
    for author in authors {
      tokenizer.tokens(of: author) { terms.insert(ByteKey(SearchFields.authorMark + $0)) }
    }
    if let language, let term = SearchFields.languageTerm(language) { terms.insert(ByteKey(term)) }
    if hasHighlights { terms.insert(ByteKey(SearchFields.havingMark + "highlight")) }
    if hasNotes { terms.insert(ByteKey(SearchFields.havingMark + "note")) }
    return terms.sorted().map(\.text)
  }

  /// Returns the language whose word forms the index lists for the item: its own or, if unknown,
  /// that of its first passage, for which `hasWord` tests words; `nil` if it is unknown.
  func stemLanguage(hasWord: (String) -> Bool) -> StemLanguage? {
    if let language, !StemLanguage.isUnknown(language) { return StemLanguage(tag: language) }
    return StemLanguage(ofTextWith: hasWord)
  }

  /// Authors, labels, highlights and notes, one per line.
  var also: String {
    (authors + labels + notes).map { text in
      text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }.joined(separator: "\n")
  }

  static let authorMark = WordForms.mark + "a"
  /// The prefix of the terms `note`, `highlight` and `file`.
  static let havingMark = WordForms.mark + "h"

  /// Returns the term for the primary part of a language tag; `nil` for an invalid tag.
  static func languageTerm(_ tag: String) -> String? {
    let primary = Folding.shared.fold(tag).utf8.prefix { $0 != 0x2D && $0 != 0x5F }
    guard (2...8).contains(primary.count), primary.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return nil }
    return WordForms.mark + "l" + String(decoding: primary, as: UTF8.self)
  }
}
