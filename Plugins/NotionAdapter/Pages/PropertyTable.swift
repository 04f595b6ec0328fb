import ArchiverCore
import ArchiverMarkup

/// The properties of a row, shown above its content.
struct PropertyTable: Sendable {
  let page: JSONValue
  let schema: DataSourceSchema?
  let renderer: PropertyRenderer

  /// Columns in the order of the database's first view, or else by name, without the title.
  private var columns: [PropertySchema] {
    let own = (page["properties"]?.object ?? [:]).compactMap {
      PropertySchema(name: $0.key, $0.value)
    }
    .filter { $0.type != "title" }.sorted { $0.name < $1.name }
    guard let schema else { return own }
    let known = schema.columns.filter { column in own.contains { $0.id == column.id } }
    return known + own.filter { column in !known.contains { $0.id == column.id } }
  }

  func write(to html: inout HTMLWriter) {
    let shown = columns.filter { column in
      page.property(column).map { !renderer.words.text($0).isEmpty } ?? false
    }
    guard !shown.isEmpty else { return }
    html.element("dl", ["class": "n-properties"]) { html in
      for column in shown {
        guard let property = page.property(column) else { continue }
        html.element("dt", ["dir": WritingDirection.exception(column.name)], text: column.name)
        html.element("dd", ["dir": renderer.direction(property)]) { html in
          renderer.write(property, column, to: &html)
        }
      }
    }
  }

  /// The properties as names and texts.
  var facts: [ItemProperty] {
    columns.compactMap { column in
      guard let property = page.property(column) else { return nil }
      let text = renderer.words.text(property, format: column.details["format"]?.string)
      return text.isEmpty ? nil : ItemProperty(column.name, text)
    }
  }

  /// The tags of a row: the values of its multi-selects.
  var labels: [String] {
    var labels: [String] = []
    for column in columns where column.type == "multi_select" {
      for option in page.property(column)?["multi_select"]?.array ?? [] {
        if let name = option["name"]?.string, !labels.contains(name) { labels.append(name) }
      }
    }
    return labels
  }
}
