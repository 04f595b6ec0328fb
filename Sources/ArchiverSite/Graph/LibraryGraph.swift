import ArchiverCore

/// How archived pages hang together: nodes, and edges between them with their kind and count.
///
/// Made by adding what each item's record tells; a target that no item stands for is a ghost.
struct LibraryGraph {
  struct Node: Hashable {
    let id: String
    var kind: String
    var title: String
    /// Where the source has it.
    var url: String?
    /// The item's folder in the archive; `nil` for what is only referred to.
    var folder: String?

    var isGhost: Bool { folder == nil && LibraryGraph.pageKinds.contains(kind) }
  }

  struct Edge: Hashable {
    let source: String
    let target: String
    let kind: String
    var count: Int
    /// The names of the properties, for relations.
    var names: [String]
  }

  struct EdgeKey: Hashable {
    let source: String
    let target: String
    let kind: String
  }

  /// The kinds that stand for pages; others, such as labels and people, are not drawn.
  static let pageKinds: Set<String> = ["page", "database", "unknown"]

  /// The kinds of edges between pages, in the order in which they are drawn and listed.
  static let edgeKinds = [
    "parent", "link", "mention", "relation", "synced", "link_to_page", "linked_view",
  ]

  private var nodesByID: [String: Node] = [:]
  private var edgesByKey: [EdgeKey: Edge] = [:]

  /// By id.
  var nodes: [Node] { nodesByID.values.sorted { $0.id < $1.id } }

  /// By source, target and kind.
  var edges: [Edge] {
    edgesByKey.values.sorted {
      ($0.source, $0.target, $0.kind) < ($1.source, $1.target, $1.kind)
    }
  }

  /// Adds what an item tells; each item is to be added once.
  mutating func add(_ record: GraphRecord, folder: String) {
    var own = record.node
    own.folder = folder
    nodesByID[own.id] = own
    for node in record.others { add(node) }
    for edge in record.edges { add(edge) }
  }

  /// Of what is only referred to, the first that has a title stands.
  private mutating func add(_ node: Node) {
    guard let known = nodesByID[node.id] else {
      nodesByID[node.id] = node
      return
    }
    if known.folder == nil, known.title.isEmpty { nodesByID[node.id] = node }
  }

  /// A page names its parent and the parent its child; a relation with two ends comes from both.
  private mutating func add(_ edge: Edge) {
    let key = EdgeKey(source: edge.source, target: edge.target, kind: edge.kind)
    let reverse = EdgeKey(source: edge.target, target: edge.source, kind: edge.kind)
    let isReverse = edge.kind == "relation" && edge.source != edge.target
    if isReverse, var known = edgesByKey[reverse] {
      known.names += edge.names.filter { !known.names.contains($0) }
      edgesByKey[reverse] = known
      return
    }
    guard var known = edgesByKey[key] else {
      edgesByKey[key] = edge
      return
    }
    known.count = edge.kind == "parent" ? 1 : known.count + edge.count
    known.names += edge.names.filter { !known.names.contains($0) }
    edgesByKey[key] = known
  }

  /// What is drawn: the pages and databases, and the edges whose two ends are among them; of what
  /// is not archived, only what an edge leads to.
  struct Drawn {
    let nodes: [Node]
    /// Ends as numbers of nodes.
    let edges: [(source: Int, target: Int, edge: Edge)]
    /// Of each node, edges of all kinds counted once.
    let degrees: [Int]
  }

  func drawn() -> Drawn {
    var joined: Set<String> = []
    for edge in edges where edge.source != edge.target {
      joined.insert(edge.source)
      joined.insert(edge.target)
    }
    let nodes = nodes.filter { node in
      LibraryGraph.pageKinds.contains(node.kind) && (!node.isGhost || joined.contains(node.id))
    }
    let numbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    var degrees = Array(repeating: 0, count: nodes.count)
    var drawn: [(source: Int, target: Int, edge: Edge)] = []
    for edge in edges where edge.source != edge.target {
      guard let source = numbers[edge.source], let target = numbers[edge.target] else { continue }
      drawn.append((source, target, edge))
      degrees[source] += 1
      degrees[target] += 1
    }
    return Drawn(nodes: nodes, edges: drawn, degrees: degrees)
  }
}
