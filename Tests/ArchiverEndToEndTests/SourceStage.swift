import ArchiverCore
import ArchiverTestKit
import Synchronization

/// A kind of source that is built in.
enum BuiltInSource: String, CaseIterable, Sendable {
  case readeck, notion, books
}

/// Six items of one kind of source on loopback, each with a picture, and a folder for their archive.
final class SourceStage: Sendable {
  static let count = 6

  let kind: BuiltInSource
  let home: String
  let archive: String
  let readeck = FakeReadeck()
  let notion = FakeNotion()
  let catalog = FakeCatalog(
    (0..<SourceStage.count).map { number in
      let pages = String(repeating: "page \(number) ", count: 400)
      return FakeCatalog.Book(number, pdf: Array("%PDF-1.4\n\(pages)\n%%EOF\n".utf8))
    }, token: SourceStage.token)
  /// Addresses in place of those of covers and files, for books from the thousandth on.
  let planted: Planted
  /// The server of the source's API.
  let server: LoopbackServer
  /// Where Notion keeps its files; the others keep theirs at `server`.
  let files: LoopbackServer
  private let tampering: Stage.Tampering
  /// The ids of Notion's pages, in the order of their numbers.
  private let pages = Mutex<[String]>([])

  static let token = "token-of-a-source"

  final class Planted: Sendable {
    private let addresses = Mutex<[(cover: String, file: String)]>([])

    func set(_ covers: [String], _ files: [String]) {
      addresses.withLock { $0 = zip(covers, files).map { (cover: $0, file: $1) } }
    }

    func fill(_ answer: ServerResponse) -> ServerResponse {
      let addresses = addresses.withLock { $0 }
      guard !addresses.isEmpty, answer.headers["Content-Type"] == "application/xml" else {
        return answer
      }
      var text = String(decoding: answer.content, as: UTF8.self)
      for (index, address) in addresses.enumerated() {
        text = text.replacing(
          "\"/covers/\(1_000 + index)\"", with: "\"\(address.cover.escapedForMarkup)\""
        )
        .replacing("\"/files/\(1_000 + index).pdf\"", with: "\"\(address.file.escapedForMarkup)\"")
      }
      var answer = answer
      answer.body = .bytes(Array(text.utf8))
      return answer
    }
  }

  static func with(
    _ kind: BuiltInSource, _ body: (SourceStage) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("source-\(kind.rawValue)") { home in
      let stage = try SourceStage(kind, home)
      defer {
        stage.server.stop()
        stage.files.stop()
      }
      try await body(stage)
    }
  }

  private init(_ kind: BuiltInSource, _ home: String) throws {
    self.kind = kind
    self.home = home
    archive = home + "/archive"
    readeck.behaviour.token = SourceStage.token
    notion.behaviour.token = SourceStage.token
    let readeck = readeck
    let notion = notion
    let catalog = catalog
    let planted = Planted()
    self.planted = planted
    let tampering = Stage.Tampering()
    self.tampering = tampering
    @Sendable func tampered(_ request: ServerRequest, _ answer: ServerResponse) -> ServerResponse {
      tampering.change.withLock { $0 }?(request, answer) ?? answer
    }
    let files = try LoopbackServer(handler: { tampered($0, notion.handle($0)) })
    self.files = files
    let place = String(files.baseURL.absoluteString.dropLast())
    server = try LoopbackServer(handler: { request in
      var answer: ServerResponse
      switch kind {
      case .readeck: answer = readeck.handle(request)
      case .notion:
        answer = notion.handle(request)
        let text = String(decoding: answer.content, as: UTF8.self)
        answer.body = .bytes(Array(text.replacing(FakeNotion.fileAddress, with: place).utf8))
      case .books: answer = planted.fill(catalog.respond(request))
      }
      return tampered(request, answer)
    })
    for number in 0..<SourceStage.count { add(number) }
    try configure("")
  }

  private func add(_ number: Int) {
    readeck.add(Stage.article(number))
    let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
    let picture = "picture\(number).gif"
    notion.addFile(picture, Stage.gif(picture) + [UInt8](repeating: 0, count: 1_000))
    let page = notion.addPage(
      "Page \(number)",
      blocks: [
        .text("paragraph", "\(words) \(number)"), FakeBlock("image", FakeNotion.file(picture)),
      ])
    pages.withLock { $0.append(page) }
  }

  /// Gives the item with number 1 another text, or another file, and another revision.
  func changeOne() {
    switch kind {
    case .readeck:
      readeck.update(readeck.ids[1]) {
        $0.html = ($0.html ?? "").replacing("</section>", with: "<p>Later words.</p></section>")
      }
    case .notion:
      let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
      notion.edit(
        pages.withLock { $0[1] }, blocks: [.text("paragraph", "\(words) and later words")],
        at: "2026-11-25T10:00:00.000Z")
    case .books:
      catalog.books[1].updated = "2026-02-02T00:00:00+00:00"
      let text = String(repeating: "later page ", count: 400)
      catalog.books[1].pdf = Array("%PDF-1.4\n\(text)\n%%EOF\n".utf8)
    }
  }

  /// Writes the configuration, with these settings beside what lets a test run fast.
  func configure(_ settings: String) throws {
    let folder = home + "/config/archiver"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let special =
      switch kind {
      case .readeck: ""
      case .notion: "requestsPerSecond: 100, discovery: 'everything', "
      case .books: "formats: ['pdf'], "
      }
    let text = "{ sources: { \(kind.rawValue): { \(special)\(settings) } } }"
    try Data(text.utf8).write(to: URL(filePath: folder + "/config.json5"))
  }

  /// Filters the servers' responses through `change` from now on; `nil` stops that.
  func tamper(_ change: Stage.Tampering.Change?) { tampering.change.withLock { $0 = change } }

  var requests: [ServerRequest] { server.requests + files.requests }

  var environment: [String: String] {
    let address = server.baseURL.absoluteString
    let source =
      switch kind {
      case .readeck: ["READECK_URL": address, "READECK_TOKEN": SourceStage.token]
      case .notion: ["NOTION_API_URL": address, "NOTION_TOKEN": SourceStage.token]
      case .books: ["BOOKS_URL": address + "opds", "BOOKS_TOKEN": SourceStage.token]
      }
    let place = "127.0.0.1:\(files.port)"
    return source.merging(["ARCHIVER_ARCHIVE": archive, "ARCHIVER_ALLOW_HOST": place]) { $1 }
  }

  /// Runs `archiver` with any words.
  func archiver(
    _ words: String..., variables: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(
      words, home: home, environment: environment.merging(variables) { $1 })
  }

  /// Archives the source with `--quiet`.
  func run(
    _ more: String..., variables: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(
      ["run", "--source", kind.rawValue, "--quiet"] + more, home: home,
      environment: environment.merging(variables) { $1 })
  }

  func verify() async throws -> (code: Int32, output: String, error: String) {
    try await archiver("verify")
  }

  /// What is damaged, a line each; items that lack an essential part are no damage.
  func damage() async throws -> [String] {
    Program.damage(try await archiver("verify", "--json"))
  }

  /// The folders of the bundles, none when there is no archive yet.
  func bundles() -> [String] {
    let folder = "\(archive)/\(kind.rawValue)"
    // Before the first publication there is no folder to list.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.sorted()
  }
}

extension String {
  /// The text for an attribute of HTML or XML.
  var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
