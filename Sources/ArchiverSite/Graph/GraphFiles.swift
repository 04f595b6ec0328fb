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
      keys(nodeFields, of: "node", &xml)
      keys(edgeFields, of: "edge", &xml)
      xml.raw("\n")
      xml.element("graph", ["id": "archive", "edgedefault": "directed"]) { xml in
        let nodes = graph.nodes
        // GraphML requires name tokens as ids, which the source's ids may not be.
        let ids = Dictionary(
          uniqueKeysWithValues: nodes.enumerated().map { ($1.id, "n\($0)") })
        for (number, node) in nodes.enumerated() {
          xml.raw("\n")
          xml.element("node", ["id": "n\(number)"]) { data(node, nodeFields, &$0) }
        }
        for edge in graph.edges {
          guard let source = ids[edge.source], let target = ids[edge.target] else { continue }
          xml.raw("\n")
          xml.element("edge", ["source": source, "target": target]) {
            data(edge, edgeFields, &$0)
          }
        }
        xml.raw("\n")
      }
      xml.raw("\n")
    }
    xml.raw("\n")
    return xml.bytes
  }

  /// A value of a node or an edge, with its key and its type in GraphML.
  private typealias Field<Owner> = (
    key: String, type: String, value: @Sendable (Owner) -> String?
  )

  private static let nodeFields: [Field<LibraryGraph.Node>] = [
    ("name", "string", { $0.id }), ("title", "string", { $0.title }),
    ("kind", "string", { $0.kind }), ("url", "string", { $0.url }),
    ("icon", "string", { $0.icon }), ("parent", "string", { $0.parent }),
    ("created", "string", { $0.created }), ("edited", "string", { $0.edited }),
    ("folder", "string", { $0.folder }), ("ghost", "boolean", { "\($0.isGhost)" }),
    ("in_trash", "boolean", { "\($0.isInTrash)" }), ("shared", "boolean", { "\($0.isShared)" }),
  ]

  private static let edgeFields: [Field<LibraryGraph.Edge>] = [
    ("edgekind", "string", { $0.kind.rawValue }), ("weight", "int", { "\($0.count)" }),
    ("names", "string", { $0.names.joined(separator: ", ") }),
    ("blocks", "string", { $0.blocks.joined(separator: " ") }),
  ]

  private static func keys<Owner>(
    _ fields: [Field<Owner>], of owner: String, _ xml: inout HTMLWriter
  ) {
    for field in fields {
      xml.raw("\n")
      xml.element(
        "key",
        [
          "id": field.key, "for": owner,
          "attr.name": field.key == "edgekind" ? "kind" : field.key, "attr.type": field.type,
        ]
      ) { _ in }
    }
  }

  private static func data<Owner>(
    _ owner: Owner, _ fields: [Field<Owner>], _ xml: inout HTMLWriter
  ) {
    for field in fields {
      guard let value = field.value(owner), !value.isEmpty else { continue }
      xml.element("data", ["key": field.key], text: allowed(value))
    }
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
