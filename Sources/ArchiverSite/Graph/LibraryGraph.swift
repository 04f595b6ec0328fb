import ArchiverCore
package import ArchiverStorage

/// The graph of archived pages: nodes, and edges with their kinds and counts.
///
/// Built by adding the records of items, and then the links between items. A target without an item
/// is a node without a page.
package struct LibraryGraph {
  struct Node: Hashable, Codable {
    let id: String
    var kind: String
    var title: String
    /// The URL at the source.
    var url: String?
    /// A character, the path of an image in the archive, or its URL.
    var icon: String?
    /// The id of the parent node.
    var parent: String?
    /// The date, as the source writes it.
    var created: String?
    /// The date, as the source writes it.
    var edited: String?
    var isInTrash = false
    /// Whether the source permits reading it, as far as known.
    var isShared = true
    /// The item's folder in the archive; `nil` for a target without an item.
    var folder: String?

    var isGhost: Bool { folder == nil && LibraryGraph.pageKinds.contains(kind) }
  }

  struct Edge: Hashable, Codable {
    let source: String
    let target: String
    let kind: String
    var count: Int
    /// The ids of the blocks with the reference.
    var blocks: [String] = []
    /// The names of the properties or views with the reference.
    var names: [String]
    /// The name of a relation at its other end; `nil` for a one-sided relation.
    var reverse: String?

    /// The edge with both names of a relation, its own first.
    var named: Edge {
      guard let reverse, !names.contains(reverse) else { return self }
      var edge = self
      edge.names.append(reverse)
      return edge
    }

    var key: EdgeKey {
      EdgeKey(
        source: source, target: target, kind: kind,
        relation: kind == "relation" ? names.first : nil)
    }
  }

  struct EdgeKey: Hashable {
    let source: String
    let target: String
    let kind: String
    /// Distinguishes relations of different properties.
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
  /// For each content hash, the items with the file, and its name.
  private var files: [String: (name: String, owners: Set<String>)] = [:]

  package init() {}

  /// Sorted by id.
  var nodes: [Node] { nodesByID.values.sorted { $0.id < $1.id } }

  /// Sorted by source, target and kind.
  var edges: [Edge] {
    edgesByKey.values.sorted {
      ($0.source, $0.target, $0.kind, $0.names.first ?? "")
        < ($1.source, $1.target, $1.kind, $1.names.first ?? "")
    }
  }

  /// Adds an item's record; called once per item.
  package mutating func add(
    _ record: GraphRecord, folder: String, standing: ItemState = .archived
  ) {
    var own = record.node
    own.folder = folder
    if let icon = own.icon, icon.hasPrefix("assets/") { own.icon = "\(folder)/\(icon)" }
    if standing == .deleted { own.isInTrash = true }
    if standing == .withheld { own.isShared = false }
    nodesByID[own.id] = own
    for var node in record.others {
      // The tables of a database are on its page.
      if node.kind == "data_source", node.parent == own.id { node.folder = folder }
      add(node)
    }
    for edge in record.edges { add(edge) }
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
    add(Edge(source: source, target: target, kind: "link", count: 1, names: []))
  }

  /// Adds files that several items share, with an edge from each; called last.
  package mutating func addSharedFiles() {
    for (hash, file) in files where file.owners.count > 1 {
      let id = "file:\(hash)"
      nodesByID[id] = Node(id: id, kind: "file", title: file.name)
      for owner in file.owners {
        add(Edge(source: owner, target: id, kind: "file", count: 1, names: []))
      }
    }
    files = [:]
  }

  /// Of several descriptions of a target without an item, the first is kept.
  private mutating func add(_ node: Node) {
    guard var known = nodesByID[node.id] else {
      nodesByID[node.id] = node
      return
    }
    guard known.folder == nil || known.kind == "data_source" else { return }
    if known.kind == "unknown" { known.kind = node.kind }
    if known.title.isEmpty { known.title = node.title }
    known.url = known.url ?? node.url
    known.icon = known.icon ?? node.icon
    known.parent = known.parent ?? node.parent
    known.created = known.created ?? node.created
    known.edited = known.edited ?? node.edited
    known.folder = known.folder ?? node.folder
    known.isInTrash = known.isInTrash || node.isInTrash
    known.isShared = known.isShared && node.isShared
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
    known.count = edge.kind == "parent" ? 1 : known.count + edge.count
    known.names += edge.names.filter { !known.names.contains($0) }
    known.blocks += edge.blocks.filter { !known.blocks.contains($0) }
    edgesByKey[edge.key] = known
  }

  /// Returns the same relation as reported from its other end.
  private func otherEnd(of edge: Edge) -> Edge? {
    guard edge.kind == "relation", let reverse = edge.reverse, edge.source != edge.target else {
      return nil
    }
    let key = EdgeKey(
      source: edge.target, target: edge.source, kind: edge.kind, relation: reverse)
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
      merged.add(
        Edge(
          source: owners[edge.source] ?? edge.source, target: owners[edge.target] ?? edge.target,
          kind: edge.kind, count: edge.count, blocks: edge.blocks, names: edge.names))
    }
    return merged.edges
  }
}
