import ArchiverCore
import ArchiverMarkup

/// Draws a graph as inline SVG: a path for each kind of edge, a linked circle for each node.
///
/// The attribute `data-ends` of a path has the indexes of its edges' nodes, for the script. In a
/// graph with many nodes, the circles are not focusable; the table has the same links.
struct GraphDrawing {
  let graph: LibraryGraph.Drawn
  let places: [Point]
  let root: String
  let title: (LibraryGraph.Node) -> String
  private static let focusLimit = 150
  private static let nameLength = 32

  /// Returns the shape of a node.
  static func shape(_ node: LibraryGraph.Node) -> String {
    if node.folder == nil { return "ghost" }
    return ["page", "database"].contains(node.kind) ? node.kind : "item"
  }

  func write(_ name: String, _ html: inout HTMLWriter) {
    let margin = 40.0
    let xs = places.map(\.x)
    let ys = places.map(\.y)
    let left = (xs.min() ?? 0) - margin
    let top = (ys.min() ?? 0) - margin
    let width = max(300, (xs.max() ?? 0) - left + margin)
    let height = max(200, (ys.max() ?? 0) - top + margin)
    let letter = max(9, max(width / 1_180, height / 700) * 11.5)
    html.element("div", ["class": "graph"]) { html in
      html.element(
        "svg",
        [
          "id": "graph", "viewBox": "\(text(left)) \(text(top)) \(text(width)) \(text(height))",
          "role": "group", "aria-label": name,
        ]
      ) { html in
        edges(&html)
        html.raw("\n")
        html.element("g", ["class": "nodes"]) { html in
          for number in graph.nodes.indices { node(number, scale: letter / 11.5, &html) }
        }
        html.raw("\n")
        html.element("g", ["class": "names", "font-size": text(letter), "aria-hidden": "true"]) {
          names(letter, &$0)
        }
      }
    }
  }

  private func edges(_ html: inout HTMLWriter) {
    for kind in LibraryGraph.edgeKinds {
      let members = graph.edges.filter { $0.edge.kind.rawValue == kind }
      guard !members.isEmpty else { continue }
      let path = members.map { source, target, _ in
        let (one, other) = (places[source], places[target])
        return "M\(text(one.x)) \(text(one.y))L\(text(other.x)) \(text(other.y))"
      }
      html.raw("\n")
      html.element(
        "path",
        [
          "class": "edge edge-\(kind)", "d": path.joined(),
          "data-ends": members.map { "\($0.source) \($0.target)" }.joined(separator: " "),
        ]
      ) { _ in }
    }
  }

  private func radius(_ number: Int, _ scale: Double) -> Double {
    (3.2 + Double(min(graph.degrees[number], 80)).squareRoot() * 1.3) * max(1, scale * 0.7)
  }

  private func node(_ number: Int, scale: Double, _ html: inout HTMLWriter) {
    let node = graph.nodes[number]
    let isOften = graph.nodes.count > GraphDrawing.focusLimit
    html.raw("\n")
    guard let folder = node.folder else {
      html.element("g") { circle(number, scale, &$0) }
      return
    }
    html.element(
      "a",
      [
        "href": "\(root)\(SiteText.path(folder))/index.html", "aria-label": title(node),
        "tabindex": isOften ? "-1" : nil,
      ]
    ) { circle(number, scale, &$0) }
  }

  private func circle(_ number: Int, _ scale: Double, _ html: inout HTMLWriter) {
    html.element(
      "circle",
      [
        "class": "node-\(GraphDrawing.shape(graph.nodes[number]))",
        "cx": text(places[number].x), "cy": text(places[number].y),
        "r": text((radius(number, scale) * 10).rounded() / 10),
      ]
    ) { html in
      html.element("title", text: title(graph.nodes[number]))
    }
  }

  /// Writes the names of the nodes with most edges, while there is space.
  private func names(_ letter: Double, _ html: inout HTMLWriter) {
    var taken: [(x: Double, y: Double, width: Double)] = []
    for number in graph.byDegree.prefix(400) where taken.count < 45 {
      let name = short(title(graph.nodes[number]))
      let width = GraphDrawing.width(name) * letter
      let x = places[number].x
      let y = places[number].y + radius(number, letter / 11.5) + letter
      let isFree = taken.allSatisfy { other in
        abs(other.x - x) > (other.width + width) / 2 || abs(other.y - y) > letter * 1.3
      }
      guard isFree else { continue }
      taken.append((x, y, width))
      html.element("text", ["x": text(x), "y": text((y * 10).rounded() / 10)], text: name)
    }
  }

  /// Returns the approximate width of a name relative to the font size; East Asian characters and
  /// emoji are square.
  private static func width(_ name: String) -> Double {
    name.reduce(0) { $0 + (($1.unicodeScalars.first?.value ?? 0) < 0x2E80 ? 0.6 : 1) }
  }

  private func short(_ name: String) -> String {
    name.count > GraphDrawing.nameLength
      ? name.prefix(GraphDrawing.nameLength - 1) + "…" : name
  }

  /// Returns a number with at most one decimal.
  private func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    if tenths % 10 == 0 { return String(tenths / 10) }
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
