import ArchiverCore
import ArchiverStorage

/// The whole tool: words in, text and an exit code out. Touches nothing of the process but what
/// its environment and services hold.
package struct CommandLineTool: Sendable {
  private let environment: ProcessEnvironment
  private let services: Services

  package init(environment: ProcessEnvironment, services: Services) {
    self.environment = environment
    self.services = services
  }

  /// Does what the arguments say. Cancelling the task ends it with `.interrupted`.
  package func run() async -> ExitCode {
    let code: ExitCode
    do {
      code = try await perform()
    } catch {
      code = ExitCode(error)
      environment.error.write(
        "archiver: \(DisplayText.line(ErrorText.message(error), limit: 2000))\n")
    }
    guard let failure = environment.output.failure else { return code }
    environment.error.write("archiver: standard output cannot be written: \(failure)\n")
    return code == .success ? .someFailed : code
  }

  private func perform() async throws -> ExitCode {
    let root = CommandTable.root(kinds: services.kinds)
    if environment.arguments.isEmpty {
      environment.output.write(Overview.text(root))
      return .success
    }
    let outcome = try ArgumentParser.parse(
      environment.arguments, root: root, variables: environment.variables)
    switch outcome {
    case .version:
      environment.output.write("archiver \(services.version)\n")
      return .success
    case .help(let path, let command):
      environment.output.write(
        HelpPage.text(path: path, command: command, width: environment.output.columns ?? 80))
      return .success
    case .run(let path, let command, let arguments):
      guard let action = command.action else {
        throw UsageError("\(path.joined(separator: " ")) needs a command", helpPath: path)
      }
      let invocation = Invocation(
        path: path, command: command, arguments: arguments, environment: environment,
        services: services, root: root)
      Sandbox.enter(invocation)
      return try await action(invocation)
    }
  }
}

/// Errors as sentences for people.
enum ErrorText {
  static func message(_ error: any Error) -> String {
    switch error {
    case is CancellationError: "interrupted; everything finished so far is kept"
    case let error as UsageError: error.description
    case let error as AdapterError: error.message
    case let error as HTTPError: error.message
    case let error as StorageError: error.message
    default: String(describing: error)
    }
  }
}
