import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

extension Option {
  static let repair = Option(
    "repair", withoutVariable: Reason.once,
    help: "Fetch damaged items again if their source still has them")
}

/// `archiver verify --repair`: fetches damaged items again, a source at a time.
enum VerifyRepair {
  /// Fetches the items that a verification found damaged; returns `nil` if there are none.
  static func carryOut(_ invocation: Invocation, _ settings: RunSettings) async throws {
    let output = invocation.environment.output
    let wording = invocation.environment.wording
    let repair: Repair
    do {
      let archive = try ExistingArchive.open(settings.archive, holder: "repair", invocation)
      let problems = try await archive.verify().problems
      repair = try Repair(problems, links: LinkVerification(archive).run(), in: archive)
    }
    try Task.checkCancellation()
    for (name, ids) in repair.wanted.sorted(by: { $0.key < $1.key }) {
      guard let source = settings.configured.first(where: { $0.name == name }) else {
        let items = wording.count(ids.count, .item, .items)
        output.write(wording.text(.notConfiguredForRepair, name, items) + "\n")
        continue
      }
      try await fetch(source, repair: repair, settings, invocation)
    }
  }

  private static func fetch(
    _ source: SourceConfiguration, repair: Repair, _ settings: RunSettings,
    _ invocation: Invocation
  ) async throws {
    guard let options = repair.options(for: source.name, RunOptions(settings)) else { return }
    let report = try await SourceOpener(invocation, settings, jobs: settings.jobs)
      .run(source, options, in: settings.archive)
    if let failure = report.failure { throw failure }
    let output = invocation.environment.output
    let wording = invocation.environment.wording
    for part in report.sources {
      let count = wording.count(options.only.count, .damagedItem, .damagedItems)
      output.write(
        wording.text(.fetchedAgain, part.name, wording.number(part.archived), count) + "\n")
      for note in part.failed + part.kept + part.deferred {
        output.write(
          "  \(DisplayText.title(note.title, id: note.id)): \(DisplayText.line(note.message))\n")
      }
      if let failure = part.failure { output.write("  \(DisplayText.line(failure.message))\n") }
    }
  }
}
