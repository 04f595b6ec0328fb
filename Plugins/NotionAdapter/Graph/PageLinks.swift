import ArchiverCore

typealias GraphNode = ItemGraph.Node
typealias GraphEdge = ItemGraph.Edge

extension ItemGraph.Node {
  /// Reads the facts of an object. Node ids are 32 digits for objects with an id in Notion,
  /// otherwise the kind and the name: `tag:Urgent`.
  init(_ object: NotionObject, parent: NotionID?) {
    let kind: Kind =
      switch object.kind {
      case .page: .page
      case .database: .database
      case .dataSource: .dataSource
      }
    self.init(
      id: object.id.hex, kind: kind, title: object.title,
      url: object.url.map(SignedAddress.cleaned))
    icon = object.icon?.lasting
    self.parent = parent?.hex
    created = object.created
    edited = object.edited
    isInTrash = object.inTrash
  }
}

extension ItemGraph.Edge {
  struct Key: Hashable {
    let source: String
    let target: String
    let kind: Kind
    /// Distinguishes relations of different properties.
    let relation: String?
  }

  /// The maximum number of blocks per edge.
  static let blockLimit = 20
}

/// The node of a page or database in the graph, with its edges.
struct PageLinks: Sendable, Hashable {
  var graph: ItemGraph
  /// The database of each data source, for links to archived items.
  var containers: [String: String] = [:]

  /// The links to items, for backlinks.
  var itemLinks: [ItemLink] {
    let node = graph.node
    var links: [ItemLink] = []
    for edge in graph.edges {
      let isUp = edge.kind == .parent && edge.target == node.id
      guard let kind = PageLinks.itemKind(edge.kind), isUp || edge.source == node.id,
        edge.kind != .parent || isUp
      else { continue }
      let other = isUp ? edge.source : edge.target
      let link = ItemLink(kind, target: containers[other] ?? other)
      if link.target != node.id, !links.contains(link) { links.append(link) }
    }
    return links
  }

  /// `nil` for edges to other nodes than items.
  private static func itemKind(_ kind: GraphEdge.Kind) -> ItemLink.Kind? {
    switch kind {
    case .parent: .parent
    case .relation: .relation
    case .mention: .mention
    case .link, .linkToPage, .synced, .linkedView: .link
    default: nil
    }
  }
}
