import ArchiverCore
import ArchiverMarkup

extension ViewWriter {
  /// Lists the places of a map: each row with its address, linked to an online map.
  mutating func map(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    let id = view.configuration["map_by"]?.string ?? ""
    let column = schema.column(id) ?? schema.columns.first { $0.type == "place" }
    var elsewhere: [JSONValue] = []
    html.element("ul", ["class": "n-rows"]) { html in
      for row in rows {
        guard let column, let place = row.property(column), !properties.words.text(place).isEmpty
        else {
          elsewhere.append(row)
          continue
        }
        guard admits(html) else { continue }
        html.element("li", ["dir": direction(row)]) { html in
          title(row, &html)
          html.element("div", ["class": "n-fact", "title": column.name]) { html in
            properties.write(place, column, to: &html)
          }
          facts(row, leavingOut: column, &html)
        }
      }
    }
    guard !elsewhere.isEmpty else { return }
    html.element("h3", ["class": "n-group-title"], text: "No place")
    list(elsewhere, &html)
  }
}
