import ArchiverCore
import ArchiverMarkup

/// Writes the value of a property as HTML.
struct PropertyRenderer: Sendable {
  let context: RenderContext
  let words: PropertyText
  let rich: RichTextRenderer

  init(context: RenderContext) {
    self.context = context
    words = PropertyText(context: context)
    rich = RichTextRenderer(context: context)
  }

  /// Writes a value; nothing if it is empty.
  func write(_ property: JSONValue, _ column: PropertySchema?, to html: inout HTMLWriter) {
    let type = property["type"]?.string ?? ""
    guard let value = property.payload(type), !value.isNull else { return }
    switch type {
    case "title", "rich_text": rich.write(RichText.list(value), to: &html)
    case "select", "status": tag(value, &html)
    case "multi_select": (value.array ?? []).forEach { tag($0, &html) }
    case "date": html.date(value)
    case "people": people(value.array ?? [], &html)
    case "created_by", "last_edited_by": people([value], &html)
    case "files": files(value.array ?? [], &html)
    case "checkbox": checkbox(value.bool == true, &html)
    case "url": link(value.string ?? "", scheme: "", &html)
    case "email": link(value.string ?? "", scheme: "mailto:", &html)
    case "phone_number": link(value.string ?? "", scheme: "tel:", &html)
    case "created_time", "last_edited_time": html.date(["start": value])
    case "formula": formula(value, column, &html)
    case "relation": relation(value.array ?? [], property["has_more"]?.bool == true, &html)
    case "rollup": rollup(value, column, &html)
    case "place": place(value, &html)
    case _ where !KnownTypes.properties.contains(type):
      UnknownContent(value).writeInline(context, to: &html)
    default: html.text(words.text(property, format: column?.details["format"]?.string))
    }
  }

  /// Returns `rtl` for a right-to-left value.
  func direction(_ property: JSONValue) -> String? {
    switch property["type"]?.string {
    case "number", "checkbox", "date", "created_time", "last_edited_time", "unique_id", "url",
      "email", "phone_number":
      nil
    default: WritingDirection.exception(words.text(property))
    }
  }

  private func tag(_ value: JSONValue, _ html: inout HTMLWriter) {
    guard let name = value["name"]?.string else { return }
    let color = NotionColor(value["color"]?.string)
    html.element("span", ["class": "n-tag \(color.tagClass)"], text: name)
    html.text(" ")
  }

  private func people(_ people: [JSONValue], _ html: inout HTMLWriter) {
    html.text(people.compactMap(words.person).joined(separator: ", "))
  }

  private func files(_ files: [JSONValue], _ html: inout HTMLWriter) {
    for value in files {
      guard let file = NotionFile(value) else {
        html.element("span", ["class": "n-ghost"], text: "\(PropertyText.file(value)) (no address)")
        html.text(" ")
        continue
      }
      if file.isPicture {
        html.element("span", ["class": "n-thumbnail"]) { html in
          html.void("img", ["src": file.url, "alt": file.displayName])
        }
      } else {
        html.element("a", ["class": "n-file-link", "href": file.url], text: file.displayName)
      }
      html.text(" ")
    }
  }

  private func checkbox(_ isChecked: Bool, _ html: inout HTMLWriter) {
    html.element(
      "span", ["class": "n-box", "title": isChecked ? "yes" : "no"], text: isChecked ? "☑" : "☐")
  }

  private func link(_ text: String, scheme: String, _ html: inout HTMLWriter) {
    guard !text.isEmpty else { return }
    let isBare = scheme.isEmpty && !text.contains(":") && !text.hasPrefix("/")
    let address =
      scheme.isEmpty ? RichTextRenderer.address(text) : scheme + text.filter { !$0.isWhitespace }
    html.element("a", ["href": isBare ? "https://\(text)" : address], text: text)
  }

  private func formula(_ value: JSONValue, _ column: PropertySchema?, _ html: inout HTMLWriter) {
    switch value["type"]?.string {
    case "boolean": checkbox(value["boolean"]?.bool == true, &html)
    case "date": value["date"].map { html.date($0) }
    default:
      html.lines(
        words.text(
          ["type": "formula", "formula": value], format: column?.details["format"]?.string))
    }
  }

  private func relation(_ targets: [JSONValue], _ isCut: Bool, _ html: inout HTMLWriter) {
    for (index, id) in targets.compactMap({ NotionID($0["id"]) }).enumerated() {
      if index > 0 { html.text(", ") }
      html.pageLink(id, fallback: "", context)
    }
    if isCut { html.text(", …") }
  }

  private func rollup(_ value: JSONValue, _ column: PropertySchema?, _ html: inout HTMLWriter) {
    guard value["type"]?.string == "array" else {
      return html.text(words.text(["type": "rollup", "rollup": value]))
    }
    var isFirst = true
    for item in value["array"]?.array ?? [] where !words.text(item).isEmpty {
      if !isFirst { html.text(", ") }
      isFirst = false
      write(item, nil, to: &html)
    }
  }

  private func place(_ value: JSONValue, _ html: inout HTMLWriter) {
    let text = PropertyText.place(value)
    guard let latitude = value["lat"]?.number, let longitude = value["lon"]?.number else {
      return html.text(text)
    }
    let address = "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)"
    html.element("a", ["href": address], text: text)
  }
}
