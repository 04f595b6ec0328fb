import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// The built program against a Notion on loopback.
@Suite(.serialized) struct NotionRunTests {
  @Test func `a wrong token ends with 3 and one line that names the setting`() async throws {
    try await NotionHouse.with { house in
      let result = try await house.run(["--quiet"], ["NOTION_TOKEN": "ntn_wrong"])
      #expect(result.code == 3)
      let lines = result.error.split(separator: "\n")
      #expect(lines.count == 1, "\(result.error)")
      #expect(result.error.contains("NOTION_TOKEN") || result.error.contains("token"))
      #expect(!result.error.contains("ntn_wrong"))
    }
  }

  @Test func `a wrong token does not make a source one that breaks the rules`() async throws {
    try await NotionHouse.with { house in
      let result = try await house.command(
        ["source", "test", "notion"], ["NOTION_TOKEN": "ntn_wrong"])
      #expect(result.code == 3)
      #expect(!result.output.contains("broken") && !result.output.contains("contract"))
      #expect(result.error.contains("refused the token"), "\(result.error)")
    }
  }

  @Test func `with search broken what is known is archived, and the run ends with 1`() async throws
  {
    try await NotionHouse.with { house in
      #expect(try await house.run(["--quiet"]).code == 0)
      house.breaks.withLock { $0 = true }
      for (number, option) in [["--quiet"], ["--quiet", "--full"]].enumerated() {
        let words = "Words of night \(number)"
        house.notion.edit(
          house.pages[number], blocks: [.text("paragraph", words)],
          at: "2026-11-20T0\(number):00:00.000Z"
        )
        let result = try await house.run(option)
        #expect(result.code == 1, "\(result.error)")
        #expect(result.error.contains("search failed"), "\(result.error)")
        let pages = try house.tree(house.archive).filter { $0.key.hasSuffix("/index.html") }
        #expect(pages.values.contains { $0.contains(words) })
      }
      house.breaks.withLock { $0 = false }
      #expect(try await house.run(["--quiet"]).code == 0)
    }
  }

  @Test func `a placeholder leads to Notion, not to itself`() async throws {
    try await NotionHouse.with { house in
      house.notion.addPage(
        "With a button", blocks: [FakeBlock("unsupported", ["block_type": "button"])])
      #expect(try await house.run(["--quiet"]).code == 0)
      let pages = try house.tree(house.archive).filter { $0.key.hasSuffix("/index.html") }
      let page = try #require(pages.values.first { $0.contains("See it in Notion") })
      #expect(page.contains("<a href=\"https://www.notion.so/"), "\(page)")
      #expect(!page.contains("href=\"#c-"))
    }
  }

  @Test func `a root that is not shared ends with 3 and says which and how to share it`()
    async throws
  {
    try await NotionHouse.with { house in
      let id = "0123456789abcdef0123456789abcdef"
      let result = try await house.run(["--quiet", "--root", id])
      #expect(result.code == 3)
      #expect(result.error.contains(id) && result.error.contains("Connections"), "\(result.error)")
    }
  }

  @Test func `killed half-way and run again, it ends with the same archive`() async throws {
    try await NotionHouse.with { house in
      let calm = house.home + "/calm"
      #expect(try await house.run(["--quiet"], ["ARCHIVER_ARCHIVE": calm]).code == 0)
      let whole = try house.tree(calm)
      #expect(whole.keys.filter { $0.hasSuffix("index.html") }.count == NotionHouse.pageCount + 2)
      for part in [3, 2] {
        let archive = house.home + "/killed\(part)"
        // On a busy machine the first run may progress far before it is killed.
        for limit in [house.requestCount / part, house.requestCount / part / 4] {
          let process = try house.start(["--quiet"], ["ARCHIVER_ARCHIVE": archive])
          try await house.wait(forRequests: limit)
          process.signal(SIGKILL)
          #expect(try await process.wait() == 137)
        }
        #expect(try await house.run(["--quiet"], ["ARCHIVER_ARCHIVE": archive]).code == 0)
        let tree = try house.tree(archive)
        #expect(Set(tree.keys) == Set(whole.keys))
        for (name, text) in whole where tree[name] != text {
          Issue.record("\(name) differs after a kill")
        }
        let verified = try await house.command(["verify"], ["ARCHIVER_ARCHIVE": archive])
        #expect(verified.code == 0, "\(verified.output)")
      }
    }
  }

