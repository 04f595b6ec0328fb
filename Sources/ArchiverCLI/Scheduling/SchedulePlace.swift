import ArchiverCore
import ArchiverStorage

/// The schedules of this machine: the user's systemd units and crontab.
struct SchedulePlace: Sendable {
  /// Runs a shell command with an input and returns its output.
  typealias Run = @Sendable (_ line: String, _ input: String?) throws -> String

  private let environment: ProcessEnvironment
  private let run: Run

  init(_ environment: ProcessEnvironment, run: @escaping Run) {
    self.environment = environment
    self.run = run
  }

  /// The path of this program.
  var program: String {
    // Without /proc, the name alone is searched on PATH.
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "archiver"
  }

  /// Whether the user's service manager responds.
  var hasSystemd: Bool {
    // An error counts as no.
    (try? run("systemctl --user show-environment >/dev/null 2>&1 && echo yes", nil)) == "yes\n"
  }

  /// Whether the user's service manager, and with it the timer, ends when the user logs out: systemd
  /// started the machine, and keeps a file for each user whose manager runs always (loginctl(1),
  /// `enable-linger`).
  var endsAtLogout: Bool {
    let line =
      "test -d /run/systemd/system && ! test -e \"/var/lib/systemd/linger/$(id -un)\" && echo yes"
    return (try? run(line, nil)) == "yes\n"
  }

  /// Whether a program is installed with which cron sends mail.
  var sendsMail: Bool {
    let search = "PATH=$PATH:/usr/sbin:/usr/lib:/sbin; command -v sendmail >/dev/null && echo yes"
    return (try? run(search, nil)) == "yes\n"
  }

  private var folder: String {
    (environment.configurationHome ?? environment.home + "/.config") + "/systemd/user"
  }

  private func path(_ suffix: String) -> String { "\(folder)/\(SystemdUnits.name).\(suffix)" }

  private var failurePath: String { "\(folder)/\(SystemdUnits.failureUnit).service" }

  /// Writes the units and starts the timer; if that fails, restores the previous files.
  func install(_ units: SystemdUnits) throws(UsageError) {
    let before = [path("service"), path("timer"), failurePath].map {
      ($0, FileManager.default.contents(atPath: $0))
    }
    do {
      // The service could not create a missing directory, as everything around it is read-only.
      for folder in [folder] + units.writable {
        try FolderPath.make(folder)
      }
      // Mode 0600: the variables may contain a secret URL.
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
      throw UsageError("the timer could not be installed: \(error); --cron works without systemd")
    }
  }

  /// Restores the previous files: a timer that never starts would look like a schedule. If that
  /// fails too, only the first failure is reported.
  private func putBack(_ files: [(path: String, content: Data?)]) {
    let isNew = files.allSatisfy { $0.content == nil }
    // Enabling may have made its symbolic link before starting failed.
    if isNew { _ = try? run("systemctl --user disable --now archiver.timer", nil) }
    for (path, content) in files {
      if let content {
        let text = String(decoding: content, as: UTF8.self)
        // The variables of a service may contain secrets.
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

  /// Whether a timer is installed.
  var hasTimer: Bool { FileManager.default.fileExists(atPath: path("timer")) }

  /// Writes the line in place of the managed one or, with `takesOver` and without a managed one, of
  /// the only one written by hand.
  func install(cron line: String, takesOver: Bool) throws(UsageError) {
    let table = try wholeTable()
    let own = takesOver ? Crontab.own(in: table) : nil
    try write(Crontab.replacing(in: table, with: line, taking: own))
  }

  /// Throws if there is no managed line but several written by hand: it is ambiguous which one to replace.
  func requireUnambiguousLine() throws(UsageError) {
    let table = table()
    let lines = Crontab.takeable(in: table)
    guard lines.count > 1, Crontab.own(in: table) == lines.first else { return }
    let shown = lines.map { "\"\(DisplayText.line(Crontab.shown($0)))\"" }
    throw UsageError(
      "your crontab has \(lines.count) lines that run archiver, and nothing was changed: "
        + "\(shown.joined(separator: ", ")); remove all but one with 'crontab -e', or put ' "
        + "\(Crontab.mark)' at the end of the one to change")
  }

  /// The crontab's lines written by hand that start runs, for display.
  var linesByHand: [String] { Crontab.byHand(in: table()).map(Crontab.shown) }

  /// Removes everything that `install` made; returns what existed.
  func remove() throws(UsageError) -> [Phrase] {
    [try removeTimer() ? .theTimer : nil, try removeLine() ? .theCrontab : nil].compactMap(\.self)
  }

  /// Removes the units; returns whether there were any.
  func removeTimer() throws(UsageError) -> Bool {
    if hasTimer {
      do {
        // Without a service manager there is nothing to stop; the files are removed anyway.
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

  /// Whether the crontab, if it can be read, has a line that was installed or can be taken over.
  var hasLine: Bool { Crontab.own(in: table()) != nil }

  /// Removes the managed line from the crontab or, with `takesOver`, the one written by hand that
  /// an installed timer replaces; returns whether there was one.
  func removeLine(takesOver: Bool = false) throws(UsageError) -> Bool {
    let table = try wholeTable()
    guard let own = Crontab.own(in: table), takesOver || own.hasSuffix(Crontab.mark) else {
      return false
    }
    try write(Crontab.replacing(in: table, with: nil, taking: own))
    return true
  }

  /// Returns descriptions of the installed schedules, one or more lines each.
  func installed() throws -> [String] {
    var found: [String] = []
    let timer = path("timer")
    if let data = FileManager.default.contents(atPath: timer) {
      let text = String(decoding: data, as: UTF8.self)
      let calendar = text.split(separator: "\n").first { $0.hasPrefix("OnCalendar=") } ?? ""
      found.append("systemd: \(environment.abbreviated(timer)) (\(calendar))")
      // Without a service manager there is no next time to show.
      let next = (try? run("systemctl --user list-timers archiver.timer --no-pager", nil)) ?? ""
      found += next.split(separator: "\n").prefix(2).map { "  " + $0 }
    }
    let table = table()
    let managed = Crontab.own(in: table).map { [$0] }?.filter { $0.hasSuffix(Crontab.mark) } ?? []
    return found + (managed + Crontab.byHand(in: table)).map { "cron: \(Crontab.shown($0))" }
  }

  /// Returns the runs that the installed schedules start.
  func runs() -> [ScheduledRun] {
    let units = ["timer", "service"].map {
      String(decoding: FileManager.default.contents(atPath: path($0)) ?? Data(), as: UTF8.self)
    }
    let timed = ScheduledRun(timer: units[0], service: units[1])
    let table = table()
    let own = Crontab.own(in: table)
    let others = Crontab.takeable(in: table).filter { $0 != own }
    let lines = ([own].compactMap(\.self) + others).map { ScheduledRun(cron: $0) }
    return ([timed] + lines).compactMap(\.self)
  }

  private func table() -> String {
    // Without a crontab, or without cron, the table is empty.
    (try? run("crontab -l 2>/dev/null", nil)) ?? ""
  }

  /// Returns the table for rewriting. A table that cannot be read completely must not be taken for
  /// an empty one: its lines would be lost.
  private func wholeTable() throws(UsageError) -> String {
    do {
      return try run("crontab -l 2>/dev/null", nil)
    } catch let failure as CommandFailure where failure.status != nil {
      // crontab ends like this if there is no table.
      return ""
    } catch {
      throw UsageError(
        "the crontab could not be read completely and was not changed: \(error); 'archiver "
          + "schedule install --cron --print' prints the line to add with crontab -e")
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
