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

  private(set) var graph: ItemGraph
  private(set) var files: [File] = []
  /// Whether the source reported the relations; otherwise only the item's links are known.
  private(set) var isOfSource = true
  private static let nameLimit = 300
  private static let blockLimit = 100

  /// Reads a bundle's `item.json` and, for an older bundle, its `source.json`.
  init(_ record: ItemRecord, source: () -> [UInt8]?) {
    if let graph = record.graph {
      self.init(graph)
    } else if [.page, .database].contains(record.metadata.kind), let source = source(),
      let old = GraphRecord(source: source)
    {
      self = old
    } else {
      self.init(linksOf: record)
    }
    add(record)
  }

  private init(_ graph: ItemGraph) {
    self.graph = graph
    self.graph.node.title = GraphRecord.cut(graph.node.title)
    for place in graph.others.indices {
      self.graph.others[place].title = GraphRecord.cut(graph.others[place].title)
    }
  }

  /// Makes a record of an item's links, whose targets need not be archived.
  private init(linksOf record: ItemRecord) {
    isOfSource = false
    let metadata = record.metadata
    graph = ItemGraph(
      node: ItemGraph.Node(
        id: GraphRecord.id(record.key),
        kind: ItemGraph.Node.Kind(rawValue: metadata.kind.rawValue),
        title: GraphRecord.cut(metadata.title), url: metadata.url))
    let own = graph.node.id
    for link in record.links {
      let other = GraphRecord.id(ItemKey(source: record.source, id: link.target))
      guard other != own else { continue }
      graph.others.append(ItemGraph.Node(id: other, kind: .unknown, title: link.target))
      let isParent = link.kind == .parent
      if isParent { graph.node.parent = other }
      graph.edges.append(
        ItemGraph.Edge(
          source: isParent ? other : own, target: isParent ? own : other,
          kind: ItemGraph.Edge.Kind(rawValue: link.kind.rawValue)))
    }
  }

  /// Returns the id of an item's node if its source reported none.
  static func id(_ key: ItemKey) -> String { "\(key.source)/\(key.id)" }

  /// Whether the record has more than the item itself.
  var tellsOfPlace: Bool { isOfSource || !graph.edges.isEmpty }

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
    self.graph = ItemGraph(
      node: node, others: (graph["others"]?.array ?? []).compactMap(GraphRecord.node),
      edges: (graph["edges"]?.array ?? []).compactMap(GraphRecord.edge))
  }

  /// Adds the files of a bundle. An icon, which many pages share, belongs to the node instead.
  private mutating func add(_ record: ItemRecord) {
    let icon = graph.node.icon.flatMap { $0.contains("://") ? GraphRecord.withoutQuery($0) : nil }
    for asset in record.assets {
      let address = GraphRecord.withoutQuery(asset.url)
      if address == icon {
        graph.node.icon = asset.path
        continue
      }
      let name = address.split(separator: "/").last.map(String.init) ?? asset.path
      files.append(File(hash: asset.sha256, name: GraphRecord.cut(name)))
    }
  }

  private static func cut(_ name: String) -> String { String(name.prefix(nameLimit)) }

  private static func withoutQuery(_ address: String) -> String {
    String(address.prefix { $0 != "?" && $0 != "#" })
  }

  private static func node(_ value: JSONValue) -> ItemGraph.Node? {
    guard let id = value["id"]?.string, !id.isEmpty else { return nil }
    var node = ItemGraph.Node(
      id: id, kind: value["kind"]?.string.map(ItemGraph.Node.Kind.init(rawValue:)) ?? .unknown,
      title: cut(value["title"]?.string ?? ""), url: value["url"]?.string)
    node.icon = value["icon"]?.string
    node.parent = value["parent"]?.string
    node.created = value["created"]?.string
    node.edited = value["edited"]?.string
    node.isInTrash = value["in_trash"]?.bool ?? false
    node.isShared = value["shared"]?.bool ?? true
    return node
  }

  private static func edge(_ value: JSONValue) -> ItemGraph.Edge? {
    guard let source = value["source"]?.string, let target = value["target"]?.string,
      let kind = value["kind"]?.string
    else { return nil }
    var edge = ItemGraph.Edge(
      source: source, target: target, kind: ItemGraph.Edge.Kind(rawValue: kind),
      count: min(1_000_000, max(1, value["count"]?.integer ?? 1)))
    edge.blocks = (value["blocks"]?.array ?? []).prefix(blockLimit).compactMap(\.string)
    edge.names = (value["names"]?.array ?? []).compactMap(\.string)
    edge.reverse = value["reverse"]?.string
    return edge
  }
}

extension ItemGraph.Node {
  /// The encoding in `graph.json`.
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "title": .string(title),
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

extension ItemGraph.Edge {
  /// The encoding in `graph.json`.
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
