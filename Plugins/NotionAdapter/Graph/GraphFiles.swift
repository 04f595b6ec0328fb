import ArchiverCore

/// The graph as files for others to draw.
extension NotionGraph {
  /// Returns `{"edges":[…],"nodes":[…]}` with sorted nodes and edges, so that equal graphs are equal
  /// bytes.
  package func json() -> [UInt8] {
    var text = JSONText()
    text.raw("{\"edges\":[")
    for (index, edge) in edges.enumerated() {
      text.raw(index > 0 ? ",\n" : "\n")
      text.write(edge.value)
    }
    text.raw("],\n\"nodes\":[")
    for (index, node) in nodes.enumerated() {
      text.raw(index > 0 ? ",\n" : "\n")
      text.write(node.value)
    }
    text.raw("]}\n")
    return text.bytes
  }

  /// Returns the graph as GraphML (graphml.graphdrawing.org), as Gephi and yEd read it.
  package func graphML() -> [UInt8] {
    var xml = XMLText()
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    xml.raw("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")
    for key in ["title", "kind", "url", "parent", "edited"] {
      xml.raw("<key id=\"\(key)\" for=\"node\" attr.name=\"\(key)\" attr.type=\"string\"/>\n")
    }
    xml.raw("<key id=\"ghost\" for=\"node\" attr.name=\"ghost\" attr.type=\"boolean\"/>\n")
    xml.raw("<key id=\"edgekind\" for=\"edge\" attr.name=\"kind\" attr.type=\"string\"/>\n")
    xml.raw("<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"int\"/>\n")
    xml.raw("<graph id=\"notion\" edgedefault=\"directed\">\n")
    for node in nodes { xml.node(node) }
    for edge in edges { xml.edge(edge) }
    xml.raw("</graph>\n</graphml>\n")
    return xml.bytes
  }
}

extension PageLinks {
  /// As it stands under `graph` in an item's `source.json`.
  var value: JSONValue {
    [
      "node": node.value, "others": .array(others.map(\.value)),
      "edges": .array(edges.map(\.value)),
    ]
  }
}

extension NotionGraph.Node {
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "title": .string(title),
      "ghost": .bool(isGhost),
    ]
    for (key, text) in [("url", url), ("icon", icon), ("parent", parent), ("edited", edited)] {
      if let text, !text.isEmpty { members[key] = .string(text) }
    }
    return .object(members)
  }
}

extension NotionGraph.Edge {
  var value: JSONValue {
    var members: [String: JSONValue] = [
      "source": .string(source), "target": .string(target), "kind": .string(kind.rawValue),
      "count": .integer(count),
    ]
    if !blocks.isEmpty { members["blocks"] = .array(blocks.map { .string($0) }) }
    if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
    return .object(members)
  }
}

/// XML 1.0 as text: what is not allowed in it is left out, what means something in it is escaped.
private struct XMLText {
  var bytes: [UInt8] = []

  mutating func raw(_ text: String) { bytes += text.utf8 }

  mutating func escaped(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": raw("&amp;")
      case "<": raw("&lt;")
      case ">": raw("&gt;")
      case "\"": raw("&quot;")
      case "\t", "\n", "\r": raw(" ")
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: bytes += String(scalar).utf8
      }
    }
  }

  mutating func node(_ node: NotionGraph.Node) {
    raw("<node id=\"")
    escaped(node.id)
    raw("\">")
    data("title", node.title)
    data("kind", node.kind.rawValue)
    data("url", node.url)
    data("parent", node.parent)
    data("edited", node.edited)
    data("ghost", node.isGhost ? "true" : "false")
    raw("</node>\n")
  }

  mutating func edge(_ edge: NotionGraph.Edge) {
    raw("<edge source=\"")
    escaped(edge.source)
    raw("\" target=\"")
    escaped(edge.target)
    raw("\">")
    data("edgekind", edge.kind.rawValue)
    data("weight", String(edge.count))
    raw("</edge>\n")
  }

  private mutating func data(_ key: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    raw("<data key=\"\(key)\">")
    escaped(value)
    raw("</data>")
  }
}
