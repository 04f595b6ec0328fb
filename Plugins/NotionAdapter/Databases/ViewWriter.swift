import ArchiverCore
import ArchiverMarkup

/// Writes the rows of one view in its layout.
struct ViewWriter {
  let view: DatabaseView
  let schema: DataSourceSchema
  let context: RenderContext
  let properties: PropertyRenderer
  /// The size of the whole text in bytes at which no more rows are written.
  let byteLimit: Int
  /// The number of rows omitted because of that.
  private(set) var omitted = 0
  let columns: [PropertySchema]
  /// The previews on cards, by the rows' ids.
  let previews: [NotionID: CardPreview]
  /// The scale of a timeline, the same for all its groups.
  var scale: TimelineScale?

  init(
    view: DatabaseView, schema: DataSourceSchema, context: RenderContext,
    properties: PropertyRenderer, previews: [NotionID: CardPreview], byteLimit: Int
  ) {
    self.view = view
    self.schema = schema
    self.context = context
    self.properties = properties
    self.byteLimit = byteLimit
    self.previews = previews
    columns = view.visibleColumns(of: schema)
  }

  mutating func write(_ rows: [JSONValue], to html: inout HTMLWriter) {
    let grouping = view.grouping.flatMap { RowGrouping($0, schema, properties.words) }
    let isGrouped = view.layout != .calendar && view.layout != .chart && view.layout != .form
    if isGrouped, grouping == nil, view.grouping?["property_id"]?.string != nil {
      html.element(
        "p", ["class": "n-note"], text: "Notion's grouping of these rows cannot be read.")
    }
    switch view.layout {
    case .board:
      guard let grouping else { return gallery(rows, &html) }
      guard let lanes = view.lanes.flatMap({ RowGrouping($0, schema, properties.words) }) else {
        return board(grouping.groups(rows), &html)
      }
      for lane in lanes.groups(rows) {
        html.element("h3", ["class": "n-group-title"]) { groupTitle(lane, &$0) }
        if !lane.rows.isEmpty { board(grouping.groups(lane.rows), &html) }
      }
    case .calendar: calendar(rows, &html)
    case .chart: chart(rows, &html)
    case .form: form(&html)
    default:
      if view.layout == .timeline { scale = timelineScale(rows) }
      guard let grouping else { return plain(rows, &html) }
      for group in grouping.groups(rows) {
        html.element("h3", ["class": "n-group-title"]) { groupTitle(group, &$0) }
        if !group.rows.isEmpty { plain(group.rows, &html) }
      }
    }
  }

  private mutating func plain(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    switch view.layout {
    case .gallery: gallery(rows, &html)
    case .list: list(rows, &html)
    case .timeline: timeline(rows, &html)
    case .map: map(rows, &html)
    default: table(rows, &html)
    }
  }

  /// Whether another row fits; counts rows that do not.
  mutating func admits(_ html: HTMLWriter) -> Bool {
    if html.bytes.count < byteLimit { return true }
    omitted += 1
    return false
  }

