import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// `archiver run`.
enum RunCommand {
  static func command(kinds: [SourceKind]) -> Command {
    Command(
      CommandName.run, summary: "archive what is new or changed",
      discussion: [
        "Lists each source, fetches the items that are new or changed, newest first, and writes "
          + "one folder per item. Later runs retry failed items, each time after a longer delay. "
          + "Writes are atomic: a run may be killed at any time.",
        "Without --source every configured source is run.",
      ],
      options: [
        .source, .max, .archive, .config, .noImages, .allowHost, .jobs, .keepVersions, .only,
        .full, .force, .newAccount, .newArchive, .onDeleted, .onConflict, .maxSize, .minFree,
        .dryRun, .noPublish, .noSandbox, .json, .quiet, .verbose,
      ] + Option.timing + Option.telling + sourceOptions(kinds),
      examples: [
        Command.Example(
          "archiver run --source readeck --max 20", "The newest 20 that the archive does not have."),
        Command.Example(
          "archiver run --dry-run", "What a run would archive; writes nothing."),
        Command.Example(
          "30 3 * * * archiver run --quiet",
          "A crontab line: every night, with mail only if something is wrong."),
        Command.Example(
          "archiver run --if-older-than 4h --wait-online 5m --background",
          "For a machine that is not always on: schedule it several times a day."),
        Command.Example(
          "archiver run --quiet --ping-url https://hc-ping.com/… --max-time 2h",
          "Notifies you even if no run happens."),
        Command.Example(
          "archiver run --json | jq 'select(.event == \"finished\")'", "Statistics for a script."),
      ],
      exitCodes: ExitCode.allCases, confinement: confinement, action: perform)
  }

  /// The default wait for a source that becomes unreachable during a run: long enough for a server's restart.
  static let restartGrace = Duration.seconds(30)

  static let confinement = Confinement.asking(
    { $0.has(.dryRun) ? .change : .write }, { settings, _ in try settings.selected() })

  /// Returns the options of all kinds of sources, each once.
  static func sourceOptions(_ kinds: [SourceKind]) -> [Option] {
    var options: [Option] = []
    for kind in kinds {
      for setting in kind.properties.settings {
        guard let option = setting.commandOption(group: "\(kind.properties.title) options"),
          !options.contains(where: { $0.name == option.name })
        else { continue }
        options.append(option)
      }
    }
    return options
  }

  /// Performs one run; `watch` calls it repeatedly.
  static func perform(_ invocation: Invocation) async throws -> ExitCode {
    try await perform(invocation, log: nil)
  }

  /// Performs a run. `log` is used if the log file cannot be reopened.
  static func perform(
    _ invocation: Invocation, log: DescriptorOutput?
  ) async throws -> ExitCode {
    // `watch` rereads the file for each iteration.
    let invocation = invocation.followingFile()
    let announcer = RunAnnouncer(invocation)
    invocation.services.armCrashReport(true)
    defer { invocation.services.armCrashReport(false) }
    await announcer.begin()
    var archive: String?
    do {
      let settings = try RunSettings(invocation)
      archive = settings.archive
      let ending = try await run(settings, invocation, log: log)
      await announcer.end(ending, archive: archive)
      return ending.code
    } catch {
      if invocation.arguments.has(.json) { invocation.environment.writeEvent(of: error) }
      let ending = RunAnnouncer.Ending(
        code: ExitCode(error), text: ErrorText.message(error) + "\n", report: nil)
      await announcer.end(ending, archive: archive)
      if ending.code == .locked, invocation.arguments.has(.quiet) { return .locked }
      throw error
    }
  }

