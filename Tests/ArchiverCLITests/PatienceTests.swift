import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Waiting before and during a run.
@Suite struct PatienceTests {
  /// A clock that sleeping advances.
  final class Hours: Sendable {
    private let seconds = Mutex(0.0)
    var slept: Double { seconds.withLock { $0 } }

    var clock: ArchiverClock {
      ArchiverClock(
        now: { [self] in Desk.now.addingTimeInterval(slept) },
        sleep: { [self] duration in
          try Task.checkCancellation()
          seconds.withLock { $0 += duration / .seconds(1) }
        })
    }
  }

  private func run(
    _ desk: Desk, _ words: [String], hours: Hours = Hours(), catalog: (any CatalogReading)? = nil,
    client: (any HTTPClient)? = nil,
    _ body: @escaping @Sendable (any EventSink) async throws -> RunReport
  ) async -> Desk.Result {
    let output = MemoryOutput()
    let error = MemoryOutput()
    var environment = desk.environment(
      ["run"] + words, Desk.configured, output: output, error: error)
    environment.clock = hours.clock
    var services = desk.services(catalog: catalog, run: body)
    if let client { services.client = { _ in client } }
    let code = await CommandLineTool(environment: environment, services: services).run()
    return Desk.Result(code: code, output: output.text, error: error.text)
  }

  private static func catalog(hoursAgo: Double) -> ListedCatalog {
    var status = SourceStatus(source: "example", kind: "example")
    status.lastSuccess = Desk.now.addingTimeInterval(-hoursAgo * 3600)
    return ListedCatalog(statuses: [status])
  }

  @Test(arguments: [(3.0, false), (5.0, true), (-1.0, true)])
  func `a source that was reached lately is left out`(hoursAgo: Double, runs: Bool) async throws {
    let desk = try Desk()
    let result = await run(
      desk, ["--if-older-than", "4h"], catalog: Self.catalog(hoursAgo: hoursAgo)
    ) { _ in RunReport() }
    #expect(result.code == .success)
    #expect(desk.requests.withLock { $0.count } == (runs ? 1 : 0))
    #expect(result.error.contains("nothing to do") == !runs)
  }

