import ArchiverMarkup

/// Tables: in GitHub's syntax if it can represent them, otherwise as HTML.
extension MarkdownWriter {
  private static let noCellBlocks: Set<String> = [
    "table", "pre", "ul", "ol", "dl", "blockquote", "details", "hr", "h1", "h2", "h3", "h4", "h5",
    "h6", "figure",
  ]

  func table(_ element: ContentElement) -> [[String]] {
    var caption: [[String]] = []
    for child in element.elements where child.name == "caption" {
      caption += blocks(child.children)
    }
    guard let rows = MarkdownWriter.simpleRows(element) else { return [html(.element(element))] }
    guard !rows.isEmpty else { return caption }
    var writer = self
    writer.inTable = true
    let width = rows.map(\.cells.count).max() ?? 0
    let lines = rows.map { row in
      let cells = row.cells.map { writer.cell($0) }
      return MarkdownWriter.row(cells + Array(repeating: "", count: width - cells.count))
    }
    let models = rows.first.map(\.cells) ?? []
    let rule = MarkdownWriter.row(
      (0..<width).map { models.indices.contains($0) ? MarkdownWriter.alignment(models[$0]) : "---" }
    )
    let head = rows[0].isHead ? lines[0] : MarkdownWriter.row(Array(repeating: " ", count: width))
    return caption + [[head, rule] + lines.dropFirst(rows[0].isHead ? 1 : 0)]
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func alignment(_ cell: ContentElement) -> String {
    let style = cell["style"] ?? ""
    if style.contains("text-align:center") { return ":---:" }
    return style.contains("text-align:right") || style.contains("text-align:end") ? "---:" : "---"
  }

  private func cell(_ element: ContentElement) -> String {
    var parts: [String] = []
    var run: [ContentNode] = []
    func flush() {
      let text = oneLine(run, lineBreak: "<br>")
      if !text.isEmpty { parts.append(text) }
      run = []
    }
    func take(_ nodes: [ContentNode]) {
      for node in nodes {
        if case .element(let inner) = node, MarkdownWriter.blocks.contains(inner.name) {
          flush()
          if let id = inner["id"], targets.contains(id) { parts.append(MarkdownWriter.anchor(id)) }
          take(inner.children)
          flush()
        } else {
          run.append(node)
        }
      }
    }
    if let id = element["id"], targets.contains(id) { parts.append(MarkdownWriter.anchor(id)) }
    take(element.children)
    flush()
    return parts.joined(separator: "<br>")
  }

  /// Returns the rows of a table without merged cells whose cells have inline content only; `nil`
  /// for others.
  private static func simpleRows(
    _ element: ContentElement
  ) -> [(cells: [ContentElement], isHead: Bool)]? {
    var rows: [(cells: [ContentElement], isHead: Bool)] = []
    for group in element.elements where group.name != "caption" && group.name != "colgroup" {
      let lines = group.name == "tr" ? [group] : group.elements
      for line in lines where line.name == "tr" {
        let cells = line.elements.filter { $0.name == "td" || $0.name == "th" }
        let isWhole = cells.allSatisfy { cell in
          ["colspan", "rowspan"].allSatisfy { (cell[$0] ?? "1") == "1" } && holdsLinesOnly(cell)
        }
        guard isWhole else { return nil }
        let isHead = group.name == "thead" || rows.isEmpty && cells.allSatisfy { $0.name == "th" }
        if isHead, !rows.isEmpty { return nil }
        if !cells.isEmpty { rows.append((cells, isHead)) }
      }
    }
    return rows
  }

  private static func holdsLinesOnly(_ cell: ContentElement) -> Bool {
    var isSimple = true
    cell.forEachInside { if noCellBlocks.contains($0.name) { isSimple = false } }
    return isSimple
  }

  // MARK: HTML

  private static let voids: Set<String> = [
    "br", "hr", "img", "wbr", "col", "area", "source", "track",
  ]
  private static let attributes: Set<String> = [
    "colspan", "rowspan", "scope", "title", "lang", "dir", "start", "reversed", "type", "value",
    "alt", "width", "height", "datetime", "open", "span", "display", "controls",
  ]

  /// Returns a node as lines of HTML without empty lines, which would end the HTML block.
  func html(_ node: ContentNode) -> [String] {
    var writer = HTMLWriter()
    write(node, isKept: false, inDrawing: false, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func write(
    _ node: ContentNode, isKept: Bool, inDrawing: Bool, to html: inout HTMLWriter
  ) {
    switch node {
    case .text(let text) where isKept:
      // Line feeds are written as character references, which do not break the line of Markdown.
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { html.raw("&#10;") }
        html.text(String(line))
      }
    case .text(let text):
      let words = text.split(omittingEmptySubsequences: false) { $0.isASCII && $0.isWhitespace }
      html.text(words.joined(separator: " "))
    case .element(let element): write(element, isKept: isKept, inDrawing: inDrawing, to: &html)
    }
  }

  private func write(
    _ element: ContentElement, isKept: Bool, inDrawing: Bool, to html: inout HTMLWriter
  ) {
    let inDrawing = inDrawing || element.name == "svg"
    var attributes: [(name: String, value: String)] = []
    var isLost = element.name == ""
    for (name, value) in element.attributes {
      switch name {
      case "href", "src":
        if let address = resolve(value) {
          attributes.append((name, address))
        } else {
          isLost = true
        }
      // Parts of a drawing refer to others by id, in attributes of many names.
      case "id": if inDrawing || targets.contains(value) { attributes.append((name, value)) }
      default:
        if MarkdownWriter.attributes.contains(name)
          || (inDrawing || element.name.hasPrefix("m")) && name != "class"
        {
          attributes.append((name, value))
        }
      }
    }
    if element.name == "img" || element.name == "image", isLost {
      return html.text(element["alt"] ?? "")
    }
    if MarkdownWriter.voids.contains(element.name) {
      return html.void(element.name, attributes: attributes)
    }
    if !isLost { html.open(element.name, attributes: attributes) }
    for child in element.children {
      write(child, isKept: isKept || element.name == "pre", inDrawing: inDrawing, to: &html)
    }
    if !isLost { html.close(element.name) }
  }
}
