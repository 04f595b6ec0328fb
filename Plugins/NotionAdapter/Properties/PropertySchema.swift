import ArchiverCore
import ArchiverMarkup

/// A column of a data source.
struct PropertySchema: Sendable {
  /// Percent-decoded, as views name it.
  let id: String
  let name: String
  /// Empty when Notion says none.
  let type: String
  /// What belongs to the type: a number's format, the options of a select.
  let details: JSONValue
  /// What the database's makers say about the column.
  let hint: String?

  init(name: String, _ value: JSONValue) {
    let type = value["type"]?.string ?? ""
    id = PercentEncoding.decoded(value["id"]?.string ?? name)
    self.name = value["name"]?.string ?? name
    self.type = type
    details = value[type] ?? .null
    hint = value["description"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of a select's or status's options in their order.
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
  /// The title first, the others by name: JSON objects have no order, views do.
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

  /// Puts the columns in the order of a view; those the view does not name come last.
  mutating func order(by view: DatabaseView) {
    let order = view.columns.map(\.id)
    let known = order.compactMap { column($0) }
    let named = Set(known.map(\.id))
    columns = known + columns.filter { !named.contains($0.id) }
  }
}
