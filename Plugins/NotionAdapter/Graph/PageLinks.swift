import ArchiverCore

/// A page, database or anything else that is joined to others.
struct GraphNode: Sendable, Hashable {
  enum Kind: String, Sendable {
    case page, database, tag, person, web, comment
    case dataSource = "data_source"
    /// Referred to, never seen.
    case unknown
  }

  /// 32 digits for what has an id of its own in Notion, else the kind and the name: `tag:Urgent`.
  let id: String
  var kind: Kind
  var title: String
  var url: String?
  /// An emoji, or a picture's address without signature.
  var icon: String?
  /// The id of what is above.
  var parent: String?
  /// As received.
  var created: String?
  var edited: String?
  var isInTrash = false
  /// Whether the integration may read it, as far as is known.
  var isShared = true

  init(id: String, kind: Kind, title: String, url: String? = nil) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
  }

  /// What an object's own answer tells.
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

  var value: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "title": .string(title),
    ]
    let texts = [
      ("url", url), ("icon", icon), ("parent", parent), ("created", created), ("edited", edited),
    ]
    for (key, text) in texts {
      if let text, !text.isEmpty { members[key] = .string(text) }
    }
    if isInTrash { members["in_trash"] = true }
    if !isShared { members["shared"] = false }
    return .object(members)
  }
}

/// How one node refers to another.
struct GraphEdge: Sendable, Hashable {
  enum Kind: String, Sendable {
    case parent, relation, mention, link, synced, tag, person, web
    case linkToPage = "link_to_page"
    case linkedView = "linked_view"
  }

  struct Key: Hashable {
    let source: String
    let target: String
    let kind: Kind
    /// Tells relations of different properties apart.
    let relation: String?
  }

  let source: String
  let target: String
  let kind: Kind
  var count = 0
  /// The blocks it comes from, at most `blockLimit`.
  var blocks: [String] = []
  /// The names of the properties or views it comes from.
  var names: [String] = []
  /// The name that a relation has at its other end; `nil` for one with a single end.
  var reverse: String?

  static let blockLimit = 20

  var value: JSONValue {
    var members: [String: JSONValue] = [
      "source": .string(source), "target": .string(target), "kind": .string(kind.rawValue),
      "count": .integer(count),
    ]
    if !blocks.isEmpty { members["blocks"] = .array(blocks.map { .string($0) }) }
    if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
    if let reverse { members["reverse"] = .string(reverse) }
    return .object(members)
  }
}

/// What one page or database tells about its place among the others.
struct PageLinks: Sendable, Hashable {
  /// The page itself.
  let node: GraphNode
  /// The targets of its edges, as far as they are known.
  var others: [GraphNode] = []
  var edges: [GraphEdge] = []
  /// The database around each data source, for links to what stands in the archive.
  var containers: [String: String] = [:]

  /// As it stands under `graph` in an item's `source.json`.
  var value: JSONValue {
    [
      "node": node.value, "others": .array(others.map(\.value)),
      "edges": .array(edges.map(\.value)),
    ]
  }

  /// The links to items, for lists of what links to a page.
  var itemLinks: [ItemLink] {
    var links: [ItemLink] = []
    for edge in edges {
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

  private static func itemKind(_ kind: GraphEdge.Kind) -> ItemLink.Kind? {
    switch kind {
    case .parent: .parent
    case .relation: .relation
    case .mention: .mention
    case .link, .linkToPage, .synced, .linkedView: .link
    case .tag, .person, .web: nil
    }
  }
}
