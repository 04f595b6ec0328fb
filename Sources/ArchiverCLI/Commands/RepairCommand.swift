import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver repair`.
enum RepairCommand {
  private static let catalog = Option(
    "catalog", help: "Make the catalog anew from what the bundles say of themselves")

  static let command = Command(
    "repair", summary: "make a lost or damaged catalog anew",
    discussion: [
      "Reads every bundle's item.json. Items, their pictures, their earlier versions and the search "
        + "come back; the queue of failed items and the list of runs do not. The next run lists everything "
        + "once and finds it unchanged. The old catalog is kept beside the new one.",
      "It is enough that the bundles are there: the folder .archiver may be gone as well, and what was "
        + "pinned with it. Until then every command refuses to go on, so that nothing is taken for new.",
      "Damaged bundles are the business of 'archiver verify --repair'.",
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
      throw UsageError(
        "say what to repair: --catalog makes the catalog anew", helpPath: invocation.path)
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
    output.write("The catalog was made anew from \(Quantity.count(items, "bundle")).\n")
    return unreadable.isEmpty ? .success : .someFailed
  }
}
