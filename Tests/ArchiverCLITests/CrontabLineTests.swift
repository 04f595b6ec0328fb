import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// What `schedule` writes into a crontab, and which lines of the user's it leaves alone.
@Suite struct CrontabLineTests {
  private func services(_ desk: Desk, _ machine: ScheduleTests.Machine) -> Services {
    var services = desk.services()
    services.runCommand = { try machine.run($0, $1) }
    return services
  }

  private func machine(_ table: String, hasSystemd: Bool = false) -> ScheduleTests.Machine {
    let machine = ScheduleTests.Machine(hasSystemd: hasSystemd)
    machine.table.withLock { $0 = table }
    return machine
  }

  @Test(arguments: [false, true])
  func `several lines written by hand are shown and none is changed`(hasSystemd: Bool) async throws
  {
    let desk = try Desk()
    let table =
      "30 3 * * * archiver run --source books --quiet\n"
      + "0 */2 * * * archiver run --source readeck --quiet\n"
    let machine = machine(table, hasSystemd: hasSystemd)
    let result = await desk.type(
      "schedule", "install", "--max", "5", services: services(desk, machine))
    #expect(result.code == .usage)
    #expect(result.error.contains("your crontab has 2 lines that run archiver"))
    #expect(result.error.contains("--source books") && result.error.contains("--source readeck"))
    #expect(machine.table.withLock { $0 } == table)
  }

  @Test(arguments: ["--systemd", "--cron"])
  func `beside a timer no line written by hand is taken over`(kind: String) async throws {
    let desk = try Desk()
    let machine = machine("", hasSystemd: true)
    let services = services(desk, machine)
    let hand = "0 1 * * * archiver run --source a\n0 2 * * * archiver run --source b\n"
    for table in [hand, "0 1 * * * archiver run --source a\n"] {
      machine.table.withLock { $0 = "" }
      _ = await desk.type("schedule", "install", "--systemd", services: services)
      machine.table.withLock { $0 = table }
      let result = await desk.type("schedule", "install", kind, "--max", "5", services: services)
      #expect(result.code == .success, "\(result.error)")
      #expect(result.error.contains("your crontab also runs archiver"))
      #expect(machine.table.withLock { $0 }.hasPrefix(table))
    }
  }

  @Test func `a line written by hand beside the installed one stays and is named`() async throws {
    let desk = try Desk()
    let hand = "0 */2 * * * archiver run --source readeck --quiet"
    let machine = machine("0 1 * * * archiver run --quiet # archiver schedule\n\(hand)\n")
    let services = services(desk, machine)
    let result = await desk.type("schedule", "install", "--max", "5", services: services)
    #expect(result.code == .success)
    #expect(result.error.contains("warning: your crontab also runs archiver"), "\(result.error)")
    #expect(result.error.contains(hand))
    let lines = machine.table.withLock { $0 }.split(separator: "\n")
    #expect(lines.count == 2 && lines.first.map(String.init) == hand)
    let own = lines.last ?? ""
    #expect(own.hasPrefix("0 1 * * * ") && own.hasSuffix("--max 5 # archiver schedule"))
    let removed = await desk.type("schedule", "remove", services: services)
    #expect(removed.output == "Removed the line in your crontab.\n")
    #expect(removed.error.contains(hand))
    #expect(machine.table.withLock { $0 } == hand + "\n")
  }

  static let lines = [
    ("0 3 * * * nice -n 19 /opt/bin/archiver run --quiet", true),
    ("0 3 * * * cd /srv && archiver run >> /srv/log 2>&1", true),
    ("@daily timeout 2h archiver run", true), ("@reboot archiver watch", true),
    ("0 3 * * * flock -n /tmp/l sh -c 'archiver run'", true),
    ("0 8 * * * archiver status --check", false), ("# 0 3 * * * archiver run", false),
    ("MY_COMMAND=archiver run", false), ("0 3 * * * my-archiver run", false),
  ]

  @Test(arguments: lines)
  func `a line that starts a run in any way is named and never changed`(
    line: String, isRun: Bool
  ) async throws {
    let desk = try Desk()
    let machine = machine(line + "\n")
    let services = services(desk, machine)
    let shown = await desk.type("schedule", "show", services: services)
    #expect(shown.output.contains("cron: \(line)") == isRun, "\(shown.output)")
    let result = await desk.type("schedule", "install", services: services)
    #expect(result.error.contains("your crontab also runs archiver") == isRun, "\(result.error)")
    #expect(machine.table.withLock { $0 }.hasPrefix(line + "\n"))
  }

