import ArchiverCore
import ArchiverMarkup

/// Blocks that refer to other objects, and unsupported blocks.
extension BlockRenderer {
  func linkToPage(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    html.element("p", attributes(node, "n-page-link")) { html in
      let type = node.payload["type"]?.string ?? ""
      if type == "comment_id" {
        html.text("A link to a comment")
        guard let page = NotionID(node.payload[type]).flatMap({ context.comments[$0] }) else {
          return
        }
        html.text(" on ")
        return html.pageLink(page, fallback: "", context)
      }
      guard let id = NotionID(node.payload[type]) else {
        return html.text("A link that leads nowhere")
      }
      html.pageLink(id, fallback: "", context)
    }
  }

  func document(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    let title = node.payload["title"]?.string ?? ""
    guard let id = node.id else {
      return html.element("p", attributes(node, "n-page-link")) { html in
        html.element("span", ["class": "n-ghost"], text: title.isEmpty ? "Untitled" : title)
      }
    }
    html.element("p", attributes(node, "n-page-link")) { html in
      if let view = context.linkedViews[id] {
        guard view.isShared else {
          return html.element("span", ["class": "n-ghost"], text: "A linked database (not shared)")
        }
        html.pageLink(view.database, fallback: view.title, context)
        let names = view.views.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
        html.element(
          "span", ["class": "n-note"],
          text: names.isEmpty ? " linked view" : " linked view: \(names)")
      } else {
        html.pageLink(id, fallback: title, context)
      }
    }
    guard let content = context.linkedContents[id] else { return }
    html.element("div", ["class": "n-linked"]) { html in
      DatabaseRenderer(content, context: context).write(to: &html)
      for note in content.notes { html.element("p", ["class": "n-note"], text: note) }
    }
  }

  func breadcrumb(_ html: inout HTMLWriter) {
    html.element("div", ["class": "n-breadcrumb"]) { html in
      for step in context.path {
        html.pageLink(step.id, fallback: step.title, context)
        html.text(" / ")
      }
      html.text(context.title.isEmpty ? "Untitled" : context.title)
    }
  }

  func contents(_ index: Int, _ html: inout HTMLWriter) {
    let headings = tree.inReadingOrder.filter { $0.type.hasPrefix("heading_") && !$0.text.isEmpty }
    guard !headings.isEmpty else { return }
    html.element("div", attributes(tree[index], "n-contents")) { html in
      for heading in headings {
        let classes = "n-contents-\(BlockRenderer.level(heading))"
        html.element("p", ["class": classes, "dir": direction(of: heading)]) { html in
          html.element(
            "a", ["href": heading.id.map { "#\($0.hex)" }],
            text: heading.text.map(\.plain).joined())
        }
      }
    }
  }

  func unsupported(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    let type = node.payload["block_type"]?.string
    placeholder(
      node,
      "A block\(type.map { " of type \u{201C}\($0)\u{201D}" } ?? "") that Notion does not return. ",
      &html)
    UnknownContent(node.payload).writeBlocks(context, to: &html)
    children(of: index, depth: depth, to: &html)
  }

  /// Shows the readable content of a block with an unknown type.
  func unknown(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    placeholder(node, "A block of unknown type \u{201C}\(node.type)\u{201D}. ", &html)
    UnknownContent(node.payload).writeBlocks(context, to: &html)
    indented(index, depth: depth, to: &html)
  }

  private func placeholder(_ node: BlockTree.Node, _ words: String, _ html: inout HTMLWriter) {
    html.element("div", attributes(node, "n-unsupported")) { html in
      html.text(words)
      // The link leads to the page without the block's fragment, which would be the copy's own
      // placeholder.
      guard let page = context.page else { return }
      html.element("a", ["href": page.address], text: "See it in Notion")
    }
  }
}
