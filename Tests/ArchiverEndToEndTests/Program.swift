import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// The built programs, run as a user or cron runs them.
enum Program {
  /// The folder of the test bundle, where `swift build` puts the programs too.
  private static var folder: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }

  /// The path of `archiver`.
  static var path: String {
    ProcessInfo.processInfo.environment["ARCHIVER_TEST_PROGRAM"] ?? folder + "/archiver"
  }

  /// Starts the demo's Readeck; returns it and its address.
  static func startDemo() async throws -> (server: ChildProcess, url: String) {
    let server = try ChildProcess(
      folder + "/archiver-demo-server", ["--token", "demo"], environment: [:],
      keepsInputOpen: true)
    let line = try await server.firstLine()
    return (server, String(line.dropFirst("READECK_URL=".count).prefix { $0 != " " }))
  }

  /// The problems that `verify --json` names; all it says when it did not come to its end.
  static func damage(_ verify: (code: Int32, output: String, error: String)) -> [String] {
    let lines = verify.output.split(separator: "\n").map(String.init)
    guard [0, 1].contains(verify.code), lines.contains(where: { $0.contains("\"verified\"") })
    else {
      return ["\(verify.code): \(verify.output)\(verify.error)"]
    }
    return lines.filter { $0.contains("\"event\":\"problem\"") }
  }

  /// Starts `archiver` with only these variables and a home of its own.
  static func start(
    _ arguments: [String], home: String, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    var variables = ["HOME": home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": home + "/config"]
    variables.merge(environment) { _, new in new }
    return try ChildProcess(path, arguments, environment: variables)
  }

  /// Runs `archiver` to its end.
  static func run(
    _ arguments: [String], home: String, environment: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    let process = try start(arguments, home: home, environment: environment)
    let code = try await process.wait(limit: .seconds(300))
    return (code, process.output, process.errorOutput)
  }

  /// Runs any other program to its end.
  static func tool(
    _ name: String, _ arguments: [String]
  ) async throws -> (code: Int32, output: String) {
    let path = try #require(ChildProcess.find(name), "\(name) is not installed")
    let process = try ChildProcess(path, arguments, environment: ["PATH": "/usr/bin:/bin"])
    return (try await process.wait(), process.output + process.errorOutput)
  }
}

/// A Readeck on loopback with 25 small articles, and a folder for an archive of it.
final class Stage: Sendable {
  static let token = "end-to-end-token"

  let readeck: FakeReadeck
  let server: LoopbackServer
  let archive: String
  let home: String
  private let tampering: Tampering

  /// Changes the server's answers, and every answer passes through it.
  final class Tampering: Sendable {
    typealias Change = @Sendable (ServerRequest, ServerResponse) -> ServerResponse

    let change = Mutex<Change?>(nil)
  }

  /// Filters the server's responses through `change` from now on; `nil` stops that.
  func tamper(_ change: Tampering.Change?) { tampering.change.withLock { $0 = change } }

  /// Starts the server and hands out a folder that is removed afterwards.
  static func with(articles: Int = 25, _ body: (Stage) async throws -> Void) async throws {
    try await TemporaryFolder.with("end-to-end") { home in
      let stage = try Stage(home: home, articles: articles)
      defer { stage.server.stop() }
      try await body(stage)
    }
  }

  private init(home: String, articles: Int) throws {
    self.home = home
    archive = home + "/archive"
    readeck = FakeReadeck()
    readeck.behaviour.token = Stage.token
    for number in 0..<articles { readeck.add(Stage.article(number)) }
    let tampering = Tampering()
    let readeck = readeck
    self.tampering = tampering
    server = try LoopbackServer(handler: { request in
      let answer = readeck.handle(request)
      return tampering.change.withLock { $0 }?(request, answer) ?? answer
    })
  }

  /// An article with two pictures of its own and one that all share.
  static func article(_ number: Int) -> FakeReadeck.Bookmark {
    let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/\(number)", title: "Article \(number)",
      html: """
        <section><h2 id="a.b">Part</h2><p>\(words)</p>
        <p><img src="./_resources/one.gif" alt="one"><img src="./_resources/two.gif" alt="two"></p>
        <p><a href="#a.b">up</a> <a href="https://example.org/">out</a></p></section>
        """)
    bookmark.resources = ["one.gif", "two.gif"].map {
      FakeReadeck.Bookmark.Resource($0, "image/gif", gif("\(number)\($0)"))
    }
    bookmark.image = FakeReadeck.Bookmark.Picture(
      "image.gif", "image/gif", gif("cover"), width: 1, height: 1)
    bookmark.labels = ["label \(number % 3)"]
    return bookmark
  }

  /// A picture of one pixel whose bytes differ by the text.
  static func gif(_ text: String) -> [UInt8] {
    let head: [UInt8] = Array("GIF89a".utf8) + [4, 0, 3, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
    let comment: [UInt8] = [0x21, 0xFE, UInt8(text.utf8.count)] + Array(text.utf8) + [0]
    return head + comment + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  }

  var environment: [String: String] {
    [
      "READECK_URL": server.baseURL.absoluteString, "READECK_TOKEN": Stage.token,
      "ARCHIVER_ARCHIVE": archive,
    ]
  }

  /// Runs `archiver run --source readeck --json`; returns its last JSON line too.
  func run(_ arguments: String...) async throws -> (code: Int32, summary: JSONValue) {
    let result = try await Program.run(
      ["run", "--source", "readeck", "--json"] + arguments, home: home, environment: environment)
    let last = result.output.split(separator: "\n").last.map(String.init) ?? "null"
    let summary = try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8))
    return (result.code, summary)
  }

  /// Runs `archiver verify`.
  func verify() async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(["verify"], home: home, environment: environment)
  }

  /// What is damaged, a line each; items that lack an essential part are no damage.
  func damage() async throws -> [String] {
    Program.damage(
      try await Program.run(["verify", "--json"], home: home, environment: environment))
  }

  /// The folders of the bundles.
  func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archive + "/readeck")
      .map { "\(archive)/readeck/\($0)" }.sorted()
  }

  /// Every file outside `.archiver`, with its inode, size and time.
  func publicFiles() async throws -> [String: String] {
    let result = try await Program.tool(
      "find",
      [
        archive, "-name", ".archiver", "-prune", "-o", "-type", "f", "-printf", "%P\t%i %s %T@\n",
      ])
    var files: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      files[String(parts[0])] = String(parts[1])
    }
    return files
  }
}
