import CXML2

/// Converts the text of HTML in an SVG image, which only browsers display.
struct SVGForeignText {
  private static let fontSize = 14.0
  /// The average width of a character relative to the font size.
  private static let letterWidth = 0.55
  private static let blocks: Set<String> = [
    "p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "pre",
  ]

  private var lines: [String] = []

  /// Returns the text as centred SVG `text`; empty without text.
  static func markup(_ element: xmlNodePtr) -> [UInt8] {
    let width = number("width", element) ?? 0
    let lines = lines(of: element).flatMap { wrapped($0, width: width) }
    guard !lines.isEmpty else { return [] }
    let x = (number("x", element) ?? 0) + width / 2
    let middle = (number("y", element) ?? 0) + (number("height", element) ?? 0) / 2
    let top = middle - Double(lines.count - 1) * fontSize * 0.6
    var bytes = Array(
      "<text text-anchor=\"middle\" dominant-baseline=\"central\" font-size=\"14\"".utf8)
    if let transform = attribute("transform", element) {
      bytes.appendAttribute("transform", transform)
    }
    bytes.append(0x3E)
    for (index, line) in lines.enumerated() {
      bytes +=
        "<tspan x=\"\(rounded(x))\" y=\"\(rounded(top + Double(index) * fontSize * 1.2))\">".utf8
      for byte in line.utf8 { bytes.appendEscapedText(byte) }
      bytes += "</tspan>".utf8
    }
    return bytes + Array("</text>".utf8)
  }

  /// Returns the content of a `text` element that is the alternative of HTML in a `switch`, with the
  /// words of the HTML, which browsers show. Diagram editors write abridged alternatives ("Wait fo...",
  /// "[Not supported by viewer]"). `nil` for another element, or if the words are the same.
  static func content(ofAlternative text: xmlNodePtr) -> [UInt8]? {
    guard let html = text.precedingElement, String(cString: html.pointee.name) == "foreignObject",
      text.pointee.parent.map({ String(cString: $0.pointee.name) }) == "switch",
      attribute("requiredExtensions", html).map({ $0.contains("1999/xhtml") }) ?? true
    else { return nil }
    let lines = lines(of: html)
    func letters(_ lines: [String]) -> String { lines.joined().filter { !$0.isWhitespace } }
    guard !lines.isEmpty, letters(lines) != letters(SVGForeignText.lines(of: text)) else {
      return nil
    }
    var bytes: [UInt8] = []
    for (index, line) in lines.enumerated() {
      bytes += "<tspan".utf8
      if let x = attribute("x", text) { bytes.appendAttribute("x", x) }
      let shift = index == 0 ? 0.6 * Double(1 - lines.count) : 1.2
      bytes.appendAttribute("dy", "\(rounded(shift))em")
      bytes.append(0x3E)
      for byte in line.utf8 { bytes.appendEscapedText(byte) }
      bytes += "</tspan>".utf8
    }
    return bytes
  }

  /// Returns the lines of text in an element without white space at their ends, only those with text.
  private static func lines(of element: xmlNodePtr) -> [String] {
    var text = SVGForeignText()
    text.collect(element, depth: 0)
    return text.lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  private mutating func collect(_ node: xmlNodePtr, depth: Int) {
    guard depth < 250 else { return }
    var next = node.pointee.children
    while let child = next {
      next = child.pointee.next
      switch child.pointee.type {
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
        if lines.isEmpty { lines.append("") }
        lines[lines.count - 1] += child.pointee.content.map { String(cString: $0) } ?? ""
      case XML_ELEMENT_NODE:
        let name = String(cString: child.pointee.name).lowercased()
        if name == "style" || name == "script" { continue }
        let isBlock = SVGForeignText.blocks.contains(name)
        if isBlock { lines.append("") }
        collect(child, depth: depth + 1)
        if isBlock { lines.append("") }
      default: break
      }
    }
  }

  /// Breaks a line at spaces if it is too wide.
  private static func wrapped(_ line: String, width: Double) -> [String] {
    let most = Int(width / (fontSize * letterWidth))
    guard most >= 4, line.count > most else { return [line] }
    var lines: [String] = []
    for word in line.split(separator: " ") {
      if let last = lines.last, last.count + word.count < most {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// Returns a length in user units; `nil` for percentages and invalid or extreme numbers.
  private static func number(_ name: String, _ element: xmlNodePtr) -> Double? {
    guard let text = attribute(name, element) else { return nil }
    let digits = text.hasSuffix("px") ? String(text.dropLast(2)) : text
    return Double(digits).flatMap { abs($0) < 1_000_000 ? $0 : nil }
  }

  private static func attribute(_ name: String, _ element: xmlNodePtr) -> String? {
    guard let value = xmlGetNoNsProp(element, name) else { return nil }
    defer { cxml2_free(value) }
    return String(cString: value)
  }
}

extension xmlNodePtr {
  /// The closest sibling element in front.
  fileprivate var precedingElement: xmlNodePtr? {
    var previous = pointee.prev
    while let node = previous, node.pointee.type != XML_ELEMENT_NODE {
      previous = node.pointee.prev
    }
    return previous
  }
}
