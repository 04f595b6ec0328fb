import ArchiverCore
import ArchiverPipeline

/// Reports a run to a monitoring service, a command of the user's and a metrics file.
///
/// None of them can fail the run; a failure is a warning.
struct RunAnnouncer: Sendable {
  /// The result of a run.
  struct Ending: Sendable {
    var code: ExitCode
    /// The report for people, in several lines.
    var text: String
    let report: RunReport?
    /// The result in one sentence; `nil` if the first line of `text` is such a sentence.
    var summary: String?

    /// Whether the ending needs attention: the run failed, or found something suspicious.
    var isNews: Bool { code != .success || report.map { !RunSummary.warnings($0).isEmpty } == true }
  }

  private let environment: ProcessEnvironment
  private let services: Services
  private let ping: PingTarget?
  private let command: String?
  private let metrics: String?
  private let metricsName: String?
  private let started: Date
  /// The option, variable or key that sets the URL to ping, for messages.
  private let pingSetting: String
  private let privateNames: PrivateVariables

  init(_ invocation: Invocation) {
    environment = invocation.environment
    services = invocation.services
    started = environment.clock.now()
    privateNames = PrivateVariables(invocation)
    // A dry run sends no notification or ping.
    let isSilent = invocation.arguments.has(.dryRun)
    let arguments = invocation.arguments
    switch arguments.origins[Option.pingURL.name] {
    case .file: pingSetting = "pingURL in the configuration file"
    case .environment(let name): pingSetting = name
    case .commandLine, nil: pingSetting = Option.pingURL.flag
    }
    ping = isSilent ? nil : arguments.text(.pingURL).flatMap { WebURL($0) }.map(PingTarget.init)
    command = isSilent ? nil : arguments.text(.notify)
    metrics = isSilent ? nil : arguments.text(.metrics).map(environment.expanded)
    metricsName = arguments.text(.metricsName)
  }

  /// Reports the start of a run. Failures are ignored: the end of the run is reported too.
  func begin() async {
    _ = await send(.start, "")
  }

  /// Reports the end of a run. `archive` is `nil` if it is unknown because of an error in the configuration.
  ///
  /// A run that finds another one in progress is not a failure: that one reports its own end.
  func end(_ ending: Ending, archive: String?) async {
    guard ending.code != .locked else { return }
    if let metrics, let archive { write(ending, archive: archive, to: metrics) }
    if let failure = await send(ending.code == .success ? .success : .failure, ending.text) {
      warn("the URL of \(pingSetting) could not be reached: \(failure)")
    }
    guard let command, ending.isNews else { return }
    // Systemd's failure unit starts the command for this exit code.
    let hasUnit = environment.variables[SystemdUnits.failureVariable] != nil
    guard ending.code != .usage || !hasUnit else { return }
    let failure = await Task { notify(command, ending) }.value
    if let failure { warn("the command of --notify \(failure.reason)") }
  }

  /// Runs the command and sends the ping even if the run was cancelled, hence the separate tasks.
  private func notify(_ command: String, _ ending: Ending) -> CommandFailure? {
    do throws(CommandFailure) {
      _ = try ShellCommand.output(
        of: command, input: String(decoding: ending.text.utf8.prefix(32 << 10), as: UTF8.self),
        variables: [
          "ARCHIVER_EXIT_CODE": String(ending.code.rawValue),
          "ARCHIVER_SUMMARY": ending.summary ?? String(ending.text.prefix { !$0.isNewline }),
        ], without: { privateNames.contains($0) })
      return nil
    } catch {
      return error
    }
  }

  /// Returns why the signal could not be sent; `nil` if it was, or if no URL is set.
  private func send(_ signal: PingTarget.Signal, _ text: String) async -> String? {
    guard let ping else { return nil }
    let client = services.client(
      Services.ClientRequest(
        access: nil, policy: AddressPolicy(origins: [ping.url.origin]), jobs: 1,
        events: SilentEventSink(), clock: environment.clock))
    return await Task { await ping.send(signal, text, over: client) }.value
  }

  private func write(_ ending: Ending, archive: String, to path: String) {
    do {
      // An unreadable archive is reported by the exit code, which is among the metrics.
      let statuses = (try? services.catalog(archive)?.sources()) ?? []
      let text = MetricsText.text(
        ending, statuses: statuses, version: services.build, started: started,
        now: environment.clock.now(), archive: metricsName)
      try AtomicFile.write(text, to: path, mode: 0o644, isNamedByUser: true)
    } catch {
      warn("the metrics cannot be written: \(error)")
    }
  }

  private func warn(_ message: String) {
    environment.complain("warning: \(DisplayText.line(message))")
  }
}
