import ArchiverCore
import ArchiverMarkup

/// Writes a database as HTML: one section per view, readable without scripts.
struct DatabaseRenderer: Sendable {
  let content: DatabaseContent
  let context: RenderContext
  let properties: PropertyRenderer

  /// The size of the HTML in bytes at which further rows are left to the attached files.
  static let byteLimit = 10 << 20
  /// The maximum number of rows in views after the first one with all rows.
  static let furtherRows = 2_000

  init(_ content: DatabaseContent, context: RenderContext) {
    self.content = content
    self.context = context
    properties = PropertyRenderer(context: context)
  }

  func write(to html: inout HTMLWriter) {
    if !content.description.isEmpty {
      let words = content.description.map(\.plain).joined()
      html.element("p", ["dir": WritingDirection.exception(words)]) { html in
        properties.rich.write(content.description, to: &html)
      }
    }
    for nested in content.nested {
      html.element("p", ["class": "n-page-link"]) { html in
        html.pageLink(nested.parent.id ?? nested.id, fallback: nested.title, context)
      }
    }
    var shown: Set<NotionID> = []
    let parts = Set(content.views.flatMap(\.widgets).joined().compactMap(\.view))
    for view in content.views where !(view.id.map { parts.contains($0) } ?? false) {
      self.view(view, level: 2, &shown, &html)
    }
    guard !content.isLinked else { return }
    for source in content.sources where !shown.contains(source.schema.id) {
      guard let view = DatabaseView.standard(for: source.schema.id) else { continue }
      section(view, source, level: 2, showsAll: true, &html)
    }
  }

  private func view(
    _ view: DatabaseView, level: Int, _ shown: inout Set<NotionID>, _ html: inout HTMLWriter
  ) {
    if view.layout == .dashboard, level == 2 { return dashboard(view, &shown, &html) }
    guard let source = content.source(of: view) else {
      heading(view, nil, level, &html)
      return html.element("p", ["class": "n-note"]) { html in
        html.text("This view shows another database")
        guard let table = view.source else { return html.text(".") }
        html.text(": ")
        html.pageLink(table, fallback: "open it", context)
      }
    }
    let showsAll =
      view.layout.listsRows && !view.isSelective && shown.insert(source.schema.id).inserted
    section(view, source, level: level, showsAll: showsAll, &html)
  }

  private func dashboard(
    _ dashboard: DatabaseView, _ shown: inout Set<NotionID>, _ html: inout HTMLWriter
  ) {
    heading(dashboard, nil, 2, &html)
    if dashboard.widgets.isEmpty {
      return html.element("p", ["class": "n-note"], text: "The dashboard has no parts.")
    }
    for row in dashboard.widgets {
      html.element("div", ["class": "n-columns n-dashboard"]) { html in
        for widget in row {
          let classes =
            widget.width < 12 || row.count > 1 ? "n-column n-w-\(widget.width)" : "n-column"
          html.element("div", ["class": classes]) { html in
            guard let view = content.views.first(where: { $0.id != nil && $0.id == widget.view })
            else {
              return html.element(
                "p", ["class": "n-note"], text: "A part that Notion does not return.")
            }
            self.view(view, level: 3, &shown, &html)
          }
        }
      }
    }
  }

  private func section(
    _ view: DatabaseView, _ source: DatabaseContent.Source, level: Int, showsAll: Bool,
    _ html: inout HTMLWriter
  ) {
    heading(view, source, level, &html)
    var (rows, absent) = rows(of: view, source)
    if absent > 0 {
      html.element(
        "p", ["class": "n-note"], text: "\(absent) rows of the view are missing.")
    }
    if rows.isEmpty, view.layout != .form {
      return html.element("p", ["class": "n-note"], text: "No rows.")
    }
    let total = rows.count
    if !showsAll { rows = Array(rows.prefix(DatabaseRenderer.furtherRows)) }
    let start = html.bytes.count
    var writer = ViewWriter(
      view: view, schema: source.schema, context: context, properties: properties,
      previews: content.previews, byteLimit: max(start + 100_000, DatabaseRenderer.byteLimit))
    writer.write(rows, to: &html)
    let left = total - rows.count + writer.omitted
    if left > 0 {
      let place = content.isLinked ? "on the database's own page" : "in the attached file"
      html.element("p", ["class": "n-note"], text: "\(left) more rows are \(place).")
    }
  }

  private func heading(
    _ view: DatabaseView, _ source: DatabaseContent.Source?, _ level: Int,
    _ html: inout HTMLWriter
  ) {
    let table = content.sources.count > 1 ? source?.schema.title ?? "" : ""
    let name = view.name.isEmpty ? view.layout.title : view.name
    let words = [table, name].filter { !$0.isEmpty }.joined(separator: " · ")
    html.element("h\(level)", ["class": "n-view", "id": view.id?.hex], text: words)
    if let type = view.unknownType {
      html.element("p", ["class": "n-note"], text: "A \(type) in Notion, shown as a table.")
    } else if view.layout == .map {
      html.element(
        "p", ["class": "n-note"],
        text: "A map in Notion, shown as a list whose places lead to an online map.")
    }
    guard let source else { return }
    for sentence in ViewSummary(schema: source.schema, words: properties.words).sentences(view) {
      html.element("p", ["class": "n-note"], text: sentence)
    }
    let dates = [view.grouping, view.lanes].compactMap(\.self)
    guard let today = context.today,
      dates.contains(where: {
        ($0["group_by"]?["group_by"] ?? $0["group_by"])?.string == "relative"
      })
    else { return }
    html.element("p", ["class": "n-note"], text: "Days as seen from \(today.text)")
  }

  /// Returns a view's rows in its order, and the number of its rows that were not fetched.
  private func rows(
    of view: DatabaseView, _ source: DatabaseContent.Source
  ) -> (rows: [JSONValue], absent: Int) {
    guard let id = view.id, let order = content.orders[id] else { return (source.rows, 0) }
    var byID: [NotionID: JSONValue] = [:]
    for row in source.rows {
      if let id = NotionID(row["id"]) { byID[id] = row }
    }
    let rows = order.compactMap { byID[$0] }
    return (rows, order.count - rows.count)
  }
}

extension DatabaseView.Layout {
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// Whether each row has a place of its own.
  var listsRows: Bool {
    switch self {
    case .table, .board, .list, .calendar, .gallery, .timeline, .map: true
    case .form, .chart, .dashboard: false
    }
  }
}
