import ArchiverCore
import ArchiverMarkup

/// Writes a database as HTML: one section per view, readable without script.
struct DatabaseRenderer: Sendable {
  let content: DatabaseContent
  let context: RenderContext
  let properties: PropertyRenderer

  /// Bytes of HTML after which rows are left to the files beside the page.
  static let byteLimit = 10 << 20
  /// Rows of every view but the first that shows them all.
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
    for view in content.views {
      guard let source = content.source(of: view) else {
        heading(view, nil, &html)
        html.element("p", ["class": "n-note"], text: "This view shows other databases.")
        continue
      }
      let isFirst = shown.insert(source.schema.id).inserted && !view.isSelective
      if view.isSelective { shown.remove(source.schema.id) }
      section(view, source, showsAll: isFirst, &html)
    }
    guard !content.isLinked else { return }
    for source in content.sources where !shown.contains(source.schema.id) {
      guard let view = DatabaseView.standard(for: source.schema.id) else { continue }
      section(view, source, showsAll: true, &html)
    }
  }

  private func section(
    _ view: DatabaseView, _ source: DatabaseContent.Source, showsAll: Bool,
    _ html: inout HTMLWriter
  ) {
    heading(view, source, &html)
    var rows = rows(of: view, source)
    if rows.isEmpty { return html.element("p", ["class": "n-note"], text: "No rows.") }
    let total = rows.count
    if !showsAll { rows = Array(rows.prefix(DatabaseRenderer.furtherRows)) }
    let start = html.bytes.count
    var writer = ViewWriter(
      view: view, schema: source.schema, context: context, properties: properties,
      byteLimit: max(start + 100_000, DatabaseRenderer.byteLimit))
    writer.write(rows, to: &html)
    let left = total - rows.count + writer.omitted
    if left > 0 {
      html.element(
        "p", ["class": "n-note"], text: "\(left) more rows are in the file beside this page.")
    }
  }

  private func heading(
    _ view: DatabaseView, _ source: DatabaseContent.Source?, _ html: inout HTMLWriter
  ) {
    let table = content.sources.count > 1 ? source?.schema.title ?? "" : ""
    let name = view.name.isEmpty ? view.layout.title : view.name
    let words = [table, name].filter { !$0.isEmpty }.joined(separator: " · ")
    html.element("h2", ["class": "n-view", "id": view.id?.hex], text: words)
    if let type = view.unknownType ?? (view.layout.isDrawn ? nil : view.layout.rawValue) {
      html.element("p", ["class": "n-note"], text: "A \(type) in Notion, shown as a table.")
    }
  }

  /// Returns a view's rows in its order; a row that Notion names but that was not fetched is left out.
  private func rows(of view: DatabaseView, _ source: DatabaseContent.Source) -> [JSONValue] {
    guard let id = view.id, let order = content.orders[id] else { return source.rows }
    var byID: [NotionID: JSONValue] = [:]
    for row in source.rows {
      if let id = NotionID(row["id"]) { byID[id] = row }
    }
    return order.compactMap { byID[$0] }
  }
}

extension DatabaseView.Layout {
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// Whether it is shown as itself; the others become tables.
  var isDrawn: Bool {
    switch self {
    case .table, .board, .list, .calendar, .gallery: true
    case .timeline, .form, .chart, .map, .dashboard: false
    }
  }
}
