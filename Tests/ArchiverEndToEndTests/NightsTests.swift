import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

/// Good and bad nights in sequence, with their notifications, compared with the table of the
/// documentation row by row.
@Suite struct NightsTests {
  @Test func `the notifications of each night match the documentation`() async throws {
    try await NightWalk.with { walk in
      let rows = try NightWalk.documented()
      var told: [String] = []
      for row in rows {
        let (observed, text) = try await walk.live(row.night)
        #expect(observed == row, "\(text)")
        told.append(row.night)
      }
      #expect(told.count == Set(told).count && told.count >= 14)
      #expect(try await walk.stage.damage() == [])
      // Every reported night left the archive intact.
      #expect(try walk.stage.bundles().count == walk.articles)
    }
  }
}

/// The environment of the `--notify` command.
@Suite struct NotifiedEnvironmentTests {
  @Test func `the command of --notify gets no variable of a source`() async throws {
    try await Stage.with(articles: 1) { stage in
      let folder = stage.home + "/config/archiver"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let text =
        "{ notify: 'env > \(stage.home)/told', sources: { readeck: { token: 'env:MY_SECRET' } } }"
      try Data(text.utf8).write(to: URL(filePath: folder + "/config.json5"))
      var variables = stage.environment.merging([
        "READECK_OTHER": "x", "NOTION_TOKEN": "ntn", "BOOKS_SOMETHING": "x", "MY_SECRET": "wrong",
        "MY_OWN": "kept", "ARCHIVER_PING_URL": "http://127.0.0.1:9/",
      ]) { $1 }
      variables["READECK_TOKEN"] = nil
      let run = try await Program.run(
        ["run", "--source", "readeck", "--quiet"], home: stage.home, environment: variables)
      #expect(run.code == 3, "\(run.error)")
      let told = FileManager.default.contents(atPath: stage.home + "/told") ?? Data()
      let names = String(decoding: told, as: UTF8.self).split(separator: "\n").compactMap {
        $0.split(separator: "=").first.map(String.init)
      }
      for name in ["PATH", "HOME", "MY_OWN", "ARCHIVER_SUMMARY", "ARCHIVER_EXIT_CODE"] {
        #expect(names.contains(name), "\(name)")
      }
      for name in [
        "READECK_URL", "READECK_OTHER", "NOTION_TOKEN", "BOOKS_SOMETHING", "MY_SECRET",
        "ARCHIVER_PING_URL",
      ] {
        #expect(!names.contains(name), "\(name)")
      }
    }
  }
}

/// A machine with a schedule, a monitoring service, and a user who reads its mail.
final class NightWalk {
  /// The notifications of a night.
  struct Row: Equatable {
    var night: String
    var code: String
    var mail: String
    var notify: String
    var ping: String
    var metrics: String
  }

  let stage: Stage
  private let monitor: LoopbackServer
  private let calls: Calls
  private(set) var articles = 0
  /// An article that is archived.
  private var first: String?
  private var clock: [String: String]?

  /// The requests to the monitoring service.
  private final class Calls: Sendable {
    let paths = Mutex<[String]>([])
  }

