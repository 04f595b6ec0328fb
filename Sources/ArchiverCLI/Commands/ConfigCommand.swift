import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver config`.
enum ConfigCommand {
  static let command = Command(
    "config", summary: "write, check or show the configuration",
    discussion: [
      "init writes a file with every setting, each explained and commented out. check "
        + "reads the configuration and asks each configured source for the first page of its "
        + "listing. show prints the settings in effect and their origins, without secrets. path "
        + "prints where the file is."
    ],
    operands: [
      Command.Operand(
        "ACTION", .choice(["init", "check", "show", "path"]), help: "init, check, show or path")
    ],
    options: [.archive, .config, .overwrite, .json],
    examples: [
      Command.Example("archiver config init", "Then edit the file it names."),
      Command.Example("archiver config check", "Checks that every source can be reached."),
    ],
    exitCodes: [.success, .source, .interrupted],
    confinement: .asking(
      { $0.operands[0] == "check" ? .leave : nil }, { settings, _ in try settings.selected() },
      action: "check"), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    switch invocation.arguments.operands[0] {
    case "init": return try initialise(invocation)
    case "check": return try await check(invocation)
    case "show": return try show(invocation)
    default:
      invocation.environment.output.write(invocation.configurationPath + "\n")
      return .success
    }
  }

  private static func initialise(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let environment = invocation.environment
    let path = invocation.configurationPath
    let shown = environment.abbreviated(path)
    if FileManager.default.fileExists(atPath: path), !invocation.arguments.has(.overwrite) {
      throw UsageError("\(shown) already exists; --overwrite replaces it")
    }
    let kinds = invocation.services.kinds + invocation.services.programs(environment)
    do {
      if let slash = path.utf8.lastIndex(of: 0x2F) { try FolderPath.make(String(path[...slash])) }
      // Mode 0600: it will contain secrets.
      try AtomicFile.write(
        ConfigurationTemplate.text(kinds: kinds), to: path, mode: 0o600, isNamedByUser: true)
    } catch {
      throw UsageError("\(shown) cannot be written: \(error)")
    }
    environment.output.write(environment.wording.text(.configWritten, shown) + "\n")
    return .success
  }

  private static func check(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let environment = invocation.environment
    for warning in settings.resolution.warnings {
      environment.complain("warning: \(warning)")
    }
    let opener = try SourceOpener(invocation, settings)
    var code = ExitCode.success
    for source in try settings.selected() {
      let failure: (any Error)?
      var words = ""
      do {
        words = try await reach(opener.open(source).adapter, environment.wording)
        failure = nil
      } catch {
        if ExitCode(error) == .interrupted { throw error }
        failure = error
        // An invalid setting takes precedence over an unreachable server.
        code = code == .usage ? .usage : ExitCode(error)
      }
      tell(source.name, words, failure, invocation)
    }
    return code
  }

  private static func reach(
    _ adapter: some Source, _ wording: Wording
  ) async throws -> String {
    for try await page in adapter.listing(since: nil) {
      let isWhole = page.isCompleteEnumeration
      let count = page.total ?? (isWhole ? page.references.count : nil)
      return count.map { wording.count($0, .item, .items) } ?? wording.text(.namesItems)
    }
    return wording.text(.noItems)
  }

  private static func tell(
    _ name: String, _ words: String, _ failure: (any Error)?, _ invocation: Invocation
  ) {
    let message = failure.map { DisplayText.line(ErrorText.message($0)) }
    let environment = invocation.environment
    let styles = environment.outputStyles
    let state = styles.apply(failure == nil ? .green : .red, styles.dot)
    let sentence = message ?? environment.wording.text(.reached, words)
    invocation.report(
      ["source": .string(name), "reached": .bool(failure == nil), "failure": .text(message)],
      "\(state) \(name): \(sentence)\n")
  }

  private static func show(_ invocation: Invocation) throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let environment = invocation.environment
    let file = settings.file.map { environment.abbreviated($0.path) } ?? "none"
    let options = RunOptions().keeping(settings.arguments, settings.file)
    let values: [(String, JSONValue)] =
      [
        ("file", .string(file)), ("archive", .string(settings.archive)),
        ("contact", settings.file?.contact.map { .string($0) } ?? .null),
        ("max", .count(settings.max)), ("jobs", .integer(settings.jobs)),
        ("keepVersions", .integer(settings.keepVersions)),
        ("language", .string(settings.words.language)),
        ("onDeleted", .string(options.onDeleted.rawValue)),
        ("onConflict", .string(options.onConflict.rawValue)),
        ("limits", limits(settings.limits, all: invocation.arguments.has(.json))),
        ("allowHosts", .array((settings.file?.allowHosts ?? []).map { .string($0) })),
        ("publish", settings.file?.publish.map { .string($0.target) } ?? .null),
        ("sources", .array(settings.configured.map { .string($0.name) })),
      ] + (settings.file?.nights ?? NightSettings()).shown.map { ($0.key, $0.value) }
    let rules = settings.configured.map { ($0.name, settings.rules(of: $0.name).shown) }
    if invocation.arguments.has(.json) {
      let objects = rules.map { name, shown in
        (name, JSONValue.object(Dictionary(shown.map { ($0.key, $0.value) }) { $1 }))
      }
      let all = values + [("rules", .object(Dictionary(objects) { $1 }))]
      environment.output.write(JSONLine(all.map { (key: $0.0, value: $0.1) }).text)
      return .success
    }
    for (key, value) in values {
      environment.output.write("\(TextWidth.pad(key, to: 13)) \(words(value))\n")
    }
    for (name, shown) in rules where !shown.isEmpty {
      let text = shown.map { "\($0.key) \(words($0.value))" }.joined(separator: ", ")
      environment.output.write("\(TextWidth.pad(name, to: 13)) \(text)\n")
    }
    environment.output.write("\n\(environment.wording.text(.configHint))\n")
    return .success
  }

  /// Returns the limits: for people those that were changed; for programs all, in their units.
  private static func limits(_ limits: Limits, all: Bool) -> JSONValue {
    if !all {
      return .array(
        limits.changed.map { .string("\($0.rawValue) \($0.text(limits[$0]))") })
    }
    let pairs = Limit.allCases.map { ($0.rawValue, JSONValue.integer(limits[$0])) }
    return .object(Dictionary(pairs) { $1 })
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .null: "-"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .array(let elements):
      elements.isEmpty ? "-" : elements.compactMap(\.string).joined(separator: ", ")
    default: DisplayText.line(value.string ?? "")
    }
  }
}
