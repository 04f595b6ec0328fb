package import ArchiverCore

/// The series or magazine of a book, and its position there.
package struct SeriesPlace: Sendable, Hashable, Codable {
  /// The kinds of items that are books.
  package static let kinds: Set<ItemMetadata.Kind> = [.book, .periodical, .comic]

  package let name: String
  /// The position as reported: `2`, `2.5`, `May`.
  package let position: String?
  let published: Date?
  let title: String

  /// Returns `nil` for an item that is not a book, and for a book without a series.
  package init?(_ metadata: ItemMetadata) {
    guard SeriesPlace.kinds.contains(metadata.kind) else { return nil }
    guard let series = metadata.series ?? SeriesPlace.shown(metadata.properties) else { return nil }
    (name, position) = (series.name, series.position)
    published = metadata.published
    title = metadata.title
  }

  /// Returns the series in displayed properties, the only place where older bundles have it.
  private static func shown(_ properties: [ItemProperty]) -> ItemSeries? {
    let values = Dictionary(
      properties.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    if let magazine = values["Magazine"] { return ItemSeries(magazine, position: values["Issue"]) }
    let (name, position) = parts(values["Series"] ?? "")
    return name.map { ItemSeries($0, position: position) }
  }

  /// Returns the name and position in text such as `Earthsea [2]`.
  static func parts(_ text: String) -> (String?, String?) {
    guard text.last == "]", let start = text.lastIndex(of: "["), start > text.startIndex else {
      return (text.isEmpty ? nil : text, nil)
    }
    let name = text[..<start].reversed().drop { $0 == " " }.reversed()
    return (String(name), String(text[text.index(after: start)...].dropLast()))
  }

  /// The position as a number; books without a number come last.
  private var order: Double { position.flatMap(Double.init) ?? .infinity }

  /// Sorts by position, then by date, then by title.
  package static func isBefore(_ one: SeriesPlace, _ other: SeriesPlace) -> Bool {
    if one.order != other.order { return one.order < other.order }
    let (first, second) = (one.published ?? .distantPast, other.published ?? .distantPast)
    return first != second ? first < second : one.title < other.title
  }

  /// A text that changes whenever the book moves within its series.
  package var mark: String {
    "\(position ?? "")/\(published.map { Int(max(-1e15, min($0.timeIntervalSince1970, 1e15))) } ?? 0)"
  }
}
