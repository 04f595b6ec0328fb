import ArchiverCore
import ArchiverExport
import ArchiverSite
import ArchiverStorage

/// `archiver export --markdown`.
extension ExportCommand {
  static func writeVault(
    _ items: [CatalogItem], to target: String, _ archive: Archive, _ settings: RunSettings,
    _ invocation: Invocation
  ) throws -> ExitCode {
    let template: VaultName
    do {
      template = try VaultName(invocation.arguments.text(name) ?? "{title}")
    } catch {
      throw invocation.misuse("--name: \(error.description)")
    }
    var archived: [CatalogItem] = []
    try archive.catalog.forEachItem(source: nil) { item in
      archived.append(item)
      return true
    }
    let isDry = invocation.arguments.has(dryRun)
    let export = VaultExport(
      root: archive.path, folder: target, name: template,
      words: .of(settings.file?.language ?? invocation.environment.wording.language),
      hasChapters: invocation.arguments.has(chapters), isDry: isDry)
    let outcome = try export.write(
      items, archived: archived, prunes: invocation.arguments.has(prune))
    tell(outcome, to: target, isDry: isDry, invocation)
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  private static func tell(
    _ outcome: VaultExport.Outcome, to target: String, isDry: Bool, _ invocation: Invocation
  ) {
    let environment = invocation.environment
    for failure in outcome.failed {
      environment.complain("\(failure.folder): \(DisplayText.line(failure.reason))")
    }
    name(outcome.edited, "was changed between the marks and is left unchanged", environment)
    name(outcome.unmarked, "has lost its marks and is left unchanged", environment)
    name(outcome.keptFiles, "was changed after it was copied and is kept", environment)
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "exported", "format": "markdown", "file": .string(target), "dryRun": .bool(isDry),
        "items": .integer(outcome.written.count + outcome.unchanged),
        "written": .array(outcome.written.map { .string($0) }),
        "unchanged": .integer(outcome.unchanged), "files": .integer(outcome.copied),
        "edited": .array(outcome.edited.map { .string($0) }),
        "unmarked": .array(outcome.unmarked.map { .string($0) }),
        "removed": .array(outcome.removed.map { .string($0) }),
        "stale": .array(outcome.stale.map { .string($0) }),
        "keptFiles": .array(outcome.keptFiles.map { .string($0) }),
        "lostLinks": .integer(outcome.lostLinks), "failed": .integer(outcome.failed.count),
      ]
      return environment.output.write(line.text)
    }
    if outcome.lostLinks > 0 {
      environment.complain(
        "\(Quantity.count(outcome.lostLinks, "link")) to pages that are neither here "
          + "nor on the web became plain text")
    }
    var facts = [
      "\(Quantity.count(outcome.written.count, "file")) \(isDry ? "would be written" : "written")",
      "\(Quantity.grouped(outcome.unchanged)) unchanged",
      "\(Quantity.count(outcome.copied, "image or other file", "images and other files")) "
        + "\(isDry ? "to copy" : "copied")",
    ]
    if !outcome.removed.isEmpty {
      facts.append("\(Quantity.grouped(outcome.removed.count)) \(isDry ? "to remove" : "removed")")
    }
    if !outcome.stale.isEmpty {
      facts.append("\(Quantity.grouped(outcome.stale.count)) of other items left")
    }
    environment.output.write("\(target): \(facts.joined(separator: ", ")).\n")
  }

  /// Prints a message with the names of some of the files that it concerns.
  private static func name(_ files: [String], _ what: String, _ environment: ProcessEnvironment) {
    let most = 10
    for file in files.prefix(most) {
      environment.complain("\(DisplayText.line(file)) \(what)")
    }
    if files.count > most {
      environment.complain("and \(Quantity.count(files.count - most, "more file", "more files"))")
    }
  }
}
