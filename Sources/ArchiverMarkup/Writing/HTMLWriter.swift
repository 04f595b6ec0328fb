/// Writes well-formed HTML as UTF-8: text and attribute values escaped, every attribute
/// double-quoted, void elements without an end tag, no element left open.
///
///     var html = HTMLWriter()
///     html.element("p", ["class": "note"]) { $0.text("a < b") }
package struct HTMLWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Attributes in the order they are written; a `nil` value leaves the attribute out, an empty
  /// one writes `name=""`.
  package typealias Attributes = KeyValuePairs<String, String?>

  /// Writes an element and what `content` writes inside it.
  package mutating func element(
    _ name: String, _ attributes: Attributes = [:],
    _ content: (inout HTMLWriter) throws -> Void
  ) rethrows {
    startTag(name, attributes)
    try content(&self)
    append("</")
    append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes a start tag whose attributes are known only at run time; `close` has to follow.
  package mutating func open(_ name: String, attributes: [(name: String, value: String)]) {
    startTag(name, attributes: attributes)
  }

  /// Writes the end tag of what `open` began.
  package mutating func close(_ name: String) {
    append("</")
    append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes an element without content whose attributes are known only at run time.
  package mutating func void(_ name: String, attributes: [(name: String, value: String)]) {
    startTag(name, attributes: attributes)
  }

  /// Writes an element that holds only text.
  package mutating func element(_ name: String, _ attributes: Attributes = [:], text: String) {
    element(name, attributes) { $0.text(text) }
  }

  /// Writes an element that has no content, such as `img` or `br`.
  package mutating func void(_ name: String, _ attributes: Attributes = [:]) {
    startTag(name, attributes)
  }

  /// Writes text with `&`, `<` and `>` escaped, without control characters but white space.
  package mutating func text(_ text: String) { append(text, escapesQuotes: false) }

  /// Writes HTML that is known to be safe and whole, such as the sanitiser's output.
  package mutating func raw(_ html: some Sequence<UInt8>) {
    bytes += html
  }

  /// Writes HTML that is known to be safe and whole.
  package mutating func raw(_ html: String) {
    append(html)
  }

  private mutating func startTag(_ name: String, _ attributes: Attributes) {
    bytes.append(UInt8(ascii: "<"))
    append(name)
    for (name, value) in attributes {
      guard let value else { continue }
      bytes.append(UInt8(ascii: " "))
      append(name)
      append("=\"")
      attribute(value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func startTag(_ name: String, attributes: [(name: String, value: String)]) {
    bytes.append(UInt8(ascii: "<"))
    append(name)
    for (name, value) in attributes {
      bytes.append(UInt8(ascii: " "))
      append(name)
      append("=\"")
      attribute(value)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func attribute(_ value: String) { append(value, escapesQuotes: true) }

  private mutating func append(_ text: String, escapesQuotes: Bool) {
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      for index in utf8.indices {
        let escape: StaticString
        switch utf8[index] {
        case UInt8(ascii: "&"): escape = "&amp;"
        case UInt8(ascii: "<"): escape = "&lt;"
        case UInt8(ascii: ">"): escape = "&gt;"
        case UInt8(ascii: "\"") where escapesQuotes: escape = "&quot;"
        // No page may hold them, and a terminal obeys some.
        case 0..<0x09, 0x0B, 0x0C, 0x0E..<0x20, 0x7F: escape = ""
        default: continue
        }
        bytes += UnsafeBufferPointer(rebasing: utf8[written..<index])
        escape.withUTF8Buffer { bytes += $0 }
        written = index + 1
      }
      bytes += UnsafeBufferPointer(rebasing: utf8[written...])
    }
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes += $0 }
  }
}
