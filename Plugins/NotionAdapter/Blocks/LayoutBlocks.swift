import ArchiverCore
import ArchiverMarkup

/// Blocks that arrange other blocks.
extension BlockRenderer {
  func columns(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard node.type == "column_list", depth < BlockRenderer.deepestElement else {
      return children(of: index, depth: depth, to: &html)
    }
    html.element("div", attributes(node, "n-columns")) { html in
      for child in node.children {
        html.element("div", ["class": columnClass(tree[child], among: node.children)]) { html in
          if tree[child].type == "column" {
            children(of: child, depth: depth + 2, to: &html)
          } else {
            write([child], depth: depth + 2, to: &html)
          }
        }
      }
    }
    if let missing = node.missing { html.element("p", ["class": "n-note"], text: missing) }
  }

  /// Returns the class for the width in twelfths; columns of equal width have none.
  private func columnClass(_ node: BlockTree.Node, among siblings: [Int]) -> String {
    guard siblings.contains(where: { width(tree[$0]) != nil }) else { return "n-column" }
    let ratio = width(node) ?? 1 / Double(siblings.count)
    return "n-column n-w-\(min(12, max(1, Int((ratio * 12).rounded()))))"
  }

  private func width(_ node: BlockTree.Node) -> Double? {
    guard let ratio = node.payload["width_ratio"]?.number, ratio > 0, ratio <= 1 else { return nil }
    return ratio
  }

  func table(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    let hasHead = node.payload["has_column_header"]?.bool ?? false
    let hasSide = node.payload["has_row_header"]?.bool ?? false
    let rows = node.children.filter { tree[$0].type == "table_row" }
    let width = max(
      node.payload["table_width"]?.integer ?? 0, rows.map { tree[$0].cells.count }.max() ?? 0)
    html.element("div", ["class": "n-scroll"]) { html in
      html.element("table", attributes(node, "n-table")) { html in
        if hasHead, let head = rows.first {
          html.element("thead") { row(tree[head], width, { _ in "col" }, &$0) }
        }
        html.element("tbody") { html in
          for index in rows.dropFirst(hasHead ? 1 : 0) {
            row(tree[index], width, { hasSide && $0 == 0 ? "row" : nil }, &html)
          }
        }
      }
    }
    for row in rows { indented(row, depth: depth, to: &html) }
    write(node.children.filter { tree[$0].type != "table_row" }[...], depth: depth, to: &html)
    if let missing = node.missing { html.element("p", ["class": "n-note"], text: missing) }
  }

  private func row(
    _ node: BlockTree.Node, _ width: Int, _ scope: (Int) -> String?, _ html: inout HTMLWriter
  ) {
    let cells = node.cells
    html.element("tr", ["id": node.id?.hex]) { html in
      for column in 0..<width {
        let scope = scope(column)
        let words = column < cells.count ? RichText.list(cells[column]) : []
        html.element(
          scope == nil ? "td" : "th", ["scope": scope, "dir": direction(words)]
        ) { text.write(words, to: &$0) }
      }
    }
  }

  /// Writes a row without its table, as in a table that could not be read whole.
  func looseRow(_ index: Int, _ html: inout HTMLWriter) {
    html.element("table", ["class": "n-table"]) { html in
      html.element("tbody") { row(tree[index], tree[index].cells.count, { _ in nil }, &$0) }
    }
  }

  /// Writes tabs one below the other, each under its label, which is a paragraph.
  func tabs(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else {
      return children(of: index, depth: depth, to: &html)
    }
    html.element("div", attributes(node, "n-tabs")) { html in
      for child in node.children {
        let label = tree[child]
        guard label.type == "paragraph" else {
          write([child], depth: depth + 1, to: &html)
          continue
        }
        html.element(
          "div", ["class": "n-tab", "id": label.id?.hex, "dir": direction(of: label)]
        ) { html in
          html.element("p", ["class": "n-tab-label"]) { html in
            if let icon = NotionIcon(label.payload["icon"]) { html.icon(icon) }
            text.write(label.text, to: &html)
          }
          children(of: child, depth: depth + 2, to: &html)
        }
      }
    }
    if let missing = node.missing { html.element("p", ["class": "n-note"], text: missing) }
  }

  func synced(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else {
      return children(of: index, depth: depth, to: &html)
    }
    html.element("div", attributes(node, "n-synced")) { html in
      children(of: index, depth: depth + 1, to: &html)
      if node.children.isEmpty, node.missing == nil, node.payload["synced_from"] != nil {
        html.element(
          "p", ["class": "n-note"],
          text: "This synced block is empty, or its original is not shared.")
      }
    }
  }

  func template(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else { return paragraph(index, depth, &html) }
    html.element("div", attributes(node, "n-template")) { html in
      html.element("p", ["class": "n-note"]) { html in
        html.text("Template: ")
        text.write(node.text, to: &html)
      }
      children(of: index, depth: depth + 1, to: &html)
    }
  }

  func meeting(_ index: Int, _ depth: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    guard depth < BlockRenderer.deepestElement else {
      return children(of: index, depth: depth, to: &html)
    }
    if node.type == "meeting_section" {
      guard hasInside(index) else { return }
      return html.element("div", ["class": "n-meeting-part"]) { html in
        html.element("p", ["class": "n-tab-label"], text: node.payload["title"]?.string ?? "")
        children(of: index, depth: depth + 1, to: &html)
      }
    }
    html.element("div", attributes(node, "n-meeting")) { html in
      let title = RichText.list(node.payload["title"])
      html.element("p", ["class": "n-meeting-title", "dir": direction(title)]) { html in
        html.element("span", ["class": "n-icon"], text: "🎙")
        if title.isEmpty { html.text("Meeting notes") }
        text.write(title, to: &html)
      }
      meetingTime(node.payload["calendar_event"] ?? node.payload["recording"], &html)
      children(of: index, depth: depth + 1, to: &html)
    }
  }

  private func meetingTime(_ value: JSONValue?, _ html: inout HTMLWriter) {
    guard let start = value?["start_time"]?.string else { return }
    html.element("p", ["class": "n-note"]) { html in
      html.date(["start": .string(start), "end": value?["end_time"] ?? .null])
    }
  }
}
