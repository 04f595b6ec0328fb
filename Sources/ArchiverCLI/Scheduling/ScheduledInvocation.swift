import ArchiverCore

/// The command line of a scheduled run, read as the program will read it.
struct ScheduledInvocation: Sendable {
  let settings: RunSettings
  private let invocation: Invocation

  /// Throws `UsageError` for words that `run` does not take, as a line changed by hand may have.
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
        "what is scheduled cannot be kept: \(error.description); 'archiver schedule remove' takes it "
          + "away")
    }
    guard case .run(let path, let command, let arguments) = outcome else {
      throw UsageError(
        "what is scheduled is not a run; 'archiver schedule remove' takes it away")
    }
    invocation = Invocation(
      path: path, command: command, arguments: arguments, environment: environment,
      services: installing.services, root: installing.root
    ).followingFile()
    settings = try RunSettings(invocation)
  }

  /// The command that is run when something went wrong; `nil` where none is set.
  var notify: String? { invocation.arguments.text(.notify) }

  /// The folders that the run writes to: the archive, its state, and where its metrics and its log go.
  var writable: [String] {
    let environment = invocation.environment
    let files = [Option.metrics, .logFile].compactMap { invocation.arguments.text($0) }
    let folders = files.map { path in
      "/" + environment.absolute(path).split(separator: "/").dropLast().joined(separator: "/")
    }
    return [settings.archive, environment.configurationFolder, environment.stateFolder]
      + folders.filter { $0 != "/" && $0 != environment.home }
  }
}
