import ArchiverCore
import ArchiverTestKit
import BookCatalogAdapter
import NotionAdapter
import ReadeckAdapter

extension FuzzTarget {
  /// Readeck's JSON, multipart bodies and articles.
  static func readeck() async throws -> FuzzTarget {
    let server = FakeReadeck()
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/1", title: "An article",
      html: "<section><p>Some words to mark.</p><img src=\"./_resources/a.png\"></section>")
    bookmark.highlights = [FakeReadeck.Bookmark.Highlight("words", color: "red", note: "a note")]
    bookmark.resources = [FakeReadeck.Bookmark.Resource("a.png", "image/png", [0x89])]
    bookmark.labels = ["one"]
    server.add(bookmark)
    server.add(FakeReadeck.Bookmark(url: "https://example.org/2", title: "No article"))
    let configuration = ReadeckConfiguration(
      url: "http://reads.test/", token: Secret(server.behaviour.token))
    let access = try ReadeckAdapter.access(configuration)
    let conversation = Conversation(handlers: [access.origin: server.handle], access: access) {
      http throws(AdapterError) in
      try ReadeckAdapter(
        configuration: configuration,
        context: AdapterContext(name: "readeck", http: http, clock: .impatient))
    }
    return try await conversation.target(
      "readeck", dictionary: Words.json + Words.multipart + Words.html)
  }

  /// Notion's JSON.
  static func notion() async throws -> FuzzTarget {
    let server = FakeNotion()
    let page = server.addPage("A page", blocks: NotionSample.blocks)
    let list = server.addDatabase(
      "A list", parent: page, columns: ["Name": ["type": "title", "title": [:]]])
    _ = server.addRow(
      list.source, ["Name": ["type": "title", "title": FakeNotion.richText("A row")]])
    server.addComment("A comment", on: page, page: page)
    guard let files = WebURL(FakeNotion.fileAddress) else { throw Conversation.BadAddress() }
    let configuration = NotionConfiguration(token: Secret(server.behaviour.token))
    let access = try NotionAdapter.access(configuration)
    let handler: HandlerHTTPClient.Handler = { server.handle($0) }
    let conversation = Conversation(
      handlers: [access.origin: handler, files.origin: handler], access: access
    ) { http throws(AdapterError) in
      try NotionAdapter(
        configuration: configuration,
        context: AdapterContext(name: "notion", http: http, clock: .impatient))
    }
    return try await conversation.target("notion", dictionary: Words.json)
  }

  /// OPDS 1.2, which is Atom.
  static func catalog() async throws -> FuzzTarget {
    let server = FakeCatalog([
      FakeCatalog.Book(1, series: "S", tags: ["t"], pdf: Array("%PDF-1.4".utf8)),
      FakeCatalog.Book(2, author: "B. Writer"),
    ])
    return try await catalog("opds", Words.xml) { server.respond($0) }
  }

  /// OPDS 2.0, which is JSON.
  static func publications() async throws -> FuzzTarget {
    try await catalog("opds2", Words.json + ["\"publications\":", "\"navigation\":"]) { request in
      switch request.path {
      case "/opds": .text(PublicationSample.root, type: "application/opds+json")
      case "/opds/all": .text(PublicationSample.feed, type: "application/opds+json")
      default: .text("not found", status: 404)
      }
    }
  }

  private static func catalog(
    _ name: String, _ dictionary: [String], _ handler: @escaping HandlerHTTPClient.Handler
  ) async throws -> FuzzTarget {
    let configuration = BookCatalogConfiguration(url: "https://books.test/opds")
    let access = try BookCatalogAdapter.access(configuration)
    let conversation = Conversation(handlers: [access.origin: handler], access: access) {
      http throws(AdapterError) in
      try BookCatalogAdapter(
        configuration: configuration,
        context: AdapterContext(name: name, http: http, clock: .impatient))
    }
    return try await conversation.target(name, dictionary: dictionary)
  }
}

extension ArchiverClock {
  /// A clock whose sleeps end at once.
  fileprivate static let impatient = ArchiverClock(
    now: { Date(timeIntervalSince1970: 1_795_219_200) },
    sleep: { _ in try Task.checkCancellation() })
}

private enum NotionSample {
  static var blocks: [FakeBlock] {
    [
      .text("heading_1", "A heading"), .text("paragraph", "Words"),
      .text("toggle", "More", [.text("bulleted_list_item", "inside")]),
      FakeBlock("image", FakeNotion.file("a.png")), FakeBlock("divider"),
      FakeBlock("equation", ["expression": "\\frac{a}{b} + \\sqrt{x^2}"]),
      FakeBlock("bookmark", ["url": "https://example.org/", "caption": FakeNotion.richText("c")]),
      FakeBlock(
        "table", ["table_width": 1, "has_column_header": true, "has_row_header": false],
        [FakeBlock("table_row", ["cells": [FakeNotion.richText("cell")]])]),
      FakeBlock(
        "code", ["rich_text": FakeNotion.richText("let a"), "language": "swift", "caption": []]),
    ]
  }
}

private enum PublicationSample {
  static let root = """
    {"metadata":{"title":"Catalog"},"links":[{"rel":"self","href":"/opds",\
    "type":"application/opds+json"}],"navigation":[{"title":"All","href":"/opds/all",\
    "type":"application/opds+json"}]}
    """
  static let feed = """
    {"metadata":{"title":"All","numberOfItems":1},"links":[{"rel":"self","href":"/opds/all",\
    "type":"application/opds+json"}],"publications":[{"metadata":{"@type":"http://schema.org/Book",\
    "title":{"en":"A book","de":"Ein Buch"},"identifier":"urn:isbn:9780000000002","author":[{"name":\
    "A. Writer"}],"language":["en"],"modified":"2026-01-01T00:00:00Z","subject":["t"],"belongsTo":\
    {"series":{"name":"S","position":2}},"description":"<p>About</p>"},"links":[{"rel":\
    "http://opds-spec.org/acquisition","href":"/files/1.epub","type":"application/epub+zip"}],\
    "images":[{"href":"/covers/1","type":"image/jpeg","width":10}]}]}
    """
}
