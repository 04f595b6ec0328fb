import ArchiverCore
import ArchiverMarkup

// A timeline is a table with a column for each day, week, month or year, in which each row has a
// cell across its duration.
extension ViewWriter {
  /// Returns the scale for the dates of all rows; `nil` if no row has a date.
  func timelineScale(_ rows: [JSONValue]) -> TimelineScale? {
    var first: CalendarDay?
    var last: CalendarDay?
    for row in rows {
      guard let span = timelineSpan(row) else { continue }
      first = min(first ?? span.lowerBound, span.lowerBound)
      last = max(last ?? span.upperBound, span.upperBound)
    }
    guard let first, let last else { return nil }
    return TimelineScale(first...last)
  }

  /// The property with a row's start.
  private var startColumn: PropertySchema? {
    let id = view.configuration["date_property_id"]?.string ?? ""
    return schema.column(id) ?? schema.columns.first { $0.type == "date" }
  }

  private var endColumn: PropertySchema? {
    view.configuration["end_date_property_id"]?.string.flatMap { schema.column($0) }
  }

  /// Returns the first and last day of a row; `nil` without a date.
  private func timelineSpan(_ row: JSONValue) -> ClosedRange<CalendarDay>? {
    let start = startColumn.flatMap { row.property($0) }.flatMap(span)
    let end = endColumn.flatMap { row.property($0) }.flatMap(span)
    guard let first = start?.lowerBound ?? end?.lowerBound else { return nil }
    let last = end?.upperBound ?? start?.upperBound ?? first
    return first...max(first, last)
  }

  mutating func timeline(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    guard let scale else { return undated(rows, &html) }
    var undated: [JSONValue] = []
    let panel = view.tableColumns(of: schema)
    html.element("div", ["class": "n-scroll"]) { html in
      html.element("table", ["class": "n-timeline"]) { html in
        html.element("thead") { head(scale, panel, &$0) }
        html.element("tbody") { html in
          for row in rows {
            guard let span = timelineSpan(row) else {
              undated.append(row)
              continue
            }
            guard admits(html) else { continue }
            line(row, span, scale, panel, &html)
          }
        }
      }
    }
    self.undated(undated, &html)
  }

  private func head(
    _ scale: TimelineScale, _ panel: [PropertySchema], _ html: inout HTMLWriter
  ) {
    let groups = scale.groups
    html.element("tr") { html in
      let height = groups.isEmpty ? nil : "2"
      for name in [titleName, "Dates"] + panel.map(\.name) {
        html.element("th", ["scope": "col", "rowspan": height], text: name)
      }
      for group in groups {
        html.element(
          "th", ["scope": "colgroup", "colspan": String(group.count), "class": "n-era"],
          text: group.title)
      }
      if groups.isEmpty { units(scale, &html) }
    }
    if !groups.isEmpty { html.element("tr") { units(scale, &$0) } }
  }

  private func units(_ scale: TimelineScale, _ html: inout HTMLWriter) {
    for column in scale.columns {
      html.element(
        "th", ["scope": "col", "class": "n-unit", "title": column.text], text: scale.label(column))
    }
  }

  private func line(
    _ row: JSONValue, _ span: ClosedRange<CalendarDay>, _ scale: TimelineScale,
    _ panel: [PropertySchema], _ html: inout HTMLWriter
  ) {
    let range = scale.range(span)
    let dates =
      span.lowerBound == span.upperBound
      ? span.lowerBound.text : "\(span.lowerBound.text) → \(span.upperBound.text)"
    html.element("tr") { html in
      html.element("th", ["scope": "row", "dir": direction(row)]) { html in
        title(row, &html)
        if !view.columns.isEmpty { facts(row, &html) }
        dependencies(row, &html)
      }
      html.element("td") { html in
        // A line break is allowed between the dates only.
        if span.lowerBound != span.upperBound {
          html.element("span", ["class": "n-whole"], text: "\(span.lowerBound.text) →")
          html.text(" ")
        }
        html.element("span", ["class": "n-whole"], text: span.upperBound.text)
      }
      for column in panel { cell(row, column, &html) }
      gap(range.lowerBound, &html)
      html.element(
        "td",
        [
          "colspan": range.count > 1 ? String(range.count) : nil,
          "class": "n-bar \(barColor(row))", "title": dates,
        ]
      ) { _ in }
      gap(scale.columns.count - range.upperBound - 1, &html)
    }
  }

  private func gap(_ count: Int, _ html: inout HTMLWriter) {
    guard count > 0 else { return }
    html.element("td", ["colspan": count > 1 ? String(count) : nil]) { _ in }
  }

  /// Writes the rows to which the arrows of a row lead, as links.
  private func dependencies(_ row: JSONValue, _ html: inout HTMLWriter) {
    guard let id = view.configuration["arrows_by"]?["property_id"]?.string,
      let column = schema.column(id), !columns.contains(where: { $0.id == column.id }),
      let property = row.property(column), !properties.words.text(property).isEmpty
    else { return }
    html.element("div", ["class": "n-fact", "title": column.name]) { html in
      html.text("→ ")
      write(property, column, of: row, to: &html)
    }
  }

  /// Returns the colour of a row's first label, if the view colours bars by labels.
  private func barColor(_ row: JSONValue) -> String {
    guard view.configuration["color_by"]?.bool == true else { return "n-c-blue" }
    let labels = ["status", "select", "multi_select"]
    let column =
      columns.first { labels.contains($0.type) }
      ?? schema.columns.first { labels.contains($0.type) }
    guard let column, let value = row.property(column)?[column.type] else { return "n-c-gray" }
    let option = value.array?.first ?? value
    return NotionColor(option["color"]?.string).barClass
  }
}
