#if os(Linux)
  import ArchiverCLI
  import ArchiverCore
  import ArchiverTestKit
  import Synchronization
  import Testing

  /// The built program in its sandbox.
  @Suite(
    .enabled(if: Sandbox.version != nil, "this kernel has no Landlock: the sandbox is not tested"))
  struct SandboxTests {
    /// Returns whether no thread of a running process can gain privileges, which the sandbox also
    /// prevents.
    private func isBound(_ process: ChildProcess) throws -> Bool {
      let threads = try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(process.pid)/task")
      return !threads.isEmpty
        && threads.allSatisfy { thread in
          let path = "/proc/\(process.pid)/task/\(thread)/status"
          // A thread that has exited meanwhile is harmless.
          guard let status = FileManager.default.contents(atPath: path) else { return true }
          return String(decoding: status, as: UTF8.self).contains("NoNewPrivs:\t1")
        }
    }

    /// Runs with a server that delays responses, and inspects the process meanwhile.
    private func watched(
      _ arguments: [String], environment: [String: String] = [:], _ stage: Stage
    ) async throws -> (isBound: Bool, code: Int32) {
      stage.tamper { _, answer in
        var answer = answer
        answer.misbehaviour = .delay(.milliseconds(400))
        return answer
      }
      let process = try Program.start(
        ["run", "--source", "readeck", "--max", "2"] + arguments, home: stage.home,
        environment: stage.environment.merging(environment) { $1 })
      try await Task.sleep(for: .milliseconds(1_500))
      let isBound = try isBound(process)
      return (isBound, try await process.wait(limit: .seconds(100)))
    }

    @Test func `a run enters the sandbox and archives normally`() async throws {
      try await Stage.with(articles: 3) { stage in
        let log = stage.home + "/run.log"
        let metrics = stage.home + "/figures/archiver.prom"
        try FileManager.default.createDirectory(
          atPath: stage.home + "/figures", withIntermediateDirectories: true)
        let result = try await watched(["--log-file", log, "--metrics", metrics], stage)
        #expect(result.isBound)
        #expect(result.code == 0)
        #expect(try stage.bundles().count == 2)
        #expect(FileManager.default.fileExists(atPath: metrics))
        #expect(FileManager.default.contents(atPath: log)?.isEmpty == false)
        #expect(try await stage.verify().code == 0)
      }
    }

    @Test(arguments: [
      ["verify", "--repair"], ["source", "test", "readeck"], ["run", "--dry-run"],
    ])
    func `commands that contact a source enter the sandbox`(words: [String]) async throws {
      try await Stage.with(articles: 3) { stage in
        #expect(try await stage.run().code == 0)
        let bundle = try #require(try stage.bundles().first)
        try Data("damaged".utf8).write(to: URL(filePath: bundle + "/index.html"))
        let isFirst = Mutex(true)
        stage.tamper { _, answer in
          let waits = isFirst.withLock { first in
            defer { first = false }
            return first
          }
          return waits ? answer.misbehaving(.delay(.milliseconds(300))) : answer
        }
        for (more, isInside) in [([], true), (["--no-sandbox"], false)] {
          let process = try Program.start(
            words + more, home: stage.home, environment: stage.environment)
          let before = stage.server.requests.count
          for _ in 0..<2_000 where stage.server.requests.count == before {
            try await Task.sleep(for: .milliseconds(5))
          }
          #expect(try isBound(process) == isInside, "\(words + more)")
          let code = try await process.wait(limit: .seconds(100))
          #expect(code == 0, "\(words + more): \(process.output)\(process.errorOutput)")
          try Data("damaged".utf8).write(to: URL(filePath: bundle + "/index.html"))
          isFirst.withLock { $0 = true }
        }
      }
    }

    /// Command lines whose commands go inside, and one that has no reason to.
    private static let lines: [(words: [String], isInside: Bool)] = [
      (["verify"], true), (["retry"], true), (["cleanup", "--dry-run", "--keep", "100"], true),
      (["repair", "--catalog"], true), (["site"], true), (["search", "Article"], true),
      (["pin", "Article 1"], true), (["unpin", "Article 1"], true), (["config", "check"], true),
      (["export", "Article 1", "--single-file", "OUTPUT/page.html"], true),
      (["export", "Article 1", "--epub", "OUTPUT/book.epub"], true),
      (["export", "--wacz", "OUTPUT/archive.wacz"], true), (["list"], false),
    ]

    @Test(arguments: lines)
    func `commands that read untrusted content enter the sandbox and work normally`(
      words: [String], isInside: Bool
    ) async throws {
      try await Stage.with(articles: 2) { stage in
        #expect(try await stage.run().code == 0)
        let output = stage.home + "/output"
        try FileManager.default.createDirectory(
          atPath: output, withIntermediateDirectories: true)
        let words = words.map { $0.replacing("OUTPUT", with: output) }
        for (more, isBound) in [([], isInside), (isInside ? ["--no-sandbox"] : [], false)] {
          let printing = try FullPipe(stage.home + "/printed")
          let process = try ChildProcess(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" > '\(printing.path)'", Program.path] + words + more
              + ["--overwrite"].filter { _ in words[0] == "export" },
            environment: [
              "HOME": stage.home, "PATH": "/usr/bin:/bin",
              "XDG_CONFIG_HOME": stage.home + "/config",
            ].merging(stage.environment) { $1 })
          for _ in 0..<(isBound ? 1_000 : 100) where try !self.isBound(process) {
            try await Task.sleep(for: .milliseconds(10))
          }
          #expect(try self.isBound(process) == isBound, "\(words + more)")
          printing.drain()
          let code = try await process.wait(limit: .seconds(100))
          #expect(code == 0, "\(words + more): \(process.errorOutput)")
        }
      }
    }

    /// A full pipe: a program that writes to it blocks until it is drained.
    private final class FullPipe {
      let path: String
      private let descriptor: Int32

      init(_ path: String) throws {
        self.path = path
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
      }

      deinit { close(descriptor) }

      func drain() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while read(descriptor, &bytes, bytes.count) > 0 {}
      }
    }

    @Test func `the sandbox is off with --no-sandbox, and for a secret from a command`()
      async throws
    {
      try await Stage.with(articles: 3) { stage in
        let plain = try await watched(["--no-sandbox"], stage)
        #expect(!plain.isBound)
        #expect(plain.code == 0)
        let written = stage.home + "/written-by-the-command"
        let folder = stage.home + "/config/archiver"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        let config =
          "{ sources: { readeck: { url: '\(stage.server.baseURL.absoluteString)', "
          + "token: 'command:touch \(written); echo \(Stage.token)' } } }"
        try Data(config.utf8).write(to: URL(filePath: folder + "/config.json5"))
        let command = try await watched(["--force"], environment: ["READECK_TOKEN": ""], stage)
        #expect(!command.isBound)
        #expect(command.code == 0)
        #expect(FileManager.default.fileExists(atPath: written))
      }
    }

    @Test func `a run inside still stops for a signal`() async throws {
      try await Stage.with(articles: 25) { stage in
        stage.tamper { _, answer in
          var answer = answer
          answer.misbehaviour = .delay(.seconds(1))
          return answer
        }
        let process = try Program.start(
          ["run", "--source", "readeck"], home: stage.home, environment: stage.environment)
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(try isBound(process))
        process.signal(SIGTERM)
        let start = ContinuousClock.now
        #expect(try await process.wait(limit: .seconds(30)) == 130)
        #expect(ContinuousClock.now - start < .seconds(4))
      }
    }

    @Test func `watch works round after round inside: network, library, ping`() async throws {
      try await Stage.with(articles: 12) { stage in
        let calls = Mutex<[String]>([])
        let sizes = Mutex<[Int]>([])
        let monitor = try LoopbackServer(handler: { request in
          // The next run starts two seconds later.
          if request.path == "/check" {
            let size = (try? stage.bundles().count) ?? -1
            sizes.withLock { $0.append(size) }
          }
          calls.withLock { $0.append(request.path) }
          return ServerResponse()
        })
        defer { monitor.stop() }
        // Runs of five items: the third completes the initial items.
        let process = try Program.start(
          [
            "watch", "--every", "2s", "--max", "5", "--ping-url",
            monitor.baseURL.absoluteString + "check",
          ],
          home: stage.home, environment: stage.environment)
        func succeeded() -> Int { calls.withLock { $0.filter { $0 == "/check" }.count } }
        for round in 1...3 {
          for _ in 0..<300 where succeeded() < round {
            try await Task.sleep(for: .milliseconds(50))
          }
          #expect(try isBound(process), "round \(round)")
        }
        #expect(sizes.withLock { Array($0.prefix(3)) } == [5, 10, 12])
        // Items added to the source later reach the library too.
        stage.readeck.add(Stage.article(40))
        for _ in 0..<300 where try !library(stage).contains("Article 40") {
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try library(stage).contains("Article 40"))
        process.signal(SIGTERM)
        let code = try await process.wait()
        #expect(code == 0 || code == 130)
        let order = calls.withLock { $0.prefix(4) }
        #expect(order == ["/check/start", "/check", "/check/start", "/check"])
        #expect(!process.errorOutput.contains("error"), "\(process.errorOutput)")
        #expect(!process.errorOutput.contains("warning"), "\(process.errorOutput)")
        #expect(try await stage.verify().code == 0)
      }
    }

    private func library(_ stage: Stage) throws -> String {
      String(
        decoding: try Data(contentsOf: URL(filePath: stage.archive + "/index.html")),
        as: UTF8.self)
    }
  }
#endif
