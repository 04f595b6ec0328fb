import ArchiverCore
import ArchiverMarkup

extension ViewWriter {
  /// Writes a drawing with its numbers in a table, or a single number.
  mutating func chart(_ rows: [JSONValue], _ html: inout HTMLWriter) {
    let content = ChartContent(view, schema, properties.words, rows)
    for note in content.notes { html.element("p", ["class": "n-note"], text: note) }
    if content.axis == nil {
      let value = content.categories.first?.values.first?.text ?? ""
      return html.element("div", ["class": "n-number"]) { html in
        html.element("p", ["class": "n-figure"], text: value)
        html.element("p", ["class": "n-note"], text: content.aggregation.title)
      }
    }
    html.element("figure", ["class": "n-chart"]) { html in
      let name = view.name.isEmpty ? content.aggregation.title : view.name
      ChartDrawing(content: content, title: "Chart: \(name)").write(to: &html)
      if let caption = view.configuration["caption"]?.string, !caption.isEmpty {
        html.element("figcaption", text: caption)
      }
    }
    if content.categories.count > ChartDrawing.most {
      html.element(
        "p", ["class": "n-note"], text: "The first \(ChartDrawing.most) groups are drawn.")
    }
    numbers(content, &html)
    for line in view.configuration["reference_lines"]?.array ?? [] {
      let value = line["value"]?.number.map(NumberText.plain) ?? ""
      html.element(
        "p", ["class": "n-note"], text: "Line at \(value): \(line["label"]?.string ?? "")")
    }
  }

  private mutating func numbers(_ content: ChartContent, _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-scroll"]) { html in
      html.element("table", ["class": "n-table"]) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for name in [content.axis ?? ""] + content.series.map(\.title) {
              html.element("th", ["scope": "col"], text: name)
            }
          }
        }
        html.element("tbody") { html in
          for category in content.categories where admits(html) {
            html.element("tr") { html in
              let isShort = category.title.count <= 10
              html.element(
                "th", ["scope": "row", "class": isShort ? "n-whole" : nil], text: category.title)
              for value in category.values {
                html.element("td", ["class": "n-whole"], text: value.text)
              }
            }
          }
        }
      }
    }
  }

  /// Writes the questions of a form, which are the properties of its rows.
  func form(_ html: inout HTMLWriter) {
    if view.configuration["is_form_closed"]?.bool == true {
      html.element("p", ["class": "n-note"], text: "The form accepts no responses.")
    }
    let named = view.columns.filter(\.isVisible).compactMap { schema.column($0.id) }
    let asked = named.isEmpty ? schema.columns : named
    html.element("ol", ["class": "n-form"]) { html in
      for column in asked where !ViewWriter.computed.contains(column.type) {
        html.element("li") { html in
          html.element("strong", text: column.name)
          let options = column.options.joined(separator: ", ")
          let answer = ViewWriter.answers[column.type] ?? column.type.replacing("_", with: " ")
          html.element(
            "span", ["class": "n-note"],
            text: " \(answer)\(options.isEmpty ? "" : ": \(options)")")
          if let hint = column.hint { html.element("p", ["class": "n-note"]) { $0.lines(hint) } }
        }
      }
    }
    if named.isEmpty {
      html.element(
        "p", ["class": "n-note"],
        text: "Notion does not return the form's questions and their wording.")
    }
  }

  /// What a question expects, by the type of its property, where that is not named in plain words.
  private static let answers = [
    "title": "text", "rich_text": "text", "select": "one of", "status": "one of",
    "multi_select": "any of", "url": "web address", "email": "e-mail address",
    "checkbox": "yes or no", "relation": "pages",
  ]

  /// Properties that Notion computes.
  private static let computed: Set<String> = [
    "formula", "rollup", "created_time", "created_by", "last_edited_time", "last_edited_by",
    "unique_id", "button", "verification",
  ]
}