  @Test func `cron's line never holds the URL to ping, and no command prints it`() async throws {
    let desk = try Desk()
    try desk.configure("// mine\n{ max: 7, // few\n}\n")
    let machine = machine("")
    let services = services(desk, machine)
    for key in ["first", "second"] {
      let result = await desk.type(
        "schedule", "install", "--ping-url", "https://hc.example/\(key)", services: services)
      #expect(result.code == .success, "\(result.error)")
      let text = FileManager.default.contents(atPath: desk.folder + "/config.json5") ?? Data()
      #expect(
        String(decoding: text, as: UTF8.self)
          == "// mine\n{\n  pingURL: \"https://hc.example/\(key)\", max: 7, // few\n}\n")
      #expect(!machine.table.withLock { $0.contains("hc.example") })
    }
    let old =
      "0 1 * * * ARCHIVER_PING_URL='https://hc.example/key' archiver run # archiver schedule"
    machine.table.withLock { $0 = old + "\n" }
    for command in [["schedule", "show"], ["doctor"]] {
      let output = MemoryOutput()
      _ = await CommandLineTool(
        environment: desk.environment(command, output: output), services: services
      ).run()
      #expect(output.text.contains("hc.example/…"), "\(output.text)")
      #expect(!output.text.contains("hc.example/key"), "\(output.text)")
    }
  }

  @Test func `a URL to ping is not written into a file that others can read`() async throws {
    let desk = try Desk()
    try desk.configure("{ max: 7 }", mode: 0o644)
    let machine = machine("")
    let result = await desk.type(
      "schedule", "install", "--ping-url", "https://hc.example/key",
      services: services(desk, machine))
    #expect(result.code == .usage)
    #expect(result.error.contains("write pingURL: \"…\" into it (mode 0600)"), "\(result.error)")
    #expect(machine.table.withLock { $0 } == "")
    #expect(
      FileManager.default.contents(atPath: desk.folder + "/config.json5") == Data("{ max: 7 }".utf8)
    )
  }

  @Test func `without a configuration file the URL to ping gets one of its own`() async throws {
    let desk = try Desk()
    let result = await desk.type(
      "schedule", "install", "--ping-url", "https://hc.example/key",
      services: services(desk, machine("")))
    #expect(result.code == .success, "\(result.error)")
    let path = desk.folder + "/config.json5"
    #expect(ConfigurationFile.nights(path).values["pingURL"] != nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a wait that the file sets is not overridden by the schedule`() async throws {
    let desk = try Desk()
    let machine = machine("")
    let services = services(desk, machine)
    _ = await desk.type("schedule", "install", services: services)
    #expect(machine.table.withLock { $0.contains("--wait-online 5m") })
    try desk.configure("{ waitOnline: '20m' }")
    _ = await desk.type("schedule", "install", services: services)
    #expect(!machine.table.withLock { $0.contains("--wait-online") })
    machine.table.withLock { $0 = "0 1 * * * archiver run --wait-online 7m # archiver schedule\n" }
    _ = await desk.type("schedule", "install", services: services)
    #expect(machine.table.withLock { $0.contains("--wait-online 7m") })
  }

  @Test(arguments: ["--log-file", "--metrics"])
  func `a file in a folder that does not exist is refused at install`(option: String) async throws {
    let desk = try Desk()
    let machine = machine("")
    let result = await desk.type(
      "schedule", "install", option, "~/nowhere/file", services: services(desk, machine))
    #expect(result.code == .usage && result.error.contains("/nowhere does not exist"))
    #expect(machine.table.withLock { $0 } == "")
  }

  @Test(arguments: [
    ("archiver run --quiet", false, "", true), ("archiver run --quiet", true, "", false),
    ("archiver run --notify 'cat >told'", false, "", false),
    ("ARCHIVER_PING_URL=http://a.example/ archiver run", false, "", false),
    ("archiver run", false, "pingURL: 'https://hc.example/key'", false),
  ])
  func `doctor says that nothing reports a bad night`(
    command: String, hasMail: Bool, setting: String, isSilent: Bool
  ) async throws {
    let desk = try Desk()
    try desk.configure("{ \(setting) }")
    let machine = machine("30 3 * * * \(command) # archiver schedule\n")
    var services = services(desk, machine)
    services.runCommand = { line, input in
      line.contains("sendmail") ? (hasMail ? "yes\n" : "") : try machine.run(line, input)
    }
    let output = await desk.type("doctor", services: services).output
    #expect(output.contains("no program that sends mail") == isSilent, "\(output)")
  }

  @Test func `doctor says that a timer reports a bad night in the journal only`() async throws {
    let desk = try Desk()
    let services = services(desk, machine("", hasSystemd: true))
    _ = await desk.type("schedule", "install", services: services)
    let words = "a bad night is reported in systemd's journal only"
    #expect(await desk.type("doctor", services: services).output.contains(words))
    _ = await desk.type("schedule", "install", "--notify", "cat >told", services: services)
    #expect(await !desk.type("doctor", services: services).output.contains(words))
  }

  @Test(arguments: [false, true])
  func `a timer that ends at the logout is told at its installation and by doctor`(
    endsAtLogout: Bool
  ) async throws {
    let desk = try Desk()
    let machine = machine("", hasSystemd: true)
    var services = services(desk, machine)
    services.runCommand = { line, input in
      line.contains("/linger/") ? (endsAtLogout ? "yes\n" : "") : try machine.run(line, input)
    }
    let words = "the timer runs only while you are logged in"
    let remedy = "Run 'loginctl enable-linger' to let it run always."
    let installed = await desk.type("schedule", "install", services: services)
    #expect(installed.code == .success)
    #expect(
      installed.error.contains("archiver: warning: \(words). \(remedy)\n") == endsAtLogout,
      "\(installed.error)")
    let output = await desk.type("doctor", services: services).output
    #expect(output.contains(words) == endsAtLogout, "\(output)")
    let cron = await desk.type("schedule", "install", "--cron", services: services)
    #expect(!cron.error.contains(words), "cron runs always")
    #expect(await !desk.type("doctor", services: services).output.contains(words))
  }
}
