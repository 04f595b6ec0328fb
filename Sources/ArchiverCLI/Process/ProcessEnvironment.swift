package import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything the command line tool knows of the process it runs in; tests make their own.
package struct ProcessEnvironment: Sendable {
  /// Without the program's name.
  package var arguments: [String]
  package var variables: [String: String]
  /// The user's home folder.
  package var home: String
  package var output: any TextOutput
  package var error: any TextOutput
  package var input: any TextInput
  package var clock: ArchiverClock

  package init(
    arguments: [String], variables: [String: String], home: String, output: any TextOutput,
    error: any TextOutput, input: any TextInput, clock: ArchiverClock = .system
  ) {
    self.arguments = arguments
    self.variables = variables
    self.home = home
    self.output = output
    self.error = error
    self.input = input
    self.clock = clock
  }

  /// The real one.
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

  /// `$XDG_CONFIG_HOME` where it leads elsewhere than to `~/.config`; `nil` otherwise.
  var configurationHome: String? { folder("XDG_CONFIG_HOME", besides: "/.config") }

  /// `$XDG_DATA_HOME` where it leads elsewhere than to `~/.local/share`; `nil` otherwise.
  var dataHome: String? { folder("XDG_DATA_HOME", besides: "/.local/share") }

  /// `$XDG_STATE_HOME/archiver`, by default `~/.local/state/archiver`.
  var stateFolder: String {
    (stateHome ?? home + "/.local/state") + "/archiver"
  }

  /// `$XDG_STATE_HOME` where it leads elsewhere than to `~/.local/state`; `nil` otherwise.
  var stateHome: String? { folder("XDG_STATE_HOME", besides: "/.local/state") }

  /// The XDG specification tells to ignore relative paths.
  private func folder(_ variable: String, besides usual: String) -> String? {
    variables[variable].flatMap { $0.hasPrefix("/") && $0 != home + usual ? $0 : nil }
  }

  /// Returns the file that holds a credential of this name, as systemd hands them to services.
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

  /// Returns a path that means the same from any folder.
  func absolute(_ path: String) -> String {
    let path = expanded(path)
    return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Returns a path with the home folder written as `~`, for messages.
  func abbreviated(_ path: String) -> String {
    home.count > 1 && path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  /// The language of what is said to people.
  var wording: Wording { Wording.chosen(by: variables) }

  var outputStyles: Styles { Styles(isTerminal: output.isTerminal, variables: variables) }
  var errorStyles: Styles { Styles(isTerminal: error.isTerminal, variables: variables) }

  private static func homeOfUser() -> String? {
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }
}
