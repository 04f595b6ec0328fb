import ArchiverCore
import ArchiverTestKit
import Testing

/// The built program against the answers of a real Readeck 0.22.3, over HTTP, with nothing set but
/// its address and a token.
@Suite(
  .enabled(
    if: RecordedReadeck.folder != nil, "no recorded responses: shared/fixtures/readeck is absent"))
struct RecordedReadeckTests {
  private static let highlighted = "AYQdWESSESv3Xg3o5vMFDY"

  /// A recorded server, a home and what was archived there.
  private struct Scene: Sendable {
    let readeck: RecordedReadeck
    let server: LoopbackServer
    let home: String

    func run(_ arguments: String...) async throws -> (code: Int32, summary: JSONValue) {
      let result = try await Program.run(
        ["run", "--source", "readeck", "--json"] + arguments, home: home, environment: environment)
      let last = result.output.split(separator: "\n").last.map(String.init) ?? "null"
      #expect(result.error.isEmpty, "\(result.error)")
      return (result.code, try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8)))
    }

    var environment: [String: String] {
      [
        "READECK_URL": server.baseURL.absoluteString,
        "READECK_TOKEN": RecordedReadeck.token,
      ]
    }

    /// The requests so far as `GET /path`.
    var requests: [String] { server.requests.map { "\($0.method) \($0.path)" } }

    /// The default path of an archive.
    var archive: String { home + "/archived" }

    /// The folder and the record of the bundle with a title.
    func bundle(_ title: String) throws -> (folder: String, record: JSONValue) {
      for name in try FileManager.default.contentsOfDirectory(atPath: archive + "/readeck") {
        let folder = "\(archive)/readeck/\(name)"
        let data = try Data(contentsOf: URL(filePath: folder + "/item.json"))
        let record = try JSONDecoder().decode(JSONValue.self, from: data)
        if record["metadata"]?["title"]?.string == title { return (folder, record) }
      }
      throw ChildProcess.Failure("nothing is called \(title)")
    }
  }

  private func scene(
    _ age: RecordedReadeck.Age, _ body: (Scene) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("recorded") { home in
      let readeck = try RecordedReadeck(age)
      let server = try LoopbackServer(handler: readeck.handle)
      defer { server.stop() }
      try await body(Scene(readeck: readeck, server: server, home: home))
    }
  }

  /// Every file of an archive's public part, with its inode, size and time.
  private func files(_ archive: String) async throws -> Set<String> {
    let found = try await Program.tool(
      "find",
      [
        archive, "-path", "*/.archiver", "-prune", "-o", "-type", "f", "-not", "-name", "status.js",
        "-printf", "%P %i %s %T@\n",
      ])
    return Set(found.output.split(separator: "\n").map(String.init))
  }

  private func expectWhole(_ scene: Scene) async throws {
    let verify = try await Program.run(
      ["verify", "--json"], home: scene.home, environment: scene.environment)
    #expect(verify.code == 0, "\(verify.output)\(verify.error)")
    let check = try await Program.tool(
      "sh",
      [
        "-c",
        "for b in '\(scene.archive)'/readeck/*; do "
          + "(cd \"$b\" && sha256sum --strict --quiet -c SHA256SUMS) || exit 1; done",
      ])
    #expect(check.code == 0, "\(check.output)")
  }

  @Test func `archives all of a real server's answers and then writes nothing more`() async throws {
    try await scene(.today) { scene in
      let first = try await scene.run()
      #expect(first.code == 0)
      #expect(first.summary["archived"]?.integer == 17)
      #expect(first.summary["failed"]?.integer == 0)
      #expect(first.summary["imagesMissing"]?.integer == 0)
      try await expectWhole(scene)
      let asked = scene.requests
      #expect(asked.count { $0 == "POST /api/bookmarks/sync" } == 1)
      #expect(asked.count { $0.hasPrefix("GET /bm/KL/KLuqobqgBKPMWXirEHjo89/_resources/") } == 80)
      // Only what has highlights is worth a request of its own.
      #expect(
        asked.filter { $0.hasSuffix("/article") || $0.hasSuffix("/annotations") }.sorted() == [
          "GET /api/bookmarks/\(RecordedReadeckTests.highlighted)/annotations",
          "GET /api/bookmarks/\(RecordedReadeckTests.highlighted)/article",
        ])

      let before = try await files(scene.archive)
      let second = try await scene.run()
      #expect(second.code == 0)
      #expect(second.summary["archived"]?.integer == 0)
      #expect(try await files(scene.archive) == before)
      #expect(
        Set(scene.requests.dropFirst(asked.count)) == [
          "GET /api/info", "GET /api/bookmarks/sync",
        ])
    }
  }

  @Test func `keeps the highlights, images and words of a real article`() async throws {
    try await scene(.today) { scene in
      _ = try await scene.run("--only", RecordedReadeckTests.highlighted)
      let (folder, record) = try scene.bundle("Saving the web, one page at a time")
      let page = String(
        decoding: try Data(contentsOf: URL(filePath: folder + "/index.html")), as: UTF8.self)
      #expect(page.contains("A note with &lt;b&gt;html&lt;/b&gt; &amp; &quot;quotes&quot;"))
      #expect(page.contains("quick brown fox</mark>"))
      #expect(!page.contains("rd-annotation"))
      #expect(!page.contains("127.0.0.1"))
      let assets = try FileManager.default.contentsOfDirectory(atPath: folder + "/assets")
      #expect(
        Set(assets.compactMap { $0.split(separator: ".").last }) == ["gif", "jpg", "png", "svg"])
      // The article's six, the image above it and the icon.
      #expect(assets.count == 8)
      #expect(
        record["metadata"]?["labels"]?.array?.compactMap(\.string) == [
          "C++ & C#", "swift", "web archive",
        ])
    }
  }

  @Test func `reads the multipart answer of a real server to the byte`() async throws {
    try await scene(.today) { scene in
      let run = try await scene.run(
        "--only", "KY14uzQ2T5MocJLH7ZimZD", "--only", "RvWsURwiHpTxooYADpFY2S")
      #expect(run.code == 0)
      #expect(run.summary["archived"]?.integer == 2)
      #expect(scene.requests.count { $0 == "POST /api/bookmarks/sync" } == 1)
      #expect(
        try scene.bundle("A video about archiving").record["metadata"]?["kind"]?.string == "video")
      try await expectWhole(scene)
    }
  }

  @Test func `makes the same bundles of a server without the sync API`() async throws {
    var archived: [[String]] = []
    for age in [RecordedReadeck.Age.today, .beforeSync] {
      try await scene(age) { scene in
        let run = try await scene.run()
        // Nothing but its entry in the list was recorded of one bookmark.
        #expect(run.summary["archived"]?.integer == (age == .today ? 17 : 16))
        #expect(run.summary["failed"]?.integer == 0)
        let names = try await files(scene.archive).map {
          String($0.split(separator: " ")[0])
        }
        archived.append(
          names.filter { $0.hasPrefix("readeck/") && !$0.contains("doublon") }.sorted())
      }
    }
    #expect(archived[0] == archived[1])
  }

  @Test func `shows what a real server says to a wrong token`() async throws {
    try await scene(.today) { scene in
      var environment = scene.environment
      environment["READECK_TOKEN"] = "another"
      let run = try await Program.run(
        ["run", "--source", "readeck"], home: scene.home, environment: environment)
      #expect(run.code == 3)
      #expect(run.error.contains("refused the token (401): set READECK_TOKEN"))
    }
  }
}
