import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver accept`: accepts what a run held back, worse copies and sudden deletions.
enum AcceptCommand {
  private static let deletions = Option(
    "deletions", withoutVariable: Option.Reason.once,
    help: "Remove the items whose deletion was held back, instead of taking a copy")

  static let command = Command(
    "accept", summary: "accept what a run held back: worse copies, sudden deletions",
    discussion: [
      "A run never replaces a copy by a worse one: a text that shrank to a small part of what it "
        + "was, a page of which a part cannot be read, a book's file that does not open. The "
        + "worse copy is then kept among the bundle's versions, and the page links to it. If it "
        + "is what the source is meant to have now, this fetches the item and accepts it. "
        + "The earlier copy becomes a version.",
      "With --on-deleted remove, a run removes nothing if suddenly at least ten items and half of "
        + "a source's, or all of them, are deleted there. 'archiver list --deleted' lists "
        + "them. If they are meant to be gone, --deletions removes them from the archive, without "
        + "asking the source.",
    ],
    operands: [.items],
    options: [deletions, .source, .archive, .config],
    examples: [
      Command.Example("archiver accept 'Moby Dick'", "Accepts the source's current copy."),
      Command.Example(
        "archiver accept --deletions --source books",
        "Removes the books that a run found deleted and held back."),
    ],
    exitCodes: [.success, .someFailed, .source, .archive, .locked, .interrupted],
    confinement: .configured, action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let arguments = invocation.arguments
    guard arguments.has(deletions) == arguments.operands.isEmpty else {
      throw invocation.misuse("accept takes either ITEM or --deletions")
    }
    let settings = try RunSettings(invocation, programs: .described)
    if arguments.has(deletions) { return try acceptDeletions(settings, invocation) }
    let sources = Set(arguments.texts(.source))
    var wanted: [String: [String]] = [:]
    do {
      let archive = try ExistingArchive.open(settings.archive, holder: "accept", invocation)
      let finder = ItemFinder(catalog: archive.catalog, sources: sources)
      for name in invocation.arguments.operands {
        let key = try finder.key(name, helpPath: invocation.path)
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

  private static func acceptDeletions(
    _ settings: RunSettings, _ invocation: Invocation
  ) throws -> ExitCode {
    let archive = try ExistingArchive.open(settings.archive, holder: "accept", invocation)
    let accepted = try Deletion.acceptHeld(
      of: Set(invocation.arguments.texts(.source)), in: archive,
      library: LibraryBuilder(settings, archive))
    let output = invocation.environment.output
    if accepted.isEmpty { output.write("No deletion is held back.\n") }
    for (source, count) in accepted {
      let items = Quantity.count(count, "item")
      output.write("\(DisplayText.line(source)): removed \(items) deleted at the source\n")
    }
    return .success
  }

  private static func fetch(
    _ ids: [String], of source: SourceConfiguration, _ settings: RunSettings,
    _ invocation: Invocation
  ) async throws -> ExitCode {
    var options = RunOptions(settings)
    options.force = true
    options.only = ids
    options.acceptsWorse = true
    let report = try await SourceOpener(invocation, settings, jobs: settings.jobs)
      .run(source, options, in: settings.archive)
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
