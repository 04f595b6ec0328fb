import ArchiverCore

/// `archiver sources`.
enum SourcesCommand {
  static let command = Command(
    "sources", summary: "list the sources and their settings",
    discussion: [
      "Shows each kind of source, built in or a program, whether it is configured, and every "
        + "setting with its environment "
        + "variable, its option and where its value comes from. Secrets are never shown."
    ],
    options: [.names, .config, .json],
    examples: [Command.Example("archiver sources", "Shows the sources and the missing settings.")],
    exitCodes: [.success], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    // Scripts that ask for names only must not wait for a hanging program.
    let settings = try RunSettings(
      invocation, programs: invocation.arguments.has(.names) ? .named : .described)
    let configured = Set(settings.configured.filter(\.isComplete).map(\.name))
    let output = invocation.environment.output
    let styles = invocation.environment.outputStyles
    for (index, source) in settings.resolution.sources.enumerated() {
      let isConfigured = configured.contains(source.name)
      if invocation.arguments.has(.names) {
        output.write(source.name + "\n")
      } else if invocation.arguments.has(.json) {
        output.write(line(source, isConfigured: isConfigured).text)
      } else {
        output.write(
          (index > 0 ? "\n" : "")
            + text(source, isConfigured: isConfigured, width: output.columns, styles: styles))
      }
    }
    if !invocation.arguments.has(.names) { tellOfShadowed(invocation) }
    return .success
  }

  /// Reports the programs that are not used, as they have the names of built-in kinds.
  private static func tellOfShadowed(_ invocation: Invocation) {
    for (name, path) in invocation.services.shadowed(invocation.environment).sorted(by: <) {
      let problem = Wording.english.text(.shadowed, DisplayText.line(path), name)
      guard invocation.arguments.has(.json) else {
        invocation.environment.complain("warning: \(problem); rename the program")
        continue
      }
      let line: JSONLine = [
        "name": .string(name), "kind": .string(name), "configured": .bool(false),
        "program": .string(path), "problem": .string(problem), "shadowed": .bool(true),
      ]
      invocation.environment.output.write(line.text)
    }
  }

  private static func text(
    _ source: SourceConfiguration, isConfigured: Bool, width: Int?, styles: Styles
  ) -> String {
    let properties = source.kind.properties
    let state =
      source.kind.problem != nil
      ? styles.apply(.red, styles.dot) + " cannot be used"
      : isConfigured
        ? styles.apply(.green, styles.dot) + " configured"
        : styles.apply(.yellow, styles.dot) + " not configured"
    var text = styles.apply(.bold, source.name) + "  \(state)\n"
    text += TextWidth.wrap(
      "\(properties.title): \(properties.summary)", width: width ?? 80, indent: 2)
    if let program = source.kind.program, source.kind.problem?.contains(program) != true {
      text += TextWidth.wrap("Program: \(program)", width: width ?? 80, indent: 2)
    }
    if let problem = source.kind.problem {
      return text + TextWidth.wrap(DisplayText.line(problem), width: width ?? 80, indent: 2)
    }
    if !isConfigured {
      let remedy =
        source.remedy()?.message
        ?? "It needs no settings: 'archiver run --source \(source.name)' runs it; under sources "
        + "in the configuration, \(source.name): {} adds it to every run"
      text += TextWidth.wrap(remedy, width: width ?? 80, indent: 2)
    }
    guard !source.settings.isEmpty else { return text }
    var table = TextTable([
      .init("  setting"), .init("set by"), .init("value"),
      .init("", isFlexible: true),
    ])
    for setting in source.settings {
      let need = setting.isRequired ? " (required)" : ""
      table.rows.append([
        TextTable.Cell("  " + setting.key), TextTable.Cell(ways(setting)),
        TextTable.Cell(shown(setting, source)), TextTable.Cell(setting.help + need),
      ])
    }
    return text + table.text(width: width, styles: styles)
  }

  /// Returns how a setting can be given besides in the file.
  private static func ways(_ setting: AdapterSetting) -> String {
    let ways = [setting.environment, setting.commandOption(group: "")?.flag].compactMap { $0 }
    return ways.isEmpty ? "file" : ways.joined(separator: " ")
  }

  private static func shown(_ setting: AdapterSetting, _ source: SourceConfiguration) -> String {
    guard let value = source.values[setting.key] else { return "-" }
    let place =
      switch value.origin {
      case .standard: "default"
      case .file: "file"
      case .login: "login"
      case .environment: "environment"
      case .option(let flag): flag
      }
    if setting.isSecret { return "set (\(place))" }
    let text = words(value.json)
    return TextWidth.truncate(DisplayText.line(text), to: 40) + " (\(place))"
  }

  /// Returns the public part of a URL: without user, password and query, and with only the start of
  /// the path, as some servers put a key behind it.
  private static func address(_ url: WebURL) -> String {
    let path = url.path.split(separator: "/")
    let end = path.count > 2 || url.query != nil ? "/…" : path.isEmpty ? "/" : ""
    let start = "\(url.scheme)://\(url.host)" + (url.port.map { ":\($0)" } ?? "")
    return start + path.prefix(2).map { "/\($0)" }.joined() + end
  }

  private static func words(_ json: JSONValue) -> String {
    switch json {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .string(let text): text.contains("://") ? WebURL(text).map(address) ?? "…" : text
    case .array(let elements): elements.map(words).joined(separator: ", ")
    case .object(let members): members.keys.sorted().joined(separator: ", ")
    }
  }

  private static func line(_ source: SourceConfiguration, isConfigured: Bool) -> JSONLine {
    [
      "name": .string(source.name), "kind": .string(source.kind.name),
      "title": .string(source.kind.properties.title),
      "summary": .string(source.kind.properties.summary), "configured": .bool(isConfigured),
      "program": .text(source.kind.program), "problem": .text(source.kind.problem),
      "canLogIn": .bool(source.kind.login != nil),
      "settings": .array(source.settings.map { record($0, source) }),
    ]
  }

  private static func record(_ setting: AdapterSetting, _ source: SourceConfiguration) -> JSONValue
  {
    .object([
      "key": .string(setting.key), "environment": .text(setting.environment),
      "option": .text(setting.commandOption(group: "")?.flag),
      "required": .bool(setting.isRequired), "default": .text(setting.defaultValue),
      "help": .string(setting.help), "set": .bool(source.values[setting.key] != nil),
      "secret": .bool(setting.isSecret),
    ])
  }
}
