package import ArchiverMarkup

/// Converts sanitised HTML to Markdown: CommonMark with GitHub's tables and task lists, formulas
/// between dollar signs, and callouts in the syntax of Obsidian and GitHub.
///
/// Content without a Markdown syntax is written as HTML, which CommonMark allows: tables with
/// merged cells or blocks in cells, inline elements such as `sub`, marks and ruby text.
package struct MarkdownWriter {
  /// Returns the target of a link or an image in the Markdown; `nil` if there is no target.
  package typealias Resolve = (_ address: String) -> String?

  /// Elements written as separate blocks.
  static let blocks: Set<String> = [
    "", "p", "div", "blockquote", "figure", "figcaption", "details", "summary", "pre", "ul", "ol",
    "li", "dl", "dt", "dd", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
    "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "map", "svg",
    "address", "aside", "center", "fieldset", "footer", "form", "header", "hgroup", "legend",
    "main", "nav",
  ]

  let resolve: Resolve
  /// Ids that links refer to.
  let targets: Set<String>
  var inTable = false
  var inLink = false

  private init(resolve: @escaping Resolve, targets: Set<String>) {
    self.resolve = resolve
    self.targets = targets
  }

  /// Returns the Markdown of a fragment, without a line feed at the end.
  ///
  /// - Parameters:
  ///   - root: The parent of the fragment.
  ///   - targets: Ids in the fragment that links from elsewhere refer to.
  ///   - places: Ids outside the fragment that its links may refer to.
  ///   - resolve: Returns the targets of links and images.
  package static func markdown(
    _ root: ContentElement, targets: Set<String> = [], places: Set<String> = [],
    resolve: @escaping Resolve
  ) -> String {
    var ids = places
    var wanted = targets
    root.forEachInside { element in
      if let id = element["id"] { ids.insert(id) }
      if let href = element["href"], href.hasPrefix("#") {
        wanted.insert(PercentEncoding.decoded(String(href.dropFirst())))
      }
    }
    let writer = MarkdownWriter(
      resolve: { address in
        guard address.hasPrefix("#") else { return resolve(address) }
        let id = PercentEncoding.decoded(String(address.dropFirst()))
        return ids.contains(id) ? "#" + id : nil
      }, targets: wanted)
    return joined(writer.blocks(root.children)).joined(separator: "\n")
  }

  /// Returns the blocks of these nodes, each as its lines.
  func blocks(_ nodes: [ContentNode]) -> [[String]] {
    var result: [[String]] = []
    var run: [ContentNode] = []
    var lastList: (name: String, isOther: Bool)?
    func flush() {
      let lines = paragraph(run)
      run = []
      guard !lines.isEmpty else { return }
      result.append(lines)
      lastList = nil
    }
    for node in nodes {
      guard case .element(let element) = node, MarkdownWriter.blocks.contains(element.name) else {
        run.append(node)
        continue
      }
      flush()
      if element.name == "ul" || element.name == "ol" {
        // Two adjacent lists with the same marker would become one.
        let isOther = lastList.map { $0.name == element.name && !$0.isOther } ?? false
        let lines = list(element, isOther: isOther)
        if !lines.isEmpty { result += anchored(element) + [lines] }
        lastList = (element.name, isOther)
      } else {
        let inner = block(element)
        if !inner.isEmpty { lastList = nil }
        result += inner
      }
    }
    flush()
    return result
  }

  static func joined(_ blocks: [[String]]) -> [String] {
    Array(blocks.joined(separator: [""]))
  }

  private func block(_ element: ContentElement) -> [[String]] {
    if element.name == "p" || element.name == "div",
      let math = MarkdownWriter.onlyFormula(element)
    {
      return anchored(element) + [["$$", FormulaSource.latex(math), "$$"]]
    }
    switch element.name {
    case "h1", "h2", "h3", "h4", "h5", "h6":
      let level = String(repeating: "#", count: Int(element.name.dropFirst()) ?? 1)
      let line = oneLine(withAnchor(element))
      return line.isEmpty ? [] : [["\(level) \(line)"]]
    case "hr": return anchored(element) + [["***"]]
    case "pre": return anchored(element) + code(element, language: "")
    case "table": return anchored(element) + table(element)
    case "blockquote": return quoted(blocks(withAnchor(element)))
    case "details": return details(element)
    case "dl": return definitions(element)
    case "div" where element.classes.contains("n-callout"):
      return quoted([["[!note]"] + MarkdownWriter.joined(blocks(withAnchor(element)))])
    case "figure" where element.classes.contains("n-code"): return listing(element)
    case "svg": return drawing(element)
    default: return blocks(withAnchor(element))
    }
  }

  /// Returns the formula that is an element's only content and is displayed as a block.
  private static func onlyFormula(_ element: ContentElement) -> ContentElement? {
    let nodes = element.children.filter { node in
      if case .text(let text) = node { !text.allSatisfy(\.isWhitespace) } else { true }
    }
    guard nodes.count == 1, case .element(let math) = nodes[0], math.name == "math",
      math["display"] == "block"
    else { return nil }
    return math
  }

  /// Elements of SVG that show nothing besides images.
  private static let frames: Set<String> = ["a", "defs", "desc", "g", "image", "switch", "title"]

  /// Returns a drawing as HTML, or as images if it has nothing else.
  private func drawing(_ element: ContentElement) -> [[String]] {
    var hasShapes = false
    element.forEachInside { if !MarkdownWriter.frames.contains($0.name) { hasShapes = true } }
    guard hasShapes else {
      let lines = paragraph(withAnchor(element))
      return lines.isEmpty ? [] : [lines]
    }
    // An HTML block must begin with a tag that is alone on its line, unless it is one of the block
    // tags, such as `div`.
    return anchored(element) + [["<div>"] + html(.element(element)) + ["</div>"]]
  }

  // MARK: Link targets

  private func isTarget(_ element: ContentElement) -> String? {
    element["id"].flatMap { targets.contains($0) ? $0 : nil }
  }

  static func anchor(_ id: String) -> String {
    var html = HTMLWriter()
    html.element("a", ["id": id]) { _ in }
    return String(decoding: html.bytes, as: UTF8.self)
  }

  /// Returns a paragraph that is only the link target of an element.
  private func anchored(_ element: ContentElement) -> [[String]] {
    isTarget(element).map { [[MarkdownWriter.anchor($0)]] } ?? []
  }

  /// Returns the content of an element with its link target at the beginning.
  private func withAnchor(_ element: ContentElement) -> [ContentNode] {
    guard isTarget(element) != nil else { return element.children }
    let place = ContentElement(
      name: "span", attributes: element.attributes.filter { $0.name == "id" })
    return [.element(place)] + element.children
  }

  // MARK: Blocks

  private func quoted(_ blocks: [[String]]) -> [[String]] {
    let lines = MarkdownWriter.joined(blocks)
    return lines.isEmpty ? [] : [lines.map { $0.isEmpty ? ">" : "> \($0)" }]
  }

  private func details(_ element: ContentElement) -> [[String]] {
    let summary = element.elements.first { $0.name == "summary" }
    let rest = element.children.filter { node in
      if case .element(let child) = node { child.name != "summary" } else { true }
    }
    let title = summary.map { oneLine($0.children) } ?? ""
    let head = "[!note]\(element["open"] == nil ? "-" : "+")" + (title.isEmpty ? "" : " \(title)")
    return anchored(element) + quoted([[head] + MarkdownWriter.joined(blocks(rest))])
  }

  private func definitions(_ element: ContentElement) -> [[String]] {
    var result: [[String]] = []
    for child in element.elements {
      switch child.name {
      case "dt":
        var line = InlineMarkdown()
        line.open(.strong)
        write(withAnchor(child), to: &line)
        line.close(.strong)
        if !line.isEmpty { result.append(lines(line)) }
      case "dd":
        let inner = MarkdownWriter.joined(blocks(withAnchor(child)))
        if !inner.isEmpty { result.append(MarkdownWriter.item(inner, mark: "- ")) }
      default: result += blocks(child.children)
      }
    }
    return result
  }

  private func listing(_ element: ContentElement) -> [[String]] {
    var language = ""
    var rest: [ContentNode] = []
    for node in element.children {
      if case .element(let child) = node, child.classes.contains("n-language") {
        language = child.text
      } else {
        rest.append(node)
      }
    }
    return anchored(element)
      + rest.flatMap { node in
        if case .element(let child) = node, child.name == "pre" {
          return code(child, language: language)
        }
        return blocks([node])
      }
  }

  private func code(_ element: ContentElement, language: String) -> [[String]] {
    var holdsMore = false
    element.forEachInside { if ["a", "img", "math"].contains($0.name) { holdsMore = true } }
    if holdsMore { return [html(.element(element))] }
    var text = ContentElement.plain(element.children)
    if text.hasSuffix("\n") { text.removeLast() }
    let fence = String(
      repeating: "`", count: max(3, MarkdownText.longestRun(of: "`", in: text) + 1))
    let name = language.split(whereSeparator: \.isWhitespace).joined(separator: "-").lowercased()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return [["\(fence)\(name.filter { $0 != "`" })"] + lines + [fence]]
  }

  private func list(_ element: ContentElement, isOther: Bool) -> [String] {
    var number = element["start"].flatMap { Int($0) } ?? 1
    if number < 0 { number = 1 }
    var items: [(lines: [String], isTight: Bool)] = []
    for child in element.children {
      guard case .element(let item) = child, item.name == "li" else {
        let stray = MarkdownWriter.joined(blocks([child]))
        if !stray.isEmpty { items.append((MarkdownWriter.item(stray, mark: "- "), true)) }
        continue
      }
      let mark = element.name == "ol" ? "\(number)\(isOther ? ")" : ".") " : isOther ? "* " : "- "
      number += 1
      let (task, content) = MarkdownWriter.task(withAnchor(item))
      let blocks = blocks(content)
      let isTight = zip(blocks.dropFirst(), blocks).allSatisfy { next, _ in
        MarkdownWriter.beginsList(next)
      }
      var lines = isTight ? Array(blocks.joined()) : MarkdownWriter.joined(blocks)
      if let task { lines = ["\(task) \(lines.first ?? "")"] + lines.dropFirst() }
      items.append((MarkdownWriter.item(lines, mark: mark), isTight))
    }
    let isTight = items.allSatisfy(\.isTight)
    return Array(items.map(\.lines).joined(separator: isTight ? [] : [""]))
  }

  private static func beginsList(_ lines: [String]) -> Bool {
    guard let line = lines.first else { return false }
    if ["- ", "* "].contains(where: line.hasPrefix) { return true }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    // Only a list that begins with 1 may follow a paragraph without an empty line.
    return digits == "1" && [". ", ") "].contains { line.dropFirst().hasPrefix($0) }
  }

  private static func item(_ lines: [String], mark: String) -> [String] {
    let indent = String(repeating: " ", count: mark.utf8.count)
    guard let first = lines.first else { return [String(mark.dropLast())] }
    return [mark + first] + lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
  }

  /// Removes the checkbox of a task from its text and returns it.
  private static func task(_ nodes: [ContentNode]) -> (String?, [ContentNode]) {
    for (index, node) in nodes.enumerated() {
      guard case .element(let element) = node else { continue }
      guard element.classes.contains("n-box") else {
        if element["id"] != nil, element.children.isEmpty { continue }
        break
      }
      var rest = nodes
      rest.remove(at: index)
      return (element["title"] == "done" ? "[x]" : "[ ]", rest)
    }
    return (nil, nodes)
  }
}

extension ContentElement {
  /// Returns the text of nodes with line breaks as line feeds.
  static func plain(_ nodes: [ContentNode]) -> String {
    var result = ""
    for node in nodes {
      switch node {
      case .text(let text): result += text
      case .element(let element):
        if element.name == "br" { result += "\n" } else { result += plain(element.children) }
      }
    }
    return result
  }
}
