import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct WatchTests {
  /// A clock that sleeping advances; it stops after a number of sleeps.
  final class Nights: Sendable {
    private let state = Mutex((seconds: 0.0, sleeps: [Double]()))
    private let limit: Int

    init(_ limit: Int) {
      self.limit = limit
    }

    var sleeps: [Double] { state.withLock { $0.sleeps } }

    func pass(_ seconds: Double) { state.withLock { $0.seconds += seconds } }

    var clock: ArchiverClock {
      ArchiverClock(
        now: { [self] in Desk.now.addingTimeInterval(state.withLock { $0.seconds }) },
        sleep: { [self] duration in
          let isOver = state.withLock { state in
            state.seconds += duration / .seconds(1)
            state.sleeps.append(duration / .seconds(1))
            return state.sleeps.count > limit
          }
          if isOver { throw CancellationError() }
        })
    }
  }

  private func watch(
    _ desk: Desk, _ words: [String], _ nights: Nights,
    variables: [String: String] = Desk.configured,
    catalog: (any CatalogReading)? = nil,
    _ body: @escaping @Sendable (any EventSink) async throws -> RunReport
  ) async -> Desk.Result {
    let error = MemoryOutput(isTerminal: true, columns: 80)
    var environment = desk.environment(["watch"] + words, variables, error: error)
    environment.clock = nights.clock
    let services = desk.services(catalog: catalog, run: body)
    let code = await CommandLineTool(environment: environment, services: services).run()
    return Desk.Result(code: code, output: "", error: error.text)
  }

  @Test func `rounds begin at whole multiples and never meet`() async throws {
    let nights = Nights(3)
    let rounds = Mutex(0)
    let result = await watch(try Desk(), ["--every", "15m"], nights) { _ in
      let round = rounds.withLock { count in
        count += 1
        return count
      }
      // The second takes longer than the period.
      nights.pass(round == 2 ? 1000 : 60)
      return RunReport()
    }
    #expect(result.code == .success)
    #expect(rounds.withLock { $0 } == 4)
    #expect(nights.sleeps == [840, 800, 840, 840])
  }

  @Test(
    arguments: [
      ["--config", "/no/such/file.json5"], ["--every", "0s"], ["--bogus"], ["--source", "nobody"],
    ])
  func `a run that cannot begin sends an error event`(words: [String]) async throws {
    let output = MemoryOutput()
    let desk = try Desk()
    let environment = desk.environment(
      ["watch", "--json"] + words, Desk.configured, output: output)
    let code = await CommandLineTool(environment: environment, services: desk.services()).run()
    #expect(code == .usage)
    let lines = output.text.split(separator: "\n")
    #expect(lines.count == 1)
    let event = try JSONDecoder().decode(JSONValue.self, from: Data((lines.first ?? "").utf8))
    #expect(event["event"]?.string == "error" && event["exitCode"]?.integer == 2)
  }

  @Test func `a log file that cannot be opened again costs no round`() async throws {
    let desk = try Desk()
    let folder = desk.home + "/logs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let rounds = Mutex(0)
    let result = await watch(
      desk, ["-q", "--every", "15m", "--log-file", "~/logs/a.log"], Nights(2)
    ) { _ in
      rounds.withLock { $0 += 1 }
      // No file can be created at its path any more.
      if FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".1")
      }
      return RunReport()
    }
    #expect(result.code == .success)
    #expect(rounds.withLock { $0 } == 3)
    #expect(result.error.contains("a.log cannot be reopened"), "\(result.error)")
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: folder + ".1/a.log")), as: UTF8.self)
    #expect(text.ranges(of: "run begins").count == 3, "\(text)")
  }

  @Test func `its lines have the time and no control characters`() async throws {
    let result = await watch(try Desk(), ["--every", "15m", "-v"], Nights(0)) { _ in RunReport() }
    let lines = result.error.split(separator: "\n")
    #expect(lines.count == 3, "\(result.error)")
    #expect(lines.allSatisfy { $0.hasPrefix("2026-11-21T00:00:00Z ") })
    #expect(!result.error.contains("\u{1B}"))
    #expect(result.error.contains("next run at 2026-11-21T00:15:00Z"))
  }

  @Test func `a failed run does not end watch`() async throws {
    let desk = try Desk()
    let result = await watch(desk, ["--every", "1h"], Nights(2)) { _ in
      throw StorageError(.locked, "another run is at work")
    }
    #expect(result.code == .success)
    #expect(desk.requests.withLock { $0.count } == 3)
    #expect(result.error.contains("error: another run is at work"))
  }

  @Test func `a mistake at the start ends it`() async throws {
    let result = await watch(try Desk(), ["--every", "1h"], Nights(9), variables: [:]) { _ in
      RunReport()
    }
    #expect(result.code == .usage)
    let tooOften = await watch(try Desk(), ["--every", "0s"], Nights(9)) { _ in RunReport() }
    #expect(tooOften.code == .usage && tooOften.error.contains("at least 1s"))
  }

  @Test func `a source with a time of its own waits for it, also when named`() async throws {
    let desk = try Desk()
    try desk.configure(
      "{ sources: { example: { url: \"https://a.example\", token: \"t\", every: \"24h\" } } }")
    var status = SourceStatus(source: "example", kind: "example")
    status.lastSuccess = Desk.now.addingTimeInterval(-20 * 3600)
    let catalog = ListedCatalog(statuses: [status])
    let result = await watch(
      desk, ["--every", "1h", "--source", "example"], Nights(3), variables: [:], catalog: catalog
    ) { _ in RunReport() }
    #expect(result.code == .success)
    // Nothing at 20, 21 and 21.99… hours; a run is due a tenth of a day early.
    #expect(desk.requests.withLock { $0.count } == 2)
    #expect(result.error.contains("nothing to do") == false)
  }
}
