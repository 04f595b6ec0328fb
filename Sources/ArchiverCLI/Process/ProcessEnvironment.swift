package import ArchiverCore

/// The process as the command line tool sees it; tests replace it.
package struct ProcessEnvironment: Sendable {
  /// The arguments without the program's name.
  package var arguments: [String]
  package var variables: [String: String]
  /// The user's home folder.
  package var home: String
  package var output: any TextOutput
  package var error: any TextOutput
  package var input: any TextInput
  package var clock: ArchiverClock = .system

  /// Returns the real environment.
  package static func current() -> ProcessEnvironment {
    let variables = ProcessInfo.processInfo.environment
    return ProcessEnvironment(
      arguments: Array(CommandLine.arguments.dropFirst()), variables: variables,
      home: variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? homeOfUser() ?? "/",
      output: DescriptorOutput(1), error: DescriptorOutput(2), input: DescriptorInput(0))
  }

  /// `$XDG_CONFIG_HOME/archiver`, by default `~/.config/archiver`.
  var configurationFolder: String {
    (configurationHome ?? home + "/.config") + "/archiver"
  }

  /// `$XDG_CONFIG_HOME` if it is not `~/.config`; otherwise `nil`.
  var configurationHome: String? { folder("XDG_CONFIG_HOME", besides: "/.config") }

  /// `$XDG_DATA_HOME` if it is not `~/.local/share`; otherwise `nil`.
  var dataHome: String? { folder("XDG_DATA_HOME", besides: "/.local/share") }

  /// `$XDG_STATE_HOME/archiver`, by default `~/.local/state/archiver`.
  var stateFolder: String {
    (stateHome ?? home + "/.local/state") + "/archiver"
  }

  /// `$XDG_STATE_HOME` if it is not `~/.local/state`; otherwise `nil`.
  var stateHome: String? { folder("XDG_STATE_HOME", besides: "/.local/state") }

  /// The XDG specification requires relative paths to be ignored.
  private func folder(_ variable: String, besides usual: String) -> String? {
    variables[variable].flatMap { $0.hasPrefix("/") && $0 != home + usual ? $0 : nil }
  }

  /// The directories in which programs are searched, separated by colons.
  var searchPath: String { variables["PATH"] ?? "" }

  /// Returns the path of a systemd credential of this name; `nil` if there is none.
  func credential(_ name: String) -> String? {
    guard let folder = variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/"),
      !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.contains("\0")
    else { return nil }
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Returns a path with `~` replaced by the home folder.
  func expanded(_ path: String) -> String {
    if path == "~" { return home }
    return path.hasPrefix("~/") ? home + path.dropFirst() : path
  }

  /// Returns the absolute form of a path.
  func absolute(_ path: String) -> String {
    let path = expanded(path)
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Returns a path with the home folder written as `~`, for messages.
  func abbreviated(_ path: String) -> String {
    home.count > 1 && path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  /// Prints a line to standard error, after the program's name.
  func complain(_ line: String) { error.write("archiver: \(line)\n") }

  /// The user's language.
  var wording: Wording { Wording.chosen(by: variables) }

  var outputStyles: Styles { Styles(isTerminal: output.isTerminal, variables: variables) }
  var errorStyles: Styles { Styles(isTerminal: error.isTerminal, variables: variables) }

  private static func homeOfUser() -> String? {
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }
}
