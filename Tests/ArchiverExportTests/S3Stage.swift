import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// An archive of a few files, a bucket, and what visitors see there.
final class S3Stage: Sendable {
  let home: String
  let bucket = FakeS3(hash: { bytes in Digest.md5(bytes).map(hex) ?? "" })
  /// Answers in place of the bucket: before a request is carried out, or after it.
  typealias Tamper = @Sendable (_ request: ServerRequest, _ number: Int) -> ServerResponse?
  let before = Mutex<Tamper?>(nil)
  let after = Mutex<Tamper?>(nil)
  /// How long requests are repeated. Waits pass time unless it is zero.
  let patience = Mutex(Duration.zero)
  private let count = Mutex(0)
  private let now = Mutex(Date(timeIntervalSince1970: 1_795_219_200))

  init() throws { home = try TemporaryFolder.make("s3") }

  deinit {
    // The system's clean-up gets what is left.
    try? FileManager.default.removeItem(atPath: home)
  }

  var root: String { home + "/archive" }

  var clock: ArchiverClock {
    ArchiverClock(
      now: { self.now.withLock { $0 } },
      sleep: { time in
        if self.patience.withLock({ $0 > .zero }) { self.pass(time / .seconds(1)) }
      })
  }

  func pass(_ seconds: Double) {
    now.withLock { $0 += seconds }
    bucket.behaviour.now += seconds
  }

  func answer(_ request: ServerRequest) -> ServerResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if let response = before.withLock({ $0 })?(request, number) { return response }
    let response = bucket.handle(request)
    return after.withLock { $0 }?(request, number) ?? response
  }

  /// The requests since the last call.
  func requests() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func target(
    _ journal: String = "one", bucket name: String = "bucket", isPreview: Bool = false
  ) throws -> S3Target {
    let endpoint = try #require(WebURL("http://127.0.0.1:9000/"))
    let location = try #require(
      S3Location(endpoint: endpoint, bucket: name, prefix: "site", region: "us-east-1"))
    let client = HandlerHTTPClient(handlers: [endpoint.origin: { self.answer($0) }])
    return S3Target(
      root: root, location: location,
      credentials: S3Credentials(accessKey: "KEY", secretKey: Secret("never shown")), http: client,
      journal: try PublishJournal(folder: "\(home)/\(journal)", target: location.identity),
      clock: clock, holder: "host of \(journal)", isPreview: isPreview,
      patience: patience.withLock { $0 })
  }

  @discardableResult
  func publish(
    _ journal: String = "one", deletesMany: Bool = true, audits: Bool = false
  ) async throws -> Publisher.Outcome {
    try await Publisher(root: root, target: target(journal)).publish(
      deletesMany: deletesMany, audits: audits)
  }

  // MARK: The archive

  func write(_ path: String, _ text: String) throws {
    let place = "\(root)/\(path)"
    let folder = place.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: place))
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
  }

  private func page(_ links: String...) -> String {
    "<p>" + links.map { "<a href=\"\($0)\">\($0)</a>" }.joined() + "</p>"
  }

  /// Three items' pages, lists and a script.
  func writeFirst() throws {
    try write(
      "index.html",
      page("library/dates.html", "readeck/a-1/index.html", "readeck/b-1/index.html")
        + "<script src=\"library/app.js\"></script>")
    try write("library/app.js", "one")
    try write("library/data/facets.js", "[1,2]")
    try write("library/status.js", "night 1")
    try write("library/dates.html", page("2026-01.html"))
    try write(
      "library/2026-01.html", page("../readeck/a-1/index.html", "../readeck/b-1/index.html"))
    try write("readeck/a-1/index.html", page("assets/0123456789abcdef.png"))
    try write("readeck/a-1/assets/0123456789abcdef.png", "picture")
    try write("readeck/a-1/source.json", "{}")
    try write("readeck/b-1/index.html", page("../a-1/index.html"))
    try write(".archiver/catalog.sqlite", "private")
  }

  /// A new item to which old ones link, a new list, another picture.
  func writeSecond() throws {
    try write(
      "index.html",
      page("library/dates.html", "readeck/a-1/index.html", "readeck/c-1/index.html")
        + "<script src=\"library/app.js\"></script><script src=\"library/new.js\"></script>")
    try write("library/app.js", "two")
    try write("library/new.js", "new")
    try write("library/data/facets.js", "[1,2,3]")
    try write("library/status.js", "night 2")
    try write("library/dates.html", page("2026-01.html", "2026-02.html"))
    try write("library/2026-02.html", page("../readeck/c-1/index.html"))
    try write("readeck/a-1/index.html", page("assets/fedcba9876543210.png"))
    try write("readeck/a-1/assets/fedcba9876543210.png", "other picture")
    try remove("readeck/a-1/assets/0123456789abcdef.png")
    try write("readeck/b-1/index.html", page("../a-1/index.html", "../c-1/index.html"))
    try write("readeck/c-1/index.html", page("../d-1/index.html", "../b-1/index.html"))
    try write("readeck/d-1/index.html", page("../c-1/index.html"))
  }

  /// The files to publish, by key.
  func wanted() throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for file in try PublishPlan.files(root, leavingOut: Publisher.unreferenced) {
      found[file.key] = Array(try Data(contentsOf: URL(filePath: "\(root)/\(file.key)")))
    }
    return found
  }

  // MARK: The visitor

  /// The objects without archiver's own, by key without the prefix.
  func published() -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for (key, object) in bucket.objects where !key.hasPrefix("site/_archiver/") {
      found[String(key.dropFirst("site/".count))] = object.bytes
    }
    return found
  }

  /// Follows every link from the start page; returns those that lead to nothing.
  func brokenLinks() -> [String] {
    let objects = published()
    guard objects["index.html"] != nil else { return [] }
    var broken: [String] = []
    var seen: Set<String> = ["index.html"]
    var queue = ["index.html"]
    while let key = queue.popLast() {
      let text = String(decoding: objects[key] ?? [], as: UTF8.self)
      for mark in ["href=\"", "src=\""] {
        for part in text.split(separator: mark).dropFirst() {
          let target = S3Stage.resolve(String(part.prefix { $0 != "\"" }), from: key)
          guard objects[target] != nil else {
            broken.append("\(key) → \(target)")
            continue
          }
          if seen.insert(target).inserted, target.hasSuffix(".html") { queue.append(target) }
        }
      }
    }
    return broken
  }

  private static func resolve(_ link: String, from key: String) -> String {
    var parts = key.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}
