import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver repair`.
enum RepairCommand {
  private static let catalog = Option(
    "catalog", help: "Rebuild the catalog from the bundles")

  static let command = Command(
    "repair", summary: "rebuild a lost or damaged catalog",
    discussion: [
      "Reads every bundle's item.json. Items, their images, their earlier versions and the search "
        + "are restored; the queue of failed items and the list of runs are not. The next run "
        + "does a full listing and finds everything unchanged. The old catalog is kept beside "
        + "the new one.",
      "Only the bundles are needed: the folder .archiver may be missing too, and with it the "
        + "pins. Until the catalog is rebuilt, other commands refuse to run, so that nothing is "
        + "archived twice.",
      "For damaged bundles use 'archiver verify --repair'.",
    ],
    options: [catalog, .archive, .config],
    examples: [
      Command.Example(
        "archiver repair --catalog && archiver verify", "After a disk lost the catalog.")
    ],
    exitCodes: [.success, .someFailed, .archive, .locked], confinement: .archive(),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    guard invocation.arguments.has(catalog) else {
      throw invocation.misuse("nothing to repair was named; --catalog rebuilds the catalog")
    }
    let settings = try RunSettings(invocation, programs: .named)
    do throws(StorageError) {
      try ExistingArchive.require(settings.archive, invocation)
    } catch {
      // A lost catalog is what this command rebuilds.
      guard error.code == .damaged else { throw error }
    }
    let (items, unreadable) = try Archive.rebuildCatalog(
      path: settings.archive, clock: invocation.environment.clock)
    let archive = try ExistingArchive.open(settings.archive, holder: "repair", invocation)
    _ = try LibraryBuilder(settings, archive).rebuild()
    let output = invocation.environment.output
    for folder in unreadable {
      output.write("unreadable: \(DisplayText.line(folder)): its item.json cannot be read\n")
    }
    output.write("The catalog was rebuilt from \(Quantity.count(items, "bundle")).\n")
    return unreadable.isEmpty ? .success : .someFailed
  }
}