  static func with(_ body: (NightWalk) async throws -> Void) async throws {
    guard getuid() == 0 else {
      print("skipped: only root can mount a disk that becomes full")
      return
    }
    try await Stage.with(articles: 0) { stage in
      try FileManager.default.createDirectory(
        atPath: stage.archive, withIntermediateDirectories: true)
      let mount = try await Program.tool(
        "mount", ["-t", "tmpfs", "-o", "size=130m", "tmpfs", stage.archive])
      guard mount.code == 0 else {
        print("skipped: no disk can be mounted here: \(mount.output)")
        return
      }
      let walk = try NightWalk(stage)
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(walk))
      } catch {
        result = .failure(error)
      }
      walk.monitor.stop()
      let unmount = try await Program.tool("umount", ["-l", stage.archive])
      #expect(unmount.code == 0, "\(unmount.output)")
      try result.get()
    }
  }

  private init(_ stage: Stage) throws {
    self.stage = stage
    let calls = Calls()
    self.calls = calls
    monitor = try LoopbackServer(handler: { request in
      if request.path.hasSuffix(".gif") { return .text("busy", status: 503) }
      calls.paths.withLock { $0.append(request.path) }
      return .text("OK")
    })
    try configure()
  }

  private var home: String { stage.home }

  private func configure(mistake: String = "") throws {
    let folder = home + "/config/archiver"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = """
      { pingURL: "\(monitor.baseURL.absoluteString)check", metrics: "\(home)/metrics",
        notify: "cat >> \(home)/told", waitOnline: "1s",
        allowHosts: ["127.0.0.1:\(monitor.baseURL.port ?? 80)"], \(mistake) }
      """
    try Data(text.utf8).write(to: URL(filePath: folder + "/config.json5"))
  }

  private func add(html: String? = nil) -> String {
    var article = Stage.article(articles)
    if let html { article.html = html }
    articles += 1
    return stage.readeck.add(article)
  }

  // MARK: Nights

  /// Simulates a night and returns its notifications; with the output, for messages.
  func live(_ night: String) async throws -> (Row, String) {
    calls.paths.withLock { $0.removeAll() }
    for name in ["told", "metrics"] where FileManager.default.fileExists(atPath: "\(home)/\(name)")
    {
      try FileManager.default.removeItem(atPath: "\(home)/\(name)")
    }
    var variables = stage.environment
    let code: Int32
    let printed: String
    switch night {
    case "power is cut in mid-run": (code, printed) = try await stop(by: SIGKILL)
    case "the machine restarts in mid-run": (code, printed) = try await stop(by: SIGTERM)
    case "the program crashes in mid-run": (code, printed) = try await stop(by: SIGILL)
    case "another run is at work": (code, printed) = try await meetAnother()
    default:
      try await prepare(night, &variables)
      (code, printed) = try await run(variables)
      try await cleanUp(night)
    }
    let metrics = FileManager.default.contents(atPath: home + "/metrics")
      .map { String(decoding: $0, as: UTF8.self) }
    let figure = metrics?.split(separator: "\n").first { $0.hasPrefix("archiver_run_exit_code ") }
    let ping = calls.paths.withLock { $0 }.map { path in
      switch path.split(separator: "/").last {
      case "start": "start"
      case "fail": "failure"
      default: "success"
      }
    }
    let isTold = FileManager.default.fileExists(atPath: home + "/told")
    let row = Row(
      night: night, code: code == 128 + SIGKILL ? "–" : String(code),
      mail: printed.isEmpty ? "–" : "yes", notify: isTold ? "yes" : "–",
      ping: ping.isEmpty ? "–" : ping.joined(separator: ", "),
      metrics: figure.map { String($0.split(separator: " ")[1]) } ?? "–")
    return (row, "\(night): \(printed)")
  }

  private func prepare(_ night: String, _ variables: inout [String: String]) async throws {
    switch night {
    case "all is archived", "the source is back", "the clock is right again":
      first = add()
    case "nothing is new", "the night after", "the worse copy is still there",
      "the night after the crash":
      break
    case "an article turns into a login page":
      let id = try #require(first)
      stage.readeck.update(id) { $0.html = "<section><p>Please log in.</p></section>" }
    case "another site's image is missing":
      let address = monitor.baseURL.absoluteString + "foreign.gif"
      _ = add(html: "<section><p>Words. <img src=\"\(address)\" alt=\"x\"></p></section>")
    case "an article cannot be had": fail(add())
    case "the source is down": variables["READECK_URL"] = "http://127.0.0.1:9"
    case "the token has expired": variables["READECK_TOKEN"] = "expired"
    case "the disk is full":
      _ = add()
      let filler = try await Program.tool(
        "dd", ["if=/dev/zero", "of=\(stage.archive)/filler", "bs=1M", "count=40"])
      #expect(filler.code == 0, "\(filler.output)")
    case "the archive's disk is not mounted":
      variables["ARCHIVER_ARCHIVE"] = nil
      let away = try await Program.tool("mount", ["-t", "tmpfs", "tmpfs", stage.archive])
      #expect(away.code == 0, "\(away.output)")
      variables["ARCHIVER_ARCHIVE"] = stage.archive
    case "the clock is a year ahead":
      _ = add()
      variables.merge(try await ahead(seconds: 365 * 86_400)) { $1 }
    case "the configuration has a mistake": try configure(mistake: "max: 'many'")
    case "the configuration is no JSON5": try configure(mistake: "max: ,")
    default: Issue.record("nobody knows how to live a night of which it is said: \(night)")
    }
  }

  private func cleanUp(_ night: String) async throws {
    switch night {
    case "an article cannot be had":
      stage.tamper(nil)
    case "the disk is full":
      try FileManager.default.removeItem(atPath: stage.archive + "/filler")
    case "the archive's disk is not mounted":
      _ = try await Program.tool("umount", ["-l", stage.archive])
    case "the configuration has a mistake", "the configuration is no JSON5": try configure()
    default: break
    }
  }

  private func run(_ variables: [String: String]) async throws -> (Int32, String) {
    let result = try await Program.run(["run", "--quiet"], home: home, environment: variables)
    return (result.code, result.output + result.error)
  }

  private func fail(_ id: String) {
    stage.tamper { request, answer in
      let isAbout =
        request.path.contains(id) || String(decoding: request.body, as: UTF8.self).contains(id)
      return isAbout ? .text("out of order", status: 500) : answer
    }
  }

  /// Delays the server's articles, so that a run takes a while.
  private func slowDown() {
    stage.tamper { request, answer in
      request.path.hasPrefix("/bm/") ? answer.misbehaving(.delay(.milliseconds(1500))) : answer
    }
  }

  /// Starts a run and returns once it works at articles.
  private func begin() async throws -> ChildProcess {
    _ = add()
    slowDown()
    let before = stage.server.requests.count
    let process = try Program.start(
      ["run", "--quiet"], home: home, environment: stage.environment)
    for _ in 0..<500
    where !stage.server.requests.dropFirst(before).contains(where: { $0.path.hasPrefix("/bm/") }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    return process
  }

  private func stop(by signal: Int32) async throws -> (Int32, String) {
    let process = try await begin()
    process.signal(signal)
    let code = try await process.wait()
    stage.tamper(nil)
    return (code, process.output + process.errorOutput)
  }

  /// Returns the result of a run during another one.
  private func meetAnother() async throws -> (Int32, String) {
    let first = try await begin()
    calls.paths.withLock { $0.removeAll() }
    let second = try await run(stage.environment)
    let path = home + "/metrics"
    let wasWritten = FileManager.default.fileExists(atPath: path)
    #expect(!wasWritten, "the run that holds the archive writes them")
    let paths = calls.paths.withLock { $0 }
    #expect(try await first.wait() == 0)
    stage.tamper(nil)
    calls.paths.withLock { $0 = paths }
    try FileManager.default.removeItem(atPath: path)
    return second
  }

  /// Returns the environment of a process whose clock is ahead by this time.
  private func ahead(seconds: Int) async throws -> [String: String] {
    let library = home + "/clock.so"
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let compiler = try await Program.tool(
      "cc", ["-shared", "-fPIC", "-o", library, "\(root)/Scripts/year-tools/clock.c", "-ldl"])
    #expect(compiler.code == 0, "\(compiler.output)")
    return ["LD_PRELOAD": library, "YEAR_CLOCK_OFFSET": String(seconds)]
  }

  // MARK: The documentation

  /// The rows of the table in the page about scripts.
  static func documented() throws -> [Row] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = "\(root)/Sources/ArchiverCLI/ArchiverCLI.docc/Scripting.md"
    let text = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
    let section = try #require(text.split(separator: "### Notifications by night\n").last)
    let lines = section.prefix(while: { $0 != "#" }).split(separator: "\n")
    return lines.filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      let cells = line.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      return Row(
        night: cells[0], code: cells[1], mail: cells[2], notify: cells[3], ping: cells[4],
        metrics: cells[5])
    }
  }
}
