import ArchiverCore
import Testing

/// Responses of the real API beside the project's directory; tests that need them are skipped if
/// they are absent.
enum Recordings {
  /// One request and its response.
  struct Exchange: Sendable {
    let file: String
    let method: String
    let path: String
    let query: [(name: String, value: String)]
    let body: JSONValue
    let version: String
    let status: Int
    let answer: JSONValue
  }

  static let folder: String? = {
    let given = getenv("ARCHIVER_FIXTURES").map { String(cString: $0) }
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let folder = (given ?? "/\(root)/../shared/fixtures") + "/notion"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  static var isThere: Bool { folder != nil }

  /// Every file as JSON, with its name.
  static func files() throws -> [(name: String, value: JSONValue)] { try read.get() }

  private static let read = Result { try readAll() }

  private static func readAll() throws -> [(name: String, value: JSONValue)] {
    guard let folder else { return [] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
      let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
      return (name, try JSONDecoder().decode(JSONValue.self, from: data))
    }
  }

  /// Every recorded exchange, in its order.
  static func exchanges() throws -> [Exchange] {
    try files().flatMap { name, value in
      (value["interactions"]?.array ?? []).map { exchange in
        Exchange(
          file: name, method: exchange["method"]?.string ?? "",
          path: exchange["path"]?.string ?? "",
          query: (exchange["query"]?.array ?? []).map {
            ($0[0]?.string ?? "", $0[1]?.string ?? "")
          },
          body: exchange["request_body"] ?? .null,
          version: exchange["notion_version"]?.string ?? "",
          status: exchange["status"]?.integer ?? 0, answer: exchange["response"] ?? .null)
      }
    }
  }

  /// Every object of this kind in the recordings.
  static func objects(_ kind: String) throws -> [(file: String, value: JSONValue)] {
    var found: [(String, JSONValue)] = []
    for (name, value) in try files() {
      var pending = [value]
      while let next = pending.popLast() {
        if next["object"]?.string == kind { found.append((name, next)) }
        pending += next.array ?? next.object.map { Array($0.values) } ?? []
      }
    }
    return found
  }
}
