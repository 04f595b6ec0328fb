import ArchiverCore

/// `archiver watch`.
enum WatchCommand {
  static func command(kinds: [SourceKind]) -> Command {
    let left: Set<String> = [Option.dryRun.name, Option.only.name, Option.force.name]
    let options = RunCommand.command(kinds: kinds).options.filter {
      $0 != .help && !left.contains($0.name)
    }
    return Command(
      CommandName.watch, summary: "run repeatedly without cron or systemd",
      discussion: [
        "Runs immediately and then every --every, counted from start to start. Runs never "
          + "overlap: if one takes longer, the runs it missed are skipped. It takes all options "
          + "of run. The configuration is read again before each run; after changing the "
          + "archive folder, restart it. Sources with an interval of their own (every in the "
          + "file) are skipped until it has passed.",
        "Prints plain lines with timestamps. A failed run is reported, and the next one retries; "
          + "only a mistake in the command line or the configuration at the start ends the "
          + "command. SIGTERM ends it within two seconds: with 0 between runs, with 130 during "
          + "a run. Finished items are kept.",
      ],
      options: [.everyRound] + options,
      examples: [
        Command.Example("archiver watch --every 15m", "Four times an hour until it is stopped."),
        Command.Example(
          "archiver watch --every 1h --max 200 --metrics /metrics/archiver.prom",
          "In a container, with metrics for Prometheus."),
      ],
      exitCodes: [.success, .usage, .interrupted], confinement: RunCommand.confinement,
      action: { try await perform($0) })
  }

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let environment = invocation.environment
    let clock = environment.clock
    let every: Duration
    let notice: WatchNotice
    do {
      every = try period(invocation)
      notice = WatchNotice(try RunSettings(invocation, programs: .named).archive)
    } catch {
      // The runs themselves write later errors.
      if invocation.arguments.has(.json) { environment.writeEvent(of: error) }
      throw error
    }
    defer { notice.remove() }
    // If the file is moved away, the sandbox allows no new one in its place.
    let log = RunCommand.logFile(invocation)
    var rounds = WatchRounds(start: clock.now(), every: every)
    while true {
      do {
        let code = try await RunCommand.perform(invocation, log: log)
        if code == .interrupted { return code }
      } catch {
        // At the start the user is still present and can correct a mistake.
        if ExitCode(error) == .interrupted || rounds.isFirst && error is UsageError { throw error }
        environment.error.write(
          "\(clock.now().formatted(.iso8601)) error: \(DisplayText.line(ErrorText.message(error)))\n"
        )
      }
      let pause = rounds.advance(now: clock.now())
      notice.write(next: rounds.next, every: every)
      if invocation.arguments.count(.verbose) > 0 {
        environment.error.write(
          "\(clock.now().formatted(.iso8601)) next run at \(rounds.next.formatted(.iso8601))\n")
      }
      do {
        try await clock.sleep(pause)
      } catch {
        return .success
      }
    }
  }

  private static func period(_ invocation: Invocation) throws(UsageError) -> Duration {
    let every = invocation.arguments.duration(.everyRound) ?? .seconds(3600)
    if every >= .seconds(1) { return every }
    throw invocation.misuse("--every must be at least 1s")
  }
}

/// The start times of the iterations of `watch`: whole multiples of the period after the first.
struct WatchRounds: Sendable {
  private(set) var next: Date
  private(set) var isFirst = true
  private let every: Duration

  init(start: Date, every: Duration) {
    next = start
    self.every = every
  }

  /// Advances to the next iteration in the future; returns the time until then.
  mutating func advance(now: Date) -> Duration {
    isFirst = false
    let period = every / .seconds(1)
    let passed = (now.timeIntervalSince(next) / period).rounded(.down)
    // If the clock was set back far, start counting from now.
    next =
      passed < -1
      ? now.addingTimeInterval(period) : next.addingTimeInterval(period * (max(0, passed) + 1))
    return min(every, .seconds(next.timeIntervalSince(now)))
  }
}

/// A file in the archive from which `status` learns when the next iteration begins:
/// `.archiver/watch.json` with `next` and `every` in seconds.
struct WatchNotice: Sendable {
  private struct Content: Codable {
    let next: Double
    let every: Double
  }

  private let folder: String

  init(_ archive: String) {
    folder = archive + "/.archiver"
  }

  private var path: String { folder + "/watch.json" }

  func write(next: Date, every: Duration) {
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let text =
      "{\"next\":\(Int(next.timeIntervalSince1970)),\"every\":\(Int(every / .seconds(1)))}\n"
    // An error only makes a line of `status` wrong.
    try? AtomicFile.write(text, to: path, mode: 0o644)
  }

  func remove() {
    // A time in the past is ignored anyway.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns when the next iteration begins; `nil` if no process is watching.
  func next(now: Date) -> (date: Date, every: Duration)? {
    guard let data = FileManager.default.contents(atPath: path),
      // An unreadable file is ignored.
      let content = try? JSONDecoder().decode(Content.self, from: data)
    else { return nil }
    let date = Date(timeIntervalSince1970: content.next)
    return date > now ? (date, .seconds(content.every)) : nil
  }
}
