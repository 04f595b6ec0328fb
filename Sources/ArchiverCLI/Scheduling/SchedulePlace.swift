import ArchiverCore
import ArchiverStorage

/// Where this machine keeps schedules: the user's units of systemd and the user's crontab.
struct SchedulePlace: Sendable {
  /// Runs a line of shell with an input and returns what it prints.
  typealias Run = @Sendable (_ line: String, _ input: String?) throws -> String

  private let environment: ProcessEnvironment
  private let run: Run

  init(_ environment: ProcessEnvironment, run: @escaping Run) {
    self.environment = environment
    self.run = run
  }

  /// The path of this program.
  var program: String {
    // Where /proc is missing the name alone is found on PATH.
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "archiver"
  }

  /// Whether the user's service manager answers.
  var hasSystemd: Bool {
    // That it does not is the answer.
    (try? run("systemctl --user show-environment >/dev/null 2>&1 && echo yes", nil)) == "yes\n"
  }

  private var folder: String {
    let base = environment.variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (base ?? environment.home + "/.config") + "/systemd/user"
  }

  private func path(_ suffix: String) -> String { "\(folder)/\(SystemdUnits.name).\(suffix)" }

  private var failurePath: String { "\(folder)/\(SystemdUnits.failureUnit).service" }

  /// Writes the units and starts the timer; when that fails, what was there before is there again.
  func install(_ units: SystemdUnits) throws(UsageError) {
    let before = [path("service"), path("timer"), failurePath].map {
      ($0, FileManager.default.contents(atPath: $0))
    }
    do {
      // A folder that is not there could not be made by the service: all around it is read-only.
      for folder in [folder] + units.writable {
        try FolderPath.make(folder)
      }
      // The variables may hold an address that is a secret.
      try AtomicFile.write(units.service, to: path("service"), mode: 0o600)
      try AtomicFile.write(units.timer, to: path("timer"), mode: 0o644)
      if let text = units.failureService {
        try AtomicFile.write(text, to: failurePath, mode: 0o600)
      } else {
        try removeFailureUnit()
      }
      _ = try run(
        "systemctl --user daemon-reload && systemctl --user enable --now archiver.timer", nil)
    } catch {
      putBack(before)
      throw UsageError("the timer could not be installed: \(error); --cron does without systemd")
    }
  }

  /// Restores the files: a timer that never starts would look like a schedule. Failing to do so is
  /// no worse than the failure that is reported.
  private func putBack(_ files: [(path: String, content: Data?)]) {
    let isNew = files.allSatisfy { $0.content == nil }
    // Enabling may have made its link before starting failed.
    if isNew { _ = try? run("systemctl --user disable --now archiver.timer", nil) }
    for (path, content) in files {
      if let content {
        let text = String(decoding: content, as: UTF8.self)
        // The variables of a service may hold what is secret.
        try? AtomicFile.write(text, to: path, mode: path.hasSuffix("timer") ? 0o644 : 0o600)
      } else {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    _ = try? run("systemctl --user daemon-reload", nil)
  }

  private func removeFailureUnit() throws {
    guard FileManager.default.fileExists(atPath: failurePath) else { return }
    try FileManager.default.removeItem(atPath: failurePath)
  }

  func install(cron line: String) throws(UsageError) {
    try write(Crontab.replacing(in: wholeTable(), with: line))
  }

  /// Takes everything away that `install` made; returns what there was.
  func remove() throws(UsageError) -> [Phrase] {
    [try removeTimer() ? .theTimer : nil, try removeLine() ? .theCrontab : nil].compactMap(\.self)
  }

  /// Takes the units away; returns whether there were any.
  func removeTimer() throws(UsageError) -> Bool {
    if FileManager.default.fileExists(atPath: path("timer")) {
      do {
        // Without a service manager there is nothing to stop, the files go all the same.
        _ = try? run("systemctl --user disable --now archiver.timer", nil)
        try FileManager.default.removeItem(atPath: path("timer"))
        try FileManager.default.removeItem(atPath: path("service"))
        try removeFailureUnit()
        _ = try? run("systemctl --user daemon-reload", nil)
      } catch {
        throw UsageError("the units in \(folder) could not be removed: \(error)")
      }
      return true
    }
    return false
  }

  /// Whether the crontab, as far as it can be read, has our line.
  var hasLine: Bool { Crontab.own(in: table()) != nil }

  /// Takes our line out of the crontab; returns whether there was one.
  func removeLine() throws(UsageError) -> Bool {
    let table = try wholeTable()
    if Crontab.own(in: table) == nil { return false }
    try write(Crontab.replacing(in: table, with: nil))
    return true
  }

  /// What is installed, a line or several each.
  func installed() throws -> [String] {
    var found: [String] = []
    let timer = path("timer")
    if let data = FileManager.default.contents(atPath: timer) {
      let text = String(decoding: data, as: UTF8.self)
      let calendar = text.split(separator: "\n").first { $0.hasPrefix("OnCalendar=") } ?? ""
      found.append("systemd: \(environment.abbreviated(timer)) (\(calendar))")
      // Where no service manager runs there is no next time to show.
      let next = (try? run("systemctl --user list-timers archiver.timer --no-pager", nil)) ?? ""
      found += next.split(separator: "\n").prefix(2).map { "  " + $0 }
    }
    if let line = Crontab.own(in: table()) { found.append("cron: \(line)") }
    return found
  }

  /// The runs that what is installed starts.
  func runs() -> [ScheduledRun] {
    let units = ["timer", "service"].map {
      String(decoding: FileManager.default.contents(atPath: path($0)) ?? Data(), as: UTF8.self)
    }
    let timed = ScheduledRun(timer: units[0], service: units[1])
    let line = Crontab.own(in: table()).flatMap { ScheduledRun(cron: $0) }
    return [timed, line].compactMap(\.self)
  }

  private func table() -> String {
    // Without a crontab, or without cron, the table is empty.
    (try? run("crontab -l 2>/dev/null", nil)) ?? ""
  }

  /// The table as it may be written again. What cannot be read whole must not be taken for an empty
  /// one: its lines would be gone.
  private func wholeTable() throws(UsageError) -> String {
    do {
      return try run("crontab -l 2>/dev/null", nil)
    } catch let failure as CommandFailure where failure.status != nil {
      // Without a crontab it ends so.
      return ""
    } catch {
      throw UsageError(
        "the crontab could not be read whole and was left alone: \(error); 'archiver schedule "
          + "install --cron --print' prints the line to add with crontab -e")
    }
  }

  private func write(_ table: String) throws(UsageError) {
    do {
      _ = try run("crontab -", table)
    } catch {
      throw UsageError("the crontab could not be written: \(error); is cron installed?")
    }
  }
}