  @Test func `links between pages and rows are local, and what links here is listed`() async throws
  {
    try await NotionHouse.with { house in
      #expect(try await house.run(["--quiet"]).code == 0)
      let pages = try house.tree(house.archive).filter { $0.key.hasSuffix("/index.html") }
      let first = try #require(pages.first { $0.value.contains("<h1 dir=\"auto\">Page 0</h1>") })
      let folder = first.key.dropLast("/index.html".count)
      #expect(first.value.contains("Linked from"))
      #expect(!first.value.contains("<a class=\"n-page\" href=\"https://"))
      let second = try #require(pages.first { $0.value.contains("<h1 dir=\"auto\">Page 1</h1>") })
      #expect(second.value.contains("href=\"../../\(folder)/index.html"))
      #expect(second.value.contains(".n-callout"), "the style of Notion's classes")
      let parent = "<p class=\"parents\"><span lang=\"en\">In</span> <a href=\"../../"
      #expect(second.value.contains("\(parent)\(folder)/index.html\"><bdi>Page 0</bdi>"))
      let row = try #require(pages.first { $0.value.contains("<h1 dir=\"auto\">Row 0</h1>") })
      let table = try #require(row.value.firstRange(of: parent)).upperBound
      let name = try #require(row.value[table...].split(separator: "/index.html").first)
      let database = try #require(
        pages["\(name)/index.html"] ?? pages.first { $0.key.hasSuffix("\(name)/index.html") }?.value
      )
      #expect(database.contains("Row 0"), "a row is in its database")
      let before = try await house.files()
      let requests = house.requests.filter { $0.contains("/blocks/") || $0.contains("/pages/") }
      #expect(try await house.run(["--quiet"]).code == 0)
      #expect(try await house.files() == before)
      let again = house.requests.filter { $0.contains("/blocks/") || $0.contains("/pages/") }
      #expect(again.count == requests.count)
    }
  }

  @Test func `items in the trash are removed if configured, items no longer shared stay`()
    async throws
  {
    try await NotionHouse.with { house in
      #expect(try await house.run(["--quiet"]).code == 0)
      let count = try house.bundles().count
      house.notion.trash(house.pages[3], at: "2026-11-20T10:00:00.000Z")
      house.notion.unshare(house.pages[4])
      // If search fails, each page is requested, and only those in the trash are removed.
      house.breaks.withLock { $0 = true }
      _ = try await house.run(["--quiet", "--on-deleted", "remove"])
      #expect(try house.bundles().count == count - 1)
      #expect(try house.bundles().contains { $0.contains("page-4-") })
      house.breaks.withLock { $0 = false }
      let result = try await house.run(["--quiet", "--on-deleted", "remove"])
      #expect(result.code == 0, "\(result.error)")
      let full = try await house.run(["--quiet", "--force", "--on-deleted", "remove"])
      #expect(full.code == 0, "\(full.error)")
      let left = try house.bundles()
      #expect(left.count == count - 1)
      #expect(!left.contains { $0.contains("page-3-") } && left.contains { $0.contains("page-4-") })
      // Items that are no longer shared are reported.
      let listed = try await house.command(["list"])
      let marked = listed.output.split(separator: "\n").filter { $0.contains("no longer shared") }
      #expect(marked.count == 1 && marked.first?.contains("Page 4") == true, "\(listed.output)")
      let status = try await house.command(["status"])
      #expect(status.output.contains("1 item no longer shared"), "\(status.output)")
      let problems = try Data(contentsOf: URL(filePath: house.archive + "/library/problems.html"))
      #expect(String(decoding: problems, as: UTF8.self).contains("withheldItems"))
      // Links to deleted items lead to the original again.
      let pages = try house.tree(house.archive).filter { $0.key.hasSuffix("/index.html") }
      #expect(pages.values.allSatisfy { !$0.contains("notion/page-3-") })
    }
  }
}

