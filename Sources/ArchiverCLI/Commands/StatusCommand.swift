import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver status`.
enum StatusCommand {
  static let command = Command(
    "status", summary: "show the status of each source",
    discussion: [
      "Prints for each source how much is archived and how fast it grows, the result of its last "
        + "run and the time of its next run, by a timer, a crontab or a running 'watch'. Problems "
        + "are listed below. With -v, also prints the queue, failing items, the last runs, and "
        + "whether runs use the file-write sandbox."
    ],
    options: [.check, .maxAge, .verbose, .archive, .config, .json],
    examples: [
      Command.Example("archiver status", "One line per source."),
      Command.Example("archiver status -v", "With failing items and the last runs."),
      Command.Example(
        "archiver status --check --max-age 26h",
        "For a health check: prints nothing and exits with 0 if all is well."),
    ],
    exitCodes: [.success, .someFailed, .archive],
    meaningOfOne: "--check found a problem.", action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let isCheck = invocation.arguments.has(.check)
    if !isCheck,
      invocation.services.knownArchives?(invocation.environment)
        .isLost(settings.archive) == true
    {
      return lost(settings, invocation)
    }
    let catalog = try invocation.services.catalog(settings.archive)
    let (known, isAtWork) = try statuses(catalog, settings, invocation)
    let names = Set(known.map(\.source))
    let unrun = settings.configured.filter { !names.contains($0.name) }.map {
      SourceStatus(source: $0.name, kind: $0.kind.name)
    }
    let environment = invocation.environment
    let now = environment.clock.now()
    let runs = SchedulePlace(environment, run: invocation.services.runCommand).runs()
    let schedule = NextRuns(
      schedules: runs.filter { $0.writes(to: settings.archive, invocation) }.map(\.schedule),
      round: WatchNotice(settings.archive).next(now: now))
    let all = try (known + unrun).map { status in
      let runs = try catalog?.runs(source: status.source, limit: 3000) ?? []
      var summary = SourceSummary(
        status, rules: settings.rules(of: status.source),
        runs: isAtWork ? runs : runs.map(\.dead), schedule: schedule, now: now)
      if !isCheck { summary.heldBack = try catalog?.heldBackCount(source: status.source) ?? 0 }
      return summary
    }
    if isCheck { return check(all, known.isEmpty, settings, invocation) }
    if invocation.arguments.has(.json) {
      writeLines(all, hasRun: !known.isEmpty, settings, invocation)
    } else if known.isEmpty {
      environment.output.write(EmptyArchive.text(settings))
      if invocation.arguments.has(.verbose) {
        environment.output.write(sandbox(settings, invocation))
      }
    } else {
      let page = StatusPage(
        standings: all, now: now, width: environment.output.columns,
        styles: environment.outputStyles, wording: environment.wording)
      let runs =
        schedule.isEmpty
        ? page.wording.text(runs.isEmpty ? .noSchedule : .scheduledElsewhere)
        : page.wording.text(.runs, schedule.words(in: page.wording))
      try write(page, runs: runs, catalog, settings, invocation)
    }
    return .success
  }

  /// Writes the lines of `--json`.
  private static func writeLines(
    _ all: [SourceSummary], hasRun: Bool, _ settings: RunSettings, _ invocation: Invocation
  ) {
    let output = invocation.environment.output
    for standing in all { output.write(standing.line.text) }
    if let usage = invocation.services.usage(settings.archive) {
      output.write(usage.line.text)
    }
    if hasRun { output.write(invocation.services.library(settings.archive).line.text) }
  }

  /// Writes the output for people; `runs` gives the times of the next runs.
  private static func write(
    _ page: StatusPage, runs: String, _ catalog: (any CatalogReading)?,
    _ settings: RunSettings, _ invocation: Invocation
  ) throws {
    let environment = invocation.environment
    let isVerbose = invocation.arguments.has(.verbose)
    environment.output.write(
      page.wording.text(.archive, environment.abbreviated(settings.archive)) + "\n\n")
    environment.output.write(page.text())
    let library = invocation.services.library(settings.archive)
    for line in library.lines(in: page.wording) { environment.output.write(page.wrapped(line)) }
    if library.isInterrupted {
      environment.output.write(page.wrapped(page.wording.text(.libraryInterrupted)))
    }
    if isVerbose {
      environment.output.write(page.details(try catalog?.failures(source: nil) ?? []))
    }
    if let usage = invocation.services.usage(settings.archive) {
      environment.output.write(page.wrapped(page.words(usage)))
    }
    environment.output.write(page.wrapped(runs))
    if isVerbose { environment.output.write(sandbox(settings, invocation)) }
  }

  /// Returns the status of each source. `isAtWork` is false if a run has no recorded result
  /// although none is in progress: its process was killed or crashed.
  private static func statuses(
    _ catalog: (any CatalogReading)?, _ settings: RunSettings, _ invocation: Invocation
  ) throws -> ([SourceStatus], isAtWork: Bool) {
    let known = try catalog?.sources() ?? []
    guard known.contains(where: { $0.lastRun?.isOpen == true }),
      !invocation.services.isRunAtWork(settings.archive)
    else { return (known, true) }
    // The run may have ended since its status was read.
    let statuses = try catalog?.sources() ?? []
    return (
      statuses.map { status in
        var status = status
        status.lastRun = status.lastRun?.dead
        return status
      }, false
    )
  }

  /// Reports that the archive's directory is missing.
  private static func lost(_ settings: RunSettings, _ invocation: Invocation) -> ExitCode {
    let environment = invocation.environment
    let place = environment.abbreviated(settings.archive)
    let wording = environment.wording
    environment.complain("\(wording.text(.archiveLost, place)). \(wording.text(.mountArchive))")
    return .archive
  }

  /// Prints failures, one per line.
  private static func check(
    _ all: [SourceSummary], _ isEmpty: Bool, _ settings: RunSettings, _ invocation: Invocation
  ) -> ExitCode {
    let environment = invocation.environment
    let wording = environment.wording
    if invocation.services.knownArchives?(environment).isLost(settings.archive) == true {
      let place = environment.abbreviated(settings.archive)
      environment.output.write(wording.text(.archiveLost, place) + "\n")
      return .someFailed
    }
    var lines = isEmpty ? [wording.text(.notRun)] : []
    let now = environment.clock.now()
    let age = invocation.arguments.duration(.maxAge).map { $0 / .seconds(1) }
    for standing in all where standing.isEnabled {
      lines += standing.failure(in: wording)
      if let age, let line = standing.tooOld(age, now: now, in: wording) { lines.append(line) }
    }
    lines += invocation.services.library(settings.archive).lines(in: wording)
    // A run that finds the disk full may not even be able to record that.
    if let free = invocation.services.freeBytes(settings.archive), Examination.room(free) == .bad {
      let place = environment.abbreviated(settings.archive)
      lines.append(
        wording.text(.free, place, wording.bytes(free)) + ". " + wording.text(.makeRoom))
    }
    for line in lines { environment.output.write(line + "\n") }
    return lines.isEmpty ? .success : .someFailed
  }

  private static func sandbox(_ settings: RunSettings, _ invocation: Invocation) -> String {
    var arguments = invocation.arguments
    if let notify = settings.file?.nights.values["notify"] {
      arguments.add(notify, to: .notify, from: .file)
    }
    let state = SandboxState(settings.configured, arguments, publish: settings.file?.publish)
    let text = state.text(of: invocation.root, in: invocation.environment.wording)
    return TextWidth.wrap(text, width: invocation.environment.output.columns)
  }
}

/// The output of `status` for people.
struct StatusPage {
  let standings: [SourceSummary]
  let now: Date
  /// The maximum line width; `nil` for no limit.
  let width: Int?
  let styles: Styles
  let wording: Wording

  /// Returns a table or, if that is too wide, a few lines per source; then the failures.
  func text() -> String {
    let table = table()
    let isWide = table.split(separator: "\n").allSatisfy {
      width == nil || TextWidth.shown($0) <= width ?? 0
    }
    let trouble = standings.flatMap { $0.trouble(in: wording) }.map { wrapped($0) }.joined()
    return (isWide ? table : blocks()) + "\n" + trouble + (trouble.isEmpty ? "" : "\n")
  }

  private func table() -> String {
    var table = TextTable([
      .init("  " + wording.text(.source)), .init(wording.text(.state)),
      .init(""), .init(wording.text(.size), isNumber: true),
      .init(wording.text(.aMonth), isNumber: true), .init(wording.text(.lastRun)),
      .init(wording.text(.nextRun)),
    ])
    for standing in standings {
      let state = standing.state
      table.rows.append([
        TextTable.Cell("\(styles.dot) \(standing.status.source)", style: state.style),
        TextTable.Cell(standing.stateWords(wording), style: state.style),
        TextTable.Cell(wording.count(standing.status.itemCount, .item, .items)),
        TextTable.Cell(wording.bytes(standing.status.byteCount)),
        TextTable.Cell(standing.growthWords(wording)),
        TextTable.Cell(standing.lastRunWords(wording, now: now)),
        TextTable.Cell(standing.nextRunWords(wording, now: now)),
      ])
    }
    return table.text(width: nil, styles: styles)
  }

  private func blocks() -> String {
    standings.map { standing in
      let style = standing.state.style
      let growth =
        standing.growth == nil ? "" : " (\(standing.growthWords(wording)) \(wording.text(.aMonth)))"
      let next =
        standing.nextRun == nil
        ? "" : ", \(wording.text(.nextRun)) \(standing.nextRunWords(wording, now: now))"
      return styles.apply(
        style, "\(styles.dot) \(standing.status.source)  \(standing.stateWords(wording))")
        + "\n"
        + wrapped(
          "\(wording.count(standing.status.itemCount, .item, .items)), "
            + "\(wording.bytes(standing.status.byteCount))\(growth)", indent: 2)
        + wrapped(
          "\(wording.text(.lastRun)) \(standing.lastRunWords(wording, now: now))\(next)", indent: 2)
    }.joined()
  }

  /// Returns the waiting and failing items and the last runs of each source.
  func details(_ failures: [(key: ItemKey, work: WorkItem)]) -> String {
    standings.map { standing in
      let name = standing.status.source
      var text = styles.apply(.bold, name) + "\n"
      let waiting = wording.count(standing.status.waiting, .item, .items)
      text += wrapped(wording.text(.waiting, waiting), indent: 2)
      if let listed = standing.status.discovery.wholeListed {
        let found = wording.count(standing.status.discovery.wholeFound, .item, .items)
        text += wrapped(wording.text(.wholeListed, UTCTime.day(listed), found), indent: 2)
      }
      let own = failures.filter { $0.key.source == name }
      for failure in own.prefix(5) {
        let title = DisplayText.title(failure.work.reference.title, id: failure.key.id)
        let reason = DisplayText.line(failure.work.failure ?? "")
        text += wrapped(wording.text(.itemFailing, title, reason), indent: 2)
      }
      if own.count > 5 { text += wrapped(wording.text(.more, String(own.count - 5)), indent: 2) }
      for run in standing.runs.prefix(5) {
        let outcome = wording.text(
          .runOutcome, wording.text(phrase(run.outcome)), wording.number(run.archived),
          wording.number(run.failed), wording.bytes(run.byteCount))
        text += wrapped("\(run.started.formatted(.iso8601))  \(outcome)", indent: 2)
      }
      return text + "\n"
    }.joined()
  }

  private func phrase(_ outcome: RunRecord.Outcome?) -> Phrase {
    switch outcome {
    case nil: .running
    case .ok: .ok
    case .partial: .someFail
    case .interrupted: .stopped
    case .died: .died
    case .sourceFailed: .failed
    }
  }

  /// Returns the disk usage as a sentence.
  func words(_ usage: DiskUsage) -> String {
    let ago = wording.rough(now.timeIntervalSince(usage.measured), past: true)
    return wording.text(
      .onDisk, wording.bytes(usage.items), wording.bytes(usage.versions),
      wording.bytes(usage.pool), wording.bytes(usage.library), wording.bytes(usage.catalog),
      wording.bytes(usage.total), ago)
  }

  func wrapped(_ text: String, indent: Int = 0) -> String {
    TextWidth.wrap(text, width: width, indent: indent)
  }
}

extension RunRecord {
  /// Whether no result is recorded.
  fileprivate var isOpen: Bool { finished == nil && outcome == nil }

  /// The record as that of a run whose process was killed or crashed.
  fileprivate var dead: RunRecord {
    guard isOpen else { return self }
    var run = self
    run.outcome = .died
    return run
  }
}

extension LibraryState {
  /// The library's state for `status --json`.
  fileprivate var line: JSONLine {
    [
      "event": "library", "failure": .text(failure), "interrupted": .bool(isInterrupted),
      "leftOut": .integer(troubles.count),
    ]
  }
}

extension DiskUsage {
  /// The disk usage for `status --json`.
  fileprivate var line: JSONLine {
    [
      "event": "disk", "items": .integer(items), "versions": .integer(versions),
      "pool": .integer(pool), "library": .integer(library), "catalog": .integer(catalog),
      "measured": .time(measured),
    ]
  }
}