  private static func run(
    _ settings: RunSettings, _ invocation: Invocation, log kept: DescriptorOutput?
  ) async throws -> RunAnnouncer.Ending {
    let arguments = invocation.arguments
    let selected = try settings.selected()
    try checkOptions(invocation, apply: selected)
    for warning in settings.resolution.warnings {
      invocation.environment.complain("warning: \(warning)")
    }
    let known = invocation.services.knownArchives?(invocation.environment)
    if !arguments.has(.newArchive) { try known?.requirePresent(settings.archive) }
    if arguments.has(.background) { invocation.services.lowerPriority() }
    let sources = try due(selected, settings, invocation)
    if sources.isEmpty {
      let text = Wording.english.text(.noneDue) + "\n"
      let isSilent = isWatching(invocation) ? !arguments.has(.verbose) : arguments.has(.quiet)
      if !isSilent {
        invocation.environment.error.write(invocation.environment.wording.text(.noneDue) + "\n")
      }
      if arguments.has(.json), !isWatching(invocation) {
        // Emit `started` and `finished` even if no source is due: scripts read the last line.
        var reporter = reporter(invocation)
        let now = invocation.environment.clock.now()
        reporter.begin(archive: settings.archive, sources: [], at: now)
        reporter.end(RunReport(), isDryRun: arguments.has(.dryRun), at: now)
      }
      return RunAnnouncer.Ending(code: .success, text: text, report: nil)
    }
    let clock = invocation.environment.clock
    let log = try logReporter(invocation, kept)
    defer { tellOfFailure(of: log, invocation) }
    let reporters: [(any RunReporter)?] = [reporter(invocation), log]
    let feed = EventFeed(reporters.compactMap(\.self), clock: clock)
    do {
      let ending = try await run(sources, settings, invocation, feed: feed)
      return try await PublishAfterRun(settings: settings, invocation: invocation, log: log)
        .perform(after: ending)
    } catch {
      // The caller reports the error, once.
      await feed.finish()
      let start = ExitCode(error) == .locked ? "" : "error: "
      log?.write(start + DisplayText.line(ErrorText.message(error)), at: clock.now())
      throw error
    }
  }

  /// Skips sources that were reached within the time of `--if-older-than`, or of their own `every`
  /// in the file.
  private static func due(
    _ sources: [SourceConfiguration], _ settings: RunSettings, _ invocation: Invocation
  ) throws -> [SourceConfiguration] {
    let arguments = invocation.arguments
    let age = arguments.duration(.ifOlderThan)
    // A user who names a source, or requests an item, wants it now.
    let isNamed = arguments.has(.source) && !isWatching(invocation)
    let isAskedFor = isNamed || arguments.has(.force) || arguments.has(.only)
    let hasRules = !isAskedFor && sources.contains { settings.rules(of: $0.name).every != nil }
    guard age != nil || hasRules,
      let statuses = try invocation.services.catalog(settings.archive)?.sources()
    else { return sources }
    let now = invocation.environment.clock.now()
    return sources.filter { source in
      let last = statuses.first { $0.source == source.name }?.lastSuccess
      if let age { return isOlder(last, than: age, now: now) }
      return settings.rules(of: source.name).isDue(lastSuccess: last, now: now)
    }
  }

  private static func isOlder(_ date: Date?, than age: Duration, now: Date) -> Bool {
    // A time in the future comes from a wrong clock and is ignored.
    date.map { $0 > now || now.timeIntervalSince($0) > age / .seconds(1) } ?? true
  }

  private static func run(
    _ sources: [SourceConfiguration], _ settings: RunSettings, _ invocation: Invocation,
    feed: EventFeed
  ) async throws -> RunAnnouncer.Ending {
    let services = invocation.services
    let clock = invocation.environment.clock
    let opener = try SourceOpener(invocation, settings, jobs: settings.jobs, events: feed)
    var opened = try sources.map { source in
      var run = try opener.open(source)
      run.maxBytes = settings.maxBytes(of: source.name)
      run.minFree = settings.minFree(of: source.name)
      run.follow(settings, now: clock.now())
      return run
    }
    let options = options(settings, invocation.arguments)
    let time = TimeLeft(of: invocation.arguments.duration(.maxTime), clock: clock)
    if let limit = invocation.arguments.duration(.waitOnline).map(time.bounded), limit > .zero {
      opened = try await online(opened, for: limit, opener, clock, feed)
    }
    feed.begin(archive: settings.archive, sources: opened.map(\.name))
    let request = Services.RunRequest(
      archive: settings.archive, sources: opened, options: options, clock: clock)
    var report = try await begin(request, time, invocation, feed)
    explainRefusals(in: &report, of: sources)
    if !options.dryRun, report.failure == nil {
      services.knownArchives?(invocation.environment).remember(settings.archive)
    }
    await feed.finish(report, isDryRun: options.dryRun)
    if let failure = report.failure {
      let start = isWatching(invocation) ? clock.now().formatted(.iso8601) + " error" : "archiver"
      invocation.environment.error.write("\(start): \(DisplayText.line(failure.message))\n")
    }
    return ending(report)
  }

