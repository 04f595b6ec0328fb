import ArchiverCore

/// Opens pages in the browser of `$BROWSER`, or else in the desktop's.
struct Browser {
  private let variables: [String: String]

  init(_ environment: ProcessEnvironment) {
    variables = environment.variables
  }

  /// Opens a URL. Returns when the browser has accepted it or, if it runs in the terminal, has ended.
  ///
  /// - Returns: Why no browser was opened; `nil` if one was.
  func open(_ address: String) -> String? {
    let commands = commands(address)
    guard let first = commands.first else {
      return isGraphical ? "no browser was found" : "there is no desktop"
    }
    return commands.contains(where: start) ? nil : "\(first[0]) could not open the page"
  }

  /// Returns the commands to try in order: programs that exist, with the URL as an argument.
  func commands(_ address: String) -> [[String]] {
    // A colon-separated list; `%s` is the placeholder of the URL.
    let chosen = (variables["BROWSER"] ?? "").split(separator: ":").map { line in
      var words = line.split(separator: " ").map(String.init)
      let holds = words.contains { $0.contains("%s") }
      words = words.map { $0.replacing("%s", with: address) }
      return holds ? words : words + [address]
    }
    var desktop: [[String]] = []
    #if os(macOS)
      desktop = [["/usr/bin/open", address]]
    #else
      if isGraphical {
        desktop = [["xdg-open", address], ["gio", "open", address]]
      } else if variables["WSL_DISTRO_NAME"] != nil {
        desktop = [["wslview", address]]
      }
    #endif
    return (chosen + desktop).compactMap { words in
      guard let name = words.first, let path = find(name) else { return nil }
      return [path] + words.dropFirst()
    }
  }

  private var isGraphical: Bool {
    #if os(macOS)
      true
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0].map { !$0.isEmpty } ?? false }
    #endif
  }

  private func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    return (variables["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Returns whether the program accepted the URL: it succeeded, or is still running in a window.
  private func start(_ command: [String]) -> Bool {
    // A graphical browser leaves the terminal's process group; one in the terminal stays in it.
    let pid = try? ChildProgram.start(
      command[0], Array(command.dropFirst()), environment: variables, input: .inherited,
      hasOwnGroup: isGraphical)
    guard let pid else { return false }
    var status: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(3)
    while true {
      let ended = waitpid(pid, &status, WNOHANG)
      // The low seven bits hold a signal, the next eight the exit status (wait(2)).
      if ended == pid { return status & 0x7F == 0 && status >> 8 & 0xFF == 0 }
      if ended < 0, errno != EINTR { return false }
      if isGraphical, ContinuousClock.now > deadline { return true }
      usleep(10_000)
    }
  }
}
