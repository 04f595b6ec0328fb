import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverCLI

@Suite struct StatusTests {
  private static func run(hoursAgo: Double, bytes: Int) -> RunRecord {
    var run = RunRecord(
      source: "example", kind: "example", started: Desk.now.addingTimeInterval(-hoursAgo * 3600))
    run.outcome = .ok
    run.byteCount = bytes
    run.archived = 2
    return run
  }

  private static func catalog() -> ListedCatalog {
    var status = SourceStatus(source: "example", kind: "example")
    status.itemCount = 1234
    status.byteCount = 5_000_000
    status.lastRun = run(hoursAgo: 5, bytes: 0)
    status.lastSuccess = Desk.now.addingTimeInterval(-5 * 3600)
    return ListedCatalog(
      statuses: [status],
      records: [run(hoursAgo: 5, bytes: 1_000_000), run(hoursAgo: 240, bytes: 2_000_000)])
  }

  private func status(
    _ desk: Desk, _ words: String..., crontab: String = "", width: Int? = nil
  ) async -> String {
    var services = desk.services(catalog: Self.catalog())
    services.runCommand = { _, _ in crontab }
    let output = MemoryOutput(isTerminal: width != nil, columns: width)
    let tool = CommandLineTool(
      environment: desk.environment(["status"] + words, ["NO_COLOR": "1"], output: output),
      services: services)
    #expect(await tool.run() == .success)
    return output.text
  }

  /// The output and exit code of `status` for a source whose last run has this result.
  private func standing(
    _ words: [String] = [], _ outcome: RunRecord.Outcome?, isAtWork: Bool = true,
    _ change: (inout SourceStatus) -> Void = { _ in }
  ) async throws -> (text: String, code: ExitCode) {
    let desk = try Desk()
    var run = Self.run(hoursAgo: 5, bytes: 0)
    run.outcome = outcome
    var status = SourceStatus(source: "example", kind: "example")
    status.lastRun = run
    change(&status)
    var services = desk.services(
      catalog: ListedCatalog(statuses: [status], records: [status.lastRun ?? run]))
    services.isRunAtWork = { _ in isAtWork }
    let output = MemoryOutput()
    let code = await CommandLineTool(
      environment: desk.environment(["status"] + words, output: output), services: services
    ).run()
    return (output.text, code)
  }