  @Test func `with nothing due the last event is finished all the same`() async throws {
    let result = await run(
      try Desk(), ["--json", "--if-older-than", "4h"], catalog: Self.catalog(hoursAgo: 1)
    ) { _ in RunReport() }
    let events = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
    }
    #expect(events.compactMap { $0["event"]?.string } == ["started", "finished"])
    #expect(events.last?["archived"]?.integer == 0 && events.last?["exitCode"]?.integer == 0)
  }

  @Test func `a lock is waited for as long as was said`() async throws {
    let desk = try Desk()
    let hours = Hours()
    let attempts = Mutex(0)
    let result = await run(desk, ["--retry-lock", "1m"], hours: hours) { _ in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      if attempt < 4 { throw StorageError(.locked, "another run") }
      return RunReport()
    }
    #expect(result.code == .success && hours.slept == 15)
    let never = Hours()
    let locked = await run(try Desk(), ["--retry-lock", "1m"], hours: never) { _ in
      throw StorageError(.locked, "another run is at work")
    }
    #expect(locked.code == .locked && never.slept == 60)
  }

  /// Responds from the third request on.
  final class LateNetwork: HTTPClient {
    let count = Mutex(0)
    let answersAt: Int

    init(answersAt: Int) {
      self.answersAt = answersAt
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < answersAt { throw HTTPError(.resolve, "no network") }
      return HTTPResponse(head: HTTPResponseHead(status: 401, headers: [:], url: request.url))
    }
  }

  @Test func `the network is waited for, any answer will do`() async throws {
    let desk = try Desk()
    let hours = Hours()
    let result = await run(
      desk, ["--wait-online", "5m"], hours: hours, client: LateNetwork(answersAt: 3)
    ) { _ in RunReport() }
    #expect(result.code == .success && hours.slept == 10)
  }

  private func failure(_ source: some Source) async -> AdapterError? {
    do throws(AdapterError) {
      for try await _ in source.listing(since: nil) {}
      return nil
    } catch {
      return error
    }
  }

  @Test func `without network the source's run fails, which is recorded`() async throws {
    let desk = try Desk()
    _ = await run(desk, ["--wait-online", "1m"], client: LateNetwork(answersAt: .max)) { _ in
      RunReport()
    }
    let request = try #require(desk.requests.withLock { $0.last })
    let source = try #require(request.sources.first)
    let error = await failure(source.adapter)
    #expect(error?.code == .unavailable)
    #expect(error?.message == "no network: read.example.org did not answer within 1 min")
  }

  @Test(arguments: [([], 30), (["--wait-online", "2m"], 120), (["--wait-online", "0s"], 0)])
  func `a run waits for a server that restarts`(words: [String], seconds: Int) async throws {
    let desk = try Desk()
    let hours = Hours()
    _ = await run(desk, words, hours: hours, client: LateNetwork(answersAt: 2)) { _ in
      RunReport()
    }
    let request = try #require(desk.requests.withLock { $0.last })
    #expect(request.options.patience == .seconds(seconds))
    // Before the run, only as long as was said.
    #expect(hours.slept == (seconds == 120 ? 5 : 0))
  }

  @Test func `a run whose time is up ends well and says so`() async throws {
    let result = await run(try Desk(), ["--max-time", "2h", "-v"]) { _ in
      // Runs until it is cancelled.
      while !Task.isCancelled { await Task.yield() }
      var source = SourceReport(name: "example", kind: "example")
      source.failure = AdapterError(.cancelled, "interrupted")
      return RunReport(sources: [source], wasCancelled: true)
    }
    #expect(result.code == .success)
    #expect(result.error.contains("Stopped after --max-time"))
  }

  @Test func `a run whose time is up does not say that nothing is new`() async throws {
    for isQuiet in [false, true] {
      let words = ["--max-time", "2h"] + (isQuiet ? ["--quiet"] : [])
      let result = await run(try Desk(), words) { _ in
        while !Task.isCancelled { await Task.yield() }
        var source = SourceReport(name: "example", kind: "example")
        source.waiting = 2
        return RunReport(sources: [source], duration: .seconds(3), wasCancelled: true)
      }
      #expect(result.code == .success)
      let text = "Stopped after --max-time (3.0 s).\n2 more wait for the next run.\n"
      #expect(result.error == (isQuiet ? "" : text))
    }
  }

  @Test func `the time limit bounds the waits before the run`() async throws {
    for words in [["--wait-online", "20s"], ["--retry-lock", "20s"]] {
      let hours = Hours()
      let desk = try Desk()
      _ = await run(
        desk, ["--max-time", "3s"] + words, hours: hours, client: LateNetwork(answersAt: .max)
      ) { _ in throw StorageError(.locked, "another run is at work") }
      #expect((3..<10).contains(hours.slept), "\(words): \(hours.slept)")
    }
  }

  /// A machine without the server.
  private struct Refusing: HTTPClient {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      throw HTTPError(.connect, "http://h/ cannot be reached: connection refused")
    }
  }

  @Test func `a server that refuses connections is no missing network`() async throws {
    let desk = try Desk()
    let result = await run(
      desk, ["--wait-online", "4s", "--log-file", "~/log"], client: Refusing()
    ) { _ in RunReport() }
    #expect(result.code == .success)
    let source = try #require(try desk.request().sources.first)
    let message = await failure(source.adapter)?.message
    #expect(message == "read.example.org refused connections for 4.0 s")
    let log = FileManager.default.contents(atPath: desk.home + "/log") ?? Data()
    #expect(
      String(decoding: log, as: UTF8.self).contains("waiting up to 4.0 s for the network"))
  }

  @Test func `times are checked`() async throws {
    let result = await run(try Desk(), ["--max-time", "soon"]) { _ in RunReport() }
    #expect(result.code == .usage)
    #expect(result.error.contains("a time such as 90s, 15m, 4h or 2d"))
  }
}
