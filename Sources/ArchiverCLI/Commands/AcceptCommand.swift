import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// `archiver accept`: accepts the copy that is held back as worse.
enum AcceptCommand {
  static let command = Command(
    "accept", summary: "take a copy that was held back as worse",
    discussion: [
      "A run never replaces a copy by a worse one: a text that shrank to a small part of what it "
        + "was, a page of which a part cannot be read, a book's file that does not open. The "
        + "worse copy is then kept among the bundle's versions, and the page links to it. If it "
        + "is what the source is meant to have now, this fetches the item and accepts it. "
        + "The earlier copy becomes a version."
    ],
    operands: [
      .init(
        "ITEM", .text, isRepeatable: true,
        help: "An id as printed by 'archiver list', a bundle's folder, or words of a unique title")
    ],
    options: [.source, .archive, .config],
    examples: [
      Command.Example("archiver accept 'Moby Dick'", "Accepts the source's current copy.")
    ],
    exitCodes: [.success, .someFailed, .source, .archive, .locked, .interrupted],
    confinement: .asking { _ in
      .change
    } _: { settings, _ in
      settings.configured
    }, action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .described)
    let sources = Set(invocation.arguments.texts(.source))
    var wanted: [String: [String]] = [:]
    do {
      let archive = try ExistingArchive.open(settings.archive, holder: "accept", invocation)
      let finder = ItemFinder(catalog: archive.catalog, sources: sources)
      for name in invocation.arguments.operands {
        let key = try finder.item(name, helpPath: invocation.path).key
        wanted[key.source, default: []].append(key.id)
      }
    }
    var worst = ExitCode.success
    for (name, ids) in wanted.sorted(by: { $0.key < $1.key }) {
      guard let source = settings.configured.first(where: { $0.name == name }) else {
        throw UsageError("the source '\(name)' is not configured, so the item cannot be fetched")
      }
      let code = try await fetch(ids, of: source, settings, invocation)
      if code.rawValue > worst.rawValue { worst = code }
    }
    return worst
  }

  private static func fetch(
    _ ids: [String], of source: SourceConfiguration, _ settings: RunSettings,
    _ invocation: Invocation
  ) async throws -> ExitCode {
    let opener = SourceOpener(
      services: invocation.services, environment: invocation.environment,
      allowedHosts: try settings.allowedHosts(), jobs: settings.jobs, events: SilentEventSink(),
      contact: settings.file?.contact)
    var options = RunOptions(settings)
    options.force = true
    options.only = ids
    options.acceptsWorse = true
    let report = try await invocation.services.run(
      Services.RunRequest(
        archive: settings.archive, sources: [try opener.open(source)], options: options,
        clock: invocation.environment.clock), SilentEventSink())
    let output = invocation.environment.output
    for part in report.sources {
      output.write("\(part.name): \(Quantity.count(part.archived, "item")) accepted\n")
      for note in part.failed + part.kept + part.deferred {
        output.write(
          "  \(DisplayText.title(note.title, id: note.id)): \(DisplayText.line(note.message))\n")
      }
    }
    for line in RunSummary.lines(report, isDryRun: false, onlyTrouble: true) {
      output.write(line + "\n")
    }
    return ExitCode(report)
  }
}
