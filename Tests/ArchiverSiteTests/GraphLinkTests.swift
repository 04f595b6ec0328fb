import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The graph of relations and links of items of any source.
@Suite struct GraphLinkTests {
  /// Writes an item's bundle with its relations, and the graph page of all items.
  private func page(
    _ root: String, _ items: [CatalogItem], links: [(Int, Int)] = [],
    _ record: (inout ItemRecord, Int) -> Void
  ) throws -> String? {
    for (number, item) in items.enumerated() {
      var bundle = ItemRecord(item, kind: "program", generator: "test")
      record(&bundle, number)
      let folder = "\(root)/\(item.folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(bundle.json()).write(to: URL(fileURLWithPath: "\(folder)/item.json"))
    }
    let catalog = MemoryCatalog(items)
    catalog.change { state in
      state.links = links.map { (items[$0].key, items[$1].key) }
    }
    _ = try LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "Some words." })
      .update(isChanged: true)
    let html = FileManager.default.contents(atPath: "\(root)/library/graph.html")
    return html.map { String(decoding: $0, as: UTF8.self) }
  }

  /// `title kind title` of each edge of a page's table.
  private func edges(_ page: String?) throws -> Set<String> {
    let table = try #require(
      page?.split(separator: "<tbody>").last?.split(separator: "</tbody>").first)
    return Set(
      table.split(separator: "<tr>").map { row in
        row.replacing("</td><td>", with: " ").replacing(/<[^>]*>/, with: "")
      }.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.filter { $0 != "\n" } })
  }

  @Test func `articles that link to each other are drawn, and only those`() async throws {
    try await TemporaryFolder.with("graph") { root in
      var sample = SampleArchive(seed: 3)
      var items = (0..<4).map { sample.item($0) }
      for number in items.indices {
        items[number].metadata.title = "T\(number)"
        items[number].metadata.kind = number == 2 ? .book : .article
      }
      let page = try page(root, items, links: [(0, 1), (1, 2), (2, 1)]) { _, _ in }
      #expect(try edges(page) == ["T0 links to T1", "T1 links to T2", "T2 links to T1"])
      #expect(page?.occurrences("<circle ") == 3)
      #expect(page?.contains(">Article</span>") == true && page?.contains(">Book</span>") == true)
    }
  }

  @Test func `links reported by any source are drawn with their kinds, including missing targets`()
    async throws
  {
    try await TemporaryFolder.with("graph") { root in
      var sample = SampleArchive(seed: 3)
      var items = (0..<2).map { sample.item($0, source: "wiki") }
      for number in items.indices {
        items[number].metadata.title = "T\(number)"
        items[number].metadata.kind = .page
      }
      let page = try page(root, items, links: [(0, 1)]) { record, number in
        guard number == 0 else { return }
        record.links = [
          ItemLink(.relation, target: items[1].key.id), ItemLink(.parent, target: "above"),
          ItemLink(.mention, target: items[0].key.id),
        ]
      }
      #expect(try edges(page) == ["T0 relates to T1", "above contains T0"])
      #expect(page?.contains("class=\"node-ghost\"") == true)
    }
  }

  @Test func `an item's position is read from its typed record`()
    async throws
  {
    try await TemporaryFolder.with("graph") { root in
      var sample = SampleArchive(seed: 3)
      var items = (0..<2).map { sample.item($0, source: "notion") }
      for number in items.indices { items[number].metadata.title = "T\(number)" }
      let page = try page(root, items, links: [(0, 1)]) { record, number in
        record.graph = ItemGraph(
          node: ItemGraph.Node(id: "n\(number)", kind: .page, title: "T\(number)"))
        guard number == 0 else { return }
        var edge = ItemGraph.Edge(source: "n0", target: "n1", kind: .relation, count: 3)
        edge.names = ["Blocks"]
        record.graph?.edges = [edge]
      }
      #expect(try edges(page) == ["T0 relates to ×3 Blocks T1"])
    }
  }
}
