import ArchiverCore
import ArchiverMarkup

/// Exports the graph for other programs, including labels and people.
package enum GraphFiles {
  static let jsonPath = "library/graph.json"
  static let graphMLPath = "library/graph.graphml"

  /// Returns `{"edges":[…],"nodes":[…]}`, one line each and sorted, so that equal graphs give equal
  /// bytes.
  package static func json(_ graph: LibraryGraph) -> [UInt8] {
    var bytes = Array("{\"edges\":[".utf8)
    let nodes = graph.nodes
    let ids = Set(nodes.map(\.id))
    // A record may name an end without a node.
    let edges = graph.edges.filter { ids.contains($0.source) && ids.contains($0.target) }
    append(edges.map(value), to: &bytes)
    bytes += "],\n\"nodes\":[".utf8
    append(nodes.map(value), to: &bytes)
    bytes += "]}\n".utf8
    return bytes
  }

  private static func append(_ values: [JSONValue], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      bytes += (index > 0 ? ",\n" : "\n").utf8
      ScriptData.append(value, to: &bytes)
    }
  }

  private static func value(_ edge: LibraryGraph.Edge) -> JSONValue {
    var edge = edge
    // The inverse name is among the names.
    edge.reverse = nil
    return edge.value
  }

  private static func value(_ node: LibraryGraph.Node) -> JSONValue {
    guard case .object(var members) = node.value else { return node.value }
    members["ghost"] = .bool(node.isGhost)
    if let folder = node.folder { members["folder"] = .string(folder) }
    return .object(members)
  }

  /// Returns GraphML (graphml.graphdrawing.org) for programs such as Gephi and yEd.
  package static func graphML(_ graph: LibraryGraph) -> [UInt8] {
    // `HTMLWriter` writes valid XML as long as elements have start and end tags.
    var xml = HTMLWriter()
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    xml.element("graphml", ["xmlns": "http://graphml.graphdrawing.org/xmlns"]) { xml in
      let keys = [
        ("name", "node", "string"), ("title", "node", "string"), ("kind", "node", "string"),
        ("url", "node", "string"), ("icon", "node", "string"), ("parent", "node", "string"),
        ("created", "node", "string"), ("edited", "node", "string"), ("folder", "node", "string"),
        ("ghost", "node", "boolean"), ("in_trash", "node", "boolean"),
        ("shared", "node", "boolean"), ("edgekind", "edge", "string"), ("weight", "edge", "int"),
        ("names", "edge", "string"), ("blocks", "edge", "string"),
      ]
      for (name, owner, type) in keys {
        xml.raw("\n")
        xml.element(
          "key",
          [
            "id": name, "for": owner, "attr.name": name == "edgekind" ? "kind" : name,
            "attr.type": type,
          ]
        ) { _ in }
      }
      xml.raw("\n")
      xml.element("graph", ["id": "archive", "edgedefault": "directed"]) { xml in
        let nodes = graph.nodes
        // GraphML requires name tokens as ids, which the source's ids may not be.
        let ids = Dictionary(
          uniqueKeysWithValues: nodes.enumerated().map { ($1.id, "n\($0)") })
        for (number, node) in nodes.enumerated() { write(node, "n\(number)", &xml) }
        for edge in graph.edges {
          guard let source = ids[edge.source], let target = ids[edge.target] else { continue }
          write(edge, source, target, &xml)
        }
        xml.raw("\n")
      }
      xml.raw("\n")
    }
    xml.raw("\n")
    return xml.bytes
  }

  private static func write(_ node: LibraryGraph.Node, _ id: String, _ xml: inout HTMLWriter) {
    xml.raw("\n")
    xml.element("node", ["id": id]) { xml in
      data("name", node.id, &xml)
      data("title", node.title, &xml)
      data("kind", node.kind, &xml)
      data("url", node.url, &xml)
      data("icon", node.icon, &xml)
      data("parent", node.parent, &xml)
      data("created", node.created, &xml)
      data("edited", node.edited, &xml)
      data("folder", node.folder, &xml)
      data("ghost", String(node.isGhost), &xml)
      data("in_trash", String(node.isInTrash), &xml)
      data("shared", String(node.isShared), &xml)
    }
  }

  private static func write(
    _ edge: LibraryGraph.Edge, _ source: String, _ target: String, _ xml: inout HTMLWriter
  ) {
    xml.raw("\n")
    xml.element("edge", ["source": source, "target": target]) { xml in
      data("edgekind", edge.kind, &xml)
      data("weight", String(edge.count), &xml)
      data("names", edge.names.joined(separator: ", "), &xml)
      data("blocks", edge.blocks.joined(separator: " "), &xml)
    }
  }

  private static func data(_ key: String, _ value: String?, _ xml: inout HTMLWriter) {
    guard let value, !value.isEmpty else { return }
    xml.element("data", ["key": key], text: allowed(value))
  }

  /// Removes characters that XML 1.0 forbids.
  private static func allowed(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x9, 0xA, 0xD: result.append(" ")
      case 0..<0x20, 0xFFFE, 0xFFFF: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
