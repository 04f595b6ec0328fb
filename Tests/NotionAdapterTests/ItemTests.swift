import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

struct ItemTests {
  @Test func `makes an item of a page`() async throws {
    let stage = try NotionStage()
    let author = stage.server.addUser("Ada Lovelace")
    let parent = stage.server.addPage("Parent")
    let page = stage.server.addPage(
      "Engines", parent: parent,
      blocks: [
        .text("heading_1", "Numbers"),
        FakeBlock("image", FakeNotion.file("ws/engine.png"), []),
        FakeBlock("pdf", FakeNotion.file("ws/paper.pdf"), []),
      ],
      extra: [
        "icon": ["type": "emoji", "emoji": "⚙️"], "cover": FakeNotion.file("ws/cover.jpg"),
        "created_by": ["object": "user", "id": .string(FakeNotion.dashed(author))],
      ])
    let item = try await stage.item(page)
    #expect(item.metadata.title == "Engines")
    #expect(item.metadata.kind == .page)
    #expect(item.metadata.authors == ["Ada Lovelace"])
    #expect(item.metadata.url == "https://app.notion.com/p/Page-\(page)")
    #expect(item.reference.revision == FakeNotion.quietTime)
    #expect(item.html.contains("<div class=\"n-page-icon\"><span class=\"n-icon\">⚙️</span></div>"))
    #expect(item.html.contains("X-Amz-Signature=s1"))
    #expect(item.links == [ItemLink(.parent, target: parent)])
    #expect(item.attachments.map(\.role) == [.cover, .file])
    #expect(item.attachments.last?.name == "paper.pdf")
    #expect(item.notes.isEmpty)
  }

