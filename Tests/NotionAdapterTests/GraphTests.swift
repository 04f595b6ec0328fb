import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct GraphTests {
  private func graph(_ stage: NotionStage, _ ids: [String]) async throws -> NotionGraph {
    var graph = NotionGraph()
    for id in ids {
      let record = try #require(try await stage.item(id).record)
      graph.add(try #require(PageLinks(record: record)))
    }
    return graph
  }

  @Test func `draws every kind of edge with its count`() async throws {
    let stage = try NotionStage()
    let other = stage.server.addPage("Other")
    let ghost = stage.server.addPage("Ghost")
    stage.server.unshare(ghost)
    let link: JSONValue = [
      "type": "text", "text": ["content": "here", "link": ["url": .string("/\(other)")]],
      "plain_text": "here", "href": .string("/\(other)"),
    ]
    let web: JSONValue = [
      "type": "text", "text": ["content": "web", "link": ["url": "https://example.org/x"]],
      "plain_text": "web",
    ]
    let page = stage.server.addPage(
      "Page", parent: other,
      blocks: [
        FakeBlock(
          "paragraph", ["rich_text": [FakeNotion.mention(other, "Other"), link, link, web]]),
        FakeBlock(
          "link_to_page", ["type": "page_id", "page_id": .string(FakeNotion.dashed(other))]),
        FakeBlock(
          "image",
          ["external": ["url": "https://e.org/a"], "caption": [FakeNotion.mention(other, "O")]]),
        FakeBlock(
          "table", [:], [FakeBlock("table_row", ["cells": [[FakeNotion.mention(ghost, "Ghost")]]])]),
      ])
    let graph = try await graph(stage, [other, page])
    let edges = graph.edges.map {
      "\($0.source.suffix(2))-\($0.kind.rawValue)-\($0.target.suffix(2))x\($0.count)"
    }
    let (o, g, p) = (other.suffix(2), ghost.suffix(2), page.suffix(2))
    #expect(
      Set(edges) == [
        "\(o)-parent-\(p)x1", "\(p)-mention-\(o)x2", "\(p)-link-\(o)x2", "\(p)-link_to_page-\(o)x1",
        "\(p)-mention-\(g)x1", "\(p)-web-rgx1",
      ])
    #expect(graph.nodes.filter(\.isGhost).map(\.id) == [ghost])
    #expect(graph.nodes.first { $0.id == other }?.title == "Other")
    #expect(Set(graph.backlinks(of: other).map(\.kind)) == [.mention, .link, .linkToPage])
    #expect(graph.edges.first { $0.kind == .mention && $0.target == other }?.blocks.count == 2)
  }

  @Test func `keeps a relation with two ends once, with both names`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("T", columns: [:])
    func row(_ title: String, _ name: String, _ target: String?) -> [String: JSONValue] {
      let ids: [JSONValue] = target.map { [["id": .string(FakeNotion.dashed($0))]] } ?? []
      return [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText(title)],
        name: ["id": "r", "type": "relation", "relation": .array(ids)],
        "Tags": ["id": "t", "type": "multi_select", "multi_select": [["name": "blue"]]],
      ]
    }
    let second = stage.server.reserveID()
    let first = stage.server.addRow(table.source, row("One", "Blocks", second))
    let other = stage.server.addRow(table.source, row("Two", "Blocked by", first))
    var one = try #require(PageLinks(record: try await stage.item(first).record ?? []))
    for index in one.edges.indices where one.edges[index].target == second {
      one.edges[index].target = other
    }
    let two = try #require(PageLinks(record: try await stage.item(other).record ?? []))
    var graph = NotionGraph()
    graph.add(one)
    graph.add(two)
    let relations = graph.edges.filter { $0.kind == .relation }
    #expect(relations.count == 1)
    #expect(relations.first?.names == ["Blocks", "Blocked by"])
    #expect(graph.edges.count { $0.kind == .tag } == 2)
  }

  @Test func `writes the graph as JSON and GraphML`() {
    var graph = NotionGraph()
    var links = PageLinks(
      node: .init(id: "a", kind: .page, title: "A < \"B\" & \u{1}C", isGhost: false))
    links.others = [.init(id: "b", kind: .unknown, title: "", isGhost: true)]
    links.edges = [.init(source: "a", target: "b", kind: .link, count: 2, blocks: ["x"], names: [])]
    graph.add(links)
    #expect(
      String(decoding: graph.json(), as: UTF8.self) == """
        {"edges":[
        {"blocks":["x"],"count":2,"kind":"link","source":"a","target":"b"}],
        "nodes":[
        {"ghost":false,"id":"a","kind":"page","title":"A < \\"B\\" & \\u0001C"},
        {"ghost":true,"id":"b","kind":"unknown","title":""}]}

        """)
    let xml = String(decoding: graph.graphML(), as: UTF8.self)
    #expect(xml.contains("<data key=\"title\">A &lt; &quot;B&quot; &amp; C</data>"))
    #expect(xml.contains("<edge source=\"a\" target=\"b\"><data key=\"edgekind\">link</data>"))
    #expect(xml.hasSuffix("</graph>\n</graphml>\n"))
  }
}
