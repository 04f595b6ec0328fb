import ArchiverCore
import ArchiverMarkup

/// Writes the blocks of a page as HTML.
///
/// Elements use only the classes of `NotionStyle`. Each block's id is its element's id, so that
/// links to blocks keep working. Blocks nested deeper than browsers and the sanitiser support are
/// written after the block above instead of inside it.
struct BlockRenderer: Sendable {
  let tree: BlockTree
  let context: RenderContext
  let text: RichTextRenderer
  /// Whether the page has right-to-left text.
  let hasBothDirections: Bool

  /// The maximum number of open elements; the sanitiser keeps 200.
  static let deepestElement = 150

  init(tree: BlockTree, context: RenderContext) {
    self.tree = tree
    self.context = context
    text = RichTextRenderer(context: context)
    hasBothDirections = tree.hasBothDirections
  }

  /// Writes every block.
  func write(to html: inout HTMLWriter) {
    write(tree.top[...], depth: 0, to: &html)
  }

  /// Writes siblings and joins adjacent list items into lists.
  func write(_ siblings: ArraySlice<Int>, depth: Int, to html: inout HTMLWriter) {
    var rest = siblings
    while let first = rest.first {
      let type = tree[first].type
      guard let list = ListKind(rawValue: type) else {
        rest.removeFirst()
        block(first, depth: depth, to: &html)
        continue
      }
      let run = rest.prefix { tree[$0].type == type }
      rest = rest.dropFirst(run.count)
      self.list(Array(run), list, depth: depth, to: &html)
    }
  }

  /// Writes a block's children inside the open element, or after it beyond the maximum depth.
  func children(of index: Int, depth: Int, to html: inout HTMLWriter) {
    let node = tree[index]
    write(node.children[...], depth: depth, to: &html)
    if let missing = node.missing {
      html.element("p", ["class": "n-note"], text: missing)
    }
  }

  /// Writes a block's children in an indented element.
  func indented(_ index: Int, depth: Int, to html: inout HTMLWriter) {
    guard hasInside(index) else { return }
    guard depth < BlockRenderer.deepestElement else {
      return children(of: index, depth: depth, to: &html)
    }
    html.element("div", ["class": "n-indent", "dir": direction(of: tree[index])]) { html in
      children(of: index, depth: depth + 1, to: &html)
    }
  }

  func hasInside(_ index: Int) -> Bool {
    !tree[index].children.isEmpty || tree[index].missing != nil
  }

  private func block(_ index: Int, depth: Int, to html: inout HTMLWriter) {
    let node = tree[index]
    switch node.type {
    case "paragraph": paragraph(index, depth, &html)
    case "heading_1", "heading_2", "heading_3", "heading_4": heading(index, depth, &html)
    case "toggle": toggle(index, depth, &html)
    case "quote": quote(index, depth, &html)
    case "callout": callout(index, depth, &html)
    case "divider": html.void("hr")
    case "code": code(index, &html)
    case "equation": equation(index, &html)
    case "table_of_contents": contents(index, &html)
    case "breadcrumb": breadcrumb(&html)
    case "column_list", "column": columns(index, depth, &html)
    case "table": table(index, depth, &html)
    case "table_row": looseRow(index, &html)
    case "tab": tabs(index, depth, &html)
    case "synced_block": synced(index, depth, &html)
    case "template": template(index, depth, &html)
    case "meeting_notes", "transcription", "meeting_section": meeting(index, depth, &html)
    case "image", "video", "audio", "pdf", "file": media(index, &html)
    case "bookmark", "embed", "link_preview": web(index, &html)
    case "link_to_page": linkToPage(index, &html)
    case "child_page", "child_database": document(index, &html)
    case "unsupported": unsupported(index, depth, &html)
    default: unknown(index, depth, &html)
    }
    if BlockRenderer.childless.contains(node.type) { indented(index, depth: depth, to: &html) }
  }

  /// Types that have no children as far as is known; children that one has nevertheless come after it.
  private static let childless: Set<String> = [
    "divider", "code", "equation", "table_of_contents", "breadcrumb", "table_row", "image", "video",
    "audio", "pdf", "file", "bookmark", "embed", "link_preview", "link_to_page",
  ]

  /// Returns the attributes of a block's element: its id, its classes with the colour's, its
  /// direction.
  func attributes(_ node: BlockTree.Node, _ classes: String? = nil) -> HTMLWriter.Attributes {
    let all = [classes, node.color.className].compactMap(\.self).joined(separator: " ")
    return ["id": node.id?.hex, "class": all.isEmpty ? nil : all, "dir": direction(of: node)]
  }
}

/// The types of blocks that form lists with adjacent blocks.
enum ListKind: String {
  case bulleted = "bulleted_list_item"
  case numbered = "numbered_list_item"
  case toDo = "to_do"
}
