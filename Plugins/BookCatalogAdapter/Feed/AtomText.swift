import ArchiverMarkup

/// A text construct of Atom (RFC 4287 section 3.1).
enum AtomText {
  /// Returns the text of a construct, without markup if its type is HTML.
  static func words(_ element: XMLElement) -> String {
    lines(element).joined(separator: " ")
  }

  /// Returns the text of a construct, one line for each block of its markup.
  static func lines(_ element: XMLElement) -> [String] {
    switch element.attribute("type")?.lowercased() {
    case "html", "text/html": lines(ofHTML: element.text) ?? lines(in: element)
    default: lines(in: element)
    }
  }

  /// Returns the text of HTML; `nil` if it cannot be parsed.
  static func plain(_ html: String) -> String? {
    lines(ofHTML: html)?.joined(separator: " ")
  }

  private static func lines(ofHTML html: String) -> [String]? {
    guard html.utf8.contains(0x3C) || html.utf8.contains(0x26) else { return nil }
    // The caller uses what cannot be parsed unchanged.
    return (try? HTMLDocument.parse(Array("<div>\(html)</div>".utf8)).root).map { lines(in: $0) }
  }

  private static func lines(in element: XMLElement) -> [String] {
    var pieces: [String] = [""]
    add(element, to: &pieces)
    return pieces.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  private static func add(_ element: XMLElement, to pieces: inout [String]) {
    for content in element.contents {
      switch content {
      case .text(let text): pieces[pieces.count - 1] += text
      case .element(let child):
        let isBlock = blocks.contains(child.name.lowercased())
        if isBlock { pieces.append("") }
        add(child, to: &pieces)
        if isBlock { pieces.append("") }
      }
    }
  }

  /// The elements that begin on a line of their own.
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption",
    "figure",
    "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre",
    "section", "table", "td", "th", "tr", "ul",
  ]
}
