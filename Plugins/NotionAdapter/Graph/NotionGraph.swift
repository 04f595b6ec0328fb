import ArchiverCore

/// How the pages of a workspace hang together: nodes, and edges with their kind and count.
///
/// Built by adding what each page tells about itself; targets that no page stands for stay ghosts.
package struct NotionGraph: Sendable, Equatable {
  package struct Node: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable {
      case page, database, tag, person, web
      /// Referred to, never seen.
      case unknown
    }

    /// 32 digits for a page or database, else the kind and the name: `tag:Urgent`.
    package var id: String
    package var kind: Kind
    package var title: String
    package var url: String?
    package var icon: String?
    package var parent: String?
    package var edited: String?
    /// Whether nothing but references to it is known: not shared, deleted, or not archived.
    package var isGhost: Bool
  }

  package struct Edge: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
      case parent, relation, mention, link, synced, tag, person, web
      case linkToPage = "link_to_page"
      case linkedView = "linked_view"
    }

    package var source: String
    package var target: String
    package var kind: Kind
    package var count: Int
    /// The blocks it comes from, at most `NotionGraph.blockLimit`.
    package var blocks: [String]
    /// The names of the properties, for relations.
    package var names: [String]
  }

  struct EdgeKey: Hashable {
    let source: String
    let target: String
    let kind: Edge.Kind
  }

  package static let blockLimit = 20
  private(set) var nodesByID: [String: Node] = [:]
  private(set) var edgesByKey: [EdgeKey: Edge] = [:]

  package init() {}

  /// The nodes, by id.
  package var nodes: [Node] { nodesByID.values.sorted { $0.id < $1.id } }

  /// The edges, by source, target and kind.
  package var edges: [Edge] {
    edgesByKey.values.sorted {
      ($0.source, $0.target, $0.kind.rawValue) < ($1.source, $1.target, $1.kind.rawValue)
    }
  }

  /// Adds what one page tells; adding the same again changes nothing but counts, so add each once.
  package mutating func add(_ links: PageLinks) {
    for node in [links.node] + links.others { add(node) }
    for edge in links.edges { add(edge) }
  }

  private mutating func add(_ node: Node) {
    guard let known = nodesByID[node.id] else {
      nodesByID[node.id] = node
      return
    }
    if known.isGhost && (!node.isGhost || known.title.isEmpty) { nodesByID[node.id] = node }
  }

  /// A page names its parent and the parent its child; a relation with two ends comes from both.
  private mutating func add(_ edge: Edge) {
    let key = EdgeKey(source: edge.source, target: edge.target, kind: edge.kind)
    let reverse = EdgeKey(source: edge.target, target: edge.source, kind: edge.kind)
    if edge.kind == .relation, var known = edgesByKey[reverse], edge.source != edge.target {
      known.names = NotionGraph.union(known.names, edge.names)
      edgesByKey[reverse] = known
      return
    }
    guard var known = edgesByKey[key] else {
      edgesByKey[key] = edge
      return
    }
    known.count = edge.kind == .parent ? 1 : known.count + edge.count
    known.blocks = Array(
      NotionGraph.union(known.blocks, edge.blocks).prefix(NotionGraph.blockLimit))
    known.names = NotionGraph.union(known.names, edge.names)
    edgesByKey[key] = known
  }

  private static func union(_ one: [String], _ other: [String]) -> [String] {
    one + other.filter { !one.contains($0) }
  }

  /// Returns the edges that end at a page, except from what is above it: what links here.
  package func backlinks(of id: String) -> [Edge] {
    edges.filter { $0.target == id && $0.kind != .parent && $0.source != id }
  }

  /// Nodes without an edge.
  package var orphans: [Node] {
    let joined = Set(edgesByKey.keys.flatMap { [$0.source, $0.target] })
    return nodes.filter { !joined.contains($0.id) }
  }
}

/// What one page or database tells about its place among the others.
package struct PageLinks: Sendable, Hashable, Codable {
  package var node: NotionGraph.Node
  /// The targets of its edges, as far as they are known.
  package var others: [NotionGraph.Node]
  package var edges: [NotionGraph.Edge]

  /// The page itself, as a node.
  init(node: NotionGraph.Node) {
    self.node = node
    others = []
    edges = []
  }

  /// The links that the library draws.
  var itemLinks: [ItemLink] {
    var links: [ItemLink] = []
    for edge in edges {
      let isUp = edge.kind == .parent && edge.target == node.id
      guard let kind = PageLinks.itemKind(edge.kind), isUp || edge.source == node.id else {
        continue
      }
      if edge.kind == .parent && !isUp { continue }
      let link = ItemLink(kind, target: isUp ? edge.source : edge.target)
      if link.target != node.id, !links.contains(link) { links.append(link) }
    }
    return links
  }

  private static func itemKind(_ kind: NotionGraph.Edge.Kind) -> ItemLink.Kind? {
    switch kind {
    case .parent: .parent
    case .relation: .relation
    case .mention: .mention
    case .link, .linkToPage, .synced, .linkedView: .link
    case .tag, .person, .web: nil
    }
  }
}

extension PageLinks {
  /// Reads what the adapter put under `graph` into an item's `source.json`; `nil` when it is not
  /// there.
  package init?(record: [UInt8]) {
    // A record of another version, or of a source that is not Notion.
    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(record))
    guard let graph = value?["graph"], let node = graph["node"].flatMap(NotionGraph.Node.init)
    else { return nil }
    self.init(node: node)
    others = (graph["others"]?.array ?? []).compactMap(NotionGraph.Node.init)
    edges = (graph["edges"]?.array ?? []).compactMap(NotionGraph.Edge.init)
  }
}

extension NotionGraph.Node {
  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, let kind = Kind(rawValue: value["kind"]?.string ?? "")
    else { return nil }
    self.init(
      id: id, kind: kind, title: value["title"]?.string ?? "", url: value["url"]?.string,
      icon: value["icon"]?.string, parent: value["parent"]?.string,
      edited: value["edited"]?.string, isGhost: value["ghost"]?.bool ?? false)
  }
}

extension NotionGraph.Edge {
  init?(_ value: JSONValue) {
    guard let source = value["source"]?.string, let target = value["target"]?.string,
      let kind = Kind(rawValue: value["kind"]?.string ?? "")
    else { return nil }
    self.init(
      source: source, target: target, kind: kind, count: value["count"]?.integer ?? 1,
      blocks: (value["blocks"]?.array ?? []).compactMap(\.string),
      names: (value["names"]?.array ?? []).compactMap(\.string))
  }
}
