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

  private typealias Work = @Sendable () async throws -> ExitCode

  /// Parses the arguments and enters the sandbox if the command belongs there. Returns a closure that
  /// runs the command; cancelling its task ends it with `.interrupted`.
  ///
  /// If the calling thread is the only one, that binds the whole process; otherwise the program may
  /// re-execute itself, and this call never returns.
  package func prepare() -> @Sendable () async -> ExitCode {
    let work: Result<Work, any Error> = Result { try readArguments() }
    return { await perform(work) }
  }

  /// Runs the command. Cancelling the task ends it with `.interrupted`.
  package func run() async -> ExitCode { await prepare()() }

  private func perform(_ work: Result<Work, any Error>) async -> ExitCode {
    let code: ExitCode
    do {
      code = try await work.get()()
    } catch {
      // A command that has begun wrote the event itself.
      if case .failure = work, asksForEvents { environment.writeEvent(of: error) }
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

  private func printing(_ text: String) -> Work {
    return {
      environment.output.write(text)
      return .success
    }
  }

  private func readArguments() throws -> Work {
    let root = CommandTable.root(kinds: services.kinds)
    if environment.arguments.isEmpty { return printing(Overview.text(root)) }
    if environment.arguments[0] == Completion.request {
      let completion = Completion(root: root) { sources(root) }
      return printing(completion.text(Array(environment.arguments.dropFirst())))
    }
    let outcome = try ArgumentParser.parse(
      environment.arguments, root: root, variables: environment.variables)
    switch outcome {
    case .version:
      return printing("archiver \(services.build.text)\n")
    case .help(let path, let command):
      return printing(
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
        return { await RunCommand.reportCrash(followed) }
      }
      // Lower the priority now: threads inherit it from the thread that starts them, and usually
      // there is only one yet.
      if followed.arguments.has(.background) { services.lowerPriority() }
      let confined = Sandbox.enter(followed)
      return { try await action(confined) }
    }
  }

  /// Returns the names of the sources, without starting programs; none if the settings are invalid.
  private func sources(_ root: Command) -> [String] {
    guard
      case .run(let path, let command, let arguments)? = try? ArgumentParser.parse(
        ["sources"], root: root, variables: environment.variables)
    else { return [] }
    let invocation = Invocation(
      path: path, command: command, arguments: arguments, environment: environment,
      services: services, root: root)
    // Completion is no place to report an error.
    let settings = try? RunSettings(invocation, programs: .named)
    return settings?.resolution.sources.map(\.name) ?? []
  }
}
