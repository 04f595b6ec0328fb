import ArchiverCore
import ArchiverTestKit
import Testing

/// Runs the commands of the documentation. `TranscriptTests` compares the output that it shows.
@Suite struct DocumentedCommandTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The values of placeholders and examples. `~` is the home.
  private static let values = [
    "NAME": "readeck", "ITEM": "Paper maps", "Moby Dick": "Paper maps", "DIR": "~/notes",
    "file:/DIR": "file:~/public", "s3://BUCKET": "s3://bucket/all",
    "s3://BUCKET[/PREFIX]": "s3://bucket/all", "/tmp/new.json5": "~/new.json5",
    "s3://reading/anna": "s3://bucket/anna", "s3://reading/bob": "s3://bucket/bob",
    "file:/srv/www/anna": "file:~/srv/www/anna",
  ]

  /// The file extensions of `FILE` after an option.
  private static let files = ["--highlights": ".csv", "--zip": ".zip", "--wacz": ".wacz"]

  /// Commands of sources that only other tests have, and a login that waits for a person.
  private static let elsewhere: Set<String> = ["books", "notion", "feed", "login"]

  /// Exit codes other than that of a usage error.
  private static let good: Set<Int32> = [0, 1]

  /// Every command line once, with the page that has it.
  private static func commands() throws -> [(page: String, words: [String])] {
    var seen: Set<[String]> = []
    var found: [(page: String, words: [String])] = []
    for (path, text) in try QuotedCommand.pages(root: root) {
      for words in QuotedCommand.all(in: text) where seen.insert(words).inserted {
        found.append((path, words))
      }
    }
    return found
  }

  /// Returns the words of a command as it is run here; `nil` if another test runs it.
  private static func runnable(_ words: [String], home: String) -> [String]? {
    if words.isEmpty || words.contains(where: elsewhere.contains) { return nil }
    return words.enumerated().map { index, word in
      let option = index > 0 ? words[index - 1] : ""
      let file = word == "FILE" ? "~/file" + (files[option] ?? "") : nil
      let value = file ?? values[word] ?? (word.hasPrefix("/srv/") ? "~" + word : word)
      return value.replacing("~", with: home, maxReplacements: 1)
        .replacing("https://hc-ping.com/…", with: "http://127.0.0.1:9/ping")
    }
  }

  @Test(arguments: [BuiltInSource.notion, .books])
  func `every documented command that names a source does what it says`(
    kind: BuiltInSource
  ) async throws {
    let commands = try Self.commands().filter { $0.words.contains(kind.rawValue) }
      .filter { !$0.words.contains { $0.contains("…") || $0 == "login" || $0 == "test" } }
    #expect(!commands.isEmpty)
    try await SourceStage.with(kind) { stage in
      for (page, words) in commands {
        let result = try await Program.run(words, home: stage.home, environment: stage.environment)
        #expect(result.code == 0, "\(page): archiver \(words.joined(separator: " ")): \(result)")
      }
      #expect(stage.bundles().count == SourceStage.count)
    }
  }

  /// A service manager that does not answer, and a crontab of the home's own.
  private static func replaceSchedulers(in home: String) throws {
    let bin = home + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try ProgramFile.write("#!/bin/sh\nexit 1\n", to: bin + "/systemctl")
    try ProgramFile.write(TranscriptTests.crontab, to: bin + "/crontab")
  }

  /// A bucket for `publish`, and the text of a configuration file that tells how to reach it.
  private static func makeBucket() throws -> (server: LoopbackServer, configuration: String) {
    let bucket = FakeS3(hash: { bytes in String(bytes.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })
    })
    let server = try LoopbackServer(handler: { request in
      bucket.behaviour.now = Date()
      return bucket.handle(request)
    })
    let text = """
      { publish: { target: 's3://bucket/all', endpoint: '\(server.baseURL)', accessKey: 'KEY', secretKey: 'SECRET' } }
      """
    return (server, text)
  }

  private static func start(
    _ words: [String], _ stage: Stage, storage: String
  ) throws -> ChildProcess {
    let variables = stage.environment.merging([
      "ARCHIVER_OVERWRITE": "1", "ARCHIVER_PUBLISH_ENDPOINT": storage,
      "ARCHIVER_PUBLISH_ACCESS_KEY": "KEY", "ARCHIVER_PUBLISH_SECRET_KEY": "SECRET",
    ]) { $1 }
    let line = "cd '\(stage.home)' && exec '\(Program.path)' \"$@\""
    return try ChildProcess(
      "/bin/sh", ["-c", line, "sh"] + words,
      environment: variables.merging([
        "HOME": stage.home, "PATH": "\(stage.home)/bin:/usr/bin:/bin",
        "XDG_CONFIG_HOME": stage.home + "/config",
      ]) { $1 })
  }

  @Test func `every command of the documentation does what it says`() async throws {
    try await Stage.with(articles: 5) { stage in
      try Self.replaceSchedulers(in: stage.home)
      let bucket = try Self.makeBucket()
      defer { bucket.server.stop() }
      let file = stage.home + "/config/archiver/config.json5"
      try FileManager.default.createDirectory(
        atPath: stage.home + "/config/archiver", withIntermediateDirectories: true)
      var article = Stage.article(5)
      article.title = "Paper maps"
      article.labels = ["to read"]
      stage.readeck.add(article)
      #expect(try await stage.run().code == 0)
      for name in ["anna", "bob"] {
        let other = try await Program.run(
          ["run", "--archive", "\(stage.home)/srv/archives/\(name)"], home: stage.home,
          environment: stage.environment)
        #expect(other.code == 0, "\(other)")
      }
      var count = 0
      for (page, documented) in try Self.commands() {
        guard let words = Self.runnable(documented, home: stage.home) else { continue }
        count += 1
        let isForBucket = words.contains { $0.hasPrefix("s3:") }
        if isForBucket { try Data(bucket.configuration.utf8).write(to: URL(filePath: file)) }
        // Each starts with a complete archive.
        let process = try Self.start(words, stage, storage: "\(bucket.server.baseURL)")
        if words.first == "watch" {
          for _ in 0..<600 where !process.errorOutput.contains("next run") {
            try await Task.sleep(for: .milliseconds(50))
          }
          process.signal(SIGTERM)
        }
        let code = try await process.wait(limit: .seconds(120))
        if isForBucket { try FileManager.default.removeItem(atPath: file) }
        let text = process.output + process.errorOutput
        #expect(
          Self.good.contains(code),
          "\(page): archiver \(words.joined(separator: " ")) ended with \(code): \(text.prefix(600))"
        )
        if words.contains("--json") {
          for row in process.output.split(separator: "\n") {
            #expect(throws: Never.self, "\(page): \(words): \(row.prefix(200))") {
              try JSONDecoder().decode(JSONValue.self, from: Data(row.utf8))
            }
          }
        }
      }
      #expect(count > 60, "commands are found in the pages, not only \(count)")
      #expect(try await stage.damage() == [])
    }
  }

  @Test func `the documented lines for jq print what their comments say`() async throws {
    _ = try #require(ChildProcess.find("jq"), "jq is not installed")
    let lines = try QuotedCommand.pages(root: Self.root).flatMap { page in
      page.text.split(separator: "\n").filter { $0.hasPrefix("archiver ") && $0.contains("| jq") }
    }
    #expect(lines.count == 3)
    try await Stage.with(articles: 3) { stage in
      var article = Stage.article(3)
      article.labels = ["keep"]
      stage.readeck.add(article)
      #expect(try await stage.run().code == 0)
      var printed = ""
      for line in lines {
        let process = try ChildProcess(
          "/bin/sh", ["-c", "set -e; archiver() { '\(Program.path)' \"$@\"; }; \(line)"],
          environment: stage.environment.merging([
            "HOME": stage.home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": stage.home + "/config",
          ]) { $1 })
        #expect(try await process.wait(limit: .seconds(60)) == 0, "\(line)")
        #expect(process.errorOutput == "", "\(line)")
        printed += process.output
      }
      #expect(
        printed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          == "\(article.title) { \"readeck\": 0 } "
          + "{ \"archived\": 0, \"failed\": 0, \"exitCode\": 0 }", "\(printed)")
    }
  }

  @Test func `the documented source of a feed is installed, run and tested`() async throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>urn:f</id>
      <entry><id>urn:1</id><title>One</title><updated>2026-01-01T00:00:00Z</updated>
      <content type="html">&lt;p&gt;Some words of the first entry.&lt;/p&gt;</content></entry></feed>
      """
    let server = try LoopbackServer { _ in .text(feed, type: "application/atom+xml") }
    defer { server.stop() }
    let pages = try QuotedCommand.pages(root: Self.root)
    let readme = try #require(pages.first { $0.path == "README.md" }).text
    let lines = readme.split(separator: "\n").filter {
      $0.contains("archiver-source-feed ") || $0.contains("--source feed")
        || $0.hasPrefix("archiver source test feed")
    }
    #expect(lines.count == 3)
    try await TemporaryFolder.with("feed") { home in
      let address = "\(server.baseURL)feed.xml"
      let script = lines.joined(separator: "\n").replacing(
        "https://example.org/feed.xml", with: address)
      let process = try ChildProcess(
        "/bin/bash",
        [
          "-c", "set -e; cd '\(Self.root)'; archiver() { '\(Program.path)' \"$@\"; }; \(script)",
        ],
        environment: [
          "HOME": home, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
          "FEED_URL": address,
        ])
      let code = try await process.wait(limit: .seconds(120))
      #expect(code == 0, "\(process.output)\(process.errorOutput)")
      let all = process.output + process.errorOutput
      #expect(all.contains("Archived 1 item") && all.contains("names 1 item"), "\(all)")
    }
  }
}
