import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// `archiver run`.
enum RunCommand {
  static func command(kinds: [SourceKind]) -> Command {
    Command(
      "run", summary: "archive what is new or changed",
      discussion: [
        "Lists each source, fetches the items that are new or changed, newest first, and writes "
          + "one folder per item. Items that fail are tried again by later runs, each time after a "
          + "longer pause. Nothing is ever half-written: a run may be killed at any time.",
        "Without --source every configured source is run.",
      ],
      options: [
        .source, .max, .archive, .config, .noImages, .allowHost, .jobs, .keepVersions, .only,
        .force, .dryRun, .json, .quiet, .verbose,
      ] + sourceOptions(kinds),
      examples: [
        Command.Example(
          "archiver run --source readeck --max 20", "The newest 20 that the archive does not have."),
        Command.Example(
          "archiver run --dry-run", "What every configured source would give; writes nothing."),
        Command.Example(
          "30 3 * * * archiver run --quiet",
          "A line for crontab: every night, mail only when something is wrong."),
        Command.Example(
          "archiver run --json | jq 'select(.event == \"finished\")'", "Figures for a script."),
      ],
      exitCodes: ExitCode.allCases, action: perform)
  }

  /// Options that the kinds of sources bring, each once.
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

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let arguments = invocation.arguments
    let settings = try RunSettings(invocation)
    let sources = try settings.selected()
    try checkOptions(invocation, apply: sources)
    warn(settings, about: sources, invocation)

    let clock = invocation.environment.clock
    let feed = EventFeed(reporter(invocation), clock: clock)
    do {
      return try await run(sources, settings, invocation, feed: feed)
    } catch {
      // What it returns has nothing more to say: the error is told once, by the caller.
      _ = await feed.finish()
      if arguments.has(.json) {
        let message = (error as? any CustomStringConvertible)?.description ?? "\(error)"
        invocation.environment.output.write(
          EventRecord.error(message, ExitCode(error), at: clock.now()).text)
      }
      throw error
    }
  }

  private static func run(
    _ sources: [SourceConfiguration], _ settings: RunSettings, _ invocation: Invocation,
    feed: EventFeed
  ) async throws -> ExitCode {
    let arguments = invocation.arguments
    let clock = invocation.environment.clock
    let opener = SourceOpener(
      services: invocation.services, environment: invocation.environment,
      allowedHosts: try settings.allowedHosts(), jobs: settings.jobs, events: feed)
    let opened = try sources.map { try opener.open($0) }
    let options = RunOptions(
      maxItems: settings.max, jobs: settings.jobs, fetchImages: !arguments.has(.noImages),
      dryRun: arguments.has(.dryRun), force: arguments.has(.force), only: arguments.texts(.only),
      keepVersions: settings.keepVersions)
    feed.begin(archive: settings.archive, sources: opened.map(\.name))
    var report = try await invocation.services.run(
      Services.RunRequest(
        archive: settings.archive, sources: opened, options: options, clock: clock), feed)
    explainRefusals(in: &report, of: sources)
    var reporter = await feed.finish()
    reporter.end(report, isDryRun: options.dryRun, at: clock.now())
    if let failure = report.failure {
      invocation.environment.error.write("archiver: \(DisplayText.line(failure.message))\n")
    }
    return ExitCode(report)
  }

  /// Adds to a refused credential where it came from: the one thing the adapter cannot know.
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

  /// An option of a kind that none of the sources is of would be ignored without a word.
  private static func checkOptions(
    _ invocation: Invocation, apply sources: [SourceConfiguration]
  ) throws(UsageError) {
    let taken = Set(sourceOptions(sources.map(\.kind)).map(\.name))
    for option in sourceOptions(invocation.services.kinds)
    where invocation.arguments.has(option) && !taken.contains(option.name) {
      let names = sources.map(\.name).joined(separator: ", ")
      throw UsageError("\(option.flag) does not apply to \(names)", helpPath: invocation.path)
    }
  }

  private static func warn(
    _ settings: RunSettings, about sources: [SourceConfiguration], _ invocation: Invocation
  ) {
    for warning in settings.resolution.warnings {
      invocation.environment.error.write("archiver: warning: \(warning)\n")
    }
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
    if !isQuiet, environment.error.isTerminal, environment.variables["TERM"] != "dumb" {
      return LiveReporter(
        output: environment.error, styles: environment.errorStyles,
        detail: EventText.Detail(
          isQuiet: true, verbosity: verbosity, listsItems: verbosity > 0))
    }
    return LineReporter(
      output: environment.error,
      detail: EventText.Detail(isQuiet: isQuiet, verbosity: verbosity, listsItems: !isQuiet))
  }
}
