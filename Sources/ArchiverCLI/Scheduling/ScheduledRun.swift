import ArchiverCore

/// An automatically started run, as the crontab or the systemd units define it.
struct ScheduledRun: Sendable {
  let schedule: RunSchedule
  /// The arguments of the program.
  let words: [String]
  /// The environment variables that the line or the unit sets.
  let variables: [String: String]
  /// Whether a timer of systemd starts it, which inherits the variables of the user's session.
  let isOfSession: Bool

  /// Parses a crontab line: one that `Crontab` writes, or one written by hand that only starts
  /// `archiver run`; `nil` for any other.
  init?(cron line: String) {
    let isMarked = line.hasSuffix(Crontab.mark)
    // The shell's meaning of these characters cannot be preserved.
    if !isMarked, line.hasPrefix("#") || line.contains(where: { "|&;<>()`#".contains($0) }) {
      return nil
    }
    guard let schedule = RunSchedule(cron: line) else { return nil }
    self.schedule = schedule
    let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    let command = parts.count == 6 ? String(parts[5]).replacingScalars("\\%", with: "%") : ""
    var words = ScheduledRun.words(of: command.replacing(Crontab.mark, with: ""))[...]
    var variables: [String: String] = [:]
    while let word = words.first, let (name, value) = ScheduledRun.assignment(word) {
      variables[name] = value
      words.removeFirst()
    }
    let program = words.first?.split(separator: "/").last
    guard isMarked || program == "archiver" && words.dropFirst().first == CommandName.run else {
      return nil
    }
    self.words = Array(words.dropFirst())
    self.variables = variables
    isOfSession = false
  }

  /// Parses units as `SystemdUnits` writes them; `nil` for any others.
  init?(timer: String, service: String) {
    guard let calendar = ScheduledRun.values(of: "OnCalendar", in: timer).first,
      let schedule = RunSchedule(calendar: calendar)
    else { return nil }
    self.schedule = schedule
    func words(_ key: String) -> [String] {
      ScheduledRun.values(of: key, in: service).flatMap(ScheduledRun.words).map {
        $0.replacingScalars("%%", with: "%")
      }
    }
    self.words = words("ExecStart").dropFirst().map { $0.replacingScalars("$$", with: "$") }
    variables = Dictionary(
      words("Environment").compactMap(ScheduledRun.assignment).map { ($0.name, $0.value) }
    ) { $1 }
    isOfSession = true
  }

  /// Whether the run archives into this directory, by its arguments or its configuration.
  func writes(to archive: String, _ invocation: Invocation) -> Bool {
    // A run with invalid settings archives nothing.
    guard let settings = settings(invocation) else { return false }
    return ScheduledRun.resolved(settings.archive) == ScheduledRun.resolved(archive)
  }

  /// Whether a URL or a command is notified of a failed run.
  func notifies(_ invocation: Invocation) -> Bool {
    guard let settings = settings(invocation) else { return false }
    let told = Set(settings.file?.nights.values.keys.map { $0 } ?? [])
    return !told.isDisjoint(with: ["notify", "pingURL"])
      || variables["ARCHIVER_NOTIFY"] != nil || variables["ARCHIVER_PING_URL"] != nil
      || settings.arguments.has(.notify) || settings.arguments.has(.pingURL)
  }

  /// Returns the settings of the run; `nil` if they are invalid.
  private func settings(_ invocation: Invocation) -> RunSettings? {
    var environment = invocation.environment
    if !isOfSession {
      for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        environment.variables[name] = nil
      }
    }
    environment.variables.merge(variables) { $1 }
    do {
      let outcome = try ArgumentParser.parse(words, root: invocation.root)
      guard case .run(let path, let command, let arguments) = outcome else { return nil }
      return try RunSettings(
        Invocation(
          path: path, command: command, arguments: arguments, environment: environment,
          services: invocation.services, root: invocation.root), programs: .named)
    } catch {
      return nil
    }
  }

  private static func resolved(_ path: String) -> [String] {
    let url = URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL
    return url.path(percentEncoded: false).split(separator: "/").map(String.init)
  }

  private static func values(of key: String, in unit: String) -> [String] {
    unit.split(separator: "\n").filter { $0.hasPrefix(key + "=") }
      .map { String($0.dropFirst(key.count + 1)) }
  }

  private static func assignment(_ word: String) -> (name: String, value: String)? {
    guard let sign = word.firstIndex(of: "="),
      word[..<sign].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    else { return nil }
    return (String(word[..<sign]), String(word[sign...].dropFirst()))
  }

  /// Splits a line at white space, with the shell's quotes and backslashes.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for character in line.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
