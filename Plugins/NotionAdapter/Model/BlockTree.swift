import ArchiverCore

/// The blocks of a page as an array with indices rather than nested values, so that neither
/// building nor releasing it recurses.
struct BlockTree: Sendable {
  struct Node: Sendable {
    var id: NotionID?
    var type: String
    /// The member named by the type, without redundant parts.
    var payload: JSONValue
    /// The index of the parent; `nil` at the top.
    var parent: Int?
    var depth: Int
    var children: [Int] = []
    var hasChildren: Bool
    /// Why the children are missing, as a sentence.
    var missing: String?

    var text: [RichText] { RichText.list(payload["rich_text"] ?? payload["text"]) }
    var caption: [RichText] { RichText.list(payload["caption"]) }
    /// Every array of rich text in the payload, those of a table's cells last.
    var texts: [JSONValue] {
      BlockTree.textKeys.compactMap { payload[$0] } + (payload["cells"]?.array ?? [])
    }
    var color: NotionColor { NotionColor(payload["color"]?.string) }
  }

  /// The members of blocks that hold rich text.
  static let textKeys = ["rich_text", "text", "caption", "title"]

  private(set) var nodes: [Node] = []
  private(set) var top: [Int] = []

  subscript(index: Int) -> Node {
    get { nodes[index] }
    set { nodes[index] = newValue }
  }

  /// Appends a node to the children of another and returns its index.
  mutating func append(_ node: Node, below parent: Int?) -> Int {
    var node = node
    node.parent = parent
    node.depth = parent.map { nodes[$0].depth + 1 } ?? 0
    nodes.append(node)
    let index = nodes.count - 1
    if let parent {
      nodes[parent].children.append(index)
    } else {
      top.append(index)
    }
    return index
  }

  /// The nodes in reading order, each before its children; `nodes` are in the order of responses.
  var inReadingOrder: [Node] {
    var ordered: [Node] = []
    ordered.reserveCapacity(nodes.count)
    var pending = Array(top.reversed())
    while let index = pending.popLast() {
      ordered.append(nodes[index])
      pending += nodes[index].children.reversed()
    }
    return ordered
  }

  /// Returns the node and its ancestors, innermost first.
  func ancestors(of index: Int?) -> [Node] {
    var found: [Node] = []
    var next = index
    while let current = next {
      found.append(nodes[current])
      next = nodes[current].parent
    }
    return found
  }
}

extension BlockTree.Node {
  /// Parses a block; `nil` if it is not an object.
  init?(_ value: JSONValue) {
    guard let members = value.object else { return nil }
    let type = members["type"]?.string ?? "unsupported"
    self.init(
      id: NotionID(members["id"]), type: type,
      payload: (members[type] ?? .object(members.filter { !BlockTree.Node.common.contains($0.key) }))
        .slim,
      parent: nil, depth: 0, hasChildren: members["has_children"]?.bool ?? false)
  }

  /// Members of every block, whatever its type.
  private static let common: Set<String> = [
    "object", "id", "parent", "type", "created_time", "last_edited_time", "created_by",
    "last_edited_by", "has_children", "archived", "in_trash", "request_id",
  ]

  /// Whether it is a page or a database, whose content is not part of this page.
  var isDocument: Bool { type == "child_page" || type == "child_database" }

  /// The original of a synced copy.
  var syncedFrom: NotionID? {
    type == "synced_block" ? NotionID(payload["synced_from"]?["block_id"]) : nil
  }
}
