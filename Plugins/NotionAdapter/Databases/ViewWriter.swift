import ArchiverCore
import ArchiverMarkup

/// Writes the rows of one view in its layout.
struct ViewWriter {
  let view: DatabaseView
  let schema: DataSourceSchema
  let context: RenderContext
  let properties: PropertyRenderer
  /// The size of the whole text at which rows are no longer written.
  let byteLimit: Int
  /// Rows not written because of that.
  private(set) var omitted = 0
  let columns: [PropertySchema]

  init(
    view: DatabaseView, schema: DataSourceSchema, context: RenderContext,
    properties: PropertyRenderer, byteLimit: Int
  ) {
    self.view = view
    self.schema = schema
    self.context = context
    self.properties = properties
    self.byteLimit = byteLimit
    columns = view.visibleColumns(of: schema)
  }

  mutating func write(_ rows: [JSONValue], to html: inout HTMLWriter) {
    let grouping = view.grouping.flatMap { RowGrouping($0, schema, properties.words) }
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
    default:
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
    default: table(rows, &html)
    }
  }

  /// Whether there is room for another row; counts those for which there is none.
  private mutating func admits(_ html: HTMLWriter) -> Bool {
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
          for row in rows where admits(html) {
            html.element("tr") { html in
              html.element("th", ["scope": "row", "dir": direction(row)]) { title(row, &$0) }
              for column in columns {
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
            }
          }
        }
      }
    }
  }

  /// Columns whose values stay on one line: `TASK-7` has a hyphen, a negative amount a sign.
  private static let wholeTypes: Set<String> = ["number", "unique_id", "phone_number"]

  private var titleName: String {
    schema.columns.first { $0.type == "title" }?.name ?? "Name"
  }

  private mutating func list(_ rows: [JSONValue], _ html: inout HTMLWriter) {
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

  private func groupTitle(_ group: RowGroup, _ html: inout HTMLWriter) {
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
      facts(row, &html)
    }
  }

  /// The picture that the view puts on a row's card.
  private func cover(of row: JSONValue) -> String? {
    let cover = view.configuration["cover"]
    switch cover?["type"]?.string {
    case "property":
      guard let id = cover?["property_id"]?.string, let column = schema.column(id),
        let files = row.property(column)?["files"]?.array
      else { return nil }
      return files.lazy.compactMap { NotionFile($0) }
        .first { PropertyRenderer.pictures.contains($0.fileExtension) }?.url
    case nil where view.layout != .gallery: return nil
    default: return NotionFile(row["cover"])?.url
    }
  }

  private func facts(_ row: JSONValue, _ html: inout HTMLWriter) {
    for column in columns {
      guard let property = row.property(column), !properties.words.text(property).isEmpty else {
        continue
      }
      html.element("div", ["class": "n-fact", "title": column.name]) { html in
        write(property, column, of: row, to: &html)
      }
    }
  }

  /// Writes a value; files that are not kept with this page lead to the row's own, which has them.
  private func write(
    _ property: JSONValue, _ column: PropertySchema, of row: JSONValue, to html: inout HTMLWriter
  ) {
    guard column.type == "files", let id = NotionID(row["id"]) else {
      return properties.write(property, column, to: &html)
    }
    properties.write(property.leading(to: id, unless: context.files), column, to: &html)
  }

  /// The direction of a row's title.
  private func direction(_ row: JSONValue) -> String? {
    row.titleProperty.flatMap(properties.direction)
  }

  private func title(_ row: JSONValue, _ html: inout HTMLWriter) {
    guard let id = NotionID(row["id"]) else { return }
    html.element("a", ["class": "n-page", "href": id.address]) { html in
      if let icon = NotionIcon(row["icon"]) { html.icon(icon) }
      let words = row.titleProperty.map { properties.words.text($0) } ?? ""
      html.text(words.isEmpty ? "Untitled" : words)
    }
  }
}

extension ViewWriter {
  /// Months are drawn from the first row's to the last's, those without rows left out.
  mutating func calendar(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    let id = view.configuration["date_property_id"]?.string ?? ""
    let column = schema.column(id) ?? schema.columns.first { $0.type == "date" }
    var days: [CalendarDay: [JSONValue]] = [:]
    var undated: [JSONValue] = []
    for row in rows {
      guard let column, let property = row.property(column), let range = range(property) else {
        undated.append(row)
        continue
      }
      for number in range { days[CalendarDay(number: number), default: []].append(row) }
    }
    let months = Set(days.keys.map { String($0.text.prefix(7)) }).sorted()
    for month in months { self.month(month, days, &html) }
    guard !undated.isEmpty else { return }
    html.element("h3", ["class": "n-group-title"], text: "No date")
    list(undated, &html)
  }

  /// Most days of one row that are drawn.
  private static let longest = 366

  /// The days that a date covers, its first at least; `nil` when there is none.
  private func range(_ property: JSONValue) -> ClosedRange<Int>? {
    let type = property["type"]?.string ?? ""
    let value = property[type]
    let date = value?["start"] == nil ? value?["date"] : value
    guard let start = (date?["start"]?.string ?? value?.string).flatMap({ CalendarDay($0) }) else {
      return nil
    }
    let end = date?["end"]?.string.flatMap { CalendarDay($0) } ?? start
    let last = min(end.number, start.number + ViewWriter.longest - 1)
    return start.number...max(start.number, last)
  }

  private mutating func month(
    _ month: String, _ days: [CalendarDay: [JSONValue]], _ html: inout HTMLWriter
  ) {
    guard let first = CalendarDay("\(month)-01") else { return }
    html.element("h3", ["class": "n-group-title"], text: month)
    html.element("div", ["class": "n-scroll"]) { html in
      html.element("table", ["class": "n-calendar"]) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for name in ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] {
              html.element("th", ["scope": "col"], text: name)
            }
          }
        }
        html.element("tbody") { html in
          var start = first.startOfWeek.number
          while start <= first.number || CalendarDay(number: start).text.hasPrefix(month) {
            week(start, month, days, &html)
            start += 7
          }
        }
      }
    }
  }

  private mutating func week(
    _ start: Int, _ month: String, _ days: [CalendarDay: [JSONValue]], _ html: inout HTMLWriter
  ) {
    html.element("tr") { html in
      for number in start..<start + 7 {
        let day = CalendarDay(number: number)
        html.element("td") { html in
          guard day.text.hasPrefix(month) else { return }
          html.element("span", ["class": "n-day"], text: String(day.text.suffix(2)))
          for row in days[day] ?? [] where admits(html) {
            html.element("div", ["class": "n-item", "dir": direction(row)]) { title(row, &$0) }
          }
        }
      }
    }
  }
}
