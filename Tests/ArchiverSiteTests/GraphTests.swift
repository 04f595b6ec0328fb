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

  private func build(
    _ root: String, _ items: [CatalogItem], changed: [ItemKey]? = nil
  ) throws -> LibraryUpdate {
    try LibraryBuilder(
      root: root, catalog: MemoryCatalog(items), text: SearchText { _ in "Some words." }
    ).update(changed: changed)
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

  @Test func `the table goes on where it is long, and every page is linked`() async throws {
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

  @Test func `reads no record again and places nothing again while nothing changed`() async throws {
    try await TemporaryFolder.with("graph") { root in
      let sample = SampleGraph(40)
      try sample.write(to: root)
      _ = try build(root, sample.items)
      #expect(try build(root, sample.items).written == [])
      try FileManager.default.removeItem(atPath: "\(root)/notion")
      #expect(try build(root, sample.items).written == [])

      // A title is another page, but the same drawing.
      var items = sample.items
      items[7].metadata.title = "Renamed"
      let update = try build(root, items, changed: [items[7].key])
      #expect(!update.written.contains(GraphStore.placesPath))
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
    let joined = drawn.edges.filter { $0.edge.kind == "parent" }
      .map { distance($0.source, $0.target) }
    let mean = joined.reduce(0, +) / Double(joined.count)
    #expect(mean < 0.6 * pairs.reduce(0, +) / 2_000)
    #expect(Set(places).count == places.count)
    #expect(places.allSatisfy { $0.x.isFinite && $0.y.isFinite })
  }

  @Test func `5,000 nodes are placed within seconds`() {
    let drawn = SampleGraph(BuildKind.isOptimised ? 5_000 : 250).graph().drawn()
    let start = ContinuousClock.now
    let places = GraphLayout.places(drawn)
    let time = ContinuousClock.now - start
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
  /// How often a text occurs.
  func occurrences(_ text: String) -> Int { components(text) - 1 }
}

/// How the tests were built.
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
