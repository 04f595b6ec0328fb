import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// Runs that publish the archive to a bucket afterwards.
@Suite struct PublishRunTests {
  private final class Record<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }

  /// An archive's source, a bucket and a configuration file that names it.
  private final class Setting: Sendable {
    let stage: Stage
    let bucket: FakeS3
    let server: LoopbackServer
    /// The sizes of bodies that wait for the server's consent.
    let expecting: Record<[Int]>
    /// Whether the server refuses to give its consent.
    let refusesExpect: Record<Bool>
    /// What no page refers to.
    static let leftOut = ["source.json", "source.html.gz", "item.json", "SHA256SUMS"]

    init(_ stage: Stage) throws {
      self.stage = stage
      let bucket = FakeS3(hash: { bytes in
        // The program takes any text as an ETag.
        String(
          bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
      })
      bucket.behaviour.now = Date()
      self.bucket = bucket
      let (expecting, refusesExpect) = (Record<[Int]>([]), Record(false))
      (self.expecting, self.refusesExpect) = (expecting, refusesExpect)
      server = try LoopbackServer(handler: { request in
        if request.headers["Expect"] != nil {
          expecting.value.withLock { $0.append(request.body.count) }
          if refusesExpect.value.withLock({ $0 }) { return ServerResponse(417) }
        }
        return bucket.handle(request)
      })
      let folder = stage.home + "/config/archiver"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let names = Setting.leftOut.map { "'\($0)'" }.joined(separator: ", ")
      let text = """
        { publish: { target: 's3://bucket/reading', endpoint: '\(server.baseURL)',
          accessKey: 'KEY', secretKey: 'env:MY_SECRET', leaveOut: [\(names)], publicURL: '\(server.baseURL)bucket/reading' } }
        """
      try Data(text.utf8).write(to: URL(filePath: folder + "/config.json5"))
    }

    func archiver(_ words: String...) async throws -> (code: Int32, output: String, error: String) {
      bucket.behaviour.now = Date()
      return try await Program.run(
        words, home: stage.home,
        environment: stage.environment.merging(["MY_SECRET": "s3cret-of-mine"]) { $1 })
    }

    func run(_ more: String...) async throws -> (code: Int32, output: String, error: String) {
      let result = try await Program.run(
        ["run", "--source", "readeck"] + more, home: stage.home,
        environment: stage.environment.merging(["MY_SECRET": "s3cret-of-mine"]) { $1 })
      #expect(!(result.output + result.error).contains("s3cret"))
      return result
    }

    /// The published files, without archiver's own, as far as they differ from the archive's.
    func differences() async throws -> [String] {
      let objects = bucket.objects
      var found: [String] = []
      for path in try await stage.publicFiles().keys {
        if Setting.leftOut.contains(where: { path.hasSuffix("/" + $0) }) { continue }
        let bytes = FileManager.default.contents(atPath: "\(stage.archive)/\(path)") ?? Data()
        if objects["reading/\(path)"]?.bytes != Array(bytes) { found.append(path) }
      }
      return found
    }
  }

  private func with(
    articles: Int = 6, _ body: (Setting) async throws -> Void
  ) async throws {
    try await Stage.with(articles: articles) { stage in
      let setting = try Setting(stage)
      defer { setting.server.stop() }
      try await body(setting)
    }
  }

  @Test func `a run publishes, and a night without news takes few requests`() async throws {
    try await with { setting in
      let first = try await setting.run()
      #expect(first.code == 0, "\(first)")
      #expect(first.error.contains("s3://bucket/reading: ") && first.error.contains("see http"))
      #expect(try await setting.differences() == [])
      let count = setting.bucket.log.count
      #expect(try await setting.run("--quiet").code == 0)
      #expect(setting.bucket.log.count - count <= 3, "\(setting.bucket.log.dropFirst(count))")
      #expect(try await setting.differences() == [])
      let none = setting.bucket.log.count
      _ = try await setting.run("--no-publish")
      _ = try await setting.run("--dry-run")
      #expect(setting.bucket.log.count == none)
    }
  }

  @Test func `a changed article takes few requests`() async throws {
    try await with { setting in
      #expect(try await setting.run().code == 0)
      let id = try #require(setting.stage.readeck.ids.first)
      setting.stage.readeck.update(id) {
        $0.html = ($0.html ?? "") + "<p>An afterthought.</p>"
      }
      let count = setting.bucket.log.count
      let second = try await setting.run()
      #expect(second.code == 0, "\(second)")
      let requests = setting.bucket.log.dropFirst(count)
      #expect(requests.contains { $0.hasPrefix("PUT reading/readeck/") })
      // The earlier version keeps a copy of each picture.
      let pictures = requests.filter { $0.contains("/versions/") && $0.contains("/assets/") }
      #expect(requests.count - pictures.count <= 12, "\(requests)")
      #expect(try await setting.differences() == [])
    }
  }

  /// A paragraph of 420 words, others for each number.
  private static func text(_ number: Int) -> String {
    let words = (0..<420).map { "word\(($0 * $0 * 31 + number * 7_919) % (50 + $0 * 9))" }
    return "<p>\(words.joined(separator: " "))</p>"
  }

  @Test func `an article that is rewritten from top to bottom takes few requests`() async throws {
    try await with(articles: 120) { setting in
      let ids = setting.stage.readeck.ids
      for (number, id) in ids.enumerated() {
        setting.stage.readeck.update(id) { $0.html = Self.text(number) }
      }
      #expect(try await setting.run().code == 0)
      for (number, id) in [ids[7], ids[60], ids[7]].enumerated() {
        let html = Self.text(1_000 + number)
        setting.stage.readeck.update(id) { $0.html = html }
        let count = setting.bucket.log.count
        let result = try await setting.run()
        #expect(result.code == 0)
        let requests = setting.bucket.log.dropFirst(count)
        #expect(requests.contains { $0.hasPrefix("PUT reading/readeck/") })
        let pictures = requests.filter { $0.contains("/versions/") && $0.contains("/assets/") }
        #expect(requests.count - pictures.count <= 12, "\(requests)")
        #expect(try await setting.differences() == [])
      }
    }
  }

  @Test func `only large bodies wait for consent, and go without where it is refused`()
    async throws
  {
    try await with { setting in
      #expect(try await setting.run().code == 0)
      #expect(setting.expecting.value.withLock { $0 } == [])
      let large = 1_200_000
      try Data(repeating: 7, count: large).write(
        to: URL(filePath: setting.stage.archive + "/readeck/large.bin"))
      #expect(try await setting.archiver("publish").code == 0)
      #expect(setting.expecting.value.withLock { $0 } == [large])
      setting.refusesExpect.value.withLock { $0 = true }
      try Data(repeating: 8, count: large).write(
        to: URL(filePath: setting.stage.archive + "/readeck/large.bin"))
      let again = try await setting.archiver("publish")
      #expect(again.code == 0, "\(again)")
      #expect(setting.bucket.objects["reading/readeck/large.bin"]?.bytes.first == 8)
    }
  }

  @Test func `a bucket that refuses is told, and the next run goes on`() async throws {
    try await with { setting in
      setting.bucket.behaviour.capacity = 20_000
      let full = try await setting.run("--quiet")
      #expect(full.code == 4 && full.error.contains("the storage is full"), "\(full)")
      #expect(try await setting.stage.damage() == [])
      setting.server.stop()
      let gone = try await setting.run("--quiet", "--no-publish")
      #expect(gone.code == 0, "\(gone)")
    }
  }

  @Test func `a run that is killed while it publishes goes on`() async throws {
    try await with { setting in
      #expect(try await setting.run("--no-publish").code == 0)
      for _ in 0..<3 {
        let process = try Program.start(
          ["publish", "--quiet"], home: setting.stage.home,
          environment: setting.stage.environment.merging(["MY_SECRET": "s3cret-of-mine"]) { $1 })
        let start = setting.bucket.log.count
        // Little may be left to publish after the first kills.
        try await Condition.wait { !process.isRunning || setting.bucket.log.count >= start + 8 }
        process.signal(SIGKILL)
        _ = try await process.wait()
      }
      let done = try await setting.archiver("publish", "--json")
      #expect(done.code == 0 && done.output.contains("\"event\":\"published\""), "\(done)")
      #expect(try await setting.differences() == [])
      let audit = try await setting.archiver("publish", "--audit")
      #expect(audit.code == 0 && audit.output.contains("compared"), "\(audit)")
      #expect(audit.error.isEmpty, "visitors get what was published: \(audit)")
    }
  }
}
