import ArchiverMarkup

/// A text construct of Atom (RFC 4287 section 3.1).
enum AtomText {
  /// Returns the words of a construct; those of its markup where it says that it is HTML.
  static func words(_ element: XMLElement) -> String {
    let type = element.attribute("type")?.lowercased()
    guard type == "html" || type == "text/html" else { return element.words }
    return plain(element.text) ?? element.words
  }

  /// Returns the words of HTML; `nil` for what cannot be read as such.
  static func plain(_ html: String) -> String? {
    guard html.utf8.contains(0x3C) || html.utf8.contains(0x26) else { return nil }
    // What cannot be read stands as it is.
    return try? HTMLDocument.parse(Array("<p>\(html)</p>".utf8)).root?.words
  }
}
