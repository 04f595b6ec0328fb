import ArchiverCore

/// `archiver schedule`.
enum ScheduleCommand {
  static let command = Command(
    "schedule", summary: "start runs regularly: install, show or remove a timer",
    discussion: [
      "install makes a systemd user timer, or a crontab line if there is no systemd, that starts "
        + "'archiver run --quiet'. Runs never overlap, and only what needs attention is printed. "
        + "Installing again changes the given settings and keeps the others, including the "
        + "time; it also takes over a crontab line written by hand that only starts 'archiver "
        + "run', if it is the only one. Other lines that start runs are named and never changed. "
        + "remove deletes the schedule; show prints it.",
      "For cron, the URL of --ping-url goes into the configuration file (pingURL), as other users "
        + "can see the commands of a crontab, that of --notify included: keep keys out of it. "
        + "A systemd unit holds both as environment variables, which other users cannot read. "
        + "Settings in the configuration file apply to every run: pingURL, notify, metrics, "
        + "logFile, maxTime. With notify, systemd also starts the command for a run that was "
        + "killed or could not start; after changing notify in the file, install again.",
      "A timer runs while you are logged in; 'loginctl enable-linger' makes it run always. "
        + "Configure sources in the configuration file or with 'archiver login': cron and systemd "
        + "do not know the environment variables of your shell.",
    ],
    operands: [
      Command.Operand(
        "ACTION", .choice(["install", "show", "remove"]), help: "install, show or remove")
    ],
    options: [.at, .every, .cron, .systemd, .print, .archive, .config, .max, .maxTime]
      + Option.telling,
    examples: [
      Command.Example("archiver schedule install --at 03:30", "Every night."),
      Command.Example("archiver schedule install --every 4h --max 200", "Six times a day."),
      Command.Example(
        "archiver schedule install --ping-url https://hc-ping.com/…",
        "Adds pings to a monitoring service."),
      Command.Example(
        "archiver schedule install --systemd --print", "The units, without installing them."),
    ],
    exitCodes: [.success, .someFailed], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let place = SchedulePlace(invocation.environment, run: invocation.services.runCommand)
    let wording = invocation.environment.wording
    switch invocation.arguments.operands[0] {
    case "install": return try install(place, invocation)
    case "remove":
      let removed = try place.remove().map { wording.text($0) }
      invocation.environment.output.write(
        (removed.isEmpty
          ? wording.text(.noRuns)
          : wording.text(.removed, removed.joined(separator: wording.text(.and)))) + "\n")
      warnOfLinesByHand(place, invocation)
      return .success
    default:
      let found = try place.installed()
      invocation.environment.output.write(
        found.isEmpty
          ? wording.text(.noSchedule) + "\n"
          : found.map { $0 + "\n" }.joined())
      return .success
    }
  }

  private static func install(
    _ place: SchedulePlace, _ invocation: Invocation
  ) throws -> ExitCode {
    let arguments = invocation.arguments
    if arguments.has(.cron), arguments.has(.systemd) {
      throw invocation.misuse("--cron and --systemd exclude each other")
    }
    if arguments.has(.at), arguments.has(.every) {
      throw invocation.misuse("--at and --every exclude each other")
    }
    let usesCron = arguments.has(.cron) || (!arguments.has(.systemd) && !place.hasSystemd)
    // If there is a timer, this command does not change lines written by hand.
    let takesOver = !place.hasTimer
    if takesOver, !arguments.has(.print) { try place.requireUnambiguousLine() }
    let before = place.runs().first
    let schedule = try schedule(arguments, before)
    var change = try change(before, RunSettings(invocation, programs: .named), invocation)
    if usesCron { try movePingURL(&change, invocation) }
    let scheduled = try ScheduledInvocation(change, invocation)
    let settings = scheduled.settings
    let words = change.words
    let units = SystemdUnits(
      program: place.program, arguments: words, variables: change.variables,
      schedule: schedule, writable: scheduled.writable, archive: settings.archive,
      notify: scheduled.notify, mask: SystemdUnits.currentMask)
    let notify = units.notify.map { [$0] } ?? []
    try requireOneLine(
      [units.program] + words + units.variables.map(\.value) + units.writable + notify)
    let variables = units.variables.map { "\($0.name)=\(plainWord($0.value))" }
    let command = variables + ([place.program] + words).map(plainWord)
    let line = Crontab.line(schedule, command: command.joined(separator: " "))
    let output = invocation.environment.output
    if arguments.has(.print) {
      output.write(usesCron ? line + "\n" : units.printed)
      return .success
    }
    if usesCron {
      try place.install(cron: line, takesOver: takesOver)
    } else {
      try place.install(units)
    }
    let wording = invocation.environment.wording
    output.write(
      wording.text(
        .installed, schedule.words(in: wording), usesCron ? "cron" : "systemd",
        invocation.environment.abbreviated(settings.archive)) + "\n")
    // Remove the other kind: a schedule installed from another shell, with or without systemd,
    // would run a second time.
    if try usesCron ? place.removeTimer() : place.hasLine && place.removeLine(takesOver: takesOver)
    {
      let other = wording.text(usesCron ? .theTimer : .theCrontab)
      output.write(wording.text(.removed, other) + "\n")
    }
    if !usesCron, place.endsAtLogout {
      warn(wording.text(.onlyLoggedIn) + ". " + wording.text(.enableLinger), invocation)
    }
    if settings.configured.isEmpty { warn(wording.text(.noSourceYet), invocation) }
    warnOfLinesByHand(place, invocation)
    return .success
  }