extension NotionRunTests {
  @Test func `an article's links into Notion lead to the archived page and its block`() async throws
  {
    try await NotionHouse.with { house in
      let readeck = FakeReadeck()
      readeck.behaviour.token = "good"
      let server = try LoopbackServer(handler: { readeck.handle($0) })
      defer { server.stop() }
      let page = house.pages[2]
      let block = NotionHouse.block
      let links = [
        "https://acme.notion.site/Page-2-\(page)?pvs=4", "https://www.notion.so/acme/\(page)",
        "https://app.notion.com/p/Page-2-\(page)#block-\(block)",
        "https://acme.notion.site/Elsewhere-0123456789abcdef0123456789abcdef",
      ]
      var article = Stage.article(1)
      article.html =
        "<section><p>\(String(repeating: "words ", count: 60))</p>"
        + links.map { "<p><a href=\"\($0)\">link</a></p>" }.joined() + "</section>"
      readeck.add(article)
      // The article first: its link target is archived later, from another source.
      let settings = ["READECK_URL": server.baseURL.absoluteString, "READECK_TOKEN": "good"]
      let first = try await house.command(
        ["run", "--source", "readeck", "--quiet", "--allow-host", "127.0.0.1"], settings)
      #expect(first.code == 0, "\(first.error)")
      #expect(try await house.run(["--quiet"]).code == 0)
      let folder = try #require(try house.bundles().first { $0.hasPrefix("page-2-") })
      let bundle = try #require(
        try FileManager.default.contentsOfDirectory(atPath: house.archive + "/readeck").first)
      let html = String(
        decoding: try Data(
          contentsOf: URL(filePath: "\(house.archive)/readeck/\(bundle)/index.html")),
        as: UTF8.self)
      let path = "../../notion/\(folder)/index.html"
      #expect(html.components("<a href=\"\(path)\" ") == 3)
      #expect(html.contains("<a href=\"\(path)#c-\(block)\" "))
      #expect(html.contains("<a href=\"\(links[3])\""))
      let target = String(
        decoding: try Data(
          contentsOf: URL(filePath: "\(house.archive)/notion/\(folder)/index.html")),
        as: UTF8.self)
      #expect(target.contains("id=\"c-\(block)\""))
      #expect(target.contains("<bdi>Article 1</bdi>"))
      #expect(try await house.command(["verify"]).code == 0)
    }
  }
}

extension String {
  /// The number of parts of the text between separators.
  fileprivate func components(_ separator: String) -> Int {
    split(separator: separator, omittingEmptySubsequences: false).count
  }
}

/// A fake Notion behind a socket, with pages that link to each other and a database.
private final class NotionHouse: Sendable {
  static let pageCount = 30

  let notion = FakeNotion()
  let home: String
  let pages: [String]
  /// The id of a block on the third page.
  static let block = "00000000000000000000000000000b10"
  let server: LoopbackServer
  /// Whether searches fail.
  let breaks: Flag

  final class Flag: Sendable {
    let value = Mutex(false)

    func withLock<T: Sendable>(_ body: (inout sending Bool) -> sending T) -> T {
      value.withLock(body)
    }
  }

  static func with(_ body: (NotionHouse) async throws -> Void) async throws {
    try await TemporaryFolder.with("notion") { home in
      let house = try NotionHouse(home)
      defer { house.server.stop() }
      try await body(house)
    }
  }

