import ArchiverCore
import ArchiverMarkup
import ArchiverTestKit
import Testing

@testable import NotionAdapter

@Suite(
  .enabled(if: Recordings.isThere, "the recordings of Notion's API are not beside the project"))
struct ReplayTests {
  @Test func `every recorded block is shown as what it is`() throws {
    let blocks = try Recordings.objects("block")
    #expect(blocks.count > 500)
    var types: Set<String> = []
    for (file, value) in blocks {
      guard let node = BlockTree.Node(value) else { continue }
      types.insert(node.type)
      var tree = BlockTree()
      _ = tree.append(node, below: nil)
      var html = HTMLWriter()
      BlockRenderer(tree: tree, context: RenderContext(page: NotionID(IdentityTests.digits)))
        .write(to: &html)
      let text = String(decoding: html.bytes, as: UTF8.self)
      #expect(!text.contains("unknown type"), "\(file): \(node.type)")
      #expect(text.contains("does not return") == (node.type == "unsupported"), "\(file)")
      for piece in node.text where !piece.plain.contains("\n") {
        let plain = piece.plain.allSatisfy { $0.isLetter || $0 == " " }
        #expect(!plain || text.contains(piece.plain), "\(file): \(node.type)")
      }
    }
    #expect(types.count >= 33, "\(types.sorted())")
  }

  @Test func `every recorded property is shown`() throws {
    var types: Set<String> = []
    let renderer = PropertyRenderer(context: RenderContext())
    for kind in ["page", "property_item"] {
      for (file, value) in try Recordings.objects(kind) {
        let properties =
          kind == "page" ? value["properties"]?.object.map { Array($0.values) } ?? [] : [value]
        for property in properties {
          guard let type = property["type"]?.string else { continue }
          types.insert(type)
          var html = HTMLWriter()
          renderer.write(property, nil, to: &html)
          let isNull = property[type]?.isNull ?? true
          #expect(!isNull || html.bytes.isEmpty, "\(file): \(type)")
          #expect(!String(decoding: html.bytes, as: UTF8.self).contains("{"), "\(file): \(type)")
        }
      }
    }
    #expect(types.count >= 24, "\(types.sorted())")
  }

  @Test func `every recorded page, database and data source is understood`() throws {
    for kind in ["page", "database", "data_source"] {
      let objects = try Recordings.objects(kind)
      #expect(objects.count > 10)
      for (file, value) in objects {
        guard value["id"] != nil, value["created_time"] != nil else { continue }
        let object = try #require(NotionObject(value), "\(file)")
        #expect(NotionTime.date(object.edited) != nil, "\(file)")
        #expect(object.parent != .other, "\(file)")
        if value["properties"] != nil, kind != "page" {
          #expect(DataSourceSchema(value)?.columns.first?.type == "title", "\(file)")
        }
      }
    }
  }

  @Test func `every recorded address of Notion leads to its object`() throws {
    for (file, value) in try Recordings.objects("page") {
      guard let url = value["url"]?.string, let id = NotionID(value["id"]) else { continue }
      #expect(NotionAddress(url)?.page == id, "\(file): \(url)")
    }
  }

  @Test func `every recorded exchange is read through the client`() async throws {
    var count = 0
    for exchange in try Recordings.exchanges() {
      let isRead =
        exchange.method == "GET" || exchange.path.hasSuffix("/query")
        || exchange.path.hasSuffix("/search")
      guard isRead, exchange.answer.object != nil else { continue }
      count += 1
      let text = StageJSON.text(exchange.answer)
      let base = try #require(WebURL(FakeNotion.address))
      let http = HandlerHTTPClient(baseURL: base) { request in
        request.path == exchange.path ? .json(text, status: exchange.status) : ServerResponse(418)
      }
      let client = NotionClient(
        baseURL: base, version: NotionVersion(rawValue: exchange.version) ?? .v2026,
        context: AdapterContext(name: "notion", http: http, clock: StageClock().clock))
      let path = exchange.path.split(separator: "/").dropFirst().map {
        PercentEncoding.decoded(String($0))
      }
      do throws(AdapterError) {
        let answer: JSONValue
        if exchange.answer["object"]?.string == "list" {
          answer = try await client.page(
            path, query: exchange.method == "POST" ? [:] : nil, cursor: nil, about: exchange.file
          ).body
        } else {
          answer = try await client.get(path, about: exchange.file)
        }
        #expect(answer == exchange.answer, "\(exchange.file)")
        #expect(exchange.status == 200)
      } catch {
        #expect(exchange.status >= 400, "\(exchange.file): \(error)")
        #expect(
          error.code
            == (exchange.status == 401
              ? .unauthorized : exchange.status == 404 ? .notFound : .malformed))
      }
    }
    #expect(count > 100)
  }

  @Test func `recorded comments and views are understood`() throws {
    for (file, value) in try Recordings.objects("comment") {
      let comment = NotionComments.Comment(
        value, page: try #require(NotionID(IdentityTests.digits)))
      guard value["rich_text"] != nil else { continue }
      #expect(!comment.discussion.isEmpty && NotionTime.date(comment.created) != nil, "\(file)")
    }
    let views = try Recordings.objects("view").filter { $0.value["type"] != nil }
    #expect(!views.isEmpty)
    for (file, value) in views {
      let view = try #require(DatabaseView(value), "\(file)")
      // The response to a deletion is a stub without a name.
      #expect(view.id != nil && (view.source != nil || value["name"] == nil), "\(file)")
    }
  }

  @Test func `recorded formulas become MathML`() throws {
    for (file, value) in try Recordings.objects("block") where value["type"] == "equation" {
      let source = value["equation"]?["expression"]?.string ?? ""
      var html = HTMLWriter()
      #expect(MathMLWriter.write(source, isBlock: true, to: &html), "\(file): \(source)")
    }
  }
}
