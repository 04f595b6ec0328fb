import ArchiverCore

/// The blocks of a page in their order, as an array with indices rather than nested values, so that
/// neither building nor dropping it recurses.
struct BlockTree: Sendable {
  struct Node: Sendable {
    var id: NotionID?
    var type: String
    /// What belongs to the type, slimmed.
    var payload: JSONValue
    /// Index of the node above; `nil` at the top.
    var parent: Int?
    var depth: Int
    var children: [Int] = []
    var hasChildren: Bool
    /// Why the children are not here, as a sentence.
    var missing: String?

    var text: [RichText] { RichText.list(payload["rich_text"] ?? payload["text"]) }
    var caption: [RichText] { RichText.list(payload["caption"]) }
    var color: NotionColor { NotionColor(payload["color"]?.string) }
  }

  private(set) var nodes: [Node] = []
  private(set) var top: [Int] = []

  subscript(index: Int) -> Node {
    get { nodes[index] }
    set { nodes[index] = newValue }
  }

  /// Adds a node below another, after its siblings, and returns its index.
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

  /// The nodes as they are read, each before what is below it; `nodes` are in the order of answers.
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

  /// Returns the node and everything above it, from the inside out.
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
  /// Reads a block; `nil` when it is no object at all.
  init?(_ value: JSONValue) {
    guard let members = value.object else { return nil }
    let type = members["type"]?.string ?? "unsupported"
    self.init(
      id: NotionID(members["id"]), type: type,
      payload: (members[type] ?? .object(members.filter { !BlockTree.Node.common.contains($0.key) }))
        .slim,
      parent: nil, depth: 0, hasChildren: members["has_children"]?.bool ?? false)
  }

  /// Members that every block has, whatever its type.
  private static let common: Set<String> = [
    "object", "id", "parent", "type", "created_time", "last_edited_time", "created_by",
    "last_edited_by", "has_children", "archived", "in_trash", "request_id",
  ]

  /// Whether it is a page or database, whose content is not part of this page.
  var isDocument: Bool { type == "child_page" || type == "child_database" }

  /// The block that a synced copy repeats.
  var syncedFrom: NotionID? {
    type == "synced_block" ? NotionID(payload["synced_from"]?["block_id"]) : nil
  }
}
