/// The relations of an item to others of its source, from which the archive's graph is drawn.
///
/// Only a source that knows more than `SourceItem.links` provides one: what is between two items,
/// names of relations, people and tags. For other sources the graph is drawn from the items' links.
public struct ItemGraph: Sendable, Hashable, Codable {
  /// A node: an item, or something that items have in common.
  public struct Node: Sendable, Hashable, Codable {
    /// The kind of a node. An unlisted kind is kept but not drawn.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      public static let page = Kind(rawValue: "page")
      public static let database = Kind(rawValue: "database")
      /// A table of a database; drawn as its database.
      public static let dataSource = Kind(rawValue: "data_source")
      /// An item that is referred to but was never delivered.
      public static let unknown = Kind(rawValue: "unknown")
      // Something that items have in common; not drawn.
      public static let tag = Kind(rawValue: "tag")
      public static let person = Kind(rawValue: "person")
      /// A web site, by its host.
      public static let web = Kind(rawValue: "web")
      public static let comment = Kind(rawValue: "comment")
    }

    /// Identifies the node in the graphs of all items; not empty.
    public let id: String
    public var kind: Kind
    /// The title; empty if unknown.
    public var title: String
    /// The URL at the source, without a signature.
    public var url: String?
    /// A character, or the URL of an image without a signature.
    public var icon: String?
    /// The id of the parent node.
    public var parent: String?
    /// The time as the source writes it.
    public var created: String?
    public var edited: String?
    public var isInTrash: Bool
    /// Whether the source allows reading it, as far as known.
    public var isShared: Bool

    public init(id: String, kind: Kind, title: String, url: String? = nil) {
      self.id = id
      self.kind = kind
      self.title = title
      self.url = url
      isInTrash = false
      isShared = true
    }
  }

  /// A reference from one node to another.
  public struct Edge: Sendable, Hashable, Codable {
    /// The kind of an edge. An unlisted kind is kept but not drawn.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// From a parent to its child.
      public static let parent = Kind(rawValue: "parent")
      public static let link = Kind(rawValue: "link")
      public static let mention = Kind(rawValue: "mention")
      public static let relation = Kind(rawValue: "relation")
      /// From a page to the page whose text it also shows.
      public static let synced = Kind(rawValue: "synced")
      /// A link that is a paragraph of its own.
      public static let linkToPage = Kind(rawValue: "link_to_page")
      /// From a page to a database that it shows.
      public static let linkedView = Kind(rawValue: "linked_view")
      // To something that items have in common; not drawn.
      public static let tag = Kind(rawValue: "tag")
      public static let person = Kind(rawValue: "person")
      public static let web = Kind(rawValue: "web")
    }

    /// Ids of nodes.
    public let source: String
    public let target: String
    public let kind: Kind
    /// The number of references, at least 1.
    public var count: Int
    /// Ids of the blocks that contain the references, or of some of them if there are many.
    public var blocks: [String]
    /// The names of the properties or views that contain the references.
    public var names: [String]
    /// The name of a relation at its other end; `nil` if it has a single end.
    public var reverse: String?

    public init(source: String, target: String, kind: Kind, count: Int = 1) {
      self.source = source
      self.target = target
      self.kind = kind
      self.count = count
      blocks = []
      names = []
    }
  }

  /// The item itself.
  public var node: Node
  /// The other nodes of its edges, as far as the source describes them.
  public var others: [Node]
  public var edges: [Edge]

  public init(node: Node, others: [Node] = [], edges: [Edge] = []) {
    self.node = node
    self.others = others
    self.edges = edges
  }
}

// Usual values are left out of the encoding: an archive has many nodes and edges, and most have few
// of these.
extension ItemGraph.Node {
  private enum Key: String, CodingKey {
    case id, kind, title, url, icon, parent, created, edited, isInTrash, isShared
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    id = try values.decode(String.self, forKey: .id)
    kind = try values.decode(Kind.self, forKey: .kind)
    title = try values.decode(String.self, forKey: .title)
    url = try values.decodeIfPresent(String.self, forKey: .url)
    icon = try values.decodeIfPresent(String.self, forKey: .icon)
    parent = try values.decodeIfPresent(String.self, forKey: .parent)
    created = try values.decodeIfPresent(String.self, forKey: .created)
    edited = try values.decodeIfPresent(String.self, forKey: .edited)
    isInTrash = try values.decodeIfPresent(Bool.self, forKey: .isInTrash) ?? false
    isShared = try values.decodeIfPresent(Bool.self, forKey: .isShared) ?? true
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(id, forKey: .id)
    try values.encode(kind, forKey: .kind)
    try values.encode(title, forKey: .title)
    try values.encodeIfPresent(url, forKey: .url)
    try values.encodeIfPresent(icon, forKey: .icon)
    try values.encodeIfPresent(parent, forKey: .parent)
    try values.encodeIfPresent(created, forKey: .created)
    try values.encodeIfPresent(edited, forKey: .edited)
    if isInTrash { try values.encode(true, forKey: .isInTrash) }
    if !isShared { try values.encode(false, forKey: .isShared) }
  }
}

extension ItemGraph.Edge {
  private enum Key: String, CodingKey {
    case source, target, kind, count, blocks, names, reverse
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    source = try values.decode(String.self, forKey: .source)
    target = try values.decode(String.self, forKey: .target)
    kind = try values.decode(Kind.self, forKey: .kind)
    count = try values.decodeIfPresent(Int.self, forKey: .count) ?? 1
    blocks = try values.decodeIfPresent([String].self, forKey: .blocks) ?? []
    names = try values.decodeIfPresent([String].self, forKey: .names) ?? []
    reverse = try values.decodeIfPresent(String.self, forKey: .reverse)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(source, forKey: .source)
    try values.encode(target, forKey: .target)
    try values.encode(kind, forKey: .kind)
    if count != 1 { try values.encode(count, forKey: .count) }
    if !blocks.isEmpty { try values.encode(blocks, forKey: .blocks) }
    if !names.isEmpty { try values.encode(names, forKey: .names) }
    try values.encodeIfPresent(reverse, forKey: .reverse)
  }
}