  private static func options(_ settings: RunSettings, _ arguments: ParsedArguments) -> RunOptions {
    var options = RunOptions(settings).keeping(arguments, settings.file)
    options.maxItems = settings.max
    options.fetchImages = !arguments.has(.noImages)
    options.dryRun = arguments.has(.dryRun)
    options.force = arguments.has(.force)
    options.only = arguments.texts(.only)
    options.fullListing = arguments.has(.full)
    options.acceptsAccount = arguments.has(.newAccount)
    options.patience = arguments.duration(.waitOnline) ?? RunCommand.restartGrace
    return options
  }

  /// Bounds durations by the rest of `--max-time`, which includes the waits before the run.
  private struct TimeLeft {
    let most: Duration?
    private let clock: ArchiverClock
    private let begin: Date

    init(of most: Duration?, clock: ArchiverClock) {
      self.most = most
      self.clock = clock
      begin = clock.now()
    }

    func bounded(_ time: Duration) -> Duration {
      guard let most else { return time }
      return min(time, max(.zero, most - .seconds(clock.now().timeIntervalSince(begin))))
    }
  }

  /// Waits until a source is reachable. If none is in time, returns those with a server as
  /// unreachable: the failure must be recorded in the history, and the others run anyway.
  private static func online(
    _ sources: [RunSource], for limit: Duration, _ opener: SourceOpener, _ clock: ArchiverClock,
    _ feed: EventFeed
  ) async throws -> [RunSource] {
    do {
      try await RunWaits(clock: clock).waitOnline(
        sources.compactMap(\.origin), for: limit, client: opener.probe(sources)
      ) {
        feed.send(
          .log(
            .info, source: nil,
            message: "waiting up to \(Quantity.time(limit)) for the network"))
      }
      return sources
    } catch let error as AdapterError {
      return sources.map { $0.origin == nil ? $0 : $0.unreached(error) }
    }
  }

  /// Waits for the archive's lock for at most the time of `--retry-lock`, and runs within the time left.
  private static func begin(
    _ request: Services.RunRequest, _ time: TimeLeft, _ invocation: Invocation, _ feed: EventFeed
  ) async throws -> RunReport {
    let waits = RunWaits(clock: request.clock)
    return try await waits.retryingLock(
      for: time.bounded(invocation.arguments.duration(.retryLock) ?? .zero)
    ) {
      var request = request
      request.options.timeLimit = time.most.map { most in
        // A run that waited in vain still gets a second, to record that.
        TimeLimit(
          max(.seconds(1), time.bounded(most)),
          lateListing: "did not finish listing within --max-time (\(Quantity.time(most)))")
      }
      let begun = request
      return try await waits.stopping(after: begun.options.timeLimit) {
        try await invocation.services.run(begun, feed)
      }
    }
  }

  /// Returns the notification: the summary, and the failed items by name.
  private static func ending(_ report: RunReport) -> RunAnnouncer.Ending {
    var lines = RunSummary.lines(report, isDryRun: false, onlyTrouble: false)
    if let failure = report.failure { lines.append(DisplayText.line(failure.message)) }
    for source in report.sources {
      for note in source.failed.prefix(50) {
        let title = DisplayText.title(note.title, id: note.id)
        lines.append("failed: \(source.name): \(title): \(DisplayText.line(note.message))")
      }
    }
    // The failure comes first: a subject line has room for little more.
    let code = ExitCode(report)
    if code != .success { lines.insert("archiver: \(code.meaning)", at: 0) }
    return RunAnnouncer.Ending(
      code: code, text: lines.map { $0 + "\n" }.joined(), report: report,
      summary: RunSummary.sentence(report))
  }

