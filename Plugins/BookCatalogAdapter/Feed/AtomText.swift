import ArchiverMarkup

/// A text construct of Atom (RFC 4287 section 3.1).
enum AtomText {
  /// Returns the text of a construct, without markup if its type is HTML.
  static func words(_ element: XMLElement) -> String {
    let type = element.attribute("type")?.lowercased()
    guard type == "html" || type == "text/html" else { return element.words }
    return plain(element.text) ?? element.words
  }

  /// Returns the text of HTML; `nil` if it cannot be parsed.
  static func plain(_ html: String) -> String? {
    guard html.utf8.contains(0x3C) || html.utf8.contains(0x26) else { return nil }
    // The caller uses what cannot be parsed unchanged.
    return try? HTMLDocument.parse(Array("<p>\(html)</p>".utf8)).root?.words
  }
}
