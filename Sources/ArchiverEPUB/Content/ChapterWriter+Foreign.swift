import ArchiverCore
import ArchiverMarkup

// SVG images.
extension ChapterWriter {
  mutating func writeDrawing(_ element: XMLElement) {
    let name = ChapterWriter.drawingNames[element.name.lowercased()] ?? element.name
    if name == "style" {
      return write(element)
    }
    if name == "foreignObject" { return writeForeign(element) }
    guard SVGSanitizer.elements.contains(name) else { return lose(element, name) }
    if name == "title" || name == "desc" { return }
    if name == "a" { return writeDrawnLink(element) }
    if name == "use", let target = ChapterWriter.href(element), !target.trimmed.hasPrefix("#") {
      references.lose("parts of other SVG images")
    }
    writeDrawn(name, drawingAttributes(element, name), element)
  }

  /// Counts a part of a drawing that is left out, except for metadata of drawing programs.
  private func lose(_ element: XMLElement, _ name: String) {
    let isForeign = element.namespace.map { $0 != "http://www.w3.org/2000/svg" } ?? false
    if isForeign || name == "metadata" || name.contains(":") { return }
    let moves = ["script", "set", "animate", "animateMotion", "animateTransform", "discard"]
    references.lose(
      moves.contains { $0.lowercased() == name.lowercased() }
        ? "animations and scripts of SVG images" : "unknown parts of SVG images")
  }

  /// The maximum number of characters of a label in a drawing.
  private static let longestLabel = 60

  /// Writes HTML inside a drawing: short text as a label at its position, other text below the
  /// drawing. `foreignObject` itself would change the parsing mode of browsers.
  private mutating func writeForeign(_ element: XMLElement) {
    let words = ChapterWriter.words(element)
    let isLabel =
      words.utf8.count <= ChapterWriter.longestLabel
      && element.descendants("img").isEmpty
    let sides = ["x", "y", "width", "height"].map { side in
      element.attribute(side).flatMap { Double($0.trimmed) } ?? 0
    }
    guard isLabel, sides[2] > 0, sides[3] > 0, sides.allSatisfy({ abs($0) < 1e6 }) else {
      foreign.append(element)
      return
    }
    if words.isEmpty { return }
    html.element(
      "text",
      [
        "x": "\(Int(sides[0] + sides[2] / 2))", "y": "\(Int(sides[1] + sides[3] / 2))",
        "text-anchor": "middle", "dominant-baseline": "middle",
      ], text: words)
  }

  /// Returns the text of an element with collapsed white space.
  static func words(_ element: XMLElement) -> String {
    var text = ""
    func add(_ element: XMLElement) {
      for content in element.contents {
        switch content {
        case .text(let piece): text += piece
        case .element(let child):
          let name = child.name.lowercased()
          if name == "style" || ContentVocabulary.dropped.contains(name) { continue }
          text += " "
          add(child)
        }
      }
    }
    add(element)
    return visible(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// Writes a whole drawing, and the HTML that it contains below it.
  mutating func writeOuterDrawing(_ element: XMLElement) {
    let outer = foreign
    foreign = []
    writeDrawing(element)
    let inside = foreign
    foreign = outer
    for text in inside {
      html.open("div", attributes: [])
      writeContents(of: text)
      html.close("div")
    }
  }

  /// Returns the accessible name of an SVG image or a part of it.
  private static func label(_ element: XMLElement) -> String? {
    let words = ["title", "desc"].compactMap { name in
      element.children.first { $0.name.lowercased() == name }?.words
    }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: ". ")
  }

  private mutating func writeDrawnLink(_ element: XMLElement) {
    var kept = drawingAttributes(element, "a").filter { !$0.name.hasSuffix("href") }
    switch ChapterWriter.href(element).flatMap({ references.link($0, from: file) }) {
    case .local(let address), .external(let address), .contact(let address), .file(let address, _):
      kept.append(("href", address))
    case nil: break
    }
    writeDrawn("a", kept, element)
  }

  private mutating func writeDrawn(
    _ name: String, _ attributes: [(name: String, value: String)], _ element: XMLElement
  ) {
    html.open(name, attributes: attributes)
    for content in element.contents {
      switch content {
      case .text(let text): html.text(ChapterWriter.visible(text))
      case .element(let child): writeDrawing(child)
      }
    }
    html.close(name)
  }

  private func drawingAttributes(
    _ element: XMLElement, _ name: String
  ) -> [(name: String, value: String)] {
    var kept: [(name: String, value: String)] = []
    for attribute in element.attributes {
      let value = attribute.value
      let key = ChapterWriter.drawingAttributes[attribute.name.lowercased()] ?? attribute.name
      switch key {
      case "id": if let id = BookIdentifier.id(value) { kept.append(("id", id)) }
      case "class":
        if let classes = ChapterWriter.classes(value) { kept.append(("class", classes)) }
      case "style": if let style = styles.inline(value) { kept.append(("style", style)) }
      case "href", "xlink:href":
        if let address = drawnReference(value, name) {
          kept.append(("href", address))
        } else if name == "image" {
          references.lose("images")
        }
      default:
        guard SVGSanitizer.accepted(key, attribute.namespace, value, name) == key else { continue }
        kept.append((key, ChapterWriter.prefixingFragments(value)))
      }
    }
    if let label = ChapterWriter.label(element) {
      kept.append((ChapterWriter.tools.contains(name) ? "data-label" : "aria-label", label))
    }
    var seen = Set<String>()
    return kept.filter { seen.insert($0.name).inserted }
  }

  /// Parts of drawings that are used by others and not drawn themselves; they have no name for those who
  /// read the page.
  private static let tools: Set<String> = [
    "defs", "filter", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern",
    "marker",
  ]

  private func drawnReference(_ value: String, _ name: String) -> String? {
    if value.hasPrefix("#") {
      return BookIdentifier.fragment(String(value.dropFirst())).map { "#" + $0 }
    }
    guard name == "image" else { return nil }
    return references.asset(value, from: file, kinds: [.image, .drawing])
  }

  /// Prefixes fragments like ids: `url(#a)` becomes `url(#c-a)`.
  private static func prefixingFragments(_ value: String) -> String {
    guard value.contains("url(") else { return value }
    return value.filter { $0 != "\"" && $0 != "'" }.split(
      separator: "url(#", omittingEmptySubsequences: false
    ).enumerated().map { index, part in
      guard index > 0, let end = part.firstIndex(of: ")") else { return String(part) }
      return (BookIdentifier.fragment(String(part[..<end]).trimmed) ?? "") + part[end...]
    }.joined(separator: "url(#")
  }

  /// SVG's spellings of names that the HTML parser writes in lower case.
  private static let drawingNames = Dictionary(
    uniqueKeysWithValues: SVGSanitizer.elements.map { ($0.lowercased(), $0) })

  private static let drawingAttributes = Dictionary(
    uniqueKeysWithValues: [
      "viewBox", "preserveAspectRatio", "gradientUnits", "gradientTransform", "clipPathUnits",
      "maskUnits", "maskContentUnits", "patternUnits", "patternContentUnits", "patternTransform",
      "markerWidth", "markerHeight", "markerUnits", "refX", "refY", "spreadMethod", "textLength",
      "lengthAdjust", "startOffset", "pathLength", "stdDeviation", "baseFrequency", "numOctaves",
      "filterUnits", "primitiveUnits", "tableValues",
    ].map { ($0.lowercased(), $0) })
}