  /// Warns of lines written by hand that start runs in addition to the schedule: no command changes them.
  private static func warnOfLinesByHand(_ place: SchedulePlace, _ invocation: Invocation) {
    let wording = invocation.environment.wording
    for line in place.linesByHand {
      warn(wording.text(.alsoRuns, DisplayText.line(line)), invocation)
    }
  }

  private static func warn(_ text: String, _ invocation: Invocation) {
    let wording = invocation.environment.wording
    invocation.environment.complain(wording.text(.warning, text))
  }

  /// Moves the URL of `--ping-url` from the crontab's line, which other users see in the list of
  /// processes, to the configuration file.
  private static func movePingURL(
    _ change: inout ScheduleChange, _ invocation: Invocation
  ) throws(UsageError) {
    let environment = invocation.environment
    guard let url = invocation.arguments.text(.pingURL),
      let variable = invocation.command.option(named: Option.pingURL.name)?.environment
    else { return }
    let path = environment.absolute(invocation.configurationPath)
    let place = environment.abbreviated(path)
    change.leave(.pingURL, variable: variable)
    if invocation.arguments.has(.print) {
      environment.complain(
        "the URL goes into \(place), as other users can see a crontab's commands: "
          + "pingURL: \"\(url)\"")
    } else if try !ConfigurationFile.setPingURL(url, in: path) {
      throw UsageError(
        "other users can see the commands of a crontab in the list of processes, and \(place) "
          + "cannot be edited safely; write pingURL: \"…\" into it (mode 0600), and install "
          + "without --ping-url")
    }
  }

  /// Returns the variables that the scheduled run needs: non-default directories of logins and
  /// programs.
  private static func runVariables(_ invocation: Invocation) -> [(name: String, value: String)] {
    let environment = invocation.environment
    return [
      ("XDG_CONFIG_HOME", environment.configurationHome), ("XDG_DATA_HOME", environment.dataHome),
      ("XDG_STATE_HOME", environment.stateHome),
    ].compactMap { name, folder in folder.map { (name, $0) } }
  }

  /// Returns the directories of this shell's `PATH`; `nil` if cron searches them anyway. Source
  /// programs, the command of `--notify` and `ebook-convert` are found there.
  private static func searchPath(_ environment: ProcessEnvironment) -> String? {
    let usual = ["/usr/bin", "/bin"]
    let path = environment.searchPath.split(separator: ":").map(String.init)
    var folders: [String] = []
    var length = 0
    // Skip relative directories: they would denote others in the run. A line of cron is limited to
    // 1000 characters.
    for folder in path where folder.hasPrefix("/") && !folders.contains(folder) {
      length += folder.utf8.count + 1
      if length > 400 { break }
      folders.append(folder)
    }
    return folders.allSatisfy(usual.contains) ? nil : folders.joined(separator: ":")
  }

  /// Returns the schedule: the requested one, the installed one, or 03:30.
  private static func schedule(
    _ arguments: ParsedArguments, _ before: ScheduledRun?
  ) throws(UsageError) -> RunSchedule {
    if let every = arguments.duration(.every) { return try .every(every) }
    if let at = arguments.text(.at) { return try .at(at) }
    if let before { return before.schedule }
    return .daily(hour: 3, minute: 30)
  }

  /// Returns the scheduled run with the given options spelled out. It starts in another directory,
  /// so paths are made absolute.
  private static func change(
    _ before: ScheduledRun?, _ settings: RunSettings, _ invocation: Invocation
  ) throws -> ScheduleChange {
    let arguments = invocation.arguments
    let environment = invocation.environment
    var change = ScheduleChange(
      before, fileWaits: settings.file?.nights.values["waitOnline"] != nil)
    for (name, value) in runVariables(invocation) { change.set(variable: name, value) }
    if !change.variables.contains(where: { $0.name == "PATH" }), let path = searchPath(environment)
    {
      change.set(variable: "PATH", path)
    }
    if arguments.has(.archive) { change.set(.archive, settings.archive) }
    let isElsewhere = arguments.has(.config) || environment.configurationHome != nil
    if isElsewhere, let file = settings.file {
      change.set(.config, environment.absolute(file.path))
    }
    if let max = arguments.integer(.max) { change.set(.max, String(max)) }
    if let time = arguments.duration(.maxTime) {
      change.set(.maxTime, "\(Int(time / .seconds(1)))s")
    }
    for option in [Option.pingURL, .notify, .metrics, .metricsName, .logFile] {
      guard let text = arguments.text(option),
        let variable = invocation.command.option(named: option.name)?.environment
      else { continue }
      let value = option.value == .file ? environment.absolute(text) : text
      if option.value == .file { try requireFolder(of: value, option) }
      change.set(option, variable: variable, value)
    }
    return change
  }

  /// A file in a directory that does not exist would fail every run.
  private static func requireFolder(of path: String, _ option: Option) throws(UsageError) {
    let folder = path.parentFolder
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil else {
      throw UsageError(
        "\(option.flag): the folder \(DisplayText.line(folder)) does not exist; create it first")
    }
  }

  /// A line feed ends a line of a crontab and of a unit, even inside quotes; the rest would be a
  /// line of its own.
  private static func requireOneLine(_ words: [String]) throws(UsageError) {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard let word = words.first(where: { $0.unicodeScalars.contains(where: isControl) }) else {
      return
    }
    throw UsageError(
      "'\(DisplayText.line(word))' contains a line break or another control character, which "
        + "neither a crontab nor a systemd unit can hold")
  }

  /// Returns a word as the shell reads it, quoted only if necessary.
  private static func plainWord(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
    }
    return isPlain ? word : word.shellQuoted
  }
}
