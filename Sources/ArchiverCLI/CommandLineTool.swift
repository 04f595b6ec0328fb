import ArchiverCore
import ArchiverStorage

/// The command line tool: arguments in, text and an exit code out. Its only access to the process
/// is its environment and services.
package struct CommandLineTool: Sendable {
  private let environment: ProcessEnvironment
  private let services: Services

  package init(environment: ProcessEnvironment, services: Services) {
    self.environment = environment
    self.services = services
  }

  /// The command to run, parsed before anything is done.
  package struct PreparedCommand: Sendable {
    fileprivate let work: Result<Work, any Error>
  }

  fileprivate enum Work: Sendable {
    case text(String)
    case action(Command.Action, Invocation)
  }

  /// Parses the arguments and enters the sandbox if the command belongs there.
  ///
  /// If the calling thread is the only one, that binds the whole process; otherwise the program may
  /// re-execute itself, and this call never returns.
  package func prepare() -> PreparedCommand {
    PreparedCommand(work: Result { try readArguments() })
  }

  /// Runs the command. Cancelling the task ends it with `.interrupted`.
  package func run() async -> ExitCode { await run(prepare()) }

  /// Runs a prepared command. Cancelling the task ends it with `.interrupted`.
  package func run(_ errand: PreparedCommand) async -> ExitCode {
    let code: ExitCode
    do {
      code = try await perform(errand.work.get())
    } catch {
      // A command that has begun wrote the event itself.
      if case .failure = errand.work, asksForEvents { environment.writeEvent(of: error) }
      code = ExitCode(error)
      environment.complain(DisplayText.line(ErrorText.message(error), limit: 2000))
    }
    guard let failure = environment.output.failure else { return code }
    environment.complain("standard output cannot be written: \(failure)")
    return code == .success ? .someFailed : code
  }

  /// Whether invalid arguments are those of a run whose events a script reads.
  private var asksForEvents: Bool {
    let words = environment.arguments.prefix { $0 != "--" }
    let command = words.first { !$0.hasPrefix("-") } ?? ""
    return words.contains(Option.json.flag) && CommandName.running.contains(command)
  }

  private func perform(_ work: Work) async throws -> ExitCode {
    switch work {
    case .text(let text):
      environment.output.write(text)
      return .success
    case .action(let action, let invocation):
      return try await action(invocation)
    }
  }

  private func readArguments() throws -> Work {
    let root = CommandTable.root(kinds: services.kinds)
    if environment.arguments.isEmpty { return .text(Overview.text(root)) }
    let outcome = try ArgumentParser.parse(
      environment.arguments, root: root, variables: environment.variables)
    switch outcome {
    case .version:
      return .text("archiver \(services.build.text)\n")
    case .help(let path, let command):
      return .text(
        HelpPage.text(path: path, command: command, width: environment.output.columns ?? 80))
    case .run(let path, let command, let arguments):
      guard let action = command.action else {
        throw UsageError("\(path.joined(separator: " ")) needs a command", helpPath: path)
      }
      let invocation = Invocation(
        path: path, command: command, arguments: arguments, environment: environment,
        services: services, root: root)
      let followed = invocation.followingFile()
      if CrashMark.isReporting(environment.variables) {
        return .action(RunCommand.reportCrash, followed)
      }
      // Lower the priority now: threads inherit it from the thread that starts them, and usually
      // there is only one yet.
      if followed.arguments.has(.background) { services.lowerPriority() }
      return .action(action, Sandbox.enter(followed))
    }
  }
}
