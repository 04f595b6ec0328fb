import ArchiverCore
import ArchiverMarkup

/// The `content` of an entry: a description that begins, in calibre, with metadata for which Atom
/// has no elements.
struct AtomContent {
  private let element: XMLElement

  init(_ element: XMLElement) {
    self.element = element
  }

  func complete(_ entry: inout CatalogEntry) {
    switch element.attribute("type")?.lowercased() {
    case "xhtml", "application/xhtml+xml": readMarkup(&entry)
    case "html", "text/html": entry.description = element.text.trimmed.nonEmpty
    default: readText(element.text.trimmed, &entry)
    }
  }

  /// Reads plain text: the summary of an entry without one, or else the description, unless the summary contains it
  /// or it is the type of the file, which Kavita writes.
  private func readText(_ text: String, _ entry: inout CatalogEntry) {
    guard let summary = entry.summary else {
      entry.summary = text.nonEmpty
      return
    }
    let isType = text.split(separator: "/").count == 2 && !text.contains(where: \.isWhitespace)
    guard !isType, !summary.lowercased().contains(text.lowercased()) else { return }
    var html = HTMLWriter()
    for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
      html.element("p", text: String(line))
    }
    entry.description = String(decoding: html.bytes, as: UTF8.self)
  }

  private func readMarkup(_ entry: inout CatalogEntry) {
    var contents = (element.child("div") ?? element).contents[...]
    while let content = contents.first {
      switch content {
      case .text(let text):
        guard text.trimmed.isEmpty || read(text.trimmed, &entry) else {
          return rest(contents, &entry)
        }
      case .element(let element):
        guard element.name == "br" else { return rest(contents, &entry) }
      }
      contents = contents.dropFirst()
    }
  }

  /// Parses a line such as `SERIES: Name [2]`; returns false for any other.
  private func read(_ line: String, _ entry: inout CatalogEntry) -> Bool {
    func value(_ label: String) -> String? {
      line.hasPrefix(label) ? String(line.dropFirst(label.count)).trimmed : nil
    }
    if let stars = value("RATING:") {
      entry.rating = stars.nonEmpty
    } else if let tags = value("TAGS:") {
      for tag in tags.split(separator: ",").map({ String($0).trimmed })
      where !tag.isEmpty && !entry.subjects.contains(tag) {
        entry.subjects.append(tag)
      }
    } else if let series = value("SERIES:") {
      entry.series = AtomContent.series(series)
    } else {
      return false
    }
    return true
  }

  private static func series(_ text: String) -> CatalogEntry.Series? {
    guard text.hasSuffix("]"), let open = text.lastIndex(of: "[") else {
      return text.nonEmpty.map { CatalogEntry.Series(name: $0, position: nil) }
    }
    let name = String(text[..<open]).trimmed
    let position = PlainNumber.text(of: text[text.index(after: open)...].dropLast())
    return name.nonEmpty.map { CatalogEntry.Series(name: $0, position: position) }
  }

  private func rest(_ contents: ArraySlice<XMLElement.Content>, _ entry: inout CatalogEntry) {
    var html = HTMLWriter()
    for content in contents { AtomContent.write(content, &html) }
    let text = String(decoding: html.bytes, as: UTF8.self).trimmed
    guard let text = text.nonEmpty else { return }
    // Calibre-Web sends markup as escaped text.
    entry.description = text.contains("&lt;") && !text.contains("<") ? plain(contents) : text
  }

  private func plain(_ contents: ArraySlice<XMLElement.Content>) -> String {
    contents.reduce(into: "") { text, content in
      switch content {
      case .text(let piece): text += piece
      case .element(let element): text += element.text
      }
    }
  }

  /// Writes markup; the pipeline sanitises descriptions like all HTML, and counts what it leaves out.
  private static func write(_ content: XMLElement.Content, _ html: inout HTMLWriter) {
    switch content {
    case .text(let text): html.text(text)
    case .element(let element):
      let name = element.name.lowercased()
      // They are no content, and their text would be escaped.
      guard !["script", "style", "title"].contains(name) else { return }
      var attributes: [(name: String, value: String)] = []
      for key in AtomContent.attributes {
        if let value = element.attribute(key) { attributes.append((key, value)) }
      }
      if voids.contains(name) { return html.void(name, attributes: attributes) }
      html.open(name, attributes: attributes)
      element.contents.forEach { write($0, &html) }
      html.close(name)
    }
  }

  /// Elements without an end tag in HTML.
  private static let voids: Set<String> = [
    "area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr",
  ]
  private static let attributes = [
    "href", "src", "srcset", "alt", "title", "lang", "dir", "colspan", "rowspan", "start", "type",
    "data", "poster", "controls",
  ]
}
