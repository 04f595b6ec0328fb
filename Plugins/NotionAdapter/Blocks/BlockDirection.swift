import ArchiverCore

// The direction of blocks on a page that has both.
extension BlockTree {
  /// Whether any block has right-to-left text, so that every block must declare its direction.
  var hasBothDirections: Bool {
    nodes.contains { node in
      node.text.contains { WritingDirection.isMixed($0.plain) }
        || node.caption.contains { WritingDirection.isMixed($0.plain) }
        || node.cells.contains { RichText.list($0).contains { WritingDirection.isMixed($0.plain) } }
        || WritingDirection.isMixed(node.payload["title"]?.string ?? "")
    }
  }
}

extension BlockTree.Node {
  /// The cells of a table's row.
  var cells: [JSONValue] { payload["cells"]?.array ?? [] }
}

extension BlockRenderer {
  /// Returns the direction of text if the page has both.
  func direction(_ text: [RichText]) -> String? {
    direction(text.map(\.plain).joined())
  }

  func direction(_ text: String) -> String? {
    hasBothDirections ? WritingDirection(text)?.rawValue : nil
  }

  /// Returns the direction of a block's own text; code and formulas are always left-to-right.
  func direction(of node: BlockTree.Node) -> String? {
    guard hasBothDirections else { return nil }
    switch node.type {
    case "code", "equation": return WritingDirection.leftToRight.rawValue
    case "table":
      let words = node.children.flatMap { tree[$0].cells }.map { RichText.plain($0.array ?? []) }
      return words.lazy.compactMap { WritingDirection($0) }.first?.rawValue
    case "child_page", "child_database":
      return direction(node.payload["title"]?.string ?? "")
    default: return direction(node.text)
    }
  }
}
