import ArchiverCore
import ArchiverMarkup

/// calibre's own record of a book.
struct CalibreRecord {
  private let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
  }

  func complete(_ entry: inout CatalogEntry) {
    if let authors = json["authors"]?.array?.compactMap(\.string), !authors.isEmpty {
      entry.authors = authors
    }
    entry.language = entry.language ?? json["languages"]?[0]?.string
    entry.publisher = entry.publisher ?? json["publisher"]?.string?.nonEmpty
    entry.description = json["comments"]?.string?.trimmed.nonEmpty ?? entry.description
    entry.published = entry.published ?? json["pubdate"]?.string
    entry.added = entry.added ?? json["timestamp"]?.string
    if let series = json["series"]?.string?.nonEmpty {
      let position = json["series_index"]?.number
      entry.series = CatalogEntry.Series(
        name: series,
        position: position.map { PlainNumber.text($0) })
    }
    for (scheme, value) in (json["identifiers"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      let identifier = "\(scheme):\(value.string ?? "")"
      if !entry.identifiers.contains(identifier) { entry.identifiers.append(identifier) }
    }
    entry.columns = columns
  }

  /// Most columns of one book, and most bytes of a value.
  private static let mostColumns = 100
  private static let longest = 4_000

  /// The columns that the owner of the library added and filled, by name.
  private var columns: [CatalogEntry.Column]? {
    let filled = (json["user_metadata"]?.object ?? [:]).values.compactMap { column in
      let value = CalibreRecord.text(column).trimmed
      return column["name"]?.string?.nonEmpty.flatMap { name in
        value.isEmpty || value.utf8.count > CalibreRecord.longest
          ? nil : CatalogEntry.Column(name: name, value: value)
      }
    }
    let sorted = filled.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    return sorted.isEmpty ? nil : Array(sorted.prefix(CalibreRecord.mostColumns))
  }

  /// Returns what a column holds as text; empty for what was never set.
  private static func text(_ column: JSONValue) -> String {
    let value = column["#value#"]
    if let list = value?.array { return list.compactMap(\.string).joined(separator: ", ") }
    switch column["datatype"]?.string {
    case "bool": return value == .bool(true) ? "✓" : value == .bool(false) ? "✗" : ""
    case "rating": return stars(value?.number ?? 0)
    case "datetime":
      let day = String((value?.string ?? "").prefix(10))
      // What calibre has for a day that is not known.
      return day.hasPrefix("0101-") ? "" : day
    case "comments": return plain(value?.string ?? "")
    case "series":
      guard let name = value?.string?.nonEmpty else { return "" }
      return name + (column["#extra#"]?.number.map { " [\(PlainNumber.text($0))]" } ?? "")
    default: return value?.string ?? value?.number.map { PlainNumber.text($0) } ?? ""
    }
  }

  /// Of ten half stars.
  private static func stars(_ value: Double) -> String {
    let halves = Int(min(max(value, 0), 10))
    return String(repeating: "★", count: halves / 2) + (halves % 2 == 1 ? "½" : "")
  }

  /// The text of markup; what cannot be read as markup stands as it is.
  private static func plain(_ html: String) -> String {
    guard html.contains("<") else { return html }
    return (try? HTMLDocument.parse(Array(html.utf8)).root?.words) ?? html
  }
}
