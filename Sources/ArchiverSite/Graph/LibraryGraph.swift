import ArchiverCore
package import ArchiverStorage

/// The graph of archived pages: nodes, and edges with their kinds and counts.
///
/// Built by adding the records of items, and then the links between items. A target without an item
/// is a node without a page.
package struct LibraryGraph {
  @dynamicMemberLookup struct Node: Hashable {
    /// The node as reported by items. Its icon may be the path of an image in the archive.
    var told: ItemGraph.Node
    /// The item's folder in the archive; `nil` for a target without an item.
    var folder: String?

    var kind: String { told.kind.rawValue }
    var isGhost: Bool { folder == nil && LibraryGraph.pageKinds.contains(kind) }

    subscript<Value>(dynamicMember member: KeyPath<ItemGraph.Node, Value>) -> Value {
      told[keyPath: member]
    }
  }

  typealias Edge = ItemGraph.Edge

  struct EdgeKey: Hashable {
    let source: String
    let target: String
    let kind: String
    /// The property of a relation, to distinguish several between the same nodes.
    var relation: String?
  }

  /// The kinds of items; other nodes, such as labels and people, are not drawn.
  static let pageKinds = Set(ItemMetadata.Kind.allCases.map(\.rawValue))
    .union(["data_source", "unknown"])

  /// The kinds of edges between pages, in the order of drawing and listing.
  static let edgeKinds = [
    "parent", "link", "mention", "relation", "synced", "link_to_page", "linked_view",
  ]

  private var nodesByID: [String: Node] = [:]
  private var edgesByKey: [EdgeKey: Edge] = [:]
  /// The items that have a file, and its name, by its content hash.
  private var files: [String: (name: String, owners: Set<String>)] = [:]

  package init() {}

  /// The nodes, sorted by id.
  var nodes: [Node] { nodesByID.values.sorted { $0.id < $1.id } }

  /// The edges, sorted by source, target and kind.
  var edges: [Edge] {
    edgesByKey.values.sorted {
      ($0.source, $0.target, $0.kind.rawValue, $0.names.first ?? "")
        < ($1.source, $1.target, $1.kind.rawValue, $1.names.first ?? "")
    }
  }

  /// Adds an item's record; called once per item.
  package mutating func add(
    _ record: GraphRecord, folder: String, standing: ItemState = .archived
  ) {
    var own = record.graph.node
    if let icon = own.icon, icon.hasPrefix("assets/") { own.icon = "\(folder)/\(icon)" }
    if standing == .deleted { own.isInTrash = true }
    if standing == .withheld { own.isShared = false }
    nodesByID[own.id] = Node(told: own, folder: folder)
    for node in record.graph.others {
      // The tables of a database are on its page.
      let isTable = node.kind == .dataSource && node.parent == own.id
      add(Node(told: node, folder: isTable ? folder : nil))
    }
    for edge in record.graph.edges { add(edge) }
    for file in record.files {
      files[file.hash, default: (file.name, [])].owners.insert(own.id)
    }
  }

  /// Adds a link between items unless a reported relation connects them. Called after all items
  /// were added.
  mutating func addLink(from source: String, to target: String) {
    let isTold = LibraryGraph.edgeKinds.contains {
      edgesByKey[EdgeKey(source: source, target: target, kind: $0)] != nil
    }
    let isParent = edgesByKey[EdgeKey(source: target, target: source, kind: "parent")] != nil
    guard !isTold, !isParent, source != target else { return }
    add(Edge(source: source, target: target, kind: .link))
  }

  /// Adds files that several items share, with an edge from each; called last.
  package mutating func addSharedFiles() {
    for (hash, file) in files where file.owners.count > 1 {
      let id = "file:\(hash)"
      nodesByID[id] = Node(
        told: ItemGraph.Node(
          id: id, kind: ItemGraph.Node.Kind(rawValue: "file"), title: file.name))
      for owner in file.owners {
        add(Edge(source: owner, target: id, kind: Edge.Kind(rawValue: "file")))
      }
    }
    files = [:]
  }

  /// Adds a node. If a target without an item has several descriptions, the first is kept.
  private mutating func add(_ node: Node) {
    guard var known = nodesByID[node.id] else {
      nodesByID[node.id] = node
      return
    }
    guard known.folder == nil || known.kind == "data_source" else { return }
    if known.told.kind == .unknown { known.told.kind = node.told.kind }
    if known.title.isEmpty { known.told.title = node.title }
    known.told.url = known.url ?? node.url
    known.told.icon = known.icon ?? node.icon
    known.told.parent = known.parent ?? node.parent
    known.told.created = known.created ?? node.created
    known.told.edited = known.edited ?? node.edited
    known.folder = known.folder ?? node.folder
    known.told.isInTrash = known.isInTrash || node.isInTrash
    known.told.isShared = known.isShared && node.isShared
    nodesByID[node.id] = known
  }

  /// Both ends may report the same edge: a page names its parent, and the parent its child.
  private mutating func add(_ edge: Edge) {
    if var known = otherEnd(of: edge) {
      known.names += edge.names.filter { !known.names.contains($0) }
      edgesByKey[known.key] = known
      return
    }
    guard var known = edgesByKey[edge.key] else {
      edgesByKey[edge.key] = edge.named
      return
    }
    known.count = edge.kind == .parent ? 1 : known.count + edge.count
    known.names += edge.names.filter { !known.names.contains($0) }
    known.blocks += edge.blocks.filter { !known.blocks.contains($0) }
    edgesByKey[edge.key] = known
  }

  /// Returns the same relation as reported from its other end.
  private func otherEnd(of edge: Edge) -> Edge? {
    guard edge.kind == .relation, let reverse = edge.reverse, edge.source != edge.target else {
      return nil
    }
    let key = EdgeKey(
      source: edge.target, target: edge.source, kind: edge.kind.rawValue, relation: reverse)
    return edgesByKey[key].flatMap { $0.reverse == edge.names.first ? $0 : nil }
  }

  /// The drawn part: pages and databases with the edges between them. Of targets without items only
  /// those with an edge are drawn.
  struct Drawn {
    let nodes: [Node]
    /// Edges with indexes of nodes as ends.
    let edges: [(source: Int, target: Int, edge: Edge)]
    /// The degree of each node; edges of several kinds count once.
    let degrees: [Int]

    /// The indexes of the nodes, those with the most edges first.
    var byDegree: [Int] {
      nodes.indices.sorted { (degrees[$1], $0) < (degrees[$0], $1) }
    }
  }

  func drawn() -> Drawn {
    let owners = tableOwners()
    let edges = edges(joining: owners)
    var joined: Set<String> = []
    for edge in edges where edge.source != edge.target {
      joined.insert(edge.source)
      joined.insert(edge.target)
    }
    let nodes = nodes.filter { node in
      LibraryGraph.pageKinds.contains(node.kind) && owners[node.id] == nil
        && (!node.isGhost || joined.contains(node.id))
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

  /// Returns the databases that are drawn instead of their tables, by the ids of the tables.
  private func tableOwners() -> [String: String] {
    var owners: [String: String] = [:]
    for node in nodesByID.values where node.kind == "data_source" {
      if let parent = node.parent, nodesByID[parent] != nil { owners[node.id] = parent }
    }
    return owners
  }

  /// Returns the edges with replaced ends; edges that become equal are merged.
  private func edges(joining owners: [String: String]) -> [Edge] {
    guard !owners.isEmpty else { return edges }
    var merged = LibraryGraph()
    for edge in edges {
      var moved = Edge(
        source: owners[edge.source] ?? edge.source, target: owners[edge.target] ?? edge.target,
        kind: edge.kind, count: edge.count)
      moved.blocks = edge.blocks
      moved.names = edge.names
      merged.add(moved)
    }
    return merged.edges
  }
}

extension ItemGraph.Edge {
  /// The edge with both names of a relation, its own first.
  fileprivate var named: ItemGraph.Edge {
    guard let reverse, !names.contains(reverse) else { return self }
    var edge = self
    edge.names.append(reverse)
    return edge
  }

  fileprivate var key: LibraryGraph.EdgeKey {
    LibraryGraph.EdgeKey(
      source: source, target: target, kind: kind.rawValue,
      relation: kind == .relation ? names.first : nil)
  }
}
