import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct GraphTests {
  private func read(_ path: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
  }

  private func build(_ root: String, _ items: [CatalogItem]) throws -> LibraryUpdate {
    try LibraryBuilder(
      root: root, catalog: MemoryCatalog(items), text: SearchText { _ in "Some words." }
    ).update(isChanged: true)
  }

  @Test func `an archive without graph data has no graph page and no link to one`() async throws {
    try await TemporaryFolder.with("graph") { root in
      var sample = SampleArchive()
      var page = sample.item(1)
      page.metadata.kind = .page
      _ = try build(root, [sample.item(0), page])
      #expect(!FileManager.default.fileExists(atPath: "\(root)/library/graph.html"))
      #expect(try !read("\(root)/index.html").contains("library/graph.html"))
    }
  }

  @Test func `draws pages and databases with links, and says the same in a table`() async throws {
    try await TemporaryFolder.with("graph") { root in
      let sample = SampleGraph(40)
      try sample.write(to: root)
      _ = try build(root, sample.items)
      let page = try read("\(root)/library/graph.html")
      let drawn = sample.graph().drawn()
      #expect(try read("\(root)/index.html").contains("href=\"library/graph.html\""))
      #expect(page.occurrences("<circle ") == drawn.nodes.count)
      #expect((40...43).contains(drawn.nodes.count))
      #expect(page.occurrences("href=\"../notion/page-5/index.html\"") >= 2)
      #expect(page.contains("class=\"node-ghost\"") && page.contains("class=\"node-database\""))
      #expect(page.occurrences("<tr>") == drawn.edges.count + 1)
      #expect(!page.contains("tag:"))
      #expect(!page.contains("<script>alert"))
      #expect(page.contains("&lt;script&gt;alert(1)"))
    }
  }

  @Test func `the table continues where it is long, and every page is linked`() async throws {
    try await TemporaryFolder.with("graph") { root in
      let sample = SampleGraph(300)
      try sample.write(to: root)
      _ = try build(root, sample.items)
      let count = sample.graph().drawn().edges.count
      let pages = try [1, 2].map { number in
        try read("\(root)/library/graph\(number == 1 ? "" : "-\(number)").html")
      }
      #expect(pages.reduce(0) { $0 + $1.occurrences("<tr>") - 1 } == count)
      #expect(pages[0].contains("href=\"../library/graph-2.html#edges\""))
      #expect(pages[1].contains("href=\"../library/graph.html#edges\""))
    }
  }

  @Test func `writes JSON and GraphML that say every node and edge`() async throws {
    let graph = SampleGraph(60).graph()
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(GraphFiles.json(graph)))
    #expect(value["nodes"]?.array?.count == graph.nodes.count)
    #expect(value["edges"]?.array?.count == graph.edges.count)
    let xml = try XMLDocument(GraphFiles.graphML(graph))
    let root = try #require(xml.root)
    let parts = try #require(root.children("graph").first)
    let nodes = parts.children("node")
    #expect(nodes.count == graph.nodes.count)
    #expect(parts.children("edge").count == graph.edges.count)
    let ids = Set(nodes.compactMap { $0.attribute("id") })
    for edge in parts.children("edge") {
      #expect(ids.contains(edge.attribute("source") ?? ""))
      #expect(ids.contains(edge.attribute("target") ?? ""))
    }
  }

  /// A graph of records, each a folder and the value of `graph`.
  private func graph(
    _ records: [(folder: String, graph: JSONValue)], _ standings: [ItemState] = []
  ) throws -> LibraryGraph {
    var graph = LibraryGraph()
    for (number, record) in records.enumerated() {
      graph.add(
        try #require(GraphRecord(record.graph)), folder: record.folder,
        standing: number < standings.count ? standings[number] : .archived)
    }
    graph.addSharedFiles()
    return graph
  }

  private func node(_ id: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    .object(["id": .string(id), "kind": "page", "title": .string(id)].merging(more) { $1 })
  }

  private func edge(
    _ source: String, _ kind: String, _ target: String, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    .object(
      [
        "source": .string(source), "kind": .string(kind), "target": .string(target), "count": 1,
      ].merging(more) { $1 })
  }

  @Test func `a relation reported by both ends is one edge with both names`() throws {
    func relation(_ source: String, _ target: String, _ name: String, _ reverse: String?)
      -> JSONValue
    {
      edge(
        source, "relation", target,
        ["names": [.string(name)], "reverse": reverse.map { .string($0) } ?? .null])
    }
    let graph = try graph([
      (
        "n/a",
        [
          "node": node("a"),
          "edges": [relation("a", "b", "Blocks", "Blocked by"), relation("a", "b", "See", nil)],
        ]
      ),
      (
        "n/b",
        [
          "node": node("b"),
          "edges": [
            relation("b", "a", "Blocked by", "Blocks"), relation("b", "a", "Seen", nil),
            relation("b", "c", "Part of", "Parts"),
          ],
        ]
      ),
    ])
    let told = graph.edges.map { "\($0.source)-\($0.target) \($0.names) \($0.count)" }
    #expect(
      Set(told) == [
        #"a-b ["Blocks", "Blocked by"] 1"#, #"a-b ["See"] 1"#, #"b-a ["Seen"] 1"#,
        #"b-c ["Part of", "Parts"] 1"#,
      ])
  }

  @Test func `a table is a node of its own and drawn as its database`() throws {
    let table = node("t", ["kind": "data_source", "parent": "d"])
    let graph = try graph([
      (
        "n/d",
        [
          "node": node("d", ["kind": "database"]), "others": [table],
          "edges": [edge("d", "parent", "t")],
        ]
      ),
      (
        "n/r",
        [
          "node": node("r"), "others": [table],
          "edges": [edge("t", "parent", "r"), edge("r", "linked_view", "t")],
        ]
      ),
      (
        "n/x",
        [
          "node": node("x"), "others": [node("u", ["kind": "data_source"])],
          "edges": [edge("x", "linked_view", "u")],
        ]
      ),
    ])
    #expect(graph.nodes.first { $0.id == "t" }?.folder == "n/d")
    #expect(graph.nodes.filter(\.isGhost).map(\.id) == ["u"])
    let drawn = graph.drawn()
    #expect(drawn.nodes.map(\.id) == ["d", "r", "u", "x"])
    let edges = drawn.edges.map {
      "\(drawn.nodes[$0.source].id)-\($0.edge.kind.rawValue)-\(drawn.nodes[$0.target].id)"
    }
    #expect(Set(edges) == ["d-parent-r", "r-linked_view-d", "x-linked_view-u"])
  }

  @Test func `a file that several pages have joins them, an icon does not`() throws {
    func record(_ id: String, _ files: [(String, String)]) throws -> GraphRecord {
      let source: JSONValue = [
        "graph": ["node": node(id, ["icon": "https://f.example/i.png?size=1"]), "edges": []]
      ]
      var sample = SampleArchive(seed: 1)
      var item = sample.item(1)
      item.key = ItemKey(source: "notion", id: id)
      let assets = (files + [("https://f.example/i.png", "icon")]).map { url, hash in
        ItemRecord.Asset(
          path: "assets/\(hash).bin",
          asset: CachedAsset(
            url: url, object: StoredObject(sha256: hash, byteCount: 1), mediaType: "image/png"))
      }
      var bytes: [UInt8] = []
      ScriptData.append(source, to: &bytes)
      let json = try ItemRecord(item, kind: "notion", assets: assets, generator: "test").json()
      let read = try #require(GraphRecord(source: bytes, item: json))
      return try #require(StoredJSON.value(GraphRecord.self, StoredJSON.text(read)))
    }
    var graph = LibraryGraph()
    graph.add(
      try record(
        "a", [("https://f.example/x/plan.pdf?y", "same"), ("https://f.example/1", "one")]),
      folder: "n/a")
    graph.add(try record("b", [("https://g.example/other.pdf", "same")]), folder: "n/b")
    graph.addSharedFiles()
    #expect(graph.edges.map(\.kind.rawValue) == ["file", "file"])
    #expect(graph.edges.map(\.source) == ["a", "b"])
    #expect(Set(graph.edges.map(\.target)) == ["file:same"])
    #expect(graph.nodes.first { $0.kind == "file" }?.title == "plan.pdf")
    #expect(graph.nodes.first { $0.id == "b" }?.icon == "n/b/assets/icon.bin")
    #expect(graph.drawn().nodes.count == 2)
  }

  @Test func `JSON and GraphML say all that is known of nodes and edges`() throws {
    let graph = try graph(
      [
        (
          "n/a",
          [
            "node": node(
              "a",
              [
                "icon": "🌱", "parent": "p", "created": "2026-01-01", "edited": "2026-02-02",
                "url": "https://e.org/a",
              ]),
            "others": [node("b", ["kind": "unknown", "shared": false]), node("p")],
            "edges": [
              edge("a", "link", "b", ["count": 3, "blocks": ["b1", "b2"], "names": ["N & M"]]),
              edge("p", "parent", "a"),
            ],
          ]
        ),
        ("n/c", ["node": node("c"), "edges": []]),
        ("n/d", ["node": node("d"), "edges": []]),
      ], [.archived, .deleted, .withheld])
    let lines = String(decoding: GraphFiles.json(graph), as: UTF8.self).split(separator: "\n")
    for line in [
      #"{"blocks":["b1","b2"],"count":3,"kind":"link","names":["N \u0026 M"],"source":"a","target":"b"},"#,
      #"{"created":"2026-01-01","edited":"2026-02-02","folder":"n/a","ghost":false,"icon":"🌱","#
        + #""id":"a","kind":"page","parent":"p","title":"a","url":"https://e.org/a"},"#,
      #"{"ghost":true,"id":"b","kind":"unknown","shared":false,"title":"b"},"#,
      #"{"folder":"n/c","ghost":false,"id":"c","in_trash":true,"kind":"page","title":"c"},"#,
      #"{"folder":"n/d","ghost":false,"id":"d","kind":"page","shared":false,"title":"d"},"#,
    ] {
      #expect(lines.contains { $0 == line }, "\(line)\n\(lines.joined(separator: "\n"))")
    }
    let root = try #require(try XMLDocument(GraphFiles.graphML(graph)).root)
    let keys = root.children("key").compactMap { $0.attribute("id") }
    #expect(Set(keys).isSuperset(of: ["icon", "blocks", "names", "created", "in_trash", "shared"]))
    let parts = try #require(root.children("graph").first)
    func data(_ element: XMLElement) -> [String: String] {
      Dictionary(
        element.children("data").map { ($0.attribute("key") ?? "", $0.text) },
        uniquingKeysWith: { first, _ in first })
    }
    let nodes = parts.children("node").map(data)
    #expect(
      nodes.first { $0["name"] == "a" } == [
        "name": "a", "title": "a", "kind": "page", "url": "https://e.org/a", "icon": "🌱",
        "parent": "p", "created": "2026-01-01", "edited": "2026-02-02", "folder": "n/a",
        "ghost": "false", "in_trash": "false", "shared": "true",
      ])
    #expect(nodes.first { $0["name"] == "c" }?["in_trash"] == "true")
    #expect(
      parts.children("edge").map(data).first { $0["edgekind"] == "link" } == [
        "edgekind": "link", "weight": "3", "names": "N & M", "blocks": "b1 b2",
      ])
    for node in nodes { #expect(Set(node.keys).isSubset(of: keys)) }
  }

  /// The positions of the stored drawing, by the number that it got when it was made.
  private func places(_ root: String) throws -> [Int: String] {
    let store = try LibraryStore(root: root, words: .english, spare: root)
    var places: [Int: String] = [:]
    try store.rows("SELECT rowid, points FROM places") { places[$0.int(0)] = $0.text(1) }
    return places
  }

  @Test func `reads no record again and places nothing again while nothing changed`() async throws {
    try await TemporaryFolder.with("graph") { root in
      let sample = SampleGraph(40)
      try sample.write(to: root)
      _ = try build(root, sample.items)
      #expect(try build(root, sample.items).written == [])
      try FileManager.default.removeItem(atPath: "\(root)/notion")
      #expect(try build(root, sample.items).written == [])

      let known = try places(root)
      #expect(known.count == 1)
      // Another title changes the page, but not the drawing.
      var items = sample.items
      items[7].metadata.title = "Renamed"
      let update = try build(root, items)
      #expect(try places(root) == known)
      #expect(!update.written.contains(GraphFiles.jsonPath))
    }
  }

  @Test func `the same graph has the same places, whatever order it came in`() {
    let sample = SampleGraph(120)
    var graph = LibraryGraph()
    for (item, record) in zip(sample.items, sample.records).reversed() {
      if let record = GraphRecord(source: record) { graph.add(record, folder: item.folder) }
    }
    #expect(GraphLayout.places(graph.drawn()) == GraphLayout.places(sample.graph().drawn()))
  }

  @Test(arguments: [("Mississippi bridges", 2), ("橋梁建設技術の歴史と発展の記録と考察", 1)])
  func `names as many nodes as there is room for`(name: String, count: Int) {
    let nodes = ["a", "b"].map { LibraryGraph.Node(told: .init(id: $0, kind: .page, title: name)) }
    let drawing = GraphDrawing(
      graph: LibraryGraph.Drawn(nodes: nodes, edges: [], degrees: [0, 0]),
      places: [Point(x: 0, y: 0), Point(x: 130, y: 0)], root: "", title: { $0.title })
    var html = HTMLWriter()
    drawing.write("Graph", &html)
    #expect(String(decoding: html.bytes, as: UTF8.self).components("<text ") == count + 1)
  }

  @Test func `keeps nodes apart and joined ones together`() {
    let drawn = SampleGraph(150).graph().drawn()
    let places = GraphLayout.places(drawn)
    func distance(_ one: Int, _ other: Int) -> Double {
      let (x, y) = (places[one].x - places[other].x, places[one].y - places[other].y)
      return (x * x + y * y).squareRoot()
    }
    var random = SplitMix(state: 3)
    let pairs = (0..<2_000).map { _ in
      distance(random.below(places.count), random.below(places.count))
    }
    let joined = drawn.edges.filter { $0.edge.kind == .parent }
      .map { distance($0.source, $0.target) }
    let mean = joined.reduce(0, +) / Double(joined.count)
    #expect(mean < 0.6 * pairs.reduce(0, +) / 2_000)
    #expect(Set(places).count == places.count)
    #expect(places.allSatisfy { $0.x.isFinite && $0.y.isFinite })
  }

  @Test func `5,000 nodes are placed within seconds`() {
    let drawn = SampleGraph(BuildKind.isOptimised ? 5_000 : 250).graph().drawn()
    var places: [Point] = []
    let time = processorTime { places = GraphLayout.places(drawn) }
    print("placed \(places.count) nodes and \(drawn.edges.count) edges in \(time)")
    #expect(time < .seconds(BuildKind.isOptimised ? 10 : 60))
  }

  @Test func `nodes without any edge, or all alike, still have places`() {
    #expect(GraphLayout.places(LibraryGraph().drawn()) == [])
    let same = Array(repeating: Point(x: 1, y: 1), count: 50)
    var stack: [Int32] = []
    let force = QuadTree(same, masses: Array(repeating: 1, count: 50))
      .repulsion(on: 3, stack: &stack)
    #expect(force.x.isFinite && force.y.isFinite)
  }

  @Test func `the tree pushes nearly as all nodes one by one do`() {
    var random = SplitMix(state: 5)
    let places = (0..<400).map { _ in
      Point(x: Double(random.below(100_000)) / 100, y: Double(random.below(100_000)) / 100)
    }
    let masses = places.map { _ in 1.0 }
    let tree = QuadTree(places, masses: masses)
    var stack: [Int32] = []
    var (error, total) = (0.0, 0.0)
    for body in places.indices {
      let found = tree.repulsion(on: body, stack: &stack)
      var exact = Point(x: 0, y: 0)
      for other in places.indices where other != body {
        let (x, y) = (places[body].x - places[other].x, places[body].y - places[other].y)
        let square = max(x * x + y * y, 0.01)
        exact.x += x / square
        exact.y += y / square
      }
      error += abs(found.x - exact.x) + abs(found.y - exact.y)
      total += abs(exact.x) + abs(exact.y)
    }
    #expect(error / total < 0.05)
  }
}

extension String {
  /// The number of occurrences of a text.
  func occurrences(_ text: String) -> Int { components(text) - 1 }
}

/// The build configuration of the tests.
enum BuildKind {
  static let isOptimised: Bool = {
    var isDebug = false
    // Evaluated in debug builds only.
    assert(
      {
        isDebug = true
        return true
      }())
    return !isDebug
  }()
}
