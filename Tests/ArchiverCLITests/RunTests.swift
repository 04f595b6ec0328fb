import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import Testing

@testable import ArchiverCLI

@Suite struct RunTests {
  private static func report(_ change: (inout SourceReport) -> Void = { _ in }) -> RunReport {
    var source = SourceReport(name: "example", kind: "example")
    source.archived = 20
    source.unchanged = 7
    source.images = 280
    source.byteCount = 12_300_000
    source.waiting = 5
    change(&source)
    return RunReport(sources: [source], duration: .milliseconds(4210))
  }

  private func run(
    _ desk: Desk, _ words: [String] = [], errorTerminal: Int? = nil,
    _ body: @escaping @Sendable (any EventSink) async throws -> RunReport
  ) async -> Desk.Result {
    let output = MemoryOutput()
    let error = MemoryOutput(isTerminal: errorTerminal != nil, columns: errorTerminal)
    let code = await CommandLineTool(
      environment: desk.environment(["run"] + words, Desk.configured, output: output, error: error),
      services: desk.services(run: body)
    ).run()
    return Desk.Result(code: code, output: output.text, error: error.text)
  }

  private static let note = SourceReport.ItemNote(id: "1", title: "Title", message: "it broke")

  @Test func `a run prints its summary to standard error`() async throws {
    let result = await run(try Desk()) { events in
      events.send(
        .itemFinished(source: "example", id: "1", title: "T", outcome: .archived(imagesMissing: 0)))
      return Self.report()
    }
    #expect(result.code == .success)
    #expect(result.output == "")
    #expect(
      result.error == """
        archived: example: T
        Archived 20 items, 280 images, 12.3 MB in 4.2 s; 7 unchanged.
        5 more wait for the next run.

        """)
  }

  @Test func `a quiet run that went successfully prints nothing`() async throws {
    let result = await run(try Desk(), ["--quiet"]) { events in
      events.send(.planned(source: "example", plan: PlanSummary()))
      events.send(
        .itemFinished(source: "example", id: "1", title: "T", outcome: .archived(imagesMissing: 0)))
      return Self.report()
    }
    #expect(result.code == .success)
    #expect(result.output + result.error == "")
  }

  @Test func `a quiet run prints failures`() async throws {
    let result = await run(try Desk(), ["-q"]) { events in
      events.send(
        .itemFinished(source: "example", id: "1", title: "T", outcome: .failed(reason: "it broke")))
      return Self.report { $0.failed = [Self.note] }
    }
    #expect(result.code == .someFailed)
    #expect(
      result.error == """
        failed: example: T: it broke
        example: 1 item failed; see 'archiver list --failed'.

        """)
  }

  @Test func `options reach the pipeline`() async throws {
    let desk = try Desk()
    _ = await run(
      desk,
      [
        "--max", "20", "--no-images", "--jobs", "3", "--keep-versions", "1", "--force", "--dry-run",
        "--only", "a", "--only", "b", "--archive", "~/here", "--full",
      ]
    ) { _ in Self.report() }
    let request = try desk.request()
    #expect(request.archive == desk.home + "/here")
    #expect(request.options.maxItems == 20)
    #expect(!request.options.fetchImages)
    #expect(request.options.jobs == 3)
    #expect(request.options.keepVersions == 1)
    #expect(request.options.force && request.options.dryRun && request.options.fullListing)
    #expect(request.options.only == ["a", "b"])
  }

  @Test func `a dry run lists what it would take`() async throws {
    let result = await run(try Desk(), ["--dry-run"]) { _ in
      Self.report { $0.wouldFetch = [Self.note] }
    }
    #expect(
      result.error
        == "  Title\nWould archive 1 item; nothing was written. 5 more wait for later runs.\n")
  }

  @Test func `every line of JSON has the keys that are documented`() async throws {
    let events: [Event] = [
      .listed(source: "s", count: 3, total: nil), .planned(source: "s", plan: PlanSummary()),
      .itemStarted(source: "s", id: "1", title: "\u{1B}[2J"),
      .itemFinished(source: "s", id: "1", title: "T", outcome: .archived(imagesMissing: 1)),
      .itemFinished(source: "s", id: "2", title: "T", outcome: .kept(reason: "r")),
      .assetFinished(
        source: "s", url: "https://a.example/x?signature=1#f", bytes: 3, failure: "404"),
      .downloading(source: "s", id: "1", bytes: 5, total: nil),
      .downloading(source: "s", id: "1", bytes: nil, total: nil),
      .retrying(
        url: "https://a.example/x?signature=1", attempt: 1, delay: .seconds(1), reason: "r"),
      .log(.info, source: nil, message: "m"), .sourceFinished(source: "s", failure: "f"),
    ]
    let result = await run(try Desk(), ["--json", "-v", "--dry-run"]) { sink in
      for event in events { sink.send(event) }
      var report = Self.report {
        $0.wouldFetch = [Self.note]
        $0.wouldRemove = [Self.note]
      }
      report.failure = StorageError(.full, "the archive is full")
      return report
    }
    #expect(result.code == .archive)
    let shapes = Dictionary(uniqueKeysWithValues: EventRecord.schema.map { ($0.name, $0.keys) })
    var seen: Set<String> = []
    for line in result.output.split(separator: "\n") {
      let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
      let name = try #require(object["event"]?.string)
      #expect(Set(object.keys) == Set(shapes[name] ?? []), "\(line)")
      #expect(line.hasPrefix("{\"event\":"))
      for (key, value) in object {
        #expect(EventSchemaTests.fits(value, EventSchema.types[key] ?? []), "\(key) in \(line)")
      }
      seen.insert(name)
    }
    #expect(seen == Set(shapes.keys))
    #expect(!result.output.contains("signature"))
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test(arguments: [(2, nil), (3, "1 more waits for the next run.")] as [(Int, String?)])
  func `items that are not ready are not counted again as waiting`(
    waiting: Int, sentence: String?
  ) throws {
    let report = Self.report {
      $0.deferred = [Self.note, Self.note]
      $0.waiting = waiting
    }
    let lines = RunSummary.lines(report, isDryRun: false, onlyTrouble: false)
    #expect(lines.contains("2 items not ready at the source yet."), "\(lines)")
    #expect(lines.first { $0.contains("wait") } == sentence, "\(lines)")
  }

  @Test func `a run that reached nothing does not say that nothing is new`() async throws {
    for isDown in [true, false] {
      let result = await run(try Desk()) { _ in
        var source = SourceReport(name: "example", kind: "example")
        if isDown { source.failure = AdapterError(.unavailable, "example is not there") }
        return RunReport(sources: [source])
      }
      #expect(result.error.contains("Nothing new") == !isDown)
      #expect(result.error.contains("example is not there") == isDown)
    }
  }

  @Test func `an id that no source has is named, with 1`() async throws {
    let result = await run(try Desk(), ["--only", "nosuch", "--quiet"]) { _ in
      Self.report { $0.unknown = ["nosuch"] }
    }
    #expect(result.code == .someFailed)
    let words = "No item has the id 'nosuch'; see 'archiver list'."
    #expect(result.error.contains(words))
    let json = await run(try Desk(), ["--only", "nosuch", "--json"]) { _ in
      Self.report { $0.unknown = ["nosuch"] }
    }
    #expect(json.output.contains(words))
    let refused = await run(try Desk(), ["--only", "nosuch"]) { _ in
      Self.report {
        $0.unknown = ["nosuch"]
        $0.failure = AdapterError(.unavailable, "example is not there")
      }
    }
    #expect(!refused.error.contains("No item has"))
  }

  @Test func `JSON ends with the figures`() async throws {
    let result = await run(try Desk(), ["--json"]) { _ in
      Self.report {
        let note = SourceReport.ItemNote(id: "1", title: "One", message: "")
        $0.removed = [note]
        $0.expired = [note, note]
        $0.left = [note]
      }
    }
    #expect(result.error == "")
    let last = result.output.split(separator: "\n").last
    #expect(
      last
        == #"{"event":"finished","archived":20,"unchanged":7,"failed":0,"images":280,"imagesMissing":0,"bytes":12300000,"seconds":4.21,"kept":0,"heldBack":0,"deferred":0,"removed":4,"waiting":5,"stillFailing":0,"exitCode":0}"#
    )
  }

  @Test func `a run that cannot begin ends JSON with the error`() async throws {
    let result = await run(try Desk(), ["--json"]) { _ in
      throw StorageError(.locked, "another run (process 7) is at work on the archive")
    }
    #expect(result.code == .locked)
    let words = "another run (process 7) is at work on the archive"
    #expect(result.error == "archiver: \(words)\n")
    let line = try #require(result.output.split(separator: "\n").last)
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
    #expect(object["event"]?.string == "error" && object["exitCode"]?.integer == 5)
    #expect(object["message"]?.string == words)
  }

  @Test(arguments: [
    ["run", "-s", "nope", "--json"], ["run", "--json", "-c", "no-such.json5"],
    ["run", "--nope", "--json"], ["run", "--json", "--max", "many"],
    ["run", "--json", "--log-file", "/proc/no/such"], ["run", "--json", "extra"],
  ])
  func `a wrong command line or configuration ends JSON with the error, once`(
    words: [String]
  ) async throws {
    let desk = try Desk()
    let output = MemoryOutput()
    let error = MemoryOutput()
    let tool = CommandLineTool(
      environment: desk.environment(words, Desk.configured, output: output, error: error),
      services: desk.services())
    #expect(await tool.run() == .usage)
    let lines = output.text.split(separator: "\n")
    #expect(lines.count == 1, "\(lines)")
    let line = try #require(lines.last)
    let object = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
    let shape = try #require(EventRecord.schema.first { $0.name == "error" })
    #expect(Set(object.keys) == Set(shape.keys), "\(line)")
    #expect(object["event"]?.string == "error" && object["exitCode"]?.integer == 2)
    #expect(error.text == "archiver: \(object["message"]?.string ?? "")\n")
  }

  @Test func `other commands and operands of that name print no event`() async throws {
    for words in [["list", "--json", "--nope"], ["run", "--nope", "--", "--json"]] {
      let desk = try Desk()
      let output = MemoryOutput()
      let tool = CommandLineTool(
        environment: desk.environment(words, output: output), services: desk.services())
      #expect(await tool.run() == .usage)
      #expect(output.text == "", "\(words)")
    }
  }

  static let codes: [(any Error & Sendable, ExitCode)] = [
    (UsageError("x"), .usage), (AdapterError(.configuration, "x"), .usage),
    (AdapterError(.unauthorized, "x"), .source), (AdapterError(.unavailable, "x"), .source),
    (AdapterError(.cancelled, "x"), .interrupted), (HTTPError(.connect, "x"), .source),
    (HTTPError(.cancelled, "x"), .interrupted), (StorageError(.locked, "x"), .locked),
    (StorageError(.full, "x"), .archive), (StorageError(.damaged, "x"), .archive),
    (CancellationError(), .interrupted),
  ]

  @Test(arguments: codes)
  func `an error has one exit code`(error: any Error & Sendable, code: ExitCode) {
    #expect(ExitCode(error) == code)
  }

  @Test func `a report has the code of the worst`() {
    #expect(ExitCode(Self.report()) == .success)
    #expect(ExitCode(Self.report { $0.failed = [Self.note] }) == .someFailed)
    var worse = Self.report {
      $0.failed = [Self.note]
      $0.failure = AdapterError(.unavailable, "x")
    }
    #expect(ExitCode(worse) == .source)
    worse.failure = StorageError(.full, "x")
    #expect(ExitCode(worse) == .archive)
    worse.wasCancelled = true
    #expect(ExitCode(worse) == .interrupted)
  }

  @Test func `a source that failed says why, once`() async throws {
    let result = await run(try Desk(), ["--quiet"]) { events in
      events.send(.sourceFinished(source: "example", failure: "refused the token"))
      return Self.report { $0.failure = AdapterError(.unauthorized, "refused the token") }
    }
    #expect(result.code == .source)
    #expect(
      result.error == "example: refused the token "
        + "(token is set in the environment variable EXAMPLE_TOKEN)\n")
  }

  @Test func `a terminal gets a live display, a dumb one plain lines`() async throws {
    let body: @Sendable (any EventSink) async throws -> RunReport = { events in
      events.send(.planned(source: "example", plan: PlanSummary()))
      try await Task.sleep(for: .milliseconds(250))
      return Self.report()
    }
    let live = await run(try Desk(), errorTerminal: 80, body)
    #expect(live.error.contains("\u{1B}["))
    #expect(live.error.contains("Archived 20 items"))
    let quiet = await run(try Desk(), ["--quiet"], errorTerminal: 80, body)
    #expect(quiet.error == "")
    let dumb = await (try Desk()).type(
      "run", variables: Desk.configured.merging(["TERM": "dumb"]) { $1 }, errorTerminal: 80)
    #expect(!dumb.error.contains("\u{1B}"))
  }

  @Test func `cancelling ends a run as interrupted`() async throws {
    let desk = try Desk()
    let work = Task {
      await run(desk) { _ in
        try await Task.sleep(for: .seconds(60))
        return Self.report()
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    work.cancel()
    let result = await work.value
    #expect(result.code == .interrupted)
    #expect(result.error == "archiver: interrupted; everything finished so far is kept\n")
  }
}
