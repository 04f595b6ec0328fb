/// Writes well-formed HTML as UTF-8: text and attribute values are escaped, attributes
/// double-quoted, void elements without an end tag, and all elements closed.
///
///     var html = HTMLWriter()
///     html.element("p", ["class": "note"]) { $0.text("a < b") }
package struct HTMLWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Attributes in the order in which they are written. A `nil` value omits the attribute, an empty
  /// one writes `name=""`.
  package typealias Attributes = KeyValuePairs<String, String?>

  /// Writes an element with the content that `content` writes.
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

  /// Writes a start tag with attributes known only at run time; `close` must follow.
  package mutating func open(_ name: String, attributes: [(name: String, value: String)]) {
    startTag(name, attributes: attributes)
  }

  /// Writes the end tag for `open`.
  package mutating func close(_ name: String) {
    append("</")
    append(name)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes a void element with attributes known only at run time.
  package mutating func void(_ name: String, attributes: [(name: String, value: String)]) {
    startTag(name, attributes: attributes)
  }

  /// Writes an element with text only.
  package mutating func element(_ name: String, _ attributes: Attributes = [:], text: String) {
    element(name, attributes) { $0.text(text) }
  }

  /// Writes a void element, such as `img` or `br`.
  package mutating func void(_ name: String, _ attributes: Attributes = [:]) {
    startTag(name, attributes)
  }

  /// Writes text with `&`, `<` and `>` escaped and without control characters except white space.
  package mutating func text(_ text: String) { append(text, escapesQuotes: false) }

  /// Writes safe and complete HTML, such as the sanitiser's output, unchanged.
  package mutating func raw(_ html: some Sequence<UInt8>) {
    bytes += html
  }

  /// Writes safe and complete HTML unchanged.
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
        // Pages must not contain them, and terminals execute some.
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