  private init(_ home: String) throws {
    self.home = home
    let table = notion.addDatabase(
      "Tasks", columns: ["Name": ["id": "title", "name": "Name", "type": "title", "title": [:]]])
    _ = notion.addUser("Ada")
    var made: [String] = []
    for number in 0..<NotionHouse.pageCount / 2 {
      let mentions = made.suffix(3).map { FakeNotion.mention($0, "one before") }
      let blocks = [
        FakeBlock.text("paragraph", "Words of page \(number), enough of them to be read."),
        FakeBlock("paragraph", ["rich_text": .array(mentions)]),
        FakeBlock(
          "callout", ["rich_text": FakeNotion.richText("Look")],
          id: number == 2 ? NotionHouse.block : nil),
      ]
      made.append(notion.addPage("Page \(number)", parent: made.first, blocks: blocks))
      let title = FakeNotion.richText("Row \(number)")
      made.append(
        notion.addRow(
          table.source, ["Name": ["id": "title", "type": "title", "title": title]],
          blocks: [FakeBlock("paragraph", ["rich_text": [FakeNotion.mention(made[0], "Page 0")]])]))
    }
    notion.addPage("The end", blocks: [FakeBlock.text("paragraph", "Nothing more.")])
    self.pages = stride(from: 0, to: made.count, by: 2).map { made[$0] }
    let notion = notion
    let breaks = Flag()
    self.breaks = breaks
    server = try LoopbackServer(handler: { request in
      if request.path.hasSuffix("/search"), breaks.withLock({ $0 }) {
        return FakeNotion.error(400, "validation_error", "Something is wrong with the search.")
      }
      return notion.handle(request)
    })
    let folder = home + "/config/archiver"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try Data("{ sources: { notion: { requestsPerSecond: 100, discovery: \"everything\" } } }".utf8)
      .write(
        to: URL(filePath: folder + "/config.json5"))
  }

  var archive: String { home + "/archive" }

  private func environment(_ more: [String: String]) -> [String: String] {
    [
      "NOTION_API_URL": server.baseURL.absoluteString, "NOTION_TOKEN": "ntn_good",
      "ARCHIVER_ARCHIVE": archive,
    ].merging(more) { _, new in new }
  }

  func start(_ arguments: [String], _ more: [String: String] = [:]) throws -> ChildProcess {
    seen.withLock { $0 = server.requests.count }
    return try Program.start(
      ["run", "--source", "notion"] + arguments, home: home, environment: environment(more))
  }

  func run(
    _ arguments: [String], _ more: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    try await command(["run", "--source", "notion"] + arguments, more)
  }

  func command(
    _ arguments: [String], _ more: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    let before = server.requests.count
    let result = try await Program.run(arguments, home: home, environment: environment(more))
    if requestCount == 0 { first.withLock { $0 = server.requests.count - before } }
    return result
  }

  private let seen = Mutex(0)
  private let first = Mutex(0)

  /// The number of requests of the first run.
  var requestCount: Int { first.withLock { $0 } }
  var requests: [String] { server.requests.map(\.path) }

  /// Waits until a program started since has made so many requests.
  func wait(forRequests count: Int) async throws {
    let start = seen.withLock { $0 }
    for _ in 0..<6_000 where server.requests.count - start < count {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  func bundles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archive + "/notion").sorted()
  }

  /// The files of an archive's bundles as text, times and what depends on them left out.
  func tree(_ archive: String) throws -> [String: String] {
    var files: [String: String] = [:]
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: archive) where name.hasPrefix("notion/") {
      var isFolder = false
      guard manager.fileExists(atPath: "\(archive)/\(name)", isDirectory: &isFolder), !isFolder
      else { continue }
      let data = try Data(contentsOf: URL(filePath: "\(archive)/\(name)"))
      var text = String(decoding: data, as: UTF8.self)
      if name.hasSuffix("SHA256SUMS") { text = "" }
      text = text.replacing(/<time[^<]*<\/time>/, with: "")
        .replacing(/"(first|last)Archived" : "[^"]*"/, with: "")
        .replacing(/"revision" : "[^"]*"/, with: "")
      files[name] = text
    }
    return files
  }

  /// Every file of the bundles with its inode and time.
  func files() async throws -> String {
    try await Program.tool(
      "find", [archive + "/notion", "-type", "f", "-printf", "%P %i %s %T@\n"]
    ).output
  }
}