  @Test func `a run without result is at work only while it holds the archive`() async throws {
    let running = try await standing([], nil)
    #expect(running.text.contains("running"))
    #expect(try await standing(["--check"], nil).code == .success)
    let dead = try await standing(["-v"], nil, isAtWork: false)
    #expect(!dead.text.contains("running") && dead.text.contains("stopped unexpectedly"))
    let check = try await standing(["--check"], nil, isAtWork: false)
    #expect(check.code == .someFailed)
    #expect(
      check.text
        == "example: the run that began on 2026-11-20T19:00:00Z was killed or crashed; run it again\n"
    )
  }

  @Test func `what waits for a decision is shown and fails no check`() async throws {
    func change(_ status: inout SourceStatus) {
      status.deleted = 3
      status.waiting = 5
    }
    let shown = try await standing([], .ok, change)
    #expect(shown.text.contains("example: 3 items deleted at the source, kept in the archive"))
    #expect(shown.text.contains("example: 5 items waiting for the next run"))
    let check = try await standing(["--check"], .ok, change)
    #expect(check.code == .success && check.text == "")
  }

  @Test(arguments: [(2_000_000_000, true), (120_000_000, true), (1_200_000, false)])
  func `a disk that is too full for a run fails the check`(free: Int, isWell: Bool) async throws {
    let desk = try Desk()
    var services = desk.services(catalog: Self.catalog())
    services.freeBytes = { _ in free }
    let check = await desk.type("status", "--check", services: services)
    #expect(check.output.contains("1.2 MB free") == !isWell, "\(check.output)")
    #expect(check.code == (isWell ? .success : .someFailed), "\(check.output)")
  }

  @Test func `deletions held back are shown with the command that accepts them`() async throws {
    let shown = try await standing([], .ok) { status in
      status.deleted = 30
      status.discovery.deletionsHeld = 30
    }
    #expect(shown.text.contains("'archiver accept --deletions --source example'"), "\(shown.text)")
    #expect(!shown.text.contains("kept in the archive"))
  }

  @Test func `a copy held back is shown and fails no check`() async throws {
    let desk = try Desk()
    var catalog = Self.catalog()
    var item = CatalogItem(
      key: ItemKey(source: "example", id: "1"), revision: "1", folder: "example/a",
      metadata: ItemMetadata(kind: .article, title: "T"), firstArchived: Desk.now,
      lastArchived: Desk.now, contentHash: "")
    item.versions = ["20260131T023000Z-held"]
    catalog.items = [item]
    let services = desk.services(catalog: catalog)
    let shown = await desk.type("status", services: services)
    #expect(shown.output.contains("example: 1 newer copy is held back as worse"), "\(shown)")
    #expect(await desk.type("status", "--check", services: services).code == .success)
  }

  @Test func `what the last run could not reach is shown and fails the check`() async throws {
    for words in [[], ["--check"]] {
      let (text, code) = try await standing(words, .partial) {
        $0.lastRun?.failure = "the server could not be reached for parts of 2 items"
      }
      #expect(text.contains("example: the server could not be reached for parts of 2 items"))
      #expect(words.isEmpty == text.contains("last run incomplete"))
      #expect(!text.contains("some items fail"))
      #expect(code == (words.isEmpty ? .success : .someFailed))
    }
  }

  @Test func `no item is said to fail after the failures of a run were dealt with`() async throws {
    let (text, _) = try await standing([], .partial)
    #expect(text.contains("ok") && !text.contains("some items fail"))
    let (check, code) = try await standing(["--check"], .partial)
    #expect(check.isEmpty && code == .success)
  }

  @Test func `a night on which the archive could not be written says so`() async throws {
    func change(_ status: inout SourceStatus) { status.lastRun?.failure = "the disk is full" }
    let shown = try await standing([], .interrupted, change)
    #expect(shown.text.contains("archive not written") && !shown.text.contains("some items fail"))
    #expect(try await standing(["--check"], .interrupted, change).code == .someFailed)
  }

  @Test func `an archive that is not mounted is named as missing`() async throws {
    let desk = try Desk()
    var services = desk.services()
    services.knownArchives = { KnownArchives(folder: $0.stateFolder) }
    KnownArchives(folder: desk.environment().stateFolder).remember(desk.home + "/archived")
    let result = await desk.type("status", services: services)
    #expect(result.code == .archive)
    #expect(result.error.contains("~/archived is missing, although runs have written to it"))
    #expect(!result.output.contains("Nothing archived yet"))
  }

  @Test func `growth is that of a month at the pace of the runs`() async throws {
    // Three megabytes in ten days.
    #expect(await status(try Desk()).contains("  +9.0 MB  5 h ago"))
  }

  @Test func `the next run is that of the crontab`() async throws {
    let line = Crontab.line(.every(minutes: 240), command: "archiver run")
    let text = await status(try Desk(), crontab: line + "\n")
    // Midnight UTC is a full hour in nearly every time zone.
    #expect(text.contains("5 h ago   in "), "\(text)")
    #expect(text.hasSuffix("\nRuns every 4 h.\n"))
  }

  @Test(arguments: [
    "archiver run --archive /srv/other", "archiver run --config '/srv/no such.json5'",
    "archiver run --archive=/srv/other",
  ])
  func `runs of another archive are not promised to this one`(command: String) async throws {
    let line = Crontab.line(.every(minutes: 240), command: command)
    let text = await status(try Desk(), crontab: line + "\n")
    #expect(!text.contains("5 h ago   in "), "\(text)")
    #expect(
      text.hasSuffix("\nNo runs are scheduled for this archive; see 'archiver schedule show'.\n"),
      "\(text)")
    let json = await status(try Desk(), "--json", crontab: line + "\n")
    #expect(json.contains("\"nextRun\":null"), "\(json)")
  }

  @Test(arguments: [("archiver run", true), ("archiver run --archive /srv/other", false)])
  func `doctor doubts a schedule that is another archive's`(command: String, isOurs: Bool)
    async throws
  {
    let desk = try Desk()
    let table = Crontab.line(.every(minutes: 240), command: command) + "\n"
    var services = desk.services()
    services.runCommand = { line, _ in line.hasPrefix("crontab -l") ? table : "" }
    let doctor = await desk.type("doctor", services: services)
    #expect(doctor.output.contains("no runs are scheduled for this archive") != isOurs)
    #expect(doctor.output.contains("See 'archiver schedule show'") != isOurs, "\(doctor.output)")
  }

  @Test(arguments: [
    (0, "bad"), (99_999_999, "bad"), (100_000_000, "doubtful"), (999_999_999, "doubtful"),
    (1_000_000_000, "good"),
  ])
  func `doctor fails a disk on which a run would end for want of room`(free: Int, state: String) {
    #expect("\(Examination.room(free))" == state)
  }

  @Test func `the archive of a schedule is that of its options or its configuration`()
    async throws
  {
    let desk = try Desk()
    let file = try desk.write("some where/it's.json5", "{ archive: 'my 100%' }")
    let archive = desk.home + "/some where/my 100%"
    for words in [
      ["--archive", archive], ["--config", file], ["--archive", archive + "/../my 100%/"],
    ] {
      let schedule = RunSchedule.every(minutes: 240)
      let command = ["/usr/bin/archiver", "run"] + words.map { "\"\($0)\"" }
      let crontab = Crontab.line(schedule, command: command.joined(separator: " ")) + "\n"
      let here = await status(desk, "--archive", archive, crontab: crontab)
      #expect(here.hasSuffix("\nRuns every 4 h.\n"), "\(words): \(here)")
      #expect(await !status(desk, crontab: crontab).contains("Runs every"))
      let units = SystemdUnits(
        program: "/usr/bin/archiver", arguments: ["run"] + words, schedule: schedule, writable: [])
      try desk.write(".config/systemd/user/archiver.timer", units.timer)
      try desk.write(".config/systemd/user/archiver.service", units.service)
      let timed = await status(desk, "--archive", archive)
      #expect(timed.hasSuffix("\nRuns every 4 h.\n"), "\(words): \(timed)")
      #expect(await !status(desk).contains("Runs every"))
      try FileManager.default.removeItem(atPath: desk.home + "/.config/systemd")
    }
  }

  @Test func `a narrow terminal gets lines that fit`() async throws {
    let text = await status(
      try Desk(), "-v", crontab: Crontab.line(.every(minutes: 60), command: "x run"), width: 42)
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 42 }, "\(text)")
    #expect(
      text.contains(
        "● example  ok\n  1,234 items, 5.0 MB (+9.0 MB per month)\n  last run 5 h ago, next run in")
    )
    #expect(text.contains("ok, 2 archived"))
  }

  @Test(arguments: ScheduleTests.schedules)
  func `a schedule is read back as it was written`(
    schedule: RunSchedule, cron: String, calendar: String
  ) {
    let same: [RunSchedule] =
      schedule == .every(minutes: 1440)
      ? [.every(minutes: 1440), .daily(hour: 0, minute: 0)] : [schedule]
    #expect(RunSchedule(cron: "\(cron) archiver run").map(same.contains) == true)
    #expect(RunSchedule(calendar: calendar).map(same.contains) == true)
  }

  @Test(arguments: [
    "@daily x", "1-5 * * * * x", "* * 1 * * x", "30 3 1 * * x", "0 */4 * * 1 x", "",
  ])
  func `a crontab line of another program is not changed`(line: String) {
    #expect(RunSchedule(cron: line) == nil)
  }

  @Test func `the next time is by the clock on the wall`() {
    let next = RunSchedule.daily(hour: 3, minute: 30).next(after: Desk.now)
    #expect(next > Desk.now && next.timeIntervalSince(Desk.now) <= 86_400)
    var seconds = time_t(next.timeIntervalSince1970)
    var local = tm()
    localtime_r(&seconds, &local)
    #expect(local.tm_hour == 3 && local.tm_min == 30 && local.tm_sec == 0)
    let quarter = RunSchedule.every(minutes: 15).next(after: Desk.now.addingTimeInterval(61))
    #expect(quarter.timeIntervalSince(Desk.now) == 900)
  }

  @Test func `a source with a time of its own is not next before it`() {
    var rules = SourceRules()
    let problem = rules.take("every", "10h")
    #expect(problem == nil)
    let runs = NextRuns(schedules: [], round: (Desk.now.addingTimeInterval(600), .seconds(3600)))
    #expect(
      runs.next(SourceRules(), lastSuccess: Desk.now, now: Desk.now)
        == Desk.now.addingTimeInterval(600))
    let next = runs.next(rules, lastSuccess: Desk.now, now: Desk.now)
    #expect(next == Desk.now.addingTimeInterval(600 + 9 * 3600))
  }
}