  @Test func `says under which addresses others link to a page`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page", extra: ["public_url": "https://acme.notion.site/Page-1"])
    let item = try await stage.item(page)
    #expect(item.addresses.contains("https://www.notion.so/\(page)"))
    #expect(item.addresses.contains("https://acme.notion.site/Page-1"))
  }

  @Test func `keeps the videos, sounds and files that its players play`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: ["video/a.mp4", "audio/b.mp3", "pdf/c.pdf", "file/d.zip"].map {
        FakeBlock(String($0.prefix { $0 != "/" }), FakeNotion.file($0))
      } + [
        FakeBlock(
          "video", ["type": "external", "external": ["url": "https://www.youtube.com/watch?v=1"]])
      ])
    let item = try await stage.item(page)
    let files = item.attachments.filter { $0.role == .file }.compactMap(\.name)
    #expect(files == ["a.mp4", "b.mp3", "c.pdf", "d.zip"])
    #expect(item.html.contains("<video controls=\"\" src=\"\(FakeNotion.fileAddress)"))
    #expect(item.html.contains("<a class=\"n-card\" href=\"https://www.youtube.com/watch?v=1\""))
  }

  @Test func `stores the source without signatures`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page", blocks: [FakeBlock("image", FakeNotion.file("ws/a.png"))],
      extra: ["cover": FakeNotion.file("ws/cover.jpg")])
    let item = try await stage.item(page)
    let record = String(decoding: try #require(item.record), as: UTF8.self)
    #expect(record.contains("/files/ws/a.png\"") && record.contains("/files/ws/cover.jpg\""))
    #expect(!record.contains("X-Amz") && !record.contains("expiry_time"))
    #expect(!record.contains("request_id"))
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(record.utf8))
    #expect(value["blocks"]?.array?.count == 1)
    #expect(item.graph?.node.id == page)
  }

  @Test func `gives fresh addresses of files when asked again`() async throws {
    let stage = try NotionStage()
    stage.server.addFile("ws/a.png", [1, 2, 3])
    stage.server.prepare("ws/a.png", times: 1)
    let page = stage.server.addPage("Page", blocks: [FakeBlock("pdf", FakeNotion.file("ws/a.png"))])
    let adapter = try stage.adapter()
    let first = try await adapter.item(ItemReference(id: page, revision: ""))
    stage.server.expireFiles()
    #expect(try await status(of: first, stage) == [403])
    let second = try await adapter.item(ItemReference(id: page, revision: ""))
    #expect(try await status(of: second, stage) == [202])
    #expect(try await status(of: second, stage) == [200])
  }

  private func status(of item: SourceItem, _ stage: NotionStage) async throws -> [Int] {
    var statuses: [Int] = []
    for attachment in item.attachments {
      guard case .remote(let url) = attachment.location else { continue }
      statuses.append(try await stage.client.send(HTTPRequest(.get, url)).status)
    }
    return statuses
  }

  @Test func `reads more than a hundred blocks and more than one level`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Long",
      blocks: (0..<250).map {
        .text("bulleted_list_item", "Item \($0)", [.text("paragraph", "Under \($0)")])
      })
    let html = try await stage.html(page)
    #expect(html.contains("Item 249") && html.contains("Under 249"))
    #expect(html.components("<ul>") == 2)
    let order = (0..<250).map { "Item \($0)<" }
    var rest = html[...]
    for words in order {
      let found = try #require(rest.firstRange(of: words))
      rest = rest[found.upperBound...]
    }
  }

  @Test func `uses what discovery read instead of asking again`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page", blocks: [.text("paragraph", "Words")])
    let adapter = try stage.adapter()
    var references: [ItemReference] = []
    for try await listed in adapter.listing(since: nil) { references += listed.references }
    #expect(try await adapter.item(try #require(references.first)).html.contains("Words"))
    #expect(stage.requests("/children") == 1)
    stage.server.edit(page, blocks: [.text("paragraph", "Other")], at: "2026-11-20T10:00:00.000Z")
    #expect(try await adapter.item(try #require(references.first)).html.contains("Other"))
    #expect(stage.requests("/children") == 2)
  }

  @Test func `shows a synced block once and stops at a circle`() async throws {
    let stage = try NotionStage()
    let original = stage.server.reserveID()
    let copy = stage.server.reserveID()
    let source: JSONValue = [
      "synced_from": ["type": "block_id", "block_id": .string(FakeNotion.dashed(original))]
    ]
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock(
          "synced_block", ["synced_from": .null], [.text("paragraph", "Shared words")], id: original
        ),
        FakeBlock("synced_block", source, [], id: copy, claimsChildren: true),
      ])
    let html = try await stage.html(page)
    #expect(html.components("Shared words") == 3)
    let circular = stage.server.addPage(
      "Circle",
      blocks: [FakeBlock("synced_block", source, [FakeBlock("synced_block", source)], id: copy)])
    #expect(try await stage.html(circular).contains("This synced block contains itself."))
  }

  @Test func `says so when the original of a synced block is not shared`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock(
          "synced_block",
          [
            "synced_from": [
              "type": "block_id", "block_id": .string(FakeNotion.dashed(IdentityTests.digits)),
            ]
          ],
          claimsChildren: true),
        .text("paragraph", "After"),
      ])
    let item = try await stage.item(page)
    #expect(item.html.contains("After"))
    #expect(item.html.contains("could not be read"))
    #expect(item.notes.count == 1)
  }

  @Test func `reads the parts of meeting notes in their order`() async throws {
    let stage = try NotionStage()
    let parts = (0..<3).map { _ in stage.server.reserveID() }
    let names = ["summary_block_id", "notes_block_id", "transcript_block_id"]
    let children = Dictionary(
      uniqueKeysWithValues: zip(names, parts.map { JSONValue.string(FakeNotion.dashed($0)) }))
    let hidden = zip(["Short", "Long", "Spoken"], parts).map { words, id in
      FakeBlock("toggle", ["rich_text": []], [.text("paragraph", words)], id: id)
    }
    stage.server.addPage("Holder", blocks: hidden)
    let page = stage.server.addPage(
      "Meeting",
      blocks: [
        FakeBlock(
          "meeting_notes", ["title": FakeNotion.richText("Weekly"), "children": .object(children)])
      ])
    let html = try await stage.html(page)
    var rest = html[...]
    for words in ["Weekly", "Summary", "Short", "Notes", "Long", "Transcript", "Spoken"] {
      let found = try #require(rest.firstRange(of: words), "\(words) in \(html)")
      rest = rest[found.upperBound...]
    }
  }

  @Test func `completes properties with more than 25 references`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: [:])
    let targets = (0..<60).map { index in
      stage.server.addRow(
        table.source,
        ["Name": ["id": "title", "type": "title", "title": FakeNotion.richText("T\(index)")]])
    }
    let ids: [JSONValue] = targets.map { ["id": .string(FakeNotion.dashed($0))] }
    let row = stage.server.addRow(
      table.source,
      [
        "Name": ["id": "title", "type": "title", "title": FakeNotion.richText("Row")],
        "Links": ["id": "a%3Db", "type": "relation", "relation": .array(ids), "has_more": false],
      ])
    let item = try await stage.item(row)
    #expect(item.links.count { $0.kind == .relation } == 60)
    #expect(item.html.contains(">T59</a>"))
    #expect(stage.client.requests.contains { $0.path.hasSuffix("/properties/a%3Db") })
  }

  @Test func `shows targets that are not shared as such`() async throws {
    let stage = try NotionStage()
    let secret = stage.server.addPage("Secret")
    stage.server.unshare(secret)
    let page = stage.server.addPage(
      "Page",
      blocks: [FakeBlock("paragraph", ["rich_text": [FakeNotion.mention(secret, "Untitled")]])])
    let html = try await stage.html(page)
    #expect(html.contains("<span class=\"n-ghost\">Untitled (not shared)</span>"))
  }

  @Test func `lists comments by discussion, on the page and on blocks`() async throws {
    var stage = try NotionStage()
    stage.configuration.comments = "blocks"
    let block = stage.server.reserveID()
    let page = stage.server.addPage(
      "Page",
      blocks: [FakeBlock("paragraph", ["rich_text": FakeNotion.richText("Passage")], [], id: block)]
    )
    stage.server.addComment("First", on: page, page: page)
    stage.server.addComment("Second", on: page, page: page)
    stage.server.addComment("Inline", on: block, page: page, discussion: "d2")
    let html = try await stage.html(page)
    #expect(html.components("n-discussion") == 3)
    #expect(html.contains("<p class=\"n-note\">On: <a href=\"#\(block)\">Passage</a></p>"))
    #expect(
      html.contains("Ada, <time datetime=\"2026-03-01T10:00:00.000Z\">2026-03-01 10:00 UTC</time>"))
  }

  @Test func `does without comments and people it may not read`() async throws {
    let stage = try NotionStage()
    stage.server.behaviour.mayReadComments = false
    stage.server.behaviour.mayReadUsers = false
    let page = stage.server.addPage("Page", blocks: [.text("paragraph", "Words")])
    let item = try await stage.item(page)
    #expect(item.html.contains("Words"))
    #expect(item.metadata.authors.isEmpty)
  }

  @Test func `what has no title is called untitled as in Notion`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("")
    let table = stage.server.addDatabase("", columns: ListingTests.titleColumn)
    let row = stage.server.addRow(table.source, [:])
    for id in [page, table.database, row] {
      #expect(try await stage.item(id).metadata.title == "Untitled")
    }
  }

  @Test(arguments: [
    ("2026-03-05", "2026-03-05"), ("2026-03-05T10:30:00.000Z", "2026-03-05 10:30 UTC"),
    ("2026-03-05T10:30:00+00:00", "2026-03-05 10:30 UTC"),
    ("2026-03-05T10:30:00.000-05:30", "2026-03-05 10:30 -05:30"),
    ("2026-03-05T10:30:00", "2026-03-05 10:30"), ("soon", "soon"),
  ])
  func `a time keeps its zone`(received: String, shown: String) {
    #expect(NotionTime.readable(received) == shown)
  }

  @Test func `keeps what it can read of a page with odd blocks`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: [
        FakeBlock("paragraph", .null), FakeBlock("callout", ["rich_text": "no list"]),
        FakeBlock("table", ["table_width": -3]), FakeBlock("image", ["type": "file"]),
        FakeBlock("code", ["rich_text": [.null, 7]]), FakeBlock("equation", [:]),
        FakeBlock("heading_1", ["rich_text": [["type": "mention", "mention": ["type": "page"]]]]),
        FakeBlock("brand_new", ["rich_text": FakeNotion.richText("Readable")]),
        .text("paragraph", "End"),
      ])
    let html = try await stage.html(page)
    #expect(html.contains("unknown type “brand_new”") && html.contains("Readable"))
    #expect(html.contains("End"))
  }

  @Test(arguments: ["", "<html>", "{\"object\":\"list\",\"results\":7}", "{\"results\":["])
  func `keeps what came before an answer that cannot be understood`(body: String) async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage(
      "Page",
      blocks: (0..<250).map { .text("paragraph", "Line \($0)") }
        + [.text("toggle", "End", [.text("paragraph", "Inside")])])
    for part in ["start_cursor=s%3Ac8", "page_size=100"] {
      stage.server.failNext(.json(body)) {
        $0.path.hasSuffix("/children") && $0.target.contains(part)
      }
      let item = try await stage.item(page)
      #expect(item.metadata.title == "Page")
      #expect(item.html.contains("Line 199<") == (part != "page_size=100"))
      #expect(item.notes.count == 1 && item.notes.first?.contains("could not be read") == true)
      #expect(item.reference.revision.hasPrefix("?"))
    }
    let whole = try await stage.item(page)
    #expect(whole.html.contains("Inside") && whole.notes.isEmpty)
    #expect(whole.reference.revision == FakeNotion.quietTime)
  }

  @Test func `keeps the rows that came before an answer that cannot be understood`() async throws {
    let stage = try NotionStage()
    let table = stage.server.addDatabase("Table", columns: [:])
    for number in 0..<150 {
      stage.server.addRow(
        table.source,
        [
          "Name": [
            "id": "title", "type": "title", "title": FakeNotion.richText("Row \(number)"),
          ]
        ])
    }
    stage.server.failNext(.json("<html>")) {
      $0.path.hasSuffix("/query") && $0.text.contains("start_cursor")
    }
    let reference = ItemReference(
      id: table.database, revision: "1", payload: ReferencePayload(kind: .database).text)
    let item = try await stage.adapter().item(reference)
    #expect(item.html.contains("Row 99<") && !item.html.contains("Row 100<"))
    #expect(item.notes.count == 1 && item.reference.revision.hasPrefix("?"))
    let whole = try await stage.adapter().item(reference)
    #expect(whole.html.contains("Row 149<") && whole.reference.revision == "1")
  }

  @Test func `puts the path to a page into its breadcrumb`() async throws {
    let stage = try NotionStage()
    let top = stage.server.addPage("Top")
    let middle = stage.server.addPage("Middle", parent: top)
    let page = stage.server.addPage("Page", parent: middle, blocks: [FakeBlock("breadcrumb")])
    let html = try await stage.html(page)
    let top_ = "<a class=\"n-page\" href=\"https://www.notion.so/\(top)\">Top</a> / "
    #expect(
      html.contains(
        "\(top_)<a class=\"n-page\" href=\"https://www.notion.so/\(middle)\">Middle</a> / Page"))
  }

  @Test func `a hundred levels lose nothing and pass the sanitiser`() async throws {
    let stage = try NotionStage()
    for type in ["bulleted_list_item", "toggle", "quote", "callout", "paragraph", "column_list"] {
      var block = FakeBlock.text(type, "Level 100")
      for level in (0..<100).reversed() { block = .text(type, "Level \(level)", [block]) }
      let page = stage.server.addPage("Deep \(type)", blocks: [block])
      let item = try await stage.item(page)
      let clean = try HTMLSanitizer(SanitizerOptions(allowedClasses: NotionStyle.classes))
        .sanitize(Array(item.html.utf8), baseURL: nil)
      let words = clean.plainText
      for level in 0...100 where type != "column_list" {
        #expect(words.contains("Level \(level)"), "\(type)")
      }
      #expect(item.notes.isEmpty)
    }
  }
}

extension String {
  /// The number of parts of the text between separators.
  func components(_ separator: String) -> Int {
    var count = 1
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
