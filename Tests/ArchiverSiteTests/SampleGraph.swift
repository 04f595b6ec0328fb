import ArchiverCore
import ArchiverStorage

@testable import ArchiverSite

/// A workspace of linked pages, reproducible from the seed.
struct SampleGraph {
  let items: [CatalogItem]
  /// The `source.json` of each item.
  let records: [[UInt8]]

  init(_ count: Int, seed: UInt64 = 7) {
    var random = SplitMix(state: seed)
    var sample = SampleArchive(seed: seed)
    var items: [CatalogItem] = []
    var records: [[UInt8]] = []
    for number in 0..<count {
      var item = sample.item(number, source: "notion")
      let isDatabase = number % 17 == 0
      item.metadata.kind = isDatabase ? .database : .page
      item.metadata.title = number == 3 ? "</title><script>alert(1)</script>" : item.metadata.title
      item.folder = "notion/page-\(number)"
      items.append(item)
      let own = SampleGraph.id(number)
      var edges: [JSONValue] = []
      if number > 0 {
        // Most pages are in a database, databases are in an earlier page.
        let parent = isDatabase ? random.below(number) : number / 17 * 17
        edges.append(SampleGraph.edge(SampleGraph.id(parent), own, "parent"))
      }
      for _ in 0..<random.below(3) {
        let kind = ["link", "mention", "relation"][random.below(3)]
        edges.append(SampleGraph.edge(own, SampleGraph.id(random.below(count + 3)), kind))
      }
      edges.append(SampleGraph.edge(own, "tag:to do & <more>", "tag"))
      let others: [JSONValue] =
        (count..<count + 3).map { SampleGraph.node($0, "unknown", "Elsewhere \($0)") } + [
          [
            "id": "tag:to do & <more>", "kind": "tag", "title": "to do & <more>\u{1}",
            "ghost": false,
          ]
        ]
      let node = SampleGraph.node(number, isDatabase ? "database" : "page", item.metadata.title)
      var bytes: [UInt8] = []
      ScriptData.append(
        ["graph": ["node": node, "others": .array(others), "edges": .array(edges)]], to: &bytes)
      records.append(bytes)
    }
    self.items = items
    self.records = records
  }

  static func id(_ number: Int) -> String {
    Fingerprint.text(Fingerprint.of("page \(number)")) + "0000000000000000"
  }

  static func node(_ number: Int, _ kind: String, _ title: String) -> JSONValue {
    ["id": .string(id(number)), "kind": .string(kind), "title": .string(title), "ghost": false]
  }

  static func edge(_ source: String, _ target: String, _ kind: String) -> JSONValue {
    [
      "source": .string(source), "target": .string(target), "kind": .string(kind), "count": 1,
      "names": kind == "relation" ? ["Project"] : [],
    ]
  }

  /// Writes the records into the bundles.
  func write(to root: String) throws {
    for (item, record) in zip(items, records) {
      let folder = "\(root)/\(item.folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(record).write(to: URL(fileURLWithPath: "\(folder)/source.json"))
      let json = try ItemRecord(item, kind: "notion", generator: "test").json()
      try Data(json).write(to: URL(fileURLWithPath: "\(folder)/item.json"))
    }
  }

  /// The graph of the library.
  func graph() -> LibraryGraph {
    var graph = LibraryGraph()
    for (item, record) in zip(items, records) {
      if let record = GraphRecord(source: record) { graph.add(record, folder: item.folder) }
    }
    return graph
  }
}
