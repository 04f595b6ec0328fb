import ArchiverMarkup

/// Inline content.
extension MarkdownWriter {
  /// Elements written as HTML tags, with no attributes except `shownAttributes`.
  private static let tags: Set<String> = [
    "sub", "sup", "u", "ins", "mark", "kbd", "q", "ruby", "rt", "rp", "bdo", "abbr",
  ]
  private static let shownAttributes: Set<String> = ["title", "dir", "cite"]

  /// Returns the lines of a paragraph; empty if it has no visible content.
  func paragraph(_ nodes: [ContentNode]) -> [String] {
    var line = InlineMarkdown()
    write(nodes, to: &line)
    return line.isEmpty ? [] : lines(line)
  }

  /// Returns the lines of a paragraph with its line breaks.
  func lines(_ line: InlineMarkdown) -> [String] {
    let lines = line.lines()
    return lines.enumerated().map { index, text in
      let start = MarkdownText.escapedStart(text)
      return index < lines.count - 1 ? start + "\\" : start
    }
  }

  /// Returns content as one line, for a heading or a table cell.
  func oneLine(_ nodes: [ContentNode], lineBreak: String = " ") -> String {
    var line = InlineMarkdown()
    write(nodes, to: &line)
    return line.lines().joined(separator: lineBreak)
  }

  func write(_ nodes: [ContentNode], to line: inout InlineMarkdown) {
    for node in nodes {
      switch node {
      case .text(let text): write(text, to: &line)
      case .element(let element): write(element, to: &line)
      }
    }
  }

  private func write(_ text: String, to line: inout InlineMarkdown) {
    var isFirst = true
    for word in text.split(omittingEmptySubsequences: false, whereSeparator: MarkdownWriter.isSpace)
    {
      if !isFirst { line.space() }
      isFirst = false
      line.append(MarkdownText.escaped(word, linksAddresses: !inLink && !inTable))
    }
  }

  /// White space of HTML, without the no-break space.
  private static func isSpace(_ character: Character) -> Bool {
    character.isASCII && character.isWhitespace
  }

  private func write(_ element: ContentElement, to line: inout InlineMarkdown) {
    switch element.name {
    case "br": line.lineBreak()
    case "wbr": line.append("\u{200B}")
    case "em", "i": marked(.emphasis, element, &line)
    case "strong", "b": marked(.strong, element, &line)
    case "s", "del": marked(.struck, element, &line)
    case "code": code(element, &line)
    case "a", "area": link(element, &line)
    case "img", "image": picture(element, &line)
    case "video", "audio": media(element, &line)
    case "math": formula(element, &line)
    case "source", "track": break
    case let name where MarkdownWriter.tags.contains(name): tagged(element, &line)
    case let name where MarkdownWriter.blocks.contains(name):
      // A block within inline content, such as a list item in a heading.
      line.space()
      place(of: element, &line)
      write(element.children, to: &line)
      line.space()
    default:
      place(of: element, &line)
      write(element.children, to: &line)
    }
  }

  private func place(of element: ContentElement, _ line: inout InlineMarkdown) {
    guard let id = element["id"], targets.contains(id) else { return }
    line.append(MarkdownWriter.anchor(id))
  }

  private func marked(
    _ mark: InlineMarkdown.Mark, _ element: ContentElement, _ line: inout InlineMarkdown
  ) {
    place(of: element, &line)
    line.open(mark)
    write(element.children, to: &line)
    line.close(mark)
  }

  private func tagged(_ element: ContentElement, _ line: inout InlineMarkdown) {
    var html = HTMLWriter()
    html.open(
      element.name,
      attributes: element.attributes.filter { name, value in
        MarkdownWriter.shownAttributes.contains(name) || name == "id" && targets.contains(value)
      })
    let tag = String(decoding: html.bytes, as: UTF8.self)
    line.append(inTable ? String(tag.flatMap { $0 == "|" ? "&#124;" : String($0) }) : tag)
    write(element.children, to: &line)
    line.append("</\(element.name)>")
  }

