import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Reports for runs that could not report themselves, and the environment of scheduled runs.
@Suite struct ScheduledFailureTests {
  private func services(
    _ desk: Desk, _ machine: ScheduleTests.Machine
  ) -> Services {
    var services = desk.services()
    services.runCommand = { try machine.run($0, $1) }
    return services
  }

  private func unit(_ desk: Desk, _ name: String) -> String? {
    FileManager.default.contents(atPath: "\(desk.home)/.config/systemd/user/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `the failure unit exists while a command of --notify is set`() async throws {
    let desk = try Desk()
    let services = services(desk, ScheduleTests.Machine(hasSystemd: true))
    _ = await desk.type("schedule", "install", "--archive", "~/a b", services: services)
    #expect(unit(desk, "archiver-failed@.service") == nil)
    #expect(unit(desk, "archiver.service")?.contains("OnFailure") == false)
    #expect(
      unit(desk, "archiver.service")?.contains("\nRequiresMountsFor=\"\(desk.home)/a b\"\n") == true
    )
    _ = await desk.type("schedule", "install", "--notify", "mail me", services: services)
    #expect(
      unit(desk, "archiver.service")?.contains("\nOnFailure=archiver-failed@%n.service\n") == true)
    let failed = try #require(unit(desk, "archiver-failed@.service"))
    #expect(failed.contains("\nEnvironment=\"ARCHIVER_NOTIFY=mail me\"\n"))
    let mode = try FileManager.default.attributesOfItem(
      atPath: desk.home + "/.config/systemd/user/archiver-failed@.service")[.posixPermissions]
    #expect((mode as? Int) == 0o600)
    _ = await desk.type("schedule", "remove", services: services)
    #expect(unit(desk, "archiver-failed@.service") == nil)
  }

  @Test func `a command in the configuration file has a unit until it is removed`() async throws {
    let desk = try Desk()
    try desk.configure("{ notify: 'mail me' }")
    let services = services(desk, ScheduleTests.Machine(hasSystemd: true))
    _ = await desk.type("schedule", "install", services: services)
    #expect(unit(desk, "archiver-failed@.service")?.contains("mail me") == true)
    try desk.configure("{}")
    _ = await desk.type("schedule", "install", services: services)
    #expect(unit(desk, "archiver-failed@.service") == nil)
    #expect(unit(desk, "archiver.service")?.contains("OnFailure") == false)
  }

  /// The arguments of `ExecStart=`, as systemd parses them.
  private func command(_ unit: String, instance: String) throws -> [String] {
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in line.dropFirst("ExecStart=".count) + " " {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words.map {
      $0.replacing("%i", with: instance).replacing("%%", with: "%").replacing("$$", with: "$")
    }
  }

  static let endings: [(result: String, code: String, status: String, isTold: Bool)] = [
    ("exit-code", "exited", "1", false), ("exit-code", "exited", "3", false),
    ("exit-code", "exited", "4", false), ("exit-code", "exited", "130", false),
    ("exit-code", "exited", "2", true), ("exit-code", "exited", "70", false),
    ("signal", "killed", "KILL", true), ("oom-kill", "killed", "TERM", true),
    ("exit-code", "exited", "203", true),
  ]

  @Test(arguments: endings)
  func `the command is started for failures that the run could not report`(
    result: String, code: String, status: String, isTold: Bool
  ) async throws {
    let desk = try Desk()
    let units = SystemdUnits(
      program: "/bin/true", arguments: [], schedule: .every(minutes: 60), writable: [],
      notify: "{ echo \"$ARCHIVER_SUMMARY\"; echo $ARCHIVER_EXIT_CODE; cat; } > \(desk.home)/told")
    let words = try command(try #require(units.failureService), instance: "archiver.service")
    let told = try #require(units.notify)
    let child = try ChildProcess(
      words[0], Array(words.dropFirst()),
      environment: [
        "PATH": "/usr/bin:/bin", "ARCHIVER_NOTIFY": told, "MONITOR_SERVICE_RESULT": result,
        "MONITOR_EXIT_CODE": code, "MONITOR_EXIT_STATUS": status,
      ])
    #expect(try await child.wait() == 0, "\(child.errorOutput)")
    let text = FileManager.default.contents(atPath: desk.home + "/told")
      .map { String(decoding: $0, as: UTF8.self) }
    let line =
      status == "2"
      ? "The settings of the run are wrong; journalctl --user -u archiver.service says which, and so "
        + "does archiver config check\n"
      : "The run ended without a report (\(result), \(status)); "
        + "journalctl --user -u archiver.service says more\n"
    #expect(text == (isTold ? "\(line)\(status)\n\(line)" : nil))
  }

  @Test(arguments: [true, false])
  func `wrong settings are told once, by the failure unit or by the run`(hasUnit: Bool) async throws
  {
    let desk = try Desk()
    try desk.write("bad.json5", "{ broken")
    let told = desk.home + "/told"
    let units = SystemdUnits(
      program: "/bin/true", arguments: [], schedule: .every(minutes: 60), writable: [],
      notify: hasUnit ? "cat > \(told)" : nil)
    #expect(units.service.contains("\nEnvironment=ARCHIVER_FAILURE_UNIT=1\n") == hasUnit)
    var variables = ["ARCHIVER_NOTIFY": "cat > \(told)"]
    if hasUnit { variables[SystemdUnits.failureVariable] = "1" }
    let run = await desk.type("run", "--config", desk.home + "/bad.json5", variables: variables)
    #expect(run.code == .usage)
    #expect(FileManager.default.fileExists(atPath: told) != hasUnit)
  }

  @Test func `the run finds the programs that the shell finds`() async throws {
    let desk = try Desk()
    let machine = ScheduleTests.Machine(hasSystemd: false)
    let services = services(desk, machine)
    let path = "/home/me/bin:relative:/usr/bin:/bin:/home/me/bin"
    _ = await desk.type(
      "schedule", "install", "--cron", variables: ["PATH": path], services: services)
    let table = machine.table.withLock { $0 }
    #expect(table.hasPrefix("30 3 * * * PATH='/home/me/bin:/usr/bin:/bin' /"), "\(table)")
    // A path that was written by hand stays.
    _ = await desk.type(
      "schedule", "install", "--cron", variables: ["PATH": "/opt/bin:/bin"], services: services)
    #expect(machine.table.withLock { $0 } == table)
    let usual = await desk.type(
      "schedule", "install", "--cron", "--print", variables: ["PATH": "/usr/bin:/bin"])
    #expect(!usual.output.contains("PATH="), "\(usual.output)")
    let long = (0..<100).map { "/folder/number/\($0)" }.joined(separator: ":")
    let cut = await desk.type(
      "schedule", "install", "--cron", "--print", variables: ["PATH": long])
    #expect(cut.output.utf8.count < 700, "\(cut.output)")
  }

  @Test func `the units that tell of failures are good in the eyes of systemd`() async throws {
    guard let analyze = ChildProcess.find("systemd-analyze") else {
      print("skipped: systemd-analyze is not installed")
      return
    }
    let units = SystemdUnits(
      program: "/bin/true", arguments: ["run"], variables: [("PATH", "/usr/bin:/bin")],
      schedule: .every(minutes: 60), writable: [], archive: "/srv/a b%c",
      notify: "mail -s \"$ARCHIVER_SUMMARY 100%\" 'me'")
    try await TemporaryFolder.with("units") { folder in
      let service = folder + "/archiver.service"
      try Data(units.service.utf8).write(to: URL(filePath: service))
      let failed = folder + "/archiver-failed@archiver.service.service"
      try Data(try #require(units.failureService).utf8).write(to: URL(filePath: failed))
      let check = try ChildProcess(
        analyze, ["verify", "--user", "--man=no", service, failed],
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder])
      let code = try await check.wait()
      #expect(code == 0 && check.errorOutput == "", "\(check.errorOutput)")
    }
  }
}
