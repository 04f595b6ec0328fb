import ArchiverCore
import ArchiverMarkup

/// A column of a data source.
struct PropertySchema: Sendable {
  /// Percent-decoded, as in views.
  let id: String
  let name: String
  /// Empty if Notion reports none.
  let type: String
  /// The member named by the type: a number's format, the options of a select.
  let details: JSONValue
  /// The description of the column in the database.
  let hint: String?

  init(name: String, _ value: JSONValue) {
    let type = value["type"]?.string ?? ""
    id = PercentEncoding.decoded(value["id"]?.string ?? name)
    self.name = value["name"]?.string ?? name
    self.type = type
    details = value[type] ?? .null
    hint = value["description"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of a select's or status's options, in order.
  var options: [String] {
    (details["options"]?.array ?? []).compactMap { $0["name"]?.string }
  }
}

/// The columns of a data source.
struct DataSourceSchema: Sendable {
  let id: NotionID
  let title: String
  /// The container; the same as `id` before data sources existed.
  let database: NotionID?
  /// The title first, the others by name, because JSON objects have no order.
  var columns: [PropertySchema]

  init?(_ value: JSONValue) {
    guard let id = NotionID(value["id"]), let properties = value["properties"]?.object else {
      return nil
    }
    self.id = id
    title = RichText.plain(value["title"]?.array ?? [])
    database =
      value["object"]?.string == "database" ? id : NotionID(value["parent"]?["database_id"])
    columns = properties.map { PropertySchema(name: $0.key, $0.value) }.sorted {
      ($0.type == "title" ? 0 : 1, $0.name) < ($1.type == "title" ? 0 : 1, $1.name)
    }
  }

  func column(_ id: String) -> PropertySchema? {
    let id = PercentEncoding.decoded(id)
    return columns.first { $0.id == id } ?? columns.first { $0.name == id }
  }

  /// Sorts the columns as in a view; columns that are not in the view come last.
  mutating func order(by view: DatabaseView) {
    let order = view.columns.map(\.id)
    let known = order.compactMap { column($0) }
    let named = Set(known.map(\.id))
    columns = known + columns.filter { !named.contains($0.id) }
  }
}
