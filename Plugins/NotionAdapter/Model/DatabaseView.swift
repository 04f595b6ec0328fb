import ArchiverCore
import ArchiverMarkup

/// A view of a database; the only place where Notion returns the order of columns.
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
  /// Notion's name of an unknown layout, which is shown as a table.
  let unknownType: String?
  /// The data source; `nil` for a dashboard.
  let source: NotionID?
  let columns: [Column]
  /// Whether rows are filtered or sorted, so that their order has to be requested.
  let isSelective: Bool
  let configuration: JSONValue
  /// The view's filter, as received; `nil` without one.
  let filter: JSONValue?
  /// Conditions by property in addition to the filter.
  let quickFilters: [String: JSONValue]
  let sorts: [JSONValue]
  /// The dashboard that contains this view.
  let dashboard: NotionID?
  /// The number of the view's columns without an id.
  let unnamedColumns: Int

  init?(_ value: JSONValue) {
    guard let type = value["type"]?.string else { return nil }
    id = NotionID(value["id"])
    name = value["name"]?.string ?? ""
    layout = Layout(rawValue: type) ?? .table
    unknownType = Layout(rawValue: type) == nil ? type : nil
    source = NotionID(value["data_source_id"])
    configuration = value["configuration"] ?? .null
    sorts = value["sorts"]?.array ?? []
    filter = value["filter"].flatMap { $0.isNull ? nil : $0 }
    quickFilters = value["quick_filters"]?.object ?? [:]
    isSelective = !sorts.isEmpty || filter != nil || !quickFilters.isEmpty
    dashboard = NotionID(value["dashboard_view_id"])
    let entries = configuration["properties"]?.array ?? []
    columns = DatabaseView.columns(entries)
    let besides = configuration["table_properties"]?.array ?? []
    unnamedColumns =
      entries.count - columns.count + besides.count - DatabaseView.columns(besides).count
  }

  private static func columns(_ entries: [JSONValue]) -> [Column] {
    entries.compactMap { property in
      guard let id = property["property_id"]?.string else { return nil }
      return Column(
        id: PercentEncoding.decoded(id), isVisible: property["visible"]?.bool ?? true)
    }
  }

  /// Returns the view to use if Notion returns none.
  static func standard(for source: NotionID) -> DatabaseView? {
    DatabaseView(["type": "table", "data_source_id": .string(source.dashed)])
  }

  /// The property that groups the rows: a board's columns, a table's sections.
  var grouping: JSONValue? { configuration["group_by"].flatMap { $0.isNull ? nil : $0 } }

  /// The property that divides a board into lanes, each with all columns.
  var lanes: JSONValue? { configuration["sub_group_by"].flatMap { $0.isNull ? nil : $0 } }

  /// Returns the columns to show besides the title, in order.
  func visibleColumns(of schema: DataSourceSchema) -> [PropertySchema] {
    let others = schema.columns.filter { $0.type != "title" }
    guard !columns.isEmpty else { return layout == .table ? others : Array(others.prefix(4)) }
    return columns.filter(\.isVisible).compactMap { schema.column($0.id) }
      .filter { $0.type != "title" }
  }

  /// Returns the columns of the table beside a timeline, in order.
  func tableColumns(of schema: DataSourceSchema) -> [PropertySchema] {
    guard configuration["show_table"]?.bool ?? true else { return [] }
    return DatabaseView.columns(configuration["table_properties"]?.array ?? [])
      .filter(\.isVisible).compactMap { schema.column($0.id) }.filter { $0.type != "title" }
  }

  /// A widget of a dashboard.
  struct Widget: Sendable {
    let view: NotionID?
    /// In twelfths of the dashboard's width.
    let width: Int
  }

  /// The widgets of a dashboard, row by row.
  var widgets: [[Widget]] {
    (configuration["rows"]?.array ?? []).map { row in
      (row["widgets"]?.array ?? []).map { widget in
        Widget(
          view: NotionID(widget["view_id"]),
          width: min(12, max(1, widget["width"]?.integer ?? 12)))
      }
    }
  }

  /// Whether cards show previews of the rows' pages.
  var showsContent: Bool {
    guard layout == .gallery || layout == .board else { return false }
    return ["page_content", "page_content_first"].contains(configuration["cover"]?["type"]?.string)
  }
}
