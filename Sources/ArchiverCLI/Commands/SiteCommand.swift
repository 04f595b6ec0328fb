import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// `archiver site`.
enum SiteCommand {
  static let command = Command(
    "site", summary: "rebuild the library and its search index",
    discussion: [
      "Every run updates the library. This rebuilds all of it from the catalog and the bundles: "
        + "the pages, their search index and that of 'archiver search'. Files whose content stays "
        + "the same are not rewritten. The bundles are not changed."
    ],
    options: [.archive, .config, .json],
    examples: [
      Command.Example("archiver site", "After an update of archiver, or if a page is missing.")
    ],
    exitCodes: [.success, .archive, .locked], confinement: .archive(),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let archive = try ExistingArchive.open(settings.archive, holder: "site", invocation)
    let update = try LibraryBuilder(settings, archive).rebuild()
    let items = try archive.catalog.itemCount(source: nil)
    // Count only files for readers of the library, not the archive's own files.
    let written = update.textCount + update.written.count { !$0.hasPrefix(".archiver/") }
    let changes =
      written == 0 && update.removed.isEmpty
      ? "nothing had changed"
      : "\(Quantity.count(written, "file")) written, \(Quantity.grouped(update.removed.count)) removed"
    invocation.report(
      [
        "event": "site", "items": .integer(items), "written": .integer(written),
        "removed": .integer(update.removed.count), "bytes": .integer(update.byteCount),
        "page": .string("\(archive.path)/index.html"),
      ],
      "The library in \(invocation.environment.abbreviated(settings.archive)) shows "
        + "\(Quantity.count(items, "item")); \(changes).\n")
    return .success
  }
}
