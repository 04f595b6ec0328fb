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

  func complete(_ entry: inout CatalogEntry) {
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
      let identifier = "\(scheme):\(value.string ?? "")"
      if !entry.identifiers.contains(identifier) { entry.identifiers.append(identifier) }
    }
    entry.columns = columns
  }

  /// The links of the book's files.
  private var files: [CatalogLink] {
    ["main_format", "other_formats"].flatMap { key in
      (json[key]?.object ?? [:]).sorted { $0.key < $1.key }.compactMap { format, address in
        address.string.flatMap(url.resolving).map { url in
          CatalogLink(
            url.absoluteString, relations: ["http://opds-spec.org/acquisition"],
            type: BookFormat(rawValue: format.lowercased())?.mediaType)
        }
      }
    }
  }

  /// The maximum number of columns of a book and the maximum length of a value in bytes.
  private static let mostColumns = 100
  private static let longest = 4_000

  /// The library's custom columns that have a value, by name.
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

  /// Returns a column's value as text; empty if it was never set.
  private static func text(_ column: JSONValue) -> String {
    let value = column["#value#"]
    if let list = value?.array { return list.compactMap(\.string).joined(separator: ", ") }
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
    default: return value?.string ?? value?.number.map { PlainNumber.text($0) } ?? ""
    }
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
