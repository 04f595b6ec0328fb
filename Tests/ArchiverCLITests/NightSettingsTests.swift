import ArchiverCore
import ArchiverPipeline
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Keys of the configuration file for notifications.
@Suite struct NightSettingsTests {
  private func run(
    _ desk: Desk, _ words: [String] = [], monitor: AnnouncingTests.Monitor,
    failed: Bool = false
  ) async -> Desk.Result {
    let output = MemoryOutput()
    let error = MemoryOutput()
    let environment = desk.environment(
      ["run", "--quiet"] + words, Desk.configured, output: output, error: error)
    var services = desk.services { _ in
      var source = SourceReport(name: "example", kind: "example")
      if failed {
        source.failed = [SourceReport.ItemNote(id: "1", title: "Bad one", message: "it broke")]
      }
      return RunReport(sources: [source], duration: .seconds(1))
    }
    services.client = { _ in monitor }
    let code = await CommandLineTool(environment: environment, services: services).run()
    return Desk.Result(code: code, output: output.text, error: error.text)
  }

  private func text(_ desk: Desk, _ path: String) -> String? {
    FileManager.default.contents(atPath: "\(desk.home)/\(path)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `every run obeys the keys of the file`() async throws {
    let desk = try Desk()
    try desk.configure(
      """
      { pingURL: "https://hc.example/uuid", notify: "cat > \(desk.home)/told",
        metrics: "figures.prom", logFile: "~/log", maxTime: "2h" }
      """)
    let monitor = AnnouncingTests.Monitor()
    let result = await run(desk, monitor: monitor, failed: true)
    #expect(result.code == .someFailed, "\(result.error)")
    #expect(monitor.calls.withLock { $0.map(\.path) } == ["/uuid/start", "/uuid/fail"])
    #expect(text(desk, "told")?.contains("failed: example: Bad one") == true)
    #expect(
      text(desk, ".config/archiver/figures.prom")?.contains("archiver_run_exit_code 1") == true)
    #expect(text(desk, "log") != nil)
    #expect(try desk.request().options.timeLimit?.duration == .seconds(7200))
  }

  @Test func `an option is stronger than the key of the file`() async throws {
    let desk = try Desk()
    try desk.configure("{ pingURL: 'https://hc.example/file', maxTime: '2h' }")
    let monitor = AnnouncingTests.Monitor()
    _ = await run(
      desk, ["--ping-url", "https://hc.example/option", "--max-time", "1h"], monitor: monitor)
    #expect(monitor.calls.withLock { $0.map(\.path) } == ["/option/start", "/option"])
    #expect(try desk.request().options.timeLimit?.duration == .seconds(3600))
  }

  @Test func `a mistake in the file is told to the address that the file names`() async throws {
    let desk = try Desk()
    try desk.configure("{ pingURL: 'https://hc.example/uuid', maxTime: 'long' }")
    let monitor = AnnouncingTests.Monitor()
    let result = await run(desk, monitor: monitor)
    #expect(result.code == .usage && result.error.contains("maxTime takes a time such as"))
    #expect(monitor.calls.withLock { $0.last?.path } == "/uuid/fail")
  }

  @Test func `the address to ping is not shown`() async throws {
    let desk = try Desk()
    try desk.configure("{ pingURL: 'https://hc.example/uuid', background: true }")
    for words in [[], ["--json"]] {
      let output = MemoryOutput()
      _ = await CommandLineTool(
        environment: desk.environment(["config", "show"] + words, output: output),
        services: desk.services()
      ).run()
      #expect(output.text.contains("hc.example") && !output.text.contains("uuid"))
      #expect(output.text.contains("background"))
    }
  }

  private func services(_ desk: Desk, _ machine: ScheduleTests.Machine) -> Services {
    var services = desk.services()
    services.runCommand = { try machine.run($0, $1) }
    return services
  }

