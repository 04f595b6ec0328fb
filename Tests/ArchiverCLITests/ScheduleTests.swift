import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct ScheduleTests {
  static let schedules: [(RunSchedule, cron: String, calendar: String)] = [
    (.daily(hour: 3, minute: 30), "30 3 * * *", "*-*-* 03:30:00"),
    (.every(minutes: 15), "*/15 * * * *", "*-*-* *:00/15:00"),
    (.every(minutes: 60), "0 * * * *", "*-*-* *:00:00"),
    (.every(minutes: 240), "0 */4 * * *", "*-*-* 00/4:00:00"),
    (.every(minutes: 1440), "0 0 * * *", "*-*-* 00:00:00"),
  ]

  @Test(arguments: schedules)
  func `cron and systemd start at the same times`(
    schedule: RunSchedule, cron: String, calendar: String
  ) {
    #expect(schedule.cron == cron)
    #expect(schedule.calendar == calendar)
  }

  @Test(arguments: ["3", "24:00", "12:60", "a:b", "3:30:00", "+3:30"])
  func `an invalid time of day is refused`(text: String) {
    #expect(throws: UsageError.self) { try RunSchedule.at(text) }
  }

  @Test(arguments: [1, 7, 50, 300, 2880])
  func `a period that no calendar has is refused`(minutes: Int) {
    #expect(throws: UsageError.self) { try RunSchedule.every(.seconds(minutes * 60)) }
  }

  @Test func `our line of a crontab is replaced and removed, others stay`() {
    let line = Crontab.line(.every(minutes: 240), command: "archiver run --archive 'a%b'")
    #expect(line == "0 */4 * * * archiver run --archive 'a\\%b' # archiver schedule")
    let table = Crontab.replacing(in: "MAILTO=me\n0 1 * * * backup\n", with: line)
    #expect(table == "MAILTO=me\n0 1 * * * backup\n\(line)\n")
    #expect(Crontab.replacing(in: table, with: line) == table)
    #expect(Crontab.own(in: table) == line)
    #expect(Crontab.replacing(in: table, with: nil) == "MAILTO=me\n0 1 * * * backup\n")
  }

  /// A machine with a crontab and optionally a service manager.
  final class Machine: Sendable {
    let lines = Mutex<[String]>([])
    let table = Mutex("")
    let hasSystemd: Bool

    init(hasSystemd: Bool) {
      self.hasSystemd = hasSystemd
    }

    func run(_ line: String, _ input: String?) throws -> String {
      lines.withLock { $0.append(line) }
      if line.hasPrefix("crontab -l") { return table.withLock { $0 } }
      if line == "crontab -" { table.withLock { $0 = input ?? "" } }
      if line.contains("systemctl") {
        guard hasSystemd else { throw CommandFailure(reason: "exited with status 1") }
        return "yes\n"
      }
      return ""
    }
  }

  private func services(_ desk: Desk, _ machine: Machine) -> Services {
    var services = desk.services()
    services.runCommand = { try machine.run($0, $1) }
    return services
  }

  @Test func `a timer that cannot be enabled leaves the old schedule`() async throws {
    let desk = try Desk()
    let lines = Mutex<[String]>([])
    var services = desk.services()
    services.runCommand = { line, _ in
      lines.withLock { $0.append(line) }
      if line.contains("enable --now") { throw CommandFailure(reason: "exited with status 1") }
      return "yes\n"
    }
    let folder = desk.home + "/.config/systemd/user"
    let first = await desk.type("schedule", "install", "--every", "4h", services: services)
    #expect(first.code == .usage && first.error.contains("--cron works without systemd"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(
      lines.withLock { Array($0.suffix(2)) } == [
        "systemctl --user disable --now archiver.timer", "systemctl --user daemon-reload",
      ])
    try desk.write(".config/systemd/user/archiver.timer", "old timer\n")
    try desk.write(".config/systemd/user/archiver.service", "old service\n")
    _ = await desk.type("schedule", "install", "--every", "4h", services: services)
    for name in ["timer", "service"] {
      let data = FileManager.default.contents(atPath: "\(folder)/archiver.\(name)")
      #expect(data == Data("old \(name)\n".utf8))
    }
  }

  @Test func `without systemd a line goes into the crontab`() async throws {
    let desk = try Desk()
    let machine = Machine(hasSystemd: false)
    let services = services(desk, machine)
    let result = await desk.type(
      "schedule", "install", "--at", "4:05", "--max", "50", "--archive", "~/a b",
      services: services)
    #expect(result.code == .success, "\(result.error)")
    let table = machine.table.withLock { $0 }
    #expect(table.hasPrefix("5 4 * * * /"))
    #expect(
      table.hasSuffix(
        " run --quiet --wait-online 5m --archive '\(desk.home)/a b' --max 50 # archiver schedule\n")
    )
    #expect(await desk.type("schedule", "show", services: services).output.hasPrefix("cron: 5 4"))
    let removed = await desk.type("schedule", "remove", services: services)
    #expect(removed.output == "Removed the line in your crontab.\n")
    #expect(machine.table.withLock { $0 } == "")
  }

  @Test func `a crontab that cannot be read completely is left alone`() async throws {
    let desk = try Desk()
    let lines = Mutex<[String]>([])
    var services = desk.services()
    services.runCommand = { line, _ in
      lines.withLock { $0.append(line) }
      throw CommandFailure(reason: "printed more than 64 KiB")
    }
    for result in [
      await desk.type("schedule", "install", "--cron", "--at", "03:30", services: services),
      await desk.type("schedule", "remove", services: services),
    ] {
      #expect(result.code == .usage)
      #expect(
        result.error.contains(
          "the crontab could not be read completely and was not changed: the command printed more"))
    }
    #expect(lines.withLock { !$0.contains("crontab -") })
  }

  /// The path of a file below the desk's home, from the folder that the tests run in.
  private func relative(_ desk: Desk, _ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath.split(separator: "/")
    return String(repeating: "../", count: here.count) + desk.home.dropFirst() + "/" + path
  }

  /// Returns the value of `--config` in the line that was installed.
  private func configuration(_ machine: Machine) -> String? {
    let words = machine.table.withLock { $0 }.split(separator: " ").map(String.init)
    return words.firstIndex(of: "--config").map { words[$0 + 1] }
  }

  @Test(arguments: [true, false])
  func `a configuration named by a relative path is found from any folder`(
    isVariable: Bool
  ) async throws {
    let desk = try Desk()
    try desk.write("nightly.json5", "{ max: 7 }")
    let machine = Machine(hasSystemd: false)
    let path = relative(desk, "nightly.json5")
    let result =
      isVariable
      ? await desk.type(
        "schedule", "install", variables: ["ARCHIVER_CONFIG": path],
        services: services(desk, machine))
      : await desk.type(
        "schedule", "install", "--config", path, services: services(desk, machine))
    #expect(result.code == .success, "\(result.error)")
    let written = try #require(configuration(machine))
    #expect(written.hasPrefix("/"), "\(written)")
    #expect(FileManager.default.contents(atPath: written) == Data("{ max: 7 }".utf8))
  }

  @Test func `a configuration folder that only this shell knows is written down`() async throws {
    let desk = try Desk()
    let path = try desk.write("elsewhere/archiver/config.json5", "{ max: 7 }")
    let variables = ["XDG_CONFIG_HOME": desk.home + "/elsewhere"]
    let machine = Machine(hasSystemd: false)
    let result = await desk.type(
      "schedule", "install", variables: variables, services: services(desk, machine))
    #expect(result.code == .success, "\(result.error)")
    #expect(configuration(machine) == path)
    // The logins and the programs are found there too.
    let table = machine.table.withLock { $0 }
    #expect(table.hasPrefix("30 3 * * * XDG_CONFIG_HOME=\(desk.home)/elsewhere /"), "\(table)")
    let units = await desk.type(
      "schedule", "install", "--systemd", "--print", variables: variables,
      services: services(desk, machine))
    #expect(units.output.contains("\nEnvironment=XDG_CONFIG_HOME=\(desk.home)/elsewhere\n"))
    #expect(units.output.contains(" --config \(path)\n"), "\(units.output)")
    // Programs that act as sources too.
    let data = await desk.type(
      "schedule", "install", "--cron", "--print",
      variables: ["XDG_DATA_HOME": desk.home + "/data"], services: services(desk, machine))
    #expect(data.output.contains(" XDG_DATA_HOME=\(desk.home)/data /"), "\(data.output)")
    let usual = Machine(hasSystemd: false)
    try desk.configure("{ max: 7 }")
    _ = await desk.type("schedule", "install", services: services(desk, usual))
    #expect(configuration(usual) == nil)
    #expect(!usual.table.withLock { $0.contains("XDG") })
  }

  @Test func `with systemd a timer is written, started and removed`() async throws {
    let desk = try Desk()
    let machine = Machine(hasSystemd: true)
    let services = services(desk, machine)
    let result = await desk.type("schedule", "install", "--every", "4h", services: services)
    #expect(result.code == .success, "\(result.error)")
    let folder = desk.home + "/.config/systemd/user"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["archiver.service", "archiver.timer"])
    #expect(machine.lines.withLock { $0.contains { $0.contains("enable --now archiver.timer") } })
    let shown = await desk.type("schedule", "show", services: services)
    #expect(shown.output.contains("OnCalendar=*-*-* 00/4:00:00"))
    _ = await desk.type("schedule", "remove", services: services)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func `a timer replaces a crontab line, and the other way round`()
    async throws
  {
    let desk = try Desk()
    let machine = Machine(hasSystemd: true)
    let services = services(desk, machine)
    machine.table.withLock { $0 = "0 1 * * * backup\n" }
    let line = await desk.type("schedule", "install", "--cron", services: services)
    #expect(!line.output.contains("Removed"), "\(line.output)")
    let timer = await desk.type("schedule", "install", services: services)
    #expect(timer.output.hasSuffix("\nRemoved the line in your crontab.\n"), "\(timer.output)")
    #expect(machine.table.withLock { $0 } == "0 1 * * * backup\n")
    let again = await desk.type("schedule", "install", "--cron", services: services)
    #expect(again.output.hasSuffix("\nRemoved the timer.\n"), "\(again.output)")
    let shown = await desk.type("schedule", "show", services: services)
    #expect(shown.output.hasPrefix("cron: ") && !shown.output.contains("systemd:"))
  }

  @Test func `the service asks for nothing that a user's own manager refuses`() {
    let units = SystemdUnits(
      program: "/bin/true", arguments: [], schedule: .every(minutes: 60), writable: [])
    // Each of these ends a user's service with 218/CAPABILITIES or 217/USER.
    for setting in [
      "ProtectKernelModules", "ProtectKernelLogs", "ProtectClock", "PrivateDevices",
      "CapabilityBoundingSet", "PrivateUsers", "DynamicUser", "User",
    ] {
      #expect(!units.service.contains("\n\(setting)="), "\(setting)")
    }
    #expect(units.service.contains("\nNoNewPrivileges=true\n"))
  }

  @Test func `a dollar is doubled only where systemd fills in variables`() {
    let units = SystemdUnits(
      program: "/bin/true", arguments: ["/srv/share$/a%"], schedule: .every(minutes: 60),
      writable: ["/srv/share$/a%"])
    #expect(units.service.contains("\nExecStart=/bin/true /srv/share$$/a%%\n"))
    #expect(units.service.contains("\nReadWritePaths=-/srv/share$/a%%\n"))
  }

  /// The mask belongs to the whole process, and other tests make files.
  @Test func `files of the service have the same permissions as files of a manual run`() async {
    await #expect(processExitsWith: .success) {
      for (mask, setting) in [(0o022, "UMask=0022"), (0o007, "UMask=0007"), (0o077, "UMask=0077")] {
        umask(mode_t(mask))
        let desk = try Desk()
        let result = await desk.type("schedule", "install", "--systemd", "--print")
        #expect(result.output.contains("\n\(setting)\n"), "\(result.output)")
        #expect(umask(0) == mode_t(mask))
      }
    }
  }

  @Test func `the service permits the program's sandbox`() throws {
    let units = SystemdUnits(
      program: "/bin/true", arguments: [], schedule: .every(minutes: 60), writable: [])
    let filters = units.service.split(separator: "\n").filter {
      $0.hasPrefix("SystemCallFilter=")
    }
    // The first refuses all others.
    #expect(filters.first == "SystemCallFilter=@system-service")
    let allowed = filters.flatMap { $0.dropFirst("SystemCallFilter=".count).split(separator: " ") }
    for call in ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] {
      #expect(allowed.contains { $0 == call }, "\(call)")
    }
  }

  @Test func `the units are good in the eyes of systemd`() async throws {
    guard let analyze = ChildProcess.find("systemd-analyze") else {
      print("skipped: systemd-analyze is not installed")
      return
    }
    let units = SystemdUnits(
      program: "/bin/true", arguments: ["run", "--archive", "/srv/a b%c"],
      schedule: .daily(hour: 3, minute: 30), writable: ["/srv/a b%c"])
    try await TemporaryFolder.with("units") { folder in
      for (name, text) in [("archiver.service", units.service), ("archiver.timer", units.timer)] {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      let check = try ChildProcess(
        analyze,
        ["verify", "--user", "--man=no", folder + "/archiver.timer", folder + "/archiver.service"],
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder])
      let code = try await check.wait()
      #expect(code == 0 && check.errorOutput == "", "\(check.errorOutput)")
    }
  }

  @Test func `words are quoted as systemd reads them`() {
    #expect(SystemdUnits.quoted("/usr/bin/archiver") == "/usr/bin/archiver")
    #expect(SystemdUnits.quoted("a b%$\"") == "\"a b%%$$\\\"\"")
    // A mark on a sign does not change the sign.
    #expect(SystemdUnits.quoted("%\u{301}$\u{301}") == "%%\u{301}$$\u{301}")
    #expect(SystemdUnits.quoted("\"\u{301}") == "\"\\\"\u{301}\"")
  }

  @Test func `a mark on a sign hides it neither from cron nor from the shell`() {
    #expect("it'\u{301}s".shellQuoted == "'it'\\''\u{301}s'")
    let line = Crontab.line(.daily(hour: 3, minute: 30), command: "archiver 100%\u{301}")
    #expect(line == "30 3 * * * archiver 100\\%\u{301} # archiver schedule")
  }

  @Test(arguments: ["--cron", "--systemd"])
  func `a path with a line break cannot be scheduled`(kind: String) async throws {
    let desk = try Desk()
    let path = try desk.write("a\n* * * * * evil #", "{}")
    for option in ["--archive", "--config"] {
      let result = await desk.type("schedule", "install", kind, "--print", option, path)
      #expect(result.code == .usage)
      #expect(!result.output.contains("evil"), "\(result.output)")
      #expect(result.error.contains("line break"), "\(result.error)")
    }
  }
}
