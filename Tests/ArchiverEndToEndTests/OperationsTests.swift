import ArchiverCore
import ArchiverTestKit
import Testing

/// Features for cron, containers and machines that are not always on, with the built program.
@Suite struct OperationsTests {
  private func archiver(
    _ stage: Stage, _ words: [String], _ more: [String: String] = [:]
  ) async throws -> (code: Int32, output: String, error: String) {
    try await Program.run(
      words, home: stage.home, environment: stage.environment.merging(more) { $1 })
  }

  @Test func `watch makes round after round and ends well within two seconds of SIGTERM`()
    async throws
  {
    try await Stage.with { stage in
      let process = try Program.start(
        ["watch", "--every", "1s", "--max", "10"], home: stage.home,
        environment: stage.environment)
      for _ in 0..<600 where try bundles(stage) < 25 {
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(try bundles(stage) == 25)
      // Between runs, its most frequent state.
      try await Task.sleep(for: .milliseconds(300))
      let start = ContinuousClock.now
      process.signal(SIGTERM)
      let code = try await process.wait()
      #expect(code == 0 || code == 130)
      #expect(ContinuousClock.now - start < .seconds(2))
      let lines = process.errorOutput.split(separator: "\n")
      #expect(lines.filter { $0.contains("run begins") }.count >= 3)
      #expect(lines.allSatisfy { $0.hasPrefix("20") && $0.dropFirst(10).first == "T" })
      #expect(!FileManager.default.fileExists(atPath: stage.archive + "/.archiver/watch.json"))
      #expect(try await stage.verify().code == 0)
    }
  }

  private func bundles(_ stage: Stage) throws -> Int {
    FileManager.default.fileExists(atPath: stage.archive + "/readeck")
      ? try stage.bundles().count : 0
  }

  @Test func `recently reached sources are skipped, and a run waits for the lock`() async throws {
    try await Stage.with(articles: 3) { stage in
      #expect(try await archiver(stage, ["run", "--background"]).code == 0)
      let again = try await archiver(stage, ["run", "--if-older-than", "4h"])
      #expect(again.code == 0 && again.error.contains("nothing to do"))
      stage.tamper { _, answer in answer.misbehaving(.delay(.seconds(2))) }
      let holder = try Program.start(["run"], home: stage.home, environment: stage.environment)
      for _ in 0..<100 where stage.server.connectionCount == 0 {
        try await Task.sleep(for: .milliseconds(20))
      }
      try await Task.sleep(for: .milliseconds(500))
      let patient = try await archiver(stage, ["run", "--retry-lock", "1m"])
      #expect(patient.code == 0, "\(patient.error)")
      #expect(try await holder.wait() == 0)
    }
  }

  @Test func `a run whose time is up ends with 0 and the next one continues`() async throws {
    try await Stage.with(articles: 12) { stage in
      stage.tamper { _, answer in answer.misbehaving(.delay(.milliseconds(400))) }
      let start = ContinuousClock.now
      let short = try await archiver(stage, ["run", "--max-time", "2s", "--jobs", "1", "-v"])
      #expect(short.code == 0, "\(short.error)")
      #expect(short.error.contains("Stopped after --max-time"))
      #expect(ContinuousClock.now - start < .seconds(6))
      stage.tamper(nil)
      #expect(try await archiver(stage, ["run"]).code == 0)
      #expect(try stage.bundles().count == 12)
    }
  }

  @Test func `a source that does not finish its listing within the time has failed`() async throws {
    try await Stage.with(articles: 3) { stage in
      stage.tamper { _, answer in answer.misbehaving(.delay(.seconds(30))) }
      let metrics = stage.home + "/archiver.prom"
      let words = ["run", "--max-time", "1s"]
      let sentence = "did not finish listing within --max-time (1.0 s)"
      let run = try await archiver(stage, words + ["--metrics", metrics])
      #expect(run.code == 3, "\(run.error)")
      #expect(run.error.contains("readeck: \(sentence)"), "\(run.error)")
      #expect(!run.error.contains("Nothing new"), "\(run.error)")
      let figures = String(
        decoding: try #require(FileManager.default.contents(atPath: metrics)), as: UTF8.self)
      #expect(figures.contains("archiver_run_exit_code 3\n"), "\(figures)")
      let trial = try await archiver(stage, words + ["--dry-run"])
      #expect(trial.code == 3 && trial.error.contains(sentence), "\(trial.error)")
      let status = try await archiver(stage, ["status"])
      #expect(status.output.contains("source failed since"), "\(status.output)")
      #expect(status.output.contains(sentence), "\(status.output)")
    }
  }

  @Test func `a run waits for the network and then reports the failure`() async throws {
    try await TemporaryFolder.with("offline") { home in
      let environment = [
        // The discard port of a machine that has no such service.
        "READECK_URL": "http://127.0.0.1:9", "READECK_TOKEN": "x",
        "ARCHIVER_ARCHIVE": home + "/archive",
      ]
      let result = try await Program.run(
        ["run", "--wait-online", "1s"], home: home, environment: environment)
      #expect(result.code == 3)
      #expect(result.error.contains("no network: 127.0.0.1 did not answer within"))
      let status = try await Program.run(["status"], home: home, environment: environment)
      #expect(status.output.contains("no network: 127.0.0.1 did not answer"), "\(status.output)")
    }
  }

  #if os(Linux)
    @Test func `--background leaves processor and disk to others, in every thread`() async throws {
      try await Stage.with(articles: 6) { stage in
        stage.tamper { _, answer in answer.misbehaving(.delay(.milliseconds(500))) }
        func nices(_ words: [String]) async throws -> (
          threads: Set<Int>, mayRaise: Bool, disk: String
        ) {
          let before = stage.server.requests.count
          let process = try Program.start(
            ["run", "--jobs", "2"] + words, home: stage.home, environment: stage.environment)
          for _ in 0..<500 where stage.server.requests.count == before {
            try await Task.sleep(for: .milliseconds(20))
          }
          try await Task.sleep(for: .milliseconds(600))
          let tasks = "/proc/\(process.pid)/task"
          var found: Set<Int> = []
          var mayRaise = false
          for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            func read(_ name: String) -> String {
              let data = FileManager.default.contents(atPath: "\(tasks)/\(task)/\(name)")
              return String(decoding: data ?? Data(), as: UTF8.self)
            }
            // Behind the name in brackets; proc(5) counts nice as the nineteenth field.
            let fields = read("stat").split(separator: ")").last?.split(separator: " ")
            if let fields, fields.count > 16, let nice = Int(fields[16]) { found.insert(nice) }
            // CAP_SYS_NICE is number 23 (capabilities(7)).
            let rights = read("status").firstMatch(of: /CapEff:\s*([0-9a-f]+)/)
            if let rights, let set = UInt64(rights.1, radix: 16), set & 1 << 23 != 0 {
              mayRaise = true
            }
          }
          let disk = try await Program.tool("ionice", ["-p", String(process.pid)]).output
          _ = try await process.wait()
          return (found, mayRaise, disk)
        }
        let usual = try await nices([])
        #expect(!usual.threads.contains(15))
        let low = try await nices(["--background", "--force"])
        #expect(low.threads == [15])
        // Dispatch sets the nice value of each of its threads where it may.
        #expect(!low.mayRaise)
        #expect(low.disk == "idle\n")
        #expect(usual.disk != low.disk)
      }
    }
  #endif

  @Test func `a source keeps as many items as the file says`() async throws {
    try await Stage.with(articles: 8) { stage in
      let file = stage.home + "/config.json5"
      let text = """
        { sources: { readeck: { url: "\(stage.server.baseURL)", token: "\(Stage.token)", keep: 5,
          max: 6, state: "all" } } }
        """
      try Data(text.utf8).write(to: URL(filePath: file))
      let environment = ["ARCHIVER_ARCHIVE": stage.archive, "ARCHIVER_CONFIG": file]
      let first = try await Program.run(["run"], home: stage.home, environment: environment)
      #expect(first.code == 0)
      #expect(!first.error.contains("removed"), "\(first.error)")
      let newest = try stage.bundles()
      #expect(newest.count == 5)
      let images = stage.server.requests.count { $0.path.hasPrefix("/bm/") }
      let second = try await Program.run(["run"], home: stage.home, environment: environment)
      #expect(second.error.contains("Nothing new"), "\(second.error)")
      #expect(try stage.bundles() == newest, "older ones do not take the place of newer ones")
      #expect(
        stage.server.requests.count { $0.path.hasPrefix("/bm/") } == images,
        "nor are they downloaded")
      let third = try await Program.run(["run"], home: stage.home, environment: environment)
      #expect(third.error.contains("Nothing new"), "what was removed does not come back")
      #expect(try await stage.verify().code == 0)
    }
  }
}
