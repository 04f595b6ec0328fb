import ArchiverCore

/// What an item's `source.json` tells under `graph` of its place among the others.
///
///     {"node": {"id", "kind", "title", "url"}, "others": [{…}], "edges": [{"source", "target", "kind", "count", "names"}]}
struct GraphRecord {
  let node: LibraryGraph.Node
  let others: [LibraryGraph.Node]
  let edges: [LibraryGraph.Edge]
  private static let nameLimit = 300

  /// Reads the record of a bundle; `nil` when it tells nothing of a graph.
  init?(source: [UInt8]) {
    // A record that is no JSON tells nothing.
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(source)),
      let graph = value["graph"]
    else { return nil }
    self.init(graph)
  }

  init?(_ graph: JSONValue) {
    guard let node = graph["node"].flatMap(GraphRecord.node) else { return nil }
    self.node = node
    others = (graph["others"]?.array ?? []).compactMap(GraphRecord.node)
    edges = (graph["edges"]?.array ?? []).compactMap(GraphRecord.edge)
  }

  private static func node(_ value: JSONValue) -> LibraryGraph.Node? {
    guard let id = value["id"]?.string, !id.isEmpty else { return nil }
    return LibraryGraph.Node(
      id: id, kind: value["kind"]?.string ?? "unknown",
      title: String((value["title"]?.string ?? "").prefix(nameLimit)), url: value["url"]?.string)
  }

  private static func edge(_ value: JSONValue) -> LibraryGraph.Edge? {
    guard let source = value["source"]?.string, let target = value["target"]?.string,
      let kind = value["kind"]?.string
    else { return nil }
    return LibraryGraph.Edge(
      source: source, target: target, kind: kind,
      count: min(1_000_000, max(1, value["count"]?.integer ?? 1)),
      names: (value["names"]?.array ?? []).compactMap(\.string))
  }

  /// The record as it is kept between runs.
  var value: JSONValue {
    [
      "node": GraphRecord.value(node), "others": .array(others.map(GraphRecord.value)),
      "edges": .array(
        edges.map { edge in
          [
            "source": .string(edge.source), "target": .string(edge.target),
            "kind": .string(edge.kind), "count": .integer(edge.count),
            "names": .array(edge.names.map { .string($0) }),
          ]
        }),
    ]
  }

  private static func value(_ node: LibraryGraph.Node) -> JSONValue {
    [
      "id": .string(node.id), "kind": .string(node.kind), "title": .string(node.title),
      "url": node.url.map { .string($0) } ?? .null,
    ]
  }
}
