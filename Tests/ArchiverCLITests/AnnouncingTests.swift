import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Notifications of runs.
@Suite struct AnnouncingTests {
  /// Records the requests to a monitoring service.
  final class Monitor: HTTPClient {
    let calls = Mutex<[(path: String, body: String)]>([])
    let status: Int

    init(status: Int = 200) {
      self.status = status
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      calls.withLock { $0.append((request.url.path, body)) }
      if status == 0 { throw HTTPError(.connect, "no way to \(request.url)") }
      return HTTPResponse(head: HTTPResponseHead(status: status, headers: [:], url: request.url))
    }
  }

  private static func report(failed: Bool = false) -> RunReport {
    var source = SourceReport(name: "example", kind: "example")
    source.archived = 2
    if failed {
      source.failed = [SourceReport.ItemNote(id: "1", title: "Bad one", message: "it broke")]
    }
    return RunReport(sources: [source], duration: .seconds(1))
  }

  private func run(
    _ desk: Desk, _ words: [String], monitor: Monitor = Monitor(),
    catalog: (any CatalogReading)? = nil, clock: ArchiverClock? = nil,
    _ body: @escaping @Sendable (any EventSink) async throws -> RunReport
  ) async -> Desk.Result {
    let output = MemoryOutput()
    let error = MemoryOutput()
    var environment = desk.environment(
      ["run"] + words, Desk.configured, output: output, error: error)
    if let clock { environment.clock = clock }
    var services = desk.services(catalog: catalog, run: body)
    services.client = { _ in monitor }
    let code = await CommandLineTool(environment: environment, services: services).run()
    return Desk.Result(code: code, output: output.text, error: error.text)
  }

  @Test func `a monitoring service is notified of start and success`() async throws {
    let monitor = Monitor()
    let result = await run(
      try Desk(), ["--quiet", "--ping-url", "https://hc.example/uuid"], monitor: monitor
    ) { _ in Self.report() }
    #expect(result.code == .success && result.error == "")
    let calls = monitor.calls.withLock { $0 }
    #expect(calls.map(\.path) == ["/uuid/start", "/uuid"])
    #expect(calls.last?.body.hasPrefix("Archived 2 items") == true)
  }

  @Test func `a run in progress is printed, but not reported as a failure`()
    async throws
  {
    let monitor = Monitor()
    let desk = try Desk()
    let words = [
      "--ping-url", "https://hc.example/uuid", "--notify", "touch \(desk.home)/told", "--metrics",
      "\(desk.home)/metrics",
    ]
    for quiet in [[], ["--quiet"]] {
      let result = await run(desk, words + quiet, monitor: monitor) { _ in
        throw StorageError(.locked, "another run is at work")
      }
      #expect(result.code == .locked)
      #expect(result.error.contains("another run is at work") == quiet.isEmpty)
    }
    #expect(monitor.calls.withLock { $0.map(\.path) } == ["/uuid/start", "/uuid/start"])
    for name in ["told", "metrics"] {
      #expect(!FileManager.default.fileExists(atPath: "\(desk.home)/\(name)"))
    }
  }

  @Test func `a failure is reported with the report`() async throws {
    let monitor = Monitor()
    _ = await run(
      try Desk(), ["--ping-url", "https://hc.example/uuid"], monitor: monitor
    ) { _ in Self.report(failed: true) }
    let call = monitor.calls.withLock { $0.last }
    #expect(call?.path == "/uuid/fail")
    #expect(call?.body.hasPrefix("archiver: Finished, but some items failed") == true)
    #expect(call?.body.contains("failed: example: Bad one: it broke\n") == true)
  }