  private func code(_ element: ContentElement, _ line: inout InlineMarkdown) {
    place(of: element, &line)
    if element.classes.contains("latex") || element.classes.contains("n-latex") {
      return formula(element.text, &line)
    }
    var holdsMore = false
    element.forEachInside { if !["span", "br", "wbr"].contains($0.name) { holdsMore = true } }
    if holdsMore {
      line.append("<code>")
      write(element.children, to: &line)
      return line.append("</code>")
    }
    let words = ContentElement.plain(element.children).split(
      omittingEmptySubsequences: false, whereSeparator: MarkdownWriter.isSpace)
    let text = words.joined(separator: " ")
    guard text.contains(where: { $0 != " " }) else { return line.space() }
    line.append(MarkdownText.code(text, inTable: inTable))
  }

  private func link(_ element: ContentElement, _ line: inout InlineMarkdown) {
    place(of: element, &line)
    guard !inLink, let href = element["href"], let address = resolve(href) else {
      return write(element.children, to: &line)
    }
    var inner = InlineMarkdown()
    var writer = self
    writer.inLink = true
    if element.name == "area" {
      inner.append(MarkdownText.escaped(element["alt"] ?? href, linksAddresses: false))
    } else {
      writer.write(element.children, to: &inner)
    }
    let startsApart = element.text.first.map(MarkdownWriter.isSpace) ?? false
    let endsApart = element.text.last.map(MarkdownWriter.isSpace) ?? false
    if startsApart { line.space() }
    // A line break would end a cell or a heading, and a link around images is easier to read on one
    // line.
    let text = inner.lines().joined(separator: " ")
    if text.isEmpty { return }
    line.append("[\(text)](\(MarkdownText.destination(address))\(title(element)))")
    if endsApart { line.space() }
  }

  private func title(_ element: ContentElement) -> String {
    guard let title = element["title"], !title.isEmpty else { return "" }
    let escaped = MarkdownText.escaped(title.oneLine, linksAddresses: false)
    return " \"\(String(escaped.flatMap { $0 == "\"" ? "\\\"" : String($0) }))\""
  }

  private func picture(_ element: ContentElement, _ line: inout InlineMarkdown) {
    place(of: element, &line)
    let alt = MarkdownText.escaped((element["alt"] ?? "").oneLine, linksAddresses: false)
    guard let source = element["src"] ?? element["href"], let address = resolve(source) else {
      return line.append(alt)
    }
    line.append("![\(alt)](\(MarkdownText.destination(address))\(title(element)))")
  }

  /// Markdown has no audio and no video; their files are linked.
  private func media(_ element: ContentElement, _ line: inout InlineMarkdown) {
    place(of: element, &line)
    let sources = [element["src"]] + element.elements.map { $0["src"] }
    for source in sources.compactMap({ $0 }) {
      guard let address = resolve(source) else { continue }
      let name = address.split(separator: "/").last.map(String.init) ?? address
      let text = element["title"] ?? PercentEncoding.decoded(name)
      line.append(
        inLink
          ? MarkdownText.escaped(text, linksAddresses: false)
          : MarkdownText.link(text, to: address))
      break
    }
    write(element.children, to: &line)
  }

  private func formula(_ element: ContentElement, _ line: inout InlineMarkdown) {
    place(of: element, &line)
    let source = FormulaSource.latex(element)
    if element["display"] == "block", !source.isEmpty {
      return line.append("$$\(inTable ? MarkdownWriter.withoutBars(source) : source)$$")
    }
    formula(source, &line)
  }

  private func formula(_ source: String, _ line: inout InlineMarkdown) {
    let words = source.oneLine
    guard !words.isEmpty else { return }
    line.append("$\(inTable ? MarkdownWriter.withoutBars(words) : words)$")
  }

  /// A bar would end the cell.
  private static func withoutBars(_ source: String) -> String {
    var result = ""
    for character in source {
      if character != "|" {
        result.append(character)
      } else if result.hasSuffix("\\") {
        result += "Vert "
      } else {
        result += "\\vert "
      }
    }
    return result
  }
}
