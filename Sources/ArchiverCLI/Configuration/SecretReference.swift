import ArchiverCore

/// A reference to a secret: the text itself, or what `env:NAME`, `file:/path`, `credential:NAME`
/// (systemd's) or `command:…` resolves to, without surrounding white space.
struct SecretReference: Sendable {
  enum Form: Sendable, Hashable {
    case literal
    case environment(String)
    case file(String)
    /// A file in `$CREDENTIALS_DIRECTORY` (systemd.exec(5), `LoadCredential=`).
    case credential(String)
    case command(String)
  }

  private let text: String
  let form: Form

  init(_ text: String) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = String(parts.last ?? "")
    form =
      switch parts.count == 2 ? parts[0] : "" {
      case "env": .environment(rest)
      case "file": .file(rest)
      case "credential": .credential(rest)
      case "command": .command(rest)
      default: .literal
      }
  }

  /// Whether a command of the user's provides the secret.
  var isCommand: Bool { if case .command = form { true } else { false } }

  /// Resolves the reference. `place` describes its use in messages: "token of readeck (in …)".
  ///
  /// Runs the command of `command:` and waits for it.
  func resolve(
    for place: String, in environment: ProcessEnvironment
  ) throws(UsageError) -> String {
    let value: String
    switch form {
    case .literal: value = text
    case .environment(let name):
      guard let found = environment.variables[name] else {
        throw UsageError("\(place): the environment variable \(DisplayText.line(name)) is not set")
      }
      value = found
    case .file(let path): value = try read(environment.expanded(path), place: place)
    case .credential(let name):
      guard let path = environment.credential(name) else {
        throw UsageError(
          "\(place): there is no credential \(DisplayText.line(name)); the service needs "
            + "LoadCredential=\(DisplayText.line(name)):/path")
      }
      value = try read(path, place: place)
    case .command(let line):
      do throws(CommandFailure) {
        value = try ShellCommand.output(of: line)
      } catch {
        throw UsageError("\(place): the command \(error.reason)")
      }
    }
    let trimmed = value.trimmed
    if trimmed.isEmpty { throw UsageError("\(place) is empty") }
    // A line feed would end the header field with the secret.
    if trimmed.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw UsageError("\(place) has more than one line or control characters")
    }
    return trimmed
  }

  private func read(_ path: String, place: String) throws(UsageError) -> String {
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      return String(decoding: data.prefix(64 << 10), as: UTF8.self)
    } catch {
      throw UsageError("\(place): the file \(path) cannot be read")
    }
  }
}

extension JSONValue {
  /// The text of a setting, or the texts of its members.
  var texts: [String] { string.map { [$0] } ?? object?.values.compactMap(\.string) ?? [] }
}
