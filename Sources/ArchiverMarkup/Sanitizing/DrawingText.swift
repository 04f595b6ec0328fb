/// The words of an inline SVG drawing, which is itself left out.
struct DrawingText {
  private var depth = 0
  /// Depth at which a `text` element began; 0 outside one.
  private var textDepth = 0
  private var words: [UInt8] = []

  /// Elements at which HTML parsers leave a drawing.
  private static let htmlElements: Set<String> = [
    "b", "big", "blockquote", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1",
    "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "li", "menu", "nobr", "ol", "p", "pre", "ruby",
    "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]

  /// The words of all its text elements so far.
  var text: String { String(decoding: words, as: UTF8.self) }

  static func leadsBack(_ name: String) -> Bool { htmlElements.contains(name) }

  mutating func start(_ name: String) {
    depth += 1
    if name == "text", textDepth == 0 { textDepth = depth }
  }

  /// Ends an element; returns all words when it was the drawing.
  mutating func end(_ name: String) -> String? {
    if depth == textDepth {
      textDepth = 0
      words.append(0x20)
    }
    depth -= 1
    return depth == 0 ? text : nil
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    if textDepth > 0 { words.append(contentsOf: piece) }
  }
}
