import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import BookCatalogAdapter

/// Entries that are too long to be stored with their references.
@Suite struct LongEntryTests {
  private static let words = String(repeating: "word ", count: 20_000)
  private static let long = "<content type=\"html\">&lt;p&gt;\(words)</content>"
  private static let image =
    "data:image/png;base64," + String(repeating: "iVBORw0K", count: 10_000)

  private static func item(
    _ pages: [String: String], at index: Int = 0
  ) async throws -> (SourceItem, CatalogStage) {
    let stage = try CatalogStage(pages: pages)
    let references = try await stage.list().references
    try #require(references.indices.contains(index))
    return (try await stage.adapter.item(references[index]), stage)
  }

  private static func html(_ item: SourceItem) throws -> String {
    guard case .html(let html, _) = item.body else { return "" }
    return String(decoding: html, as: UTF8.self)
  }

  @Test func `a long entry is read again whole on the page that listed it`() async throws {
    let cover = "<link rel=\"http://opds-spec.org/image\" href=\"\(Self.image)\"/>"
    let (item, stage) = try await Self.item([
      "/opds": atom(book("a", extra: Self.long + cover)), "/f/a.epub": "PK",
    ])
    #expect(item.notes.isEmpty && item.missing.isEmpty)
    #expect(try Self.html(item).utf8.count > 100_000)
    #expect(item.attachments.map(\.role) == [.cover, .file])
    #expect(stage.paths() == ["/opds", "/opds", "/f/a.epub"])
  }

  @Test func `a page with many long entries is read again once`() async throws {
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(["a", "b", "c"].map { book($0, extra: Self.long) }.joined()))
        : .data(Array("PK".utf8), type: "application/epub+zip")
    }
    for reference in try await stage.list().references {
      let item = try await stage.adapter.item(reference)
      #expect(item.notes.isEmpty && item.reference.title == item.metadata.title)
    }
    #expect(stage.paths().count { $0 == "/opds" } == 2)
  }

  @Test func `long entries of one id are told apart when they are read again`() async throws {
    func entry(_ name: String) -> String {
      book(name, extra: Self.long).replacing("<id>\(name)</id>", with: "<id>urn:same</id>")
    }
    let (item, _) = try await Self.item(
      ["/opds": atom(entry("a") + entry("b")), "/f/a.epub": "PK", "/f/b.epub": "PK"], at: 1)
    #expect(item.metadata.title == "b" && item.notes.isEmpty)
  }

  /// The page is asked for the second time when the item is fetched.
  @Test(arguments: ["<feed xmlns=\"http://www.w3.org/2005/Atom\"/>", nil])
  func `a long entry that cannot be read again keeps its beginning, and that is told`(
    second: String?
  ) async throws {
    let count = Mutex(0)
    let stage = try CatalogStage { request in
      guard request.path == "/opds" else {
        return .data(Array("PK".utf8), type: "application/epub+zip")
      }
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      return isFirst
        ? .text(atom(book("a", extra: Self.long)))
        : second.map { .text($0) } ?? .text("gone", status: 404)
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.notes.count { $0.contains("could not be read again") } == 1)
    #expect((10_000...17_000).contains(try Self.html(item).utf8.count))
    #expect(item.attachments.map(\.role) == [.file])
  }

  private static let many = String(repeating: "x", count: 200_000)
  private static let sources = [
    book("a", extra: long).replacing("<title>a</title>", with: "<title>\(many)</title>"),
    book(
      "a",
      extra: (0..<5_000).map { "<author><name>\(words.prefix(99))\($0)</name></author>" }.joined()),
    book("a", extra: (0..<5_000).map { "<category term=\"\(many.prefix(99))\($0)\"/>" }.joined()),
    book("a").replacing("<id>a</id>", with: "<id>urn:\(many)</id>"),
    book(
      "a",
      extra:
        "<rights>\(many)</rights><dc:language xmlns:dc=\"http://purl.org/dc/terms/\">\(many)</dc:language>"
    ),
    book("a", extra: "<link rel=\"http://opds-spec.org/image\" href=\"/\(many)\"/>"),
    book(
      "a",
      "<link rel=\"http://opds-spec.org/acquisition \(many)\" title=\"\(many)\" href=\"/\(many)\"/>"
        + (0..<400).map {
          "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/pdf\" title=\"\(many.prefix(900))\" href=\"/\(many.prefix(1_900))\($0)\"/>"
        }.joined()),
  ]

  @Test(arguments: sources)
  func `no entry is too long to be listed and fetched`(entry: String) async throws {
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(entry)) : .data(Array("PK".utf8), type: "application/epub+zip")
    }
    let reference = try #require(try await stage.list().references.first)
    let payload = try #require(reference.payload)
    #expect((1...(60 << 10)).contains(payload.utf8.count))
    let item = try await stage.adapter.item(reference)
    // Of several files of one format, the others are noted.
    #expect(item.notes.allSatisfy { $0.contains("not downloaded") }, "\(item.notes)")
    #expect(item.attachments.contains { $0.role == .file })
  }

  @Test func `even control characters and quotes, which JSON makes longer, leave a payload`() throws
  {
    for text in [String(repeating: "\u{1}", count: 90_000), String(repeating: "\"", count: 90_000)]
    {
      var entry = CatalogEntry()
      entry.id = text
      entry.title = text
      entry.summary = text
      entry.page = text
      entry.base = text
      entry.series = CatalogEntry.Series(name: text, position: text)
      entry.columns = Array(repeating: CatalogEntry.Column(name: text, value: text), count: 50)
      entry.links = (0..<50).map { _ in CatalogLink(String(text.prefix(1_500)), relations: [text]) }
      let payload = try #require(BookPayload.text(entry))
      #expect(payload.utf8.count <= 60 << 10)
      #expect(BookPayload.entry(payload)?.identity == entry.identity)
    }
  }
}
