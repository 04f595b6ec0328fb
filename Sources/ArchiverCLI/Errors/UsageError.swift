/// An error in the command line, the environment or the configuration; ends the process with exit code 2.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line that names the thing and what to do. Never a secret.
  package let message: String
  /// The command whose `--help` says more: `archiver run`; `nil` if help would not.
  package let helpPath: [String]?

  package init(_ message: String, helpPath: [String]? = nil) {
    self.message = message
    self.helpPath = helpPath
  }

  package var description: String {
    guard let helpPath else { return message }
    return "\(message) (see '\(helpPath.joined(separator: " ")) --help')"
  }
}
