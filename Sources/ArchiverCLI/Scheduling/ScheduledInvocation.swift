import ArchiverCore

/// The command line of a scheduled run, parsed as the program will parse it.
struct ScheduledInvocation: Sendable {
  let settings: RunSettings
  private let invocation: Invocation

  /// Throws `UsageError` for words that `run` does not accept, as in a line edited by hand.
  init(_ change: ScheduleChange, _ installing: Invocation) throws(UsageError) {
    var environment = installing.environment
    environment.variables.merge(change.variables.map { ($0.name, $0.value) }) { $1 }
    let outcome: ArgumentParser.Outcome
    do throws(UsageError) {
      outcome = try ArgumentParser.parse(
        change.words, root: installing.root,
        variables: Dictionary(change.variables.map { ($0.name, $0.value) }) { $1 })
    } catch {
      throw UsageError(
        "the scheduled command line is invalid: \(error.description); 'archiver schedule remove' "
          + "removes it")
    }
    guard case .run(let path, let command, let arguments) = outcome else {
      throw UsageError(
        "what is scheduled is not a run; 'archiver schedule remove' removes it")
    }
    invocation = Invocation(
      path: path, command: command, arguments: arguments, environment: environment,
      services: installing.services, root: installing.root
    ).followingFile()
    settings = try RunSettings(invocation)
  }

  /// The command of `--notify`; `nil` if none is set.
  var notify: String? { invocation.arguments.text(.notify) }

  /// The directories that the run writes to: the archive, its state, and those of metrics and log.
  var writable: [String] {
    let environment = invocation.environment
    let files = [Option.metrics, .logFile].compactMap { invocation.arguments.text($0) }
    let folders = files.map { environment.absolute($0).parentFolder }
    return [settings.archive, environment.configurationFolder, environment.stateFolder]
      + folders.filter { $0 != "/" && $0 != environment.home }
  }
}
