import ArchiverCore
import ArchiverMarkup

/// One way a database shows its rows; the only place where Notion gives out the order of columns.
struct DatabaseView: Sendable {
  enum Layout: String, Sendable {
    case table, board, list, calendar, gallery, timeline, form, chart, map, dashboard
  }

  struct Column: Sendable {
    /// Percent-decoded.
    let id: String
    let isVisible: Bool
  }

  let id: NotionID?
  let name: String
  let layout: Layout
  /// The layout in Notion's word when it is not known; it is shown as a table then.
  let unknownType: String?
  /// The data source; `nil` for a dashboard.
  let source: NotionID?
  let columns: [Column]
  /// Whether rows come filtered or sorted, so that their order has to be asked for.
  let isSelective: Bool
  let configuration: JSONValue

  init?(_ value: JSONValue) {
    guard let type = value["type"]?.string else { return nil }
    id = NotionID(value["id"])
    name = value["name"]?.string ?? ""
    layout = Layout(rawValue: type) ?? .table
    unknownType = Layout(rawValue: type) == nil ? type : nil
    source = NotionID(value["data_source_id"])
    configuration = value["configuration"] ?? .null
    let isSorted = value["sorts"]?.array?.isEmpty == false
    let isFiltered = value["filter"].map { !$0.isNull } ?? false
    let hasQuickFilters = value["quick_filters"]?.object?.isEmpty == false
    isSelective = isSorted || isFiltered || hasQuickFilters
    columns = (configuration["properties"]?.array ?? []).compactMap { property in
      guard let id = property["property_id"]?.string else { return nil }
      return Column(
        id: PercentEncoding.decoded(id), isVisible: property["visible"]?.bool ?? true)
    }
  }

  /// The view that stands in when Notion gives out none.
  static func standard(for source: NotionID) -> DatabaseView? {
    DatabaseView(["type": "table", "data_source_id": .string(source.dashed)])
  }

  /// The property that groups the rows: a board's columns, a table's sections.
  var grouping: JSONValue? { configuration["group_by"].flatMap { $0.isNull ? nil : $0 } }

  /// The property that divides a board into lanes, each with all its columns.
  var lanes: JSONValue? { configuration["sub_group_by"].flatMap { $0.isNull ? nil : $0 } }

  /// Returns the columns to show besides the title, in order.
  func visibleColumns(of schema: DataSourceSchema) -> [PropertySchema] {
    let others = schema.columns.filter { $0.type != "title" }
    guard !columns.isEmpty else { return layout == .table ? others : Array(others.prefix(4)) }
    return columns.filter(\.isVisible).compactMap { schema.column($0.id) }
      .filter { $0.type != "title" }
  }
}
