import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// The relations in an item's record.
struct GraphTests {
  private struct Graph {
    let value: JSONValue

    var node: JSONValue { value["node"] ?? .null }

    /// `source-kind-target×count`, ids by their last two digits.
    var edges: Set<String> {
      Set(
        (value["edges"]?.array ?? []).map { edge in
          let (source, target) = (edge["source"]?.string ?? "", edge["target"]?.string ?? "")
          return "\(source.suffix(2))-\(edge["kind"]?.string ?? "")-\(target.suffix(2))"
            + "×\(edge["count"]?.integer ?? 1)"
        })
    }

    func edge(_ kind: String, to target: String) -> JSONValue? {
      value["edges"]?.array?.first {
        $0["kind"]?.string == kind && $0["target"]?.string?.hasSuffix(target) == true
      }
    }

    func other(_ id: String) -> JSONValue? {
      value["others"]?.array?.first { $0["id"]?.string == id }
    }

    func names(_ kind: String, to target: String) -> [String] {
      (edge(kind, to: target)?["names"]?.array ?? []).compactMap(\.string)
    }
  }

  private func graph(_ stage: NotionStage, _ id: String) async throws -> Graph {
    let graph = try #require(try await stage.item(id).graph)
    return Graph(
      value: try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(graph)))
  }

  private func mentioning(_ pieces: JSONValue...) -> FakeBlock {
    FakeBlock("paragraph", ["rich_text": .array(pieces)])
  }

  private func link(_ address: String) -> JSONValue {
    [
      "type": "text", "text": ["content": "here", "link": ["url": .string(address)]],
      "plain_text": "here", "href": .string(address),
    ]
  }

  @Test func `reports every kind of edge with its count and its blocks`() async throws {
    let stage = try NotionStage()
    let other = stage.server.addPage("Other")
    let ghost = stage.server.addPage("Ghost")
    stage.server.unshare(ghost)
    let block = stage.server.reserveID()
    let page = stage.server.addPage(
      "Page", parent: other,
      blocks: [
        FakeBlock(
          "paragraph",
          [
            "rich_text": [
              FakeNotion.mention(other, "Other"), link("/\(other)"),
              link("https://acme.notion.site/Other-\(other)#\(block)"), link("https://e.org/x"),
            ]
          ], [], id: block),
        FakeBlock(
          "link_to_page", ["type": "page_id", "page_id": .string(FakeNotion.dashed(other))]),
        FakeBlock(
          "image",
          ["external": ["url": "https://e.org/a"], "caption": [FakeNotion.mention(other, "O")]]),
        FakeBlock(
          "table", [:], [FakeBlock("table_row", ["cells": [[FakeNotion.mention(ghost, "Ghost")]]])]),
        FakeBlock("bookmark", ["url": .string("https://www.notion.so/Other-\(other)")]),
        FakeBlock("embed", ["url": "https://e.org/y"]),
      ])
    let graph = try await graph(stage, page)
    let (o, g, p) = (other.suffix(2), ghost.suffix(2), page.suffix(2))
    #expect(
      graph.edges == [
        "\(o)-parent-\(p)×1", "\(p)-mention-\(o)×2", "\(p)-link-\(o)×3", "\(p)-link_to_page-\(o)×1",
        "\(p)-mention-\(g)×1", "\(p)-web-rg×2",
      ])
    #expect(graph.other(other)?["title"]?.string == "Other")
    #expect(graph.other(ghost)?["isShared"]?.bool == false)
    #expect(graph.other(other)?["isShared"] == nil)
    #expect(graph.edge("mention", to: other)?["blocks"]?.array?.count == 2)
    #expect(graph.edge("link", to: other)?["blocks"]?.array?.first?.string == block)
  }

  @Test func `tells when a page was made and changed, its icon and what it is in`() async throws {
    let stage = try NotionStage()
    let parent = stage.server.addPage("Parent")
    let page = stage.server.addPage(
      "Page", parent: parent, edited: "2026-04-05T06:07:00.000Z",
      extra: ["icon": ["type": "emoji", "emoji": "🌱"], "created_time": "2026-01-02T03:04:00.000Z"])
    let node = try await graph(stage, page).node
    #expect(node["kind"]?.string == "page" && node["title"]?.string == "Page")
    #expect(node["icon"]?.string == "🌱" && node["parent"]?.string == parent)
    #expect(node["created"]?.string == "2026-01-02T03:04:00.000Z")
    #expect(node["edited"]?.string == "2026-04-05T06:07:00.000Z")
    #expect(node["url"]?.string == "https://app.notion.com/p/Page-\(page)")

    let pictured = stage.server.addPage("Pictured", extra: ["icon": FakeNotion.file("ws/i.png")])
    let icon = try await graph(stage, pictured).node["icon"]?.string
    #expect(icon == "\(FakeNotion.fileAddress)/files/ws/i.png")
  }

  @Test func `says which targets are in the trash`() async throws {
    let stage = try NotionStage()
    let old = stage.server.addPage("Old")
    stage.server.trash(old)
    let page = stage.server.addPage("Page", blocks: [mentioning(FakeNotion.mention(old, "Old"))])
    #expect(try await graph(stage, page).other(old)?["isInTrash"]?.bool == true)
  }

  @Test func `puts a table between a database and its rows`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: [:])
    let title: JSONValue = [
      "id": "title", "type": "title", "title": FakeNotion.richText("Row"),
    ]
    let row = stage.server.addRow(table.source, ["Name": title])
    let (d, s, r) = (table.database.suffix(2), table.source.suffix(2), row.suffix(2))
    let ofRow = try await graph(stage, row)
    #expect(ofRow.edges == ["\(d)-parent-\(s)×1", "\(s)-parent-\(r)×1"])
    #expect(ofRow.other(table.source)?["kind"]?.string == "data_source")
    #expect(ofRow.node["parent"]?.string == table.database)
    let ofDatabase = try await graph(stage, table.database)
    #expect(ofDatabase.edges == ["\(d)-parent-\(s)×1"])
    #expect(ofDatabase.other(table.source)?["title"]?.string == "Tasks")
    #expect(ofDatabase.other(table.source)?["parent"]?.string == table.database)
    #expect(try await stage.item(row).links == [ItemLink(.parent, target: table.database)])
  }

  @Test func `a linked view links to its table`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Tasks", columns: [:])
    let block = stage.server.reserveID()
    stage.server.addView(block, source: table.source, ["name": "Open tasks"])
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("child_database", ["title": ""], id: block)])
    let graph = try await graph(stage, page)
    let (d, s, p) = (table.database.suffix(2), table.source.suffix(2), page.suffix(2))
    #expect(graph.edges == ["\(p)-linked_view-\(s)×1", "\(d)-parent-\(s)×1"])
    #expect(graph.names("linked_view", to: table.source) == ["Open tasks"])
    #expect(
      graph.edge("linked_view", to: table.source)?["blocks"]?.array?.first?.string == block)
    #expect(try await stage.item(page).links == [ItemLink(.link, target: table.database)])
  }

  @Test func `a relation knows its name at both ends, one with a single end only its own`()
    async throws
  {
    let stage = try NotionStage()
    func relation(_ details: JSONValue) -> JSONValue {
      ["id": "r", "name": "Blocks", "type": "relation", "relation": details]
    }
    for (details, reverse) in [
      (
        ["dual_property": ["synced_property_name": "Blocked by", "synced_property_id": "x"]],
        "Blocked by"
      ),
      (["single_property": [:]], nil),
    ] as [(JSONValue, String?)] {
      let table = stage.server.addDatabase("T", columns: ["Blocks": relation(details)])
      let target = stage.server.addPage("Target")
      let row = stage.server.addRow(
        table.source,
        [
          "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("One")],
          "Blocks": [
            "id": "r", "type": "relation",
            "relation": [["id": .string(FakeNotion.dashed(target))]],
          ],
        ])
      let graph = try await graph(stage, row)
      #expect(graph.names("relation", to: target) == ["Blocks"])
      #expect(graph.edge("relation", to: target)?["reverse"]?.string == reverse)
    }
  }

  @Test func `names the people of a page and their parts in it`() async throws {
    let stage = try NotionStage()
    let (ada, bob) = (stage.server.addUser("Ada"), stage.server.addUser("Bob"))
    let table = stage.server.addDatabase("T", columns: [:])
    func user(_ id: String) -> JSONValue {
      ["object": "user", "id": .string(FakeNotion.dashed(id))]
    }
    let mention: JSONValue = [
      "type": "mention", "mention": ["type": "user", "user": user(ada)], "plain_text": "@Ada",
    ]
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("One")],
        "Owner": ["id": "o", "type": "people", "people": [user(bob)]],
        "Tags": ["id": "t", "type": "multi_select", "multi_select": [["name": "blue"]]],
        "State": ["id": "s", "type": "status", "status": ["name": "Done"]],
        "Rank": ["id": "k", "type": "select", "select": ["name": "blue"]],
        "Site": ["id": "u", "type": "url", "url": "https://e.org/"],
      ], blocks: [mentioning(mention)],
      extra: ["created_by": user(ada), "last_edited_by": user(bob)])
    stage.server.addComment("Look", on: row, page: row, extra: ["created_by": user(bob)])
    let graph = try await graph(stage, row)
    #expect(graph.other("person:\(ada)")?["title"]?.string == "Ada")
    #expect(Set(graph.names("person", to: ada)) == ["created_by", "mention"])
    #expect(Set(graph.names("person", to: bob)) == ["last_edited_by", "Owner", "comment"])
    #expect(Set(graph.names("tag", to: "tag:blue")) == ["Tags", "Rank"])
    #expect(graph.names("tag", to: "tag:Done") == ["State"])
    #expect(graph.edge("web", to: "e.org") != nil)
    let ofDatabase = try await NotionStage.withMaker()
    #expect(ofDatabase.contains("person:"))
  }

  @Test func `takes links and mentions from properties, titles and descriptions`() async throws {
    let stage = try NotionStage()
    let targets = (0..<4).map { stage.server.addPage("Target \($0)") }
    let table = stage.server.addDatabase(
      "T", columns: [:],
      extra: [
        "title": [FakeNotion.mention(targets[0], "Target 0")],
        "description": [link("/\(targets[1])")],
      ])
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": [FakeNotion.mention(targets[2], "T")]],
        "Notes": ["id": "n", "type": "rich_text", "rich_text": [link("/\(targets[3])")]],
      ])
    let ofDatabase = try await graph(stage, table.database)
    #expect(ofDatabase.edge("mention", to: targets[0]) != nil)
    #expect(ofDatabase.edge("link", to: targets[1]) != nil)
    #expect(ofDatabase.other(targets[1])?["title"]?.string == "Target 1")
    let ofRow = try await graph(stage, row)
    #expect(ofRow.edge("mention", to: targets[2]) != nil)
    #expect(ofRow.edge("link", to: targets[3]) != nil)
    #expect(ofRow.other(targets[3])?["title"]?.string == "Target 3")
  }

  @Test func `takes links and mentions from comments, with their targets' titles`() async throws {
    let stage = try NotionStage()
    let (mentioned, linked) = (stage.server.addPage("Mentioned"), stage.server.addPage("Linked"))
    let page = stage.server.addPage("Page")
    stage.server.addComment(
      "", on: page, page: page,
      extra: [
        "rich_text": [FakeNotion.mention(mentioned, ""), link("https://notion.so/\(linked)")]
      ])
    let graph = try await graph(stage, page)
    #expect(graph.edge("mention", to: mentioned) != nil)
    #expect(graph.edge("link", to: linked) != nil)
    #expect(graph.other(mentioned)?["title"]?.string == "Mentioned")
    #expect(graph.other(linked)?["title"]?.string == "Linked")
  }

  @Test func `a link to a comment leads to the page it is on`() async throws {
    let stage = try NotionStage()
    let other = stage.server.addPage("Other")
    let comment = stage.server.addComment("Remark", on: other, page: other)
    let unknown = stage.server.reserveID()
    let page = stage.server.addPage(
      "Page",
      blocks: [comment, unknown].map {
        FakeBlock(
          "link_to_page", ["type": "comment_id", "comment_id": .string(FakeNotion.dashed($0))])
      })
    let graph = try await graph(stage, page)
    #expect(graph.edge("link_to_page", to: other) != nil)
    #expect(graph.edge("link_to_page", to: "comment:\(unknown)") != nil)
    #expect(try await stage.html(page).contains("A link to a comment on <a class=\"n-page\""))
  }

  @Test func `a synced block leads to the page of its original`() async throws {
    let stage = try NotionStage()
    let (original, ownOriginal) = (stage.server.reserveID(), stage.server.reserveID())
    func copy(_ id: String) -> FakeBlock {
      FakeBlock(
        "synced_block",
        ["synced_from": ["type": "block_id", "block_id": .string(FakeNotion.dashed(id))]])
    }
    let source = stage.server.addPage(
      "Source",
      blocks: [
        FakeBlock(
          "toggle", ["rich_text": []],
          [
            FakeBlock(
              "synced_block", ["synced_from": .null], [.text("paragraph", "Same")], id: original)
          ])
      ])
    let page = stage.server.addPage(
      "Page",
      blocks: [
        copy(original), copy(ownOriginal),
        FakeBlock("synced_block", ["synced_from": .null], [], id: ownOriginal),
      ])
    let graph = try await graph(stage, page)
    #expect(graph.edges == ["\(page.suffix(2))-synced-\(source.suffix(2))×1"])
    #expect(graph.other(source)?["title"]?.string == "Source")
  }

  @Test func `a page inside a block stands below the page of the block`() async throws {
    let stage = try NotionStage()
    let block = stage.server.reserveID()
    let outer = stage.server.addPage(
      "Outer",
      blocks: [FakeBlock("toggle", ["rich_text": []], [.text("paragraph", "x")], id: block)])
    let inner = stage.server.addPage(
      "Inner",
      extra: ["parent": ["type": "block_id", "block_id": .string(FakeNotion.dashed(block))]])
    let graph = try await graph(stage, inner)
    #expect(graph.edges == ["\(outer.suffix(2))-parent-\(inner.suffix(2))×1"])
    #expect(graph.node["parent"]?.string == outer)
  }
}

extension NotionStage {
  /// The record of a database with a creator.
  fileprivate static func withMaker() async throws -> String {
    let stage = try NotionStage()
    let user = stage.server.addUser("Ada")
    let table = stage.server.addDatabase(
      "T", columns: [:],
      extra: ["created_by": ["object": "user", "id": .string(FakeNotion.dashed(user))]])
    let graph = try await stage.item(table.database).graph
    return String(decoding: try JSONEncoder().encode(graph), as: UTF8.self)
  }
}
