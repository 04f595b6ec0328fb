import ArchiverCore
import ArchiverMarkup

/// calibre's JSON record of a book.
struct CalibreRecord {
  private let json: JSONValue
  private let url: WebURL

  init(_ json: JSONValue, at url: WebURL) {
    self.json = json
    self.url = url
  }

  /// Adds the record to an entry. Returns the number of custom columns that are left out.
  func complete(_ entry: inout CatalogEntry) -> Int {
    if entry.ownLinks.isEmpty { entry.links += files }
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
      let identifier = "\(scheme):\(CalibreRecord.plainText(value))"
      if !entry.identifiers.contains(identifier) { entry.identifiers.append(identifier) }
    }
    let columns = columns
    if !columns.shown.isEmpty { entry.columns = (entry.columns ?? []) + columns.shown }
    return columns.omitted
  }

  /// The links of the book's files. One without a valid URL is kept, so that its file counts as missing.
  private var files: [CatalogLink] {
    ["main_format", "other_formats"].flatMap { key in
      (json[key]?.object ?? [:]).sorted { $0.key < $1.key }.map { format, address in
        let path = address.string ?? ""
        let target = path.isEmpty ? nil : url.resolving(path)?.absoluteString
        return CatalogLink(
          target ?? path, relations: ["http://opds-spec.org/acquisition"],
          type: BookFormat(rawValue: format.lowercased())?.mediaType)
      }
    }
  }

  /// The maximum number of columns of a book and the maximum length of a value in bytes.
  private static let mostColumns = 100
  private static let longest = 4_000

  /// The library's custom columns that have a value, by name, and the number of those that are too long,
  /// too many or without a name.
  private var columns: (shown: [CatalogEntry.Column], omitted: Int) {
    let filled = (json["user_metadata"]?.object ?? [:]).values.map { column in
      CatalogEntry.Column(
        name: column["name"]?.string ?? "", value: CalibreRecord.text(column).trimmed)
    }.filter { !$0.value.isEmpty }
    let shown = filled.filter { column in
      !column.name.isEmpty && column.value.utf8.count <= CalibreRecord.longest
    }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.prefix(CalibreRecord.mostColumns)
    return (Array(shown), filled.count - shown.count)
  }

  /// Returns a column's value as text; empty if it was never set.
  private static func text(_ column: JSONValue) -> String {
    let value = column["#value#"]
    if let list = value?.array {
      return list.map(plainText).filter { !$0.isEmpty }.joined(separator: ", ")
    }
    switch column["datatype"]?.string {
    case "bool": return value == .bool(true) ? "✓" : value == .bool(false) ? "✗" : ""
    case "rating": return stars(value?.number ?? 0)
    case "datetime":
      let day = String((value?.string ?? "").prefix(10))
      // calibre's value for an unknown date.
      return day.hasPrefix("0101-") ? "" : day
    case "comments": return plain(value?.string ?? "")
    case "series":
      guard let name = value?.string?.nonEmpty else { return "" }
      return name + (column["#extra#"]?.number.map { " [\(PlainNumber.text($0))]" } ?? "")
    default: return value.map(plainText) ?? ""
    }
  }

  /// Returns a string or a number as text; empty for other values.
  private static func plainText(_ value: JSONValue) -> String {
    value.string ?? value.number.map { PlainNumber.text($0) } ?? ""
  }

  /// Returns a rating of up to ten half stars as text.
  private static func stars(_ value: Double) -> String {
    let halves = Int(min(max(value, 0), 10))
    return String(repeating: "★", count: halves / 2) + (halves % 2 == 1 ? "½" : "")
  }

  /// Returns the text of HTML; what cannot be parsed is returned unchanged.
  private static func plain(_ html: String) -> String {
    guard html.contains("<") else { return html }
    return (try? HTMLDocument.parse(Array(html.utf8)).root?.words) ?? html
  }
}
