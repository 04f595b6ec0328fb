import ArchiverCore
import ArchiverTestKit

/// A Readeck that answers with what a real one answered: recorded heads and bodies, byte for byte.
///
/// The real one believed to be at `http://127.0.0.1:8790`, which is not where this one listens, so
/// its absolute addresses are of the kind that a proxy makes wrong. Two answers are put together
/// from recorded pieces, because what they contain depends on the question: the sync API's for
/// bookmarks that were not recorded together, and pictures that were not recorded, for which one
/// that was stands.
final class RecordedReadeck: Sendable {
  static let token = "recorded-token"

  /// The directory of the recordings: `readeck` in the directory that `ARCHIVER_FIXTURES` names,
  /// otherwise in `shared/fixtures` beside the project; `nil` if they are absent.
  static let folder: String? = {
    var candidates: [String] = []
    if let named = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] {
      candidates.append("\(named)/readeck")
    }
    let project = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    candidates.append("/\(project)/../shared/fixtures/readeck")
    return candidates.first { FileManager.default.fileExists(atPath: "\($0)/INDEX.tsv") }
  }()

  /// Which of the real servers it is.
  enum Age {
    /// Version 0.22.3, as recorded.
    case today
    /// A version without `/api/info` and the sync API; the other recordings apply.
    case beforeSync
  }

  /// The ids of all bookmarks, newest first.
  let ids: [String]
  private let age: Age
  private let answers: [String: ServerResponse]
  private let list: [String: JSONValue]
  private let boundary: String

  init(_ age: Age) throws {
    self.age = age
    var answers: [String: ServerResponse] = [:]
    let index = String(decoding: try RecordedReadeck.bytes("INDEX.tsv"), as: UTF8.self)
    for line in index.split(separator: "\n") {
      let columns = line.split(separator: "\t")
      let isQuestion = columns[1].hasPrefix("GET ") && columns[2] == "200"
      guard isQuestion else { continue }
      answers[String(columns[1].dropFirst(4))] = try RecordedReadeck.answer(String(columns[0]))
    }
    self.answers = answers
    let bookmarks = try JSONDecoder().decode(
      [JSONValue].self, from: Data(try RecordedReadeck.bytes("list_all.json")))
    ids = bookmarks.compactMap { $0["id"]?.string }
    list = Dictionary(uniqueKeysWithValues: zip(ids, bookmarks))
    let type = try RecordedReadeck.answer("sync_two_json_html.multipart").headers["Content-Type"]
    boundary = type?.split(separator: "\"").last.map(String.init) ?? ""
  }

  func handle(_ request: ServerRequest) -> ServerResponse {
    do {
      return try answer(request)
    } catch {
      return .text("The recordings cannot be read: \(error)", status: 599)
    }
  }

  private func answer(_ request: ServerRequest) throws -> ServerResponse {
    if request.path.hasPrefix("/bm/") { return try picture(request) }
    if age == .beforeSync, request.path == "/api/info" || request.path.hasSuffix("/sync") {
      return try RecordedReadeck.answer("err_404.json", status: 404)
    }
    guard
      request.path == "/api/info"
        || request.headers["Authorization"] == "Bearer \(RecordedReadeck.token)"
    else { return try RecordedReadeck.answer("err_401.json", status: 401) }
    switch (request.method, request.path) {
    case ("POST", "/api/bookmarks/sync"): return try sync(request)
    case ("GET", "/api/bookmarks/sync") where request.parameter("since") != nil:
      return try RecordedReadeck.answer("sync_since.json")
    case ("GET", "/api/bookmarks") where request.parameter("offset") == "0":
      return try RecordedReadeck.answer("list_all.json")
    case ("GET", let path):
      if let answer = answers[path] { return answer }
      return try RecordedReadeck.answer("err_404.json", status: 404)
    default: return try RecordedReadeck.answer("err_404.json", status: 404)
    }
  }

  private func picture(_ request: ServerRequest) throws -> ServerResponse {
    guard request.method == "GET" else { return ServerResponse(405) }
    if let answer = answers[request.path] { return answer }
    switch request.path.split(separator: ".").last {
    case "svg": return try RecordedReadeck.answer("res_3.svg")
    case "gif": return try RecordedReadeck.answer("res_2.gif")
    case "png": return try RecordedReadeck.answer("res_5.png")
    default: return try RecordedReadeck.answer("res_4.jpg")
    }
  }

  private func sync(_ request: ServerRequest) throws -> ServerResponse {
    let question = try JSONDecoder().decode(JSONValue.self, from: Data(request.body))
    let wanted = (question["id"]?.array ?? []).compactMap(\.string)
    let recorded = "sync_two_json_html.multipart"
    let together = ["KY14uzQ2T5MocJLH7ZimZD", "RvWsURwiHpTxooYADpFY2S"]
    if Set(wanted) == Set(together) { return try RecordedReadeck.answer(recorded) }
    var body: [UInt8] = []
    for id in wanted where list[id] != nil {
      body += part(id, type: "json", try json(id))
      if list[id]?["has_article"]?.bool == true {
        body += part(id, type: "html", try article(id))
      }
    }
    body += Array("--\(boundary)--\r\n".utf8)
    var answer = try RecordedReadeck.answer(recorded)
    answer.body = RecordedReadeck.chunked(body)
    return answer
  }

  private func part(_ id: String, type: String, _ content: [UInt8]) -> [UInt8] {
    let mediaType = type == "json" ? "application/json" : "text/html"
    let name = type == "json" ? "info.json" : "index.html"
    let path = type == "json" ? id : "\(id)/article"
    let head = """
      --\(boundary)\r
      Bookmark-Id: \(id)\r
      Content-Disposition: attachment; filename="\(name)"\r
      Content-Type: \(mediaType); charset=utf-8\r
      Date: 2026-11-21T00:01:50Z\r
      Filename: \(name)\r
      Last-Modified: 2026-11-21T00:01:50Z\r
      Location: http://127.0.0.1:8790/api/bookmarks/\(path)\r
      Type: \(type)\r
      \r

      """
    return Array(head.utf8) + content + [0x0D, 0x0A]
  }

  /// The bookmark in the sync API: its details without the errors.
  private func json(_ id: String) throws -> [UInt8] {
    if let detail = answers["/api/bookmarks/\(id)"]?.recordedBytes {
      let text = String(decoding: detail, as: UTF8.self)
      if !text.contains("\"errors\":[") { return detail }
    }
    return Array(try JSONEncoder().encode(list[id] ?? .null))
  }

  /// The article in the sync API: highlights without ids, colours and notes.
  private func article(_ id: String) throws -> [UInt8] {
    // One bookmark was recorded in the list only; another one has the same page.
    let twin = answers["/api/bookmarks/RvWsURwiHpTxooYADpFY2S/article"]
    let answer = answers["/api/bookmarks/\(id)/article"] ?? twin
    let html = String(decoding: answer?.recordedBytes ?? [], as: UTF8.self)
    let pieces = html.split(separator: "<rd-annotation ", omittingEmptySubsequences: false)
    return Array(
      pieces.dropFirst().reduce(String(pieces[0])) { text, piece in
        let end = piece.firstIndex(of: ">") ?? piece.startIndex
        let isNote = piece[..<end].contains("data-annotation-note")
        let rest = piece[piece.index(after: end)...]
        return isNote
          ? text + rest.dropFirst("</rd-annotation>".count) : text + "<rd-annotation>" + rest
      }.utf8)
  }
}

extension RecordedReadeck {
  fileprivate static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(name)")))
  }

  /// Returns a recorded response: its head as received, its body with the same framing.
  fileprivate static func answer(_ name: String, status: Int = 200) throws -> ServerResponse {
    let body = try bytes(name)
    let stem = name.prefix { $0 != "." }
    let lines = String(decoding: try bytes("\(stem).headers"), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    var answer = ServerResponse(status, body: .bytes(body))
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      answer.headers.append(String(line[..<colon]), String(value))
    }
    // The server frames a body in chunks itself.
    if answer.headers["Transfer-Encoding"] != nil {
      answer.headers["Transfer-Encoding"] = nil
      answer.body = chunked(body)
    }
    return answer
  }

  /// Returns a body in chunks with arbitrary boundaries, as a network delivers it.
  fileprivate static func chunked(_ body: [UInt8]) -> ServerResponse.Body {
    .stream(
      stride(from: 0, to: body.count, by: 1013).map { Array(body[$0..<min($0 + 1013, body.count)]) }
    )
  }
}

extension ServerResponse {
  fileprivate var recordedBytes: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .stream(let chunks): Array(chunks.joined())
    case .file: []
    }
  }
}