  /// Opens the log file of the command line; `nil` if there is none, or if it cannot be opened.
  static func logFile(_ invocation: Invocation) -> DescriptorOutput? {
    invocation.arguments.text(.logFile).flatMap {
      DescriptorOutput(appendingTo: invocation.environment.expanded($0))
    }
  }

  private static func logReporter(
    _ invocation: Invocation, _ kept: DescriptorOutput?
  ) throws(UsageError) -> LineReporter? {
    guard let path = invocation.arguments.text(.logFile) else { return nil }
    let shown = DisplayText.line(path)
    let opened = logFile(invocation)
    guard let output = opened ?? kept else {
      throw UsageError("the log file \(shown) cannot be opened for writing")
    }
    if opened == nil {
      invocation.environment.complain(
        "warning: the log file \(shown) cannot be reopened; the old file is still used "
          + "(let logrotate use copytruncate)")
    }
    return LineReporter(
      output: output, verbosity: max(1, invocation.arguments.count(.verbose)), isLog: true)
  }

  /// Warns if the log is incomplete. A log truncated by a full disk would otherwise look like a complete one.
  private static func tellOfFailure(of log: LineReporter?, _ invocation: Invocation) {
    guard let failure = log?.output.failure else { return }
    let path = DisplayText.line(invocation.arguments.text(.logFile) ?? "")
    invocation.environment.complain(
      "warning: the log file \(path) could not be written completely: \(failure)")
  }

  /// Adds to the failure of a refused credential where that credential is set, which the adapter cannot know.
  private static func explainRefusals(
    in report: inout RunReport, of sources: [SourceConfiguration]
  ) {
    for index in report.sources.indices {
      guard let failure = report.sources[index].failure, failure.code == .unauthorized,
        let source = sources.first(where: { $0.name == report.sources[index].name }),
        let key = LoginKeys(source.kind)?.token, let origin = source.values[key]?.origin
      else { continue }
      report.sources[index].failure = AdapterError(
        .unauthorized, "\(failure.message) (\(key) is set \(origin.words))",
        underlying: failure)
    }
  }

  /// Rejects an option for a kind without a source in this run, which would be ignored silently.
  private static func checkOptions(
    _ invocation: Invocation, apply sources: [SourceConfiguration]
  ) throws(UsageError) {
    let taken = Set(sourceOptions(sources.map(\.kind)).map(\.name))
    for option in sourceOptions(invocation.services.kinds)
    where invocation.arguments.has(option) && !taken.contains(option.name) {
      let names = sources.map(\.name).joined(separator: ", ")
      throw invocation.misuse("\(option.flag) does not apply to \(names)")
    }
  }

  private static func isWatching(_ invocation: Invocation) -> Bool {
    invocation.command.name == CommandName.watch
  }

  private static func reporter(_ invocation: Invocation) -> any RunReporter {
    let environment = invocation.environment
    let arguments = invocation.arguments
    let verbosity = arguments.count(.verbose)
    if arguments.has(.json) {
      return JSONReporter(
        output: environment.output, version: invocation.services.version, verbosity: verbosity)
    }
    let isQuiet = arguments.has(.quiet)
    if isWatching(invocation) {
      return LineReporter(
        output: environment.error, verbosity: verbosity, isQuiet: isQuiet, isLog: true)
    }
    if !isQuiet, environment.error.isTerminal, environment.variables["TERM"] != "dumb" {
      return LiveReporter(
        output: environment.error, styles: environment.errorStyles,
        detail: EventText.Detail(
          isQuiet: true, verbosity: verbosity, listsItems: verbosity > 0),
        wording: environment.wording)
    }
    return LineReporter(
      output: environment.error, verbosity: verbosity, isQuiet: isQuiet,
      wording: environment.wording)
  }
}
