import ArchiverCore

/// The content of a database for its page.
struct DatabaseContent: Sendable {
  /// One of a database's tables.
  struct Source: Sendable {
    var schema: DataSourceSchema
    /// Without redundant parts, in the order of creation.
    var rows: [JSONValue] = []
    /// The data source as received.
    let record: JSONValue
  }

  var object: NotionObject
  var description: [RichText]
  var sources: [Source] = []
  var views: [DatabaseView] = []
  /// The rows of filtered or sorted views, in their order.
  var orders: [NotionID: [NotionID]] = [:]
  /// The previews on cards, by the rows' ids.
  var previews: [NotionID: CardPreview] = [:]
  /// The database and its views as received.
  var record: JSONValue
  var viewRecords: [JSONValue] = []
  /// Databases among the rows, as in wikis.
  var nested: [NotionObject] = []
  /// Whether it is a linked view on another page, which shows its views only, not every row.
  var isLinked = false
  var notes: [String] = []
  /// Parts that could not be read.
  var missing: [MissingPart] = []
  /// Whether a response could not be parsed; it may be readable in a later run.
  var isBroken = false

  func source(of view: DatabaseView) -> Source? {
    sources.first { $0.schema.id == view.source } ?? (view.source == nil ? sources.first : nil)
  }
}
