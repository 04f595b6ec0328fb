import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// `library/graph.html`: items with links as a drawn graph, and its edges as a table.
///
/// The table has the same content as the drawing, for readers who cannot use it. It continues in
/// `library/graph-2.html` and so on.
struct GraphPage {
  static let path = "library/graph.html"
  private static let partSize = 400
  let words: Words
  let sections: [LibraryShell.Section]

  /// Returns the files, by their paths.
  func pages(
    _ graph: LibraryGraph.Drawn, _ places: [Point]
  ) -> [(path: String, bytes: [UInt8])] {
    let rows = graph.edges.sorted { one, other in
      let (a, b) = (key(one, graph), key(other, graph))
      return a.0 != b.0 ? a.0 < b.0 : a.1 != b.1 ? a.1 < b.1 : a.2 < b.2
    }
    let count = max(1, (rows.count + GraphPage.partSize - 1) / GraphPage.partSize)
    return (0..<count).map { number in
      let start = number * GraphPage.partSize
      let part = rows[min(start, rows.count)..<min(rows.count, start + GraphPage.partSize)]
      let bytes = page(number, of: count, graph, number == 0 ? places : nil, part)
      return (path: path(number), bytes: bytes)
    }
  }

  private typealias Row = (source: Int, target: Int, edge: LibraryGraph.Edge)

  private func key(_ row: Row, _ graph: LibraryGraph.Drawn) -> (String, Int, Int) {
    let order = LibraryGraph.edgeKinds.firstIndex(of: row.edge.kind.rawValue) ?? 99
    return (
      title(graph.nodes[row.source]).lowercased() + "\u{0}\(row.source)", order, row.target
    )
  }

  private func path(_ number: Int) -> String {
    number == 0 ? GraphPage.path : "library/graph-\(number + 1).html"
  }

  func title(_ node: LibraryGraph.Node) -> String {
    node.title.contains { !$0.isWhitespace } ? node.title : words.text("page.untitled")
  }

  private func page(
    _ number: Int, of count: Int, _ graph: LibraryGraph.Drawn, _ places: [Point]?,
    _ rows: ArraySlice<Row>
  ) -> [UInt8] {
    let name = words.text("graph")
    let shell = LibraryShell(
      words, sections, .graph, path: path(number),
      title: number == 0 ? nil : words.text("part", name, String(number + 1)),
      scripts: places == nil ? [] : ["graph.js"])
    return shell.render { html in
      words.write("h1", "graph", &html)
      if let places {
        summary(graph, shell.root, &html)
        html.element("div", ["id": "graph-tools", "class": "filters"]) { _ in }
        GraphDrawing(graph: graph, places: places, root: shell.root, title: title)
          .write(name, &html)
        legend(graph, &html)
      }
      table(rows, graph, shell.root, &html)
      guard count > 1 else { return }
      words.writeTurn(
        number > 0 ? "\(shell.root)\(path(number - 1))#edges" : nil,
        number + 1 < count ? "\(shell.root)\(path(number + 1))#edges" : nil,
        keys: ("back", "onward"), label: "edges", &html)
    }
  }

  private func summary(
    _ graph: LibraryGraph.Drawn, _ root: String, _ html: inout HTMLWriter
  ) {
    html.element("p", ["class": "total"]) { html in
      words.write("span", "itemCount", number: graph.nodes.count, &html)
      html.text(" · ")
      words.write("span", "edgeCount", number: graph.edges.count, &html)
      for (path, name) in [(GraphFiles.graphMLPath, "GraphML"), (GraphFiles.jsonPath, "JSON")] {
        html.text(" · ")
        html.element("a", ["href": root + path, "download": ""], text: name)
      }
    }
  }

  private func legend(_ graph: LibraryGraph.Drawn, _ html: inout HTMLWriter) {
    html.element("ul", ["class": "legend", "id": "graph-legend"]) { html in
      for kind in ItemMetadata.Kind.allCases {
        let nodes = graph.nodes.filter { $0.kind == kind.rawValue && $0.folder != nil }
        guard let first = nodes.first else { continue }
        entry(GraphDrawing.shape(first), "kind.\(kind.rawValue)", nodes.count, &html)
      }
      let ghosts = graph.nodes.count { $0.folder == nil }
      if ghosts > 0 { entry("ghost", "ghost", ghosts, &html) }
      for kind in LibraryGraph.edgeKinds {
        let count = graph.edges.count { $0.edge.kind.rawValue == kind }
        guard count > 0 else { continue }
        html.element("li", ["data-kind": kind]) { html in
          html.element("span", ["class": "stroke edge-\(kind)", "aria-hidden": "true"]) { _ in }
          words.write("span", "edge.\(kind)", &html)
          html.text(" ")
          words.writeCount(count, &html)
        }
      }
    }
  }

  private func entry(_ shape: String, _ key: String, _ count: Int, _ html: inout HTMLWriter) {
    html.element("li") { html in
      html.element("span", ["class": "swatch node-\(shape)", "aria-hidden": "true"]) { _ in }
      words.write("span", key, &html)
      html.text(" ")
      words.writeCount(count, &html)
    }
  }

  private func table(
    _ rows: ArraySlice<Row>, _ graph: LibraryGraph.Drawn, _ root: String, _ html: inout HTMLWriter
  ) {
    guard !rows.isEmpty else { return }
    words.write("h2", "edges", with: ["id": "edges"], &html)
    html.element(
      "div", ["class": "chart", "tabindex": "0", "role": "group", "aria-labelledby": "edges"]
    ) { html in
      html.element("table", ["class": "edges"]) { html in
        html.element("thead") { html in
          html.element("tr") { html in
            for key in ["edgeFrom", "edgeKind", "edgeTo"] {
              words.write("th", key, with: ["scope": "col"], &html)
            }
          }
        }
        html.element("tbody") { html in
          for row in rows {
            html.raw("\n")
            html.element("tr") { html in
              html.element("td") { name(graph.nodes[row.source], root, &$0) }
              html.element("td") { html in
                words.write("span", "edge.\(row.edge.kind.rawValue)", &html)
                if row.edge.count > 1 { html.text(" ×\(row.edge.count)") }
                if !row.edge.names.isEmpty {
                  html.text(" ")
                  html.element(
                    "bdi", ["class": "why"], text: row.edge.names.joined(separator: ", "))
                }
              }
              html.element("td") { name(graph.nodes[row.target], root, &$0) }
            }
          }
        }
      }
    }
  }

  private func name(_ node: LibraryGraph.Node, _ root: String, _ html: inout HTMLWriter) {
    guard let folder = node.folder else {
      html.element("bdi", ["class": "why"], text: title(node))
      return
    }
    html.link(toItem: folder, root, text: title(node))
  }
}
