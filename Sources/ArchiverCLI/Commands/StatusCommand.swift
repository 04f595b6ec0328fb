import ArchiverCore
import ArchiverStorage

/// `archiver status`.
enum StatusCommand {
  static let command = Command(
    "status", summary: "show how each source stands",
    discussion: [
      "Prints for each source how much is archived, what waits or fails, and how its last run went.",
      "With -v it also says whether runs give up the right to change files outside the archive.",
    ],
    options: [.archive, .config, .json, .verbose],
    examples: [Command.Example("archiver status", "One line per source.")],
    exitCodes: [.success, .archive], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let known = try invocation.services.catalog(settings.archive)?.sources() ?? []
    let names = Set(known.map(\.source))
    let unrun = settings.configured.filter { !names.contains($0.name) }.map {
      SourceStatus(source: $0.name, kind: $0.kind.name)
    }
    let all = known + unrun
    let environment = invocation.environment
    if invocation.arguments.has(.json) {
      for status in all { environment.output.write(status.line.text) }
    } else if known.isEmpty {
      environment.output.write(EmptyArchive.text(settings))
    } else {
      environment.output.write(
        text(all, settings, now: environment.clock.now(), environment: environment))
    }
    if invocation.arguments.count(.verbose) > 0, !invocation.arguments.has(.json) {
      let state = SandboxState(settings.configured, invocation.arguments)
      environment.output.write("\nSandbox: \(state.words)\n")
    }
    return .success
  }

  private static func text(
    _ all: [SourceStatus], _ settings: RunSettings, now: Date, environment: ProcessEnvironment
  ) -> String {
    let styles = environment.outputStyles
    var table = TextTable([
      .init("source"), .init("items", isNumber: true), .init("size", isNumber: true),
      .init("waiting", isNumber: true), .init("failing", isNumber: true), .init("last run"),
      .init("state", isFlexible: true),
    ])
    for status in all {
      let health = status.health(now: now)
      table.rows.append([
        TextTable.Cell(status.source), TextTable.Cell(Quantity.grouped(status.itemCount)),
        TextTable.Cell(Quantity.bytes(status.byteCount)),
        TextTable.Cell(Quantity.grouped(status.waiting)),
        TextTable.Cell(Quantity.grouped(status.failing)),
        TextTable.Cell(status.lastRun.map { Quantity.ago($0.started, now: now) } ?? "never"),
        TextTable.Cell("\(styles.dot) \(health.words)", style: health.style),
      ])
    }
    return "Archive: \(environment.abbreviated(settings.archive))\n\n"
      + table.text(width: environment.output.columns, styles: styles)
  }
}

extension SourceStatus {
  /// How the source stands, in words and a colour.
  fileprivate func health(now: Date) -> (words: String, style: Style) {
    guard let run = lastRun else { return ("not run yet", .yellow) }
    let reason = run.failure.map { ": " + DisplayText.line($0) } ?? ""
    switch run.outcome {
    case nil: return ("running", .green)
    case .ok: return failing > 0 ? ("some items fail", .yellow) : ("ok", .green)
    case .partial: return ("some items failed" + reason, .yellow)
    case .interrupted: return ("interrupted", .yellow)
    case .died: return ("ended without a word; run it again", .red)
    case .sourceFailed:
      let since = failingSince.map { " since " + Quantity.day($0) } ?? ""
      return ("source failed\(since)\(reason)", .red)
    }
  }

  /// The source for `status --json`.
  fileprivate var line: JSONLine {
    let run: JSONValue =
      lastRun.map { run in
        .object([
          "started": .time(run.started), "finished": .time(run.finished),
          "outcome": .text(run.outcome?.rawValue), "failure": .text(run.failure),
          "archived": .integer(run.archived), "unchanged": .integer(run.unchanged),
          "failed": .integer(run.failed), "images": .integer(run.images),
          "imagesMissing": .integer(run.imagesMissing), "bytes": .integer(run.byteCount),
        ])
      } ?? .null
    return [
      "source": .string(source), "kind": .string(kind), "items": .integer(itemCount),
      "bytes": .integer(byteCount), "waiting": .integer(waiting), "failing": .integer(failing),
      "lastSuccess": .time(lastSuccess), "failingSince": .time(failingSince), "lastRun": run,
    ]
  }
}
