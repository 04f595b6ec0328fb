import ArchiverCore
import ArchiverMarkup

// Formulas.
extension ChapterWriter {
  /// Elements of a formula with text, which may contain HTML.
  private static let tokens: Set<String> = ["mi", "mo", "mn", "ms", "mtext"]

  mutating func writeMath(_ element: XMLElement) {
    let name = element.name.lowercased()
    switch name {
    case "math" where ChapterWriter.isSilent(element): return writeSource(of: element)
    case "semantics":
      return writeSemantics(element)
    case "mstack": return writeStack(element.children)
    case "mlongdiv": return writeDivision(element)
    case "mfenced": return writeFenced(element)
    case "mglyph": return writeGlyph(element)
    default: break
    }
    guard ContentVocabulary.math.contains(name) else { return writeUnknownMath(element, name) }
    html.open(name, attributes: mathAttributes(element))
    writeMathContents(of: element, isText: ChapterWriter.tokens.contains(name))
    html.close(name)
  }

  /// Writes the first child, which is displayed. Of the others, the annotations, only images are kept, which
  /// browsers do not display.
  private mutating func writeSemantics(_ element: XMLElement) {
    guard let shown = element.children.first else { return }
    let others = element.children.dropFirst()
    let images = others.flatMap { other in
      other.descendants("img").compactMap { image in
        image.attribute("src").flatMap {
          references.asset($0, from: file, kinds: [.image, .drawing])
        }.map { (address: $0, words: image.attribute("alt") ?? "") }
      }
    }
    for other in others where other.descendants.contains(where: ChapterWriter.isShown) {
      references.lose("alternatives for other reading systems")
    }
    guard !images.isEmpty else { return writeMath(shown) }
    html.open("semantics", attributes: [])
    writeMath(shown)
    html.open("annotation-xml", attributes: [("encoding", "text/html")])
    for image in images { html.void("img", ["src": image.address, "alt": image.words]) }
    html.close("annotation-xml")
    html.close("semantics")
  }

  /// Writes an image in place of a character.
  private mutating func writeGlyph(_ element: XMLElement) {
    let words = element.attribute("alt") ?? ""
    let address = element.attribute("src").flatMap {
      references.asset($0, from: file, kinds: [.image, .drawing])
    }
    guard let address else {
      references.lose("images in formulas")
      return html.element("mtext", [:], text: words)
    }
    html.open("mtext", attributes: [])
    html.void("img", ["src": address, "alt": words])
    html.close("mtext")
  }

  private func mathAttributes(_ element: XMLElement) -> [(name: String, value: String)] {
    element.attributes.compactMap { attribute in
      let key = attribute.name.lowercased()
      if key == "id" { return BookIdentifier.id(attribute.value).map { ("id", $0) } }
      guard ContentVocabulary.mathAttributes.contains(key), attribute.namespace == nil,
        ContentVocabulary.isPlain(attribute.value) || key == "alttext"
      else { return nil }
      return (key, attribute.value)
    }
  }

  private mutating func writeMathContents(of element: XMLElement, isText: Bool = false) {
    for content in element.contents {
      switch content {
      case .text(let text): html.text(ChapterWriter.visible(text))
      case .element(let child):
        let name = child.name.lowercased()
        let isOfPage = isText && !ContentVocabulary.math.contains(name) && name != "mglyph"
        if isOfPage { write(child) } else { writeMath(child) }
      }
    }
  }

  /// Whether a formula has no visible content.
  private static func isSilent(_ element: XMLElement) -> Bool {
    !element.descendants.contains { child in
      let name = child.name.lowercased()
      return name == "mglyph" || (name == "mfenced" && hasBrackets(child))
        || (tokens.contains(name) && !(child.words.isEmpty && child.children.isEmpty))
    } && shownText(element).isEmpty
  }

  private static func hasBrackets(_ element: XMLElement) -> Bool {
    let fence = MathFence { element.attribute($0) }
    return !fence.open.isEmpty || !fence.close.isEmpty
  }

  /// Returns the text of a formula without annotations.
  private static func shownText(_ element: XMLElement) -> String {
    element.contents.reduce("") { text, content in
      switch content {
      case .text(let piece): text + piece.trimmed
      case .element(let child):
        child.name.lowercased().hasPrefix("annotation") ? text : text + shownText(child)
      }
    }
  }

  /// Writes the name or source of a formula that has no other content.
  private mutating func writeSource(of element: XMLElement) {
    let source =
      element.descendants.first { $0.name.lowercased() == "annotation" && !$0.words.isEmpty }
    let text = element.attribute("alttext")?.trimmed ?? ""
    let words = text.isEmpty ? source?.words ?? "" : text
    guard !words.isEmpty else { return }
    html.element("code", [:], text: ChapterWriter.visible(words))
  }

  /// Writes elementary arithmetic as a table of one column.
  private mutating func writeStack(_ rows: [XMLElement]) {
    html.open("mtable", attributes: [])
    var isBelowLine = false
    for row in rows {
      if row.name.lowercased() == "msline" {
        isBelowLine = true
        continue
      }
      html.open("mtr", attributes: [])
      // A style of ours, because no markup for a line works in all browsers.
      let line = isBelowLine ? ";border-top:1px solid" : ""
      html.open("mtd", attributes: [("style", "text-align:right" + line)])
      if row.name.lowercased() == "msgroup" { writeStack(row.children) } else { writeMath(row) }
      html.close("mtd")
      html.close("mtr")
      isBelowLine = false
    }
    html.close("mtable")
  }

  /// Writes a long division: divisor and result before the rows.
  private mutating func writeDivision(_ element: XMLElement) {
    let parts = element.children
    guard parts.count > 2 else { return writeStack(parts) }
    html.open("mrow", attributes: [])
    writeMath(parts[0])
    html.element("mo", [:], text: ")")
    writeStack(Array(parts[2...]))
    html.element("mo", [:], text: "=")
    writeMath(parts[1])
    html.close("mrow")
  }

  /// Writes brackets and separators, which browsers do not draw for `mfenced`, as operators.
  private mutating func writeFenced(_ element: XMLElement) {
    let fence = MathFence { element.attribute($0) }
    html.open("mrow", attributes: mathAttributes(element))
    if !fence.open.isEmpty { html.element("mo", ["fence": "true"], text: fence.open) }
    for (number, child) in element.children.enumerated() {
      if let sign = fence.separator(before: number) {
        html.element("mo", ["separator": "true"], text: sign)
      }
      writeMath(child)
    }
    if !fence.close.isEmpty { html.element("mo", ["fence": "true"], text: fence.close) }
    html.close("mrow")
  }

  /// Writes the content of an unsupported element of a formula, or the text of HTML in it.
  private mutating func writeUnknownMath(_ element: XMLElement, _ name: String) {
    let isSilent = name.hasPrefix("annotation") || name == "style"
    if isSilent || ContentVocabulary.dropped.contains(name) { return }
    guard name.hasPrefix("m") else { return html.text(ChapterWriter.words(element)) }
    html.open("mrow", attributes: [])
    writeMathContents(of: element)
    html.close("mrow")
  }
}