  @Test func `a mistake in the configuration is reported too`() async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { exampel: {} } }")
    let monitor = Monitor()
    let result = await run(
      desk, ["--ping-url", "https://hc.example/uuid"], monitor: monitor
    ) { _ in Self.report() }
    #expect(result.code == .usage)
    #expect(monitor.calls.withLock { $0.last?.path } == "/uuid/fail")
  }

  @Test(arguments: [0, 404])
  func `a service that does not answer is a warning without its address`(status: Int) async throws {
    let result = await run(
      try Desk(), ["-q", "--ping-url", "https://hc.example/uuid"], monitor: Monitor(status: status)
    ) { _ in Self.report() }
    #expect(result.code == .success)
    let reason = status == 0 ? "the server accepted no connection" : "it answered 404"
    #expect(
      result.error == "archiver: warning: the URL of --ping-url could not be reached: \(reason)\n")
  }

  @Test func `a dry run sends no notification`() async throws {
    let desk = try Desk()
    let monitor = Monitor()
    _ = await run(
      desk,
      [
        "--dry-run", "--ping-url", "https://hc.example/u", "--notify", "touch \(desk.home)/told",
        "--metrics", "~/metrics.prom",
      ], monitor: monitor
    ) { _ in Self.report(failed: true) }
    #expect(monitor.calls.withLock { $0.isEmpty })
    #expect(!FileManager.default.fileExists(atPath: desk.home + "/told"))
    #expect(!FileManager.default.fileExists(atPath: desk.home + "/metrics.prom"))
  }

  @Test func `the command gets the report when something went wrong, and only then`() async throws {
    let desk = try Desk()
    let command = "{ echo \"$ARCHIVER_EXIT_CODE\"; cat; } > \(desk.home)/told"
    _ = await run(desk, ["--notify", command]) { _ in Self.report() }
    #expect(!FileManager.default.fileExists(atPath: desk.home + "/told"))
    _ = await run(desk, ["--notify", command]) { _ in Self.report(failed: true) }
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: desk.home + "/told")), as: UTF8.self)
    #expect(text.hasPrefix("1\narchiver: Finished") && text.contains("Bad one"))
    let broken = await run(desk, ["-q", "--notify", "exit 7"]) { _ in Self.report(failed: true) }
    #expect(broken.error.contains("--notify exited with status 7"))
    #expect(broken.code == .someFailed)
  }

  @Test func `an interrupted run starts the command of --notify`() async throws {
    let desk = try Desk()
    let command = "sleep 0.3; { echo \"$ARCHIVER_EXIT_CODE\"; cat; } > \(desk.home)/told"
    let result = await Task {
      await run(desk, ["-q", "--notify", command]) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
      }
    }.value
    #expect(result.code == .interrupted)
    #expect(!result.error.contains("--notify"))
    let text = FileManager.default.contents(atPath: desk.home + "/told") ?? Data()
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("130\ninterrupted"))
  }

  @Test func `figures for a pipe are written into it, a link to their file stays`() async throws {
    let desk = try Desk()
    let pipe = desk.home + "/pipe"
    mkfifo(pipe, 0o600)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    let result = await run(desk, ["-q", "--metrics", pipe]) { _ in Self.report() }
    #expect(result.error == "")
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = max(0, read(reader, &buffer, buffer.count))
    close(reader)
    #expect(String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("# HELP archiver_"))
    let file = try desk.write("elsewhere/archiver.prom", "old")
    let link = desk.home + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    _ = await run(desk, ["-q", "--metrics", link]) { _ in Self.report() }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    let text = FileManager.default.contents(atPath: file) ?? Data()
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("# HELP archiver_"))
  }

  @Test func `figures for Prometheus keep the rules of its text format`() async throws {
    let desk = try Desk()
    var status = SourceStatus(source: "odd\"name", kind: "example")
    status.itemCount = 12
    status.lastSuccess = Desk.now
    status.lastRun = RunRecord(source: "odd\"name", kind: "example", started: Desk.now)
    let catalog = ListedCatalog(statuses: [status])
    _ = await run(desk, ["--metrics", "~/archiver.prom"], catalog: catalog) { _ in
      Self.report(failed: true)
    }
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: desk.home + "/archiver.prom")), as: UTF8.self)
    #expect(text.contains("archiver_run_exit_code 1\n"))
    #expect(text.contains("archiver_source_items{source=\"odd\\\"name\",kind=\"example\"} 12\n"))
    #expect(text.contains("archiver_source_success_timestamp_seconds{"))
    var described: Set<String> = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "#" {
        if words[1] == "HELP" { #expect(described.insert(String(words[2])).inserted) }
        continue
      }
      let name = String(words[0].prefix { $0 != "{" })
      #expect(described.contains(name), "\(line)")
      #expect(!name.hasSuffix("_total") && !name.hasSuffix("_count"), "gauges are no counters")
      #expect(Double(words[words.count - 1]) != nil, "\(line)")
    }
    #expect(described == Set(MetricsText.documented.map(\.name)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.home).count == 1)
  }

  @Test func `metrics of several archives differ in a label`() async throws {
    let desk = try Desk()
    var status = SourceStatus(source: "example", kind: "example")
    status.itemCount = 12
    let catalog = ListedCatalog(statuses: [status])
    _ = await run(
      desk, ["--metrics", "~/anna.prom", "--metrics-name", "an\"na"], catalog: catalog
    ) { _ in
      Self.report()
    }
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: desk.home + "/anna.prom")), as: UTF8.self)
    #expect(text.contains("archiver_run_exit_code{archive=\"an\\\"na\"} 0\n"))
    #expect(
      text.contains(
        "archiver_source_items{archive=\"an\\\"na\",source=\"example\",kind=\"example\"} 12\n"))
    let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(samples.count >= 8 && samples.allSatisfy { $0.contains("{archive=") })
  }

  /// The rules of `promtool check metrics`.
  @Test(arguments: MetricsText.documented.map(\.name))
  func `names of figures pass the lint of promtool`(name: String) {
    let words = name.split(separator: "_").map(String.init)
    #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") })
    #expect(words.first == "archiver" && words.count > 1)
    let others = [
      "milliseconds", "microseconds", "minutes", "hours", "days", "kilobytes", "megabytes", "bits",
      "percent", "ms", "s", "sec", "secs", "b", "kb", "mb", "gb", "us",
    ]
    #expect(words.allSatisfy { !others.contains($0) }, "base units only, written out")
    #expect(!words.contains("gauge") && !words.contains("counter"), "the type is not in the name")
    let reserved = ["total", "count", "sum", "bucket"]
    #expect(!reserved.contains(words.last ?? ""), "not the suffix of another type")
    #expect(MetricsText.documented.filter { $0.name == name }.count == 1)
    if let unit = words.firstIndex(where: { ["seconds", "bytes"].contains($0) }) {
      #expect(unit == words.count - 1, "the unit ends the name")
    }
  }

  @Test func `a log file gets the events of all runs, with timestamps`() async throws {
    let desk = try Desk()
    for _ in 0..<2 {
      let result = await run(desk, ["-q", "--log-file", "~/archiver.log"]) { events in
        events.send(
          .itemFinished(
            source: "example", id: "1", title: "T", outcome: .archived(imagesMissing: 0))
        )
        return Self.report()
      }
      #expect(result.error == "")
    }
    let text = try String(
      decoding: Data(contentsOf: URL(filePath: desk.home + "/archiver.log")), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.hasPrefix("2026-11-21T00:00:00Z ") })
    #expect(lines[1].hasSuffix("archived: example: T"))
    #if os(Linux)
      let full = await run(desk, ["-q", "--log-file", "/dev/full"]) { _ in Self.report() }
      #expect(full.code == .success)
      #expect(
        full.error
          == "archiver: warning: the log file /dev/full could not be written completely: No space "
          + "left on device\n")
    #endif
    let bad = await run(desk, ["--log-file", "/no/such/folder/x"]) { _ in Self.report() }
    #expect(bad.code == .usage)
  }

  @Test func `a log file that is an unread pipe does not block the run`() async throws {
    let desk = try Desk()
    let path = desk.home + "/archiver.log"
    #expect(mkfifo(path, 0o600) == 0)
    // Unblocks a writer that waits for a reader.
    let reader = Task {
      try await Task.sleep(for: .seconds(2))
      return open(path, O_RDONLY | O_NONBLOCK)
    }
    let result = await run(desk, ["-q", "--log-file", "~/archiver.log"]) { _ in Self.report() }
    #expect(result.code == .usage)
    #expect(result.error.contains("cannot be opened for writing"), "\(result.error)")
    reader.cancel()
    // Cancelled before it opened anything, or completed.
    if let descriptor = try? await reader.value { close(descriptor) }
  }
}
