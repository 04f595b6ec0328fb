import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// Responses recorded from a server, beside the project's directory and not part of it.
struct Recordings {
  static let folder: String? = {
    if let path = getenv("ARCHIVER_FIXTURES") { return String(cString: path) + "/readeck" }
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/../shared/fixtures/readeck"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  static func names(_ prefix: String, _ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder ?? "").filter {
      $0.hasPrefix(prefix) && $0.hasSuffix(suffix)
    }.sorted()
  }

  static func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(name)")))
  }

  static func header(_ name: String, _ field: String) throws -> String {
    let lines = String(decoding: try read(name), as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.first { $0.hasPrefix("\(field): ") }.map { String($0.dropFirst(field.count + 2)) }
      ?? ""
  }

  static func decode<T: Decodable>(_ name: String) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(try read(name)))
  }
}

@Suite(.enabled(if: Recordings.folder != nil, "recorded responses lie beside the project folder"))
struct RecordingTests {
  @Test func `reads every recorded list`() throws {
    for (name, count) in [
      ("list_all", 17), ("list_p1", 5), ("list_p2", 5), ("list_empty", 0), ("list_archived", 1),
      ("list_marked", 1),
    ] {
      let list: LenientArray<Bookmark> = try Recordings.decode("\(name).json")
      #expect(list.elements.count == count, "\(name)")
      #expect(list.faults.isEmpty, "\(name)")
      #expect(list.elements.allSatisfy { $0.updated != nil && $0.created != nil }, "\(name)")
    }
  }

  @Test func `gives the same revision for a bookmark in a list, by sync and by itself`() throws {
    let list: LenientArray<Bookmark> = try Recordings.decode("list_all.json")
    let sync: LenientArray<SyncEntry> = try Recordings.decode("sync_list.json")
    let listed = Dictionary(uniqueKeysWithValues: list.elements.map { ($0.id, $0.revision) })
    let synced = Dictionary(
      uniqueKeysWithValues: sync.elements.map { ($0.id, $0.time.canonical) })
    #expect(listed == synced)
    for name in try Recordings.names("detail_", ".json") {
      let bookmark: Bookmark = try Recordings.decode(name)
      #expect(listed[bookmark.id] == bookmark.revision, "\(name)")
    }
  }

  @Test func `reads changes and deletions`() throws {
    let list: LenientArray<SyncEntry> = try Recordings.decode("sync_since.json")
    #expect(list.faults.isEmpty)
    #expect(list.elements.count { $0.isDeletion } == 4)
    #expect(list.elements.count { !$0.isDeletion } == 7)
  }

  @Test func `makes an item of every recorded bookmark`() throws {
    let base = try #require(WebURL("https://reads.test/r/"))
    for name in try Recordings.names("detail_", ".json") {
      let plain = name.dropFirst("detail_".count).dropLast(".json".count)
      let record = try Recordings.read(name)
      let bookmark: Bookmark = try Recordings.decode(name)
      let highlights: LenientArray<Highlight> = try Recordings.decode("annotations_\(plain).json")
      let content = BookmarkContent(
        bookmark: bookmark, record: record, html: try Recordings.read("article_\(plain).html"),
        highlights: highlights.elements)
      let item = ItemAssembly(content, base: base).item()
      #expect(item.metadata.added != nil, "\(name)")
      #expect(item.html.isEmpty == (item.reason != nil), "\(name)")
      #expect(!item.html.contains("127.0.0.1"), "\(name)")
      for attachment in item.attachments {
        guard case .remote(let url) = attachment.location else { continue }
        #expect(url.absoluteString.hasPrefix("https://reads.test/r/bm/"), "\(name)")
      }
      #expect(content.hasHighlights == !item.annotations.isEmpty, "\(name)")
    }
  }

  @Test func `reads every recorded sync answer whole`() throws {
    for (name, json, html, resources) in [
      ("sync_two_json_html", 2, 1, 0), ("sync_many_html", 0, 1, 0),
      ("sync_article_full", 1, 1, 9),
    ] {
      let body = try MultipartBody(
        try Recordings.read("\(name).multipart"),
        contentType: try Recordings.header("\(name).headers", "Content-Type"))
      let types = body.parts.map { $0.headers["Type"] ?? "" }
      #expect(body.isIntact, "\(name)")
      #expect(types.count { $0 == "json" } == json, "\(name)")
      #expect(types.count { $0 == "html" } == html, "\(name)")
      #expect(types.count { $0 == "resource" } == resources, "\(name)")
      for part in body.parts {
        if let length = part.headers["Content-Length"] {
          #expect(Int(length) == part.content.count, "\(name)")
        }
        if part.headers["Type"] == "json" {
          _ = try JSONDecoder().decode(Bookmark.self, from: Data(part.content))
        }
      }
    }
  }

  @Test func `reads highlights, collections, labels and the version`() throws {
    let all: LenientArray<Highlight> = try Recordings.decode("annotations_all.json")
    #expect(Set(all.elements.map(\.bookmarkID)) == ["AYQdWESSESv3Xg3o5vMFDY"])
    #expect(all.elements.map(\.color) == ["yellow", "green"])
    let collections: [BookmarkCollection] = try Recordings.decode("collections.json")
    #expect(collections.map(\.name) == ["Swift things"])
    let info: ServerInfo = try Recordings.decode("info.json")
    #expect(ServerVersion(info.version.canonical) == ServerVersion(0, 22, 3))
  }

  @Test func `words every recorded error`() throws {
    let base = try #require(WebURL("https://reads.test/"))
    let api = ReadeckAPI(base: base, http: HandlerHTTPClient(handlers: [:]))
    for (name, status, code) in [
      ("err_401.json", 401, AdapterError.Code.unauthorized),
      ("err_401_badtoken.json", 401, .unauthorized), ("err_401_text.txt", 401, .unauthorized),
      ("err_404.json", 404, .notFound), ("err_404_limit101.json", 404, .notFound),
      ("err_422_filter.json", 422, .configuration),
    ] {
      let head = HTTPResponseHead(status: status, headers: [:], url: base)
      let response = HTTPResponse(head: head, body: try Recordings.read(name))
      let failure = try #require(api.failure(for: response, "bookmarks"))
      #expect(failure.code == code, "\(name)")
      if status == 422 {
        #expect(failure.message.hasSuffix("type: foo is not one of article, photo, video"))
      }
    }
  }
}
