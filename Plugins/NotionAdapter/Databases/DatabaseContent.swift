import ArchiverCore

/// A database with all that is shown of it.
struct DatabaseContent: Sendable {
  /// One of a database's tables.
  struct Source: Sendable {
    var schema: DataSourceSchema
    /// Slimmed, in the order of creation.
    var rows: [JSONValue] = []
    /// The data source as received.
    let record: JSONValue
  }

  var object: NotionObject
  var description: [RichText]
  var sources: [Source] = []
  var views: [DatabaseView] = []
  /// The rows of selective views, in their order.
  var orders: [NotionID: [NotionID]] = [:]
  /// What the pages of rows show on cards, by the rows' ids.
  var previews: [NotionID: CardPreview] = [:]
  /// The database and its views as received.
  var record: JSONValue
  var viewRecords: [JSONValue] = []
  /// Databases among the rows, as wikis have them.
  var nested: [NotionObject] = []
  /// Whether a page elsewhere shows it: its views alone, not every row.
  var isLinked = false
  var notes: [String] = []
  /// Parts that could not be read.
  var missing: [MissingPart] = []
  /// Whether an answer could not be understood, which another time it may be.
  var isBroken = false

  func source(of view: DatabaseView) -> Source? {
    sources.first { $0.schema.id == view.source } ?? (view.source == nil ? sources.first : nil)
  }
}