  private mutating func table(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-scroll"]) { html in
      html.element("table", ["class": "n-database"]) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for name in [titleName] + columns.map(\.name) {
              html.element(
                "th", ["scope": "col", "dir": WritingDirection.exception(name)], text: name)
            }
          }
        }
        html.element("tbody") { html in
          for (row, depth) in SubitemOrder(view, schema).nested(rows) where admits(html) {
            let classes = depth > 0 ? "n-sub-\(min(depth, SubitemOrder.deepest))" : nil
            html.element("tr") { html in
              html.element(
                "th", ["scope": "row", "class": classes, "dir": direction(row)]
              ) { title(row, &$0) }
              for column in columns { cell(row, column, &html) }
            }
          }
        }
      }
    }
  }

  func cell(_ row: JSONValue, _ column: PropertySchema, _ html: inout HTMLWriter) {
    let property = row.property(column)
    html.element(
      "td",
      [
        "class": ViewWriter.wholeTypes.contains(column.type) ? "n-whole" : nil,
        "dir": property.flatMap(properties.direction),
      ]
    ) { html in
      if let property { write(property, column, of: row, to: &html) }
    }
  }

  /// Types whose values are not wrapped: `TASK-7` has a hyphen, a negative amount a sign.
  private static let wholeTypes: Set<String> = ["number", "unique_id", "phone_number"]

  var titleName: String {
    schema.columns.first { $0.type == "title" }?.name ?? "Name"
  }

  mutating func list(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    html.element("ul", ["class": "n-rows"]) { html in
      for row in rows where admits(html) {
        html.element("li", ["dir": direction(row)]) { html in
          title(row, &html)
          facts(row, &html)
        }
      }
    }
  }

  private mutating func gallery(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-gallery"]) { html in
      for row in rows where admits(html) { card(row, &html) }
    }
  }

  private mutating func board(_ groups: [RowGroup], _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-board"]) { html in
      for group in groups {
        html.element("div", ["class": "n-group"]) { html in
          html.element("p", ["class": "n-group-title"]) { groupTitle(group, &$0) }
          for row in group.rows where admits(html) { card(row, &html) }
        }
      }
    }
  }

  func groupTitle(_ group: RowGroup, _ html: inout HTMLWriter) {
    if let tagClass = group.tagClass {
      html.element("span", ["class": "n-tag \(tagClass)"], text: group.title)
    } else {
      html.text(group.title)
    }
    html.element("span", ["class": "n-count"], text: " \(group.rows.count)")
  }

  private func card(_ row: JSONValue, _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-item", "dir": direction(row)]) { html in
      if let cover = cover(of: row) {
        html.element("div", ["class": "n-item-cover"]) { html in
          html.void("img", ["src": cover, "alt": ""])
        }
      }
      html.element("p", ["class": "n-item-title"]) { title(row, &$0) }
      if let words = previewWords(of: row) {
        html.element("p", ["class": "n-item-content"], text: words)
      }
      facts(row, &html)
    }
  }

  /// Returns the image on a row's card.
  func cover(of row: JSONValue) -> String? {
    let cover = view.configuration["cover"]
    switch cover?["type"]?.string {
    case "property":
      guard let id = cover?["property_id"]?.string, let column = schema.column(id),
        let files = row.property(column)?["files"]?.array
      else { return nil }
      return files.lazy.compactMap { NotionFile($0) }
        .first { $0.isPicture }?.url
    case "page_content", "page_content_first":
      return NotionID(row["id"]).flatMap { previews[$0]?.picture?.url }
    case nil where view.layout != .gallery: return nil
    default: return NotionFile(row["cover"])?.url
    }
  }

  /// Returns the first words of a row's page, if the view shows page content and there is no image.
  private func previewWords(of row: JSONValue) -> String? {
    guard view.showsContent, let id = NotionID(row["id"]), let preview = previews[id],
      preview.picture == nil, !preview.words.isEmpty
    else { return nil }
    return preview.words
  }

  func facts(
    _ row: JSONValue, leavingOut shown: PropertySchema? = nil, _ html: inout HTMLWriter
  ) {
    for column in columns where column.id != shown?.id {
      guard let property = row.property(column), !properties.words.text(property).isEmpty else {
        continue
      }
      html.element("div", ["class": "n-fact", "title": column.name]) { html in
        write(property, column, of: row, to: &html)
      }
    }
  }

  /// Writes a value; files that are not stored with this page link to the row's own page.
  func write(
    _ property: JSONValue, _ column: PropertySchema, of row: JSONValue, to html: inout HTMLWriter
  ) {
    guard column.type == "files" || column.type == "rollup", let id = NotionID(row["id"]) else {
      return properties.write(property, column, to: &html)
    }
    properties.write(property.leading(to: id, unless: context.files), column, to: &html)
  }

  /// The direction of a row's title.
  func direction(_ row: JSONValue) -> String? {
    row.titleProperty.flatMap(properties.direction)
  }

  func title(_ row: JSONValue, _ html: inout HTMLWriter) {
    guard let id = NotionID(row["id"]) else { return }
    html.element("a", ["class": "n-page", "href": id.address]) { html in
      if let icon = NotionIcon(row["icon"]) { html.icon(icon) }
      let words = row.titleProperty.map { properties.words.text($0) } ?? ""
      html.text(words.isEmpty ? "Untitled" : words)
    }
  }
}
