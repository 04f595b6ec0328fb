import ArchiverCore
import ArchiverTestKit
import Testing

/// In every state of a run, a signal ends it within two seconds.
@Suite struct InterruptionTests {
  /// The state of a run at the time of the signal.
  struct Moment: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Parts of the paths with special responses.
    let path: String
    let answer: Stage.Tampering.Change

    init(_ name: String, _ path: String, _ answer: @escaping Stage.Tampering.Change) {
      testDescription = name
      self.path = path
      self.answer = answer
    }
  }

  private static let silence = Duration.seconds(30)

  static let moments: [Moment] = ["/api/bookmarks", "/bm/"].flatMap { path in
    [
      Moment("\(path) does not answer", path) { $1.misbehaving(.delay(silence)) },
      Moment("\(path) stalls", path) { $1.misbehaving(.stallAfter(20, silence)) },
      Moment("\(path) drips", path) { $1.misbehaving(.drip(1, every: .milliseconds(400))) },
      Moment("\(path) asks to wait", path) { _, _ in
        ServerResponse(429, headers: ["Retry-After": "60"])
      },
      Moment("\(path) fails", path) { _, _ in ServerResponse(503) },
    ]
  }

  /// Starts a run, waits until it has requested such a path, and interrupts it; returns its result.
  private func interrupt(
    _ stage: Stage, after path: String, pause: Duration = .milliseconds(300), words: [String] = []
  ) async throws -> (code: Int32, time: Duration) {
    let process = try Program.start(
      ["run", "--source", "readeck"] + words, home: stage.home, environment: stage.environment)
    let end = ContinuousClock.now + .seconds(60)
    while !stage.server.requests.contains(where: { $0.path.contains(path) }) {
      try #require(ContinuousClock.now < end)
      try await Task.sleep(for: .milliseconds(5))
    }
    try await Task.sleep(for: pause)
    let start = ContinuousClock.now
    process.signal(SIGTERM)
    let code = try await process.wait()
    return (code, ContinuousClock.now - start)
  }

  @Test(arguments: moments)
  func `a run that waits for others ends soon, and the next one continues`(moment: Moment)
    async throws
  {
    try await Stage.with(articles: 3) { stage in
      stage.tamper { request, answer in
        request.path.contains(moment.path) ? moment.answer(request, answer) : answer
      }
      let end = try await interrupt(stage, after: moment.path)
      #expect(end.code == 130)
      #expect(end.time < .seconds(2.5), "\(end.time)")
      stage.tamper(nil)
      #expect(try await stage.run("--force").code == 0)
      #expect(try stage.bundles().count == 3)
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test func `a run that waits for the network ends soon`() async throws {
    try await Stage.with(articles: 1) { stage in
      stage.server.stop()
      let process = try Program.start(
        ["run", "--source", "readeck", "--wait-online", "5m"], home: stage.home,
        environment: stage.environment)
      try await Task.sleep(for: .milliseconds(1_500))
      let start = ContinuousClock.now
      process.signal(SIGINT)
      #expect(try await process.wait() == 130)
      #expect(ContinuousClock.now - start < .seconds(2.5))
    }
  }

  @Test func `a run whose terminal is closed ends like an interrupted one`() async throws {
    try await Stage.with(articles: 1) { stage in
      stage.server.stop()
      let process = try Program.start(
        ["run", "--source", "readeck", "--wait-online", "5m"], home: stage.home,
        environment: stage.environment)
      try await Task.sleep(for: .milliseconds(1_500))
      process.signal(SIGHUP)
      #expect(try await process.wait() == 130)
    }
  }

  @Test func `a run whose terminal is closed continues under nohup`() async throws {
    try await Stage.with(articles: 1) { stage in
      stage.server.stop()
      var environment = stage.environment
      environment["HOME"] = stage.home
      environment["PATH"] = "/usr/bin:/bin"
      let script =
        "trap '' HUP; \"$0\" run --source readeck --wait-online 3s & "
        + "sleep 1; kill -HUP $!; wait $!"
      let process = try ChildProcess(
        "/bin/sh", ["-c", script, Program.path], environment: environment)
      // The server that it waited for is down.
      #expect(try await process.wait() == 3)
    }
  }

  @Test func `a run that has its hands full ends soon`() async throws {
    try await Stage.with(articles: 0) { stage in
      // More concurrent work than processors, for longer than two seconds.
      let text = String(repeating: "<p>many <b>words</b> to read", count: 300_000)
      for number in 0..<8 {
        stage.readeck.add(
          FakeReadeck.Bookmark(
            url: "https://example.org/\(number)", title: "Long \(number)", html: text))
      }
      let end = try await interrupt(stage, after: "/api/bookmarks/sync", pause: .seconds(4))
      #expect(end.code == 130)
      // Two seconds, and what a machine that is as busy takes to end a process of that size.
      #expect(end.time < .seconds(4), "\(end.time)")
    }
  }
}
