import ArchiverCore
import ArchiverStorage

/// The relations in an item's record, and the files of its bundle.
///
/// The relations come from `item.json`: those reported by the source, or else the item's links.
/// Older bundles have them in `source.json` under `graph`:
///
///     {"node": NODE, "others": [NODE…], "edges": [EDGE…]}
///     NODE: {"id", "kind", "title", "url", "icon", "parent", "created", "edited", "in_trash", "shared"}
///     EDGE: {"source", "target", "kind", "count", "blocks", "names", "reverse"}
package struct GraphRecord: Codable {
  /// A file of the item's bundle.
  struct File: Codable {
    /// SHA-256 in hex.
    let hash: String
    let name: String
  }

  var node: LibraryGraph.Node
  private(set) var others: [LibraryGraph.Node] = []
  private(set) var edges: [LibraryGraph.Edge] = []
  private(set) var files: [File] = []
  /// Whether the source reported the relations; otherwise only the item's links are known.
  private(set) var isOfSource = true
  static let nameLimit = 300
  private static let blockLimit = 100

  /// Reads a bundle's `item.json` and, for an older bundle, its `source.json`.
  init(_ record: ItemRecord, source: () -> [UInt8]?) {
    if let graph = record.graph {
      self.init(graph)
    } else if record.metadata.isOfWorkspace, let source = source(),
      let old = GraphRecord(source: source)
    {
      self = old
    } else {
      self.init(linksOf: record)
    }
    add(record)
  }

  private init(_ graph: ItemGraph) {
    node = LibraryGraph.Node(graph.node)
    others = graph.others.map { LibraryGraph.Node($0) }
    edges = graph.edges.map { LibraryGraph.Edge($0) }
  }

  /// Makes a record of an item's links, whose targets need not be archived.
  private init(linksOf record: ItemRecord) {
    isOfSource = false
    let metadata = record.metadata
    node = LibraryGraph.Node(
      id: GraphRecord.id(record.key), kind: metadata.kind.rawValue,
      title: String(metadata.title.prefix(GraphRecord.nameLimit)), url: metadata.url)
    for link in record.links {
      let other = GraphRecord.id(ItemKey(source: record.source, id: link.target))
      guard other != node.id else { continue }
      others.append(LibraryGraph.Node(id: other, kind: "unknown", title: link.target))
      let isParent = link.kind == .parent
      if isParent { node.parent = other }
      edges.append(
        LibraryGraph.Edge(
          source: isParent ? other : node.id, target: isParent ? node.id : other,
          kind: link.kind.rawValue, count: 1, names: []))
    }
  }

  /// Returns the id of an item's node if its source reported none.
  static func id(_ key: ItemKey) -> String { "\(key.source)/\(key.id)" }

  /// Whether it has more than the item itself.
  var tellsOfPlace: Bool { isOfSource || !edges.isEmpty }

  /// Reads relations of an older bundle from its `source.json`, with the files in its `item.json`;
  /// `nil` without relations.
  package init?(source: [UInt8], item: [UInt8]? = nil) {
    // A record that is not JSON is ignored.
    guard let value = try? ForeignJSON.decode(JSONValue.self, from: Data(source)),
      let graph = value["graph"]
    else { return nil }
    self.init(graph)
    // Without `item.json` no file is known; `verify` reports a damaged one.
    if let item, let record = try? ItemRecord(json: item, path: "") { add(record) }
  }

  init?(_ graph: JSONValue) {
    guard let node = graph["node"].flatMap(GraphRecord.node) else { return nil }
    self.node = node
    others = (graph["others"]?.array ?? []).compactMap(GraphRecord.node)
    edges = (graph["edges"]?.array ?? []).compactMap(GraphRecord.edge)
  }

  /// Adds the files of a bundle. An icon, which many pages share, belongs to the node instead.
  private mutating func add(_ record: ItemRecord) {
    let icon = node.icon.flatMap { $0.contains("://") ? GraphRecord.withoutQuery($0) : nil }
    for asset in record.assets {
      let address = GraphRecord.withoutQuery(asset.url)
      if address == icon {
        node.icon = asset.path
        continue
      }
      let name = address.split(separator: "/").last.map(String.init) ?? asset.path
      files.append(File(hash: asset.sha256, name: String(name.prefix(GraphRecord.nameLimit))))
    }
  }

  private static func withoutQuery(_ address: String) -> String {
    String(address.prefix { $0 != "?" && $0 != "#" })
  }

  private static func node(_ value: JSONValue) -> LibraryGraph.Node? {
    guard let id = value["id"]?.string, !id.isEmpty else { return nil }
    return LibraryGraph.Node(
      id: id, kind: value["kind"]?.string ?? "unknown",
      title: String((value["title"]?.string ?? "").prefix(nameLimit)), url: value["url"]?.string,
      icon: value["icon"]?.string, parent: value["parent"]?.string,
      created: value["created"]?.string, edited: value["edited"]?.string,
      isInTrash: value["in_trash"]?.bool ?? false, isShared: value["shared"]?.bool ?? true)
  }

  private static func edge(_ value: JSONValue) -> LibraryGraph.Edge? {
    guard let source = value["source"]?.string, let target = value["target"]?.string,
      let kind = value["kind"]?.string
    else { return nil }
    return LibraryGraph.Edge(
      source: source, target: target, kind: kind,
      count: min(1_000_000, max(1, value["count"]?.integer ?? 1)),
      blocks: (value["blocks"]?.array ?? []).prefix(blockLimit).compactMap(\.string),
      names: (value["names"]?.array ?? []).compactMap(\.string),
      reverse: value["reverse"]?.string)
  }
}

extension ItemMetadata {
  /// Whether its source may have stored relations in `source.json`.
  fileprivate var isOfWorkspace: Bool { kind == .page || kind == .database }
}

extension LibraryGraph.Node {
  init(_ node: ItemGraph.Node) {
    self.init(
      id: node.id, kind: node.kind.rawValue,
      title: String(node.title.prefix(GraphRecord.nameLimit)), url: node.url,
      icon: node.icon, parent: node.parent, created: node.created, edited: node.edited,
      isInTrash: node.isInTrash, isShared: node.isShared)
  }

  /// The encoding in a record.
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind), "title": .string(title),
    ]
    let texts = [
      ("url", url), ("icon", icon), ("parent", parent), ("created", created), ("edited", edited),
    ]
    for (key, text) in texts {
      if let text { members[key] = .string(text) }
    }
    if isInTrash { members["in_trash"] = true }
    if !isShared { members["shared"] = false }
    return .object(members)
  }
}

extension LibraryGraph.Edge {
  init(_ edge: ItemGraph.Edge) {
    self.init(
      source: edge.source, target: edge.target, kind: edge.kind.rawValue, count: edge.count,
      blocks: edge.blocks, names: edge.names, reverse: edge.reverse)
  }

  /// The encoding in a record.
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "source": .string(source), "target": .string(target), "kind": .string(kind),
      "count": .integer(count),
    ]
    if !blocks.isEmpty { members["blocks"] = .array(blocks.map { .string($0) }) }
    if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
    if let reverse { members["reverse"] = .string(reverse) }
    return .object(members)
  }
}
