import ArchiverCore
import ArchiverMarkup

extension ViewWriter {
  /// Writes the months from the first row to the last, without months that have no rows.
  mutating func calendar(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    let id = view.configuration["date_property_id"]?.string ?? ""
    let column = schema.column(id) ?? schema.columns.first { $0.type == "date" }
    var days: [CalendarDay: [JSONValue]] = [:]
    var undated: [JSONValue] = []
    for row in rows {
      guard let column, let property = row.property(column), let span = span(property) else {
        undated.append(row)
        continue
      }
      let last = min(span.upperBound.number, span.lowerBound.number + ViewWriter.longest - 1)
      for number in span.lowerBound.number...last {
        days[CalendarDay(number: number), default: []].append(row)
      }
    }
    let months = Set(days.keys.map { String($0.text.prefix(7)) }).sorted()
    for month in months { self.month(month, days, &html) }
    self.undated(undated, &html)
  }

  /// Lists rows without a date.
  mutating func undated(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    guard !rows.isEmpty else { return }
    html.element("h3", ["class": "n-group-title"], text: "No date")
    list(rows, &html)
  }

  /// The maximum number of days on which a calendar repeats one row.
  private static let longest = 366

  /// Returns the first and last day of a date; `nil` without a date.
  func span(_ property: JSONValue) -> ClosedRange<CalendarDay>? {
    let type = property["type"]?.string ?? ""
    let value = property[type]
    let date = value?["start"] == nil ? value?["date"] : value
    guard let start = (date?["start"]?.string ?? value?.string).flatMap({ CalendarDay($0) }) else {
      return nil
    }
    let end = date?["end"]?.string.flatMap { CalendarDay($0) } ?? start
    return start...max(start, end)
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
