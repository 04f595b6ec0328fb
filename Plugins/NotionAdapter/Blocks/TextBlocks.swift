import ArchiverCore
import ArchiverMarkup

/// Blocks that are mostly text.
extension BlockRenderer {
  func paragraph(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    html.element("p", attributes(node)) { html in
      if let icon = NotionIcon(node.payload["icon"]) { html.icon(icon) }
      text.write(node.text, to: &html)
      if node.text.isEmpty { html.void("br") }
    }
    indented(index, depth: depth, to: &html)
  }

  func heading(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    let name = "h\(BlockRenderer.level(node) + 1)"
    let isToggle = node.payload["is_toggleable"]?.bool ?? false
    guard isToggle || hasInside(index), depth < BlockRenderer.deepestElement else {
      html.element(name, attributes(node)) { text.write(node.text, to: &$0) }
      return children(of: index, depth: depth, to: &html)
    }
    html.element("details", attributes(node, "n-toggle")) { html in
      html.element("summary") { html in
        html.element(name) { text.write(node.text, to: &$0) }
      }
      inside(index, depth: depth + 1, to: &html)
    }
  }

  /// 1 to 4.
  static func level(_ node: BlockTree.Node) -> Int {
    Int(node.type.suffix(1)) ?? 1
  }

  func toggle(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else { return paragraph(index, depth, &html) }
    html.element("details", attributes(node, "n-toggle")) { html in
      html.element("summary") { text.write(node.text, to: &$0) }
      inside(index, depth: depth + 1, to: &html)
    }
  }

  private func inside(_ index: Int, depth: Int, to html: inout HTMLWriter) {
    html.element("div", ["class": "n-indent"]) { html in
      if hasInside(index) {
        children(of: index, depth: depth + 1, to: &html)
      } else {
        html.element("p", ["class": "n-note"], text: "Empty")
      }
    }
  }

  func quote(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else { return paragraph(index, depth, &html) }
    html.element("blockquote", attributes(node)) { html in
      html.element("p") { text.write(node.text, to: &$0) }
      children(of: index, depth: depth + 1, to: &html)
    }
  }

  func callout(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else { return paragraph(index, depth, &html) }
    html.element("div", attributes(node, "n-callout")) { html in
      if let icon = NotionIcon(node.payload["icon"]) { html.icon(icon) }
      html.element("div", ["class": "n-callout-text"]) { html in
        if !node.text.isEmpty { html.element("p") { text.write(node.text, to: &$0) } }
        children(of: index, depth: depth + 2, to: &html)
      }
    }
  }

  func code(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    let language = node.payload["language"]?.string ?? "plain text"
    html.element("figure", attributes(node, "n-code")) { html in
      if language != "plain text" {
        html.element("div", ["class": "n-language"], text: language)
      }
      html.element("pre") { html in
        html.element("code") { html in
          CodeText(text: text, language: language).write(node.text, to: &html)
        }
      }
      caption(node, &html)
    }
  }

  func caption(_ node: BlockTree.Node, _ html: inout HTMLWriter) {
    guard !node.caption.isEmpty else { return }
    html.element("figcaption", ["dir": direction(node.caption)]) { html in
      text.write(node.caption, to: &html)
    }
  }

  func equation(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    html.element("div", attributes(node, "n-equation")) { html in
      Formula.write(node.payload["expression"]?.string ?? "", isBlock: true, to: &html)
    }
  }

  func list(_ items: [Int], _ kind: ListKind, depth: Int, to html: inout HTMLWriter) {
    guard depth < BlockRenderer.deepestElement else {
      for item in items { paragraph(item, depth, &html) }
      return
    }
    let first = tree[items[0]]
    let direction = direction(of: first)
    switch kind {
    case .bulleted: html.element("ul", ["dir": direction]) { self.items(items, depth, &$0) }
    case .toDo:
      html.element("ul", ["class": "n-to-do", "dir": direction]) { self.items(items, depth, &$0) }
    case .numbered:
      let start = first.payload["list_start_index"]?.integer
      html.element(
        "ol",
        ["start": start.map(String.init), "type": BlockRenderer.numbering(first), "dir": direction]
      ) { self.items(items, depth, &$0) }
    }
  }

  private static func numbering(_ node: BlockTree.Node) -> String? {
    switch node.payload["list_format"]?.string {
    case "numbers": "1"
    case "letters": "a"
    case "roman": "i"
    default: nil
    }
  }

  private func items(_ items: [Int], _ depth: Int, _ html: inout HTMLWriter) {
    for index in items {
      let node = tree[index]
      let isDone = node.type == "to_do" && node.payload["checked"]?.bool == true
      html.element("li", attributes(node)) { html in
        if node.type == "to_do" {
          let title = isDone ? "done" : "to do"
          html.element("span", ["class": "n-box", "title": title], text: isDone ? "☑" : "☐")
        }
        // Only the task's own text: a child element cannot undo its ancestor's line-through.
        if isDone {
          html.element("span", ["class": "n-done"]) { text.write(node.text, to: &$0) }
        } else {
          text.write(node.text, to: &html)
        }
        children(of: index, depth: depth + 2, to: &html)
      }
    }
  }
}