  @Test func `installing again changes the given settings and keeps the rest`() async throws {
    let desk = try Desk()
    let machine = ScheduleTests.Machine(hasSystemd: false)
    let services = services(desk, machine)
    _ = await desk.type(
      "schedule", "install", "--at", "04:05", "--max", "50", "--metrics", "~/a%b",
      "--archive", "~/kept", services: services)
    let first = machine.table.withLock { $0 }
    #expect(first.hasPrefix("5 4 * * * ARCHIVER_METRICS='\(desk.home)/a\\%b' /"), "\(first)")
    #expect(!first.contains("--metrics"))
    let again = await desk.type(
      "schedule", "install", "--max", "60", "--notify", "mail me", services: services)
    #expect(again.code == .success && again.output.contains("~/kept"), "\(again)")
    let second = machine.table.withLock { $0 }
    #expect(
      second.hasPrefix(
        "5 4 * * * ARCHIVER_METRICS='\(desk.home)/a\\%b' ARCHIVER_NOTIFY='mail me' /"),
      "\(second)")
    #expect(
      second.hasSuffix(
        " run --quiet --wait-online 5m --archive \(desk.home)/kept --max 60 # archiver schedule\n"),
      "\(second)")
  }

  @Test func `a timer keeps its time and its notifications`() async throws {
    let desk = try Desk()
    let machine = ScheduleTests.Machine(hasSystemd: true)
    let services = services(desk, machine)
    try desk.write("figures/.keep", "")
    _ = await desk.type(
      "schedule", "install", "--every", "4h", "--metrics", "~/figures/a.prom",
      "--notify", "echo \"$5\" 100% 'it'", services: services)
    _ = await desk.type("schedule", "install", "--max", "5", services: services)
    let timer = try #require(text(desk, ".config/systemd/user/archiver.timer"))
    #expect(timer.contains("OnCalendar=*-*-* 00/4:00:00"))
    let service = try #require(text(desk, ".config/systemd/user/archiver.service"))
    #expect(service.contains("\nEnvironment=ARCHIVER_METRICS=\(desk.home)/figures/a.prom\n"))
    #expect(
      service.contains("\nEnvironment=\"ARCHIVER_NOTIFY=echo \\\"$5\\\" 100%% 'it'\"\n"),
      "\(service)")
    #expect(service.contains("\nReadWritePaths=-\(desk.home)/figures\n"), "\(service)")
    #expect(service.contains(" run --quiet --wait-online 5m --max 5\n"))
    let path = desk.home + "/.config/systemd/user/archiver.service"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a crontab line written by hand is replaced`() async throws {
    let desk = try Desk()
    let machine = ScheduleTests.Machine(hasSystemd: false)
    let services = services(desk, machine)
    machine.table.withLock {
      $0 = "MAILTO=me\n10 2 * * *  archiver run --max 200 --quiet\n0 1 * * * archiver run | tee x\n"
    }
    let result = await desk.type(
      "schedule", "install", "--max-time", "2h", services: services)
    #expect(result.code == .success, "\(result.error)")
    let table = machine.table.withLock { $0 }
    #expect(
      table.hasPrefix("MAILTO=me\n0 1 * * * archiver run | tee x\n10 2 * * * /"), "\(table)")
    #expect(
      table.hasSuffix(" run --max 200 --quiet --max-time 7200s # archiver schedule\n"), "\(table)")
  }

  @Test func `a crontab line changed into an invalid command is reported and kept`() async throws {
    let desk = try Desk()
    let machine = ScheduleTests.Machine(hasSystemd: false)
    let line = "0 1 * * * /usr/bin/archiver run --wrong # archiver schedule\n"
    machine.table.withLock { $0 = line }
    let result = await desk.type(
      "schedule", "install", services: services(desk, machine))
    #expect(result.code == .usage && result.error.contains("is invalid"), "\(result.error)")
    #expect(machine.table.withLock { $0 } == line)
  }
}
