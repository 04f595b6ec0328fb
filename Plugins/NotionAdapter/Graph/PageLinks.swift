import ArchiverCore

typealias GraphNode = ItemGraph.Node
typealias GraphEdge = ItemGraph.Edge

extension ItemGraph.Node {
  /// What an object's own answer tells. Ids are 32 digits for what has an id of its own in Notion, else
  /// the kind and the name: `tag:Urgent`.
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
    /// Tells relations of different properties apart.
    let relation: String?
  }

  /// Most blocks that one names.
  static let blockLimit = 20
}

/// What one page or database tells about its place among the others.
struct PageLinks: Sendable, Hashable {
  var graph: ItemGraph
  /// The database of each data source, for links to archived items.
  var containers: [String: String] = [:]

  /// The links to items, for lists of what links to a page.
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

  /// `nil` for edges to what is no item.
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
