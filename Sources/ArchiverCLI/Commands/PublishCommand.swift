import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// `archiver publish`.
enum PublishCommand {
  private static let withSources = Option(
    "with-sources", withoutVariable: Option.Reason.once,
    help: "Publish the sources' own records too: source.json and source.html.gz")
  private static let delete = Option(
    "delete", withoutVariable: Option.Reason.once,
    help: "Allow removing more than a quarter of the files at once")
  private static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Report what would be published; write nothing")

  static let command = Command(
    "publish", summary: "mirror the archive to a folder for a web server",
    discussion: [
      "TARGET is file:/DIR, a folder on another disk or a network share. Files are copied in an "
        + "order in which no published page links to a missing file: images first, then the "
        + "items' pages, the library's lists, and the first page last. Files that left the "
        + "archive are removed one run later. An interrupted run resumes where it stopped. "
        + "While it copies, no run changes the archive.",
      "The folder '_archiver' in TARGET records what was published, so that only changes are "
        + "written; files that were removed there are published again. The folder '.archiver' of "
        + "the archive is never published, and the sources' own records only with --with-sources.",
      "A folder that is not empty and was not published before is refused. For other targets, "
        + "copy the archive with rclone or restic.",
    ],
    operands: [Command.Operand("TARGET", .text, help: "Where to: file:/DIR")],
    options: [withSources, delete, dryRun, .archive, .config, .json],
    examples: [
      Command.Example("archiver publish file:/srv/www/reading", "For a web server."),
      Command.Example("archiver publish file:/mnt/nas/reading --dry-run", "What it would publish."),
    ],
    exitCodes: [.success, .archive, .locked, .interrupted],
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    let target = try folder(arguments.operands.first ?? "", invocation)
    try ExistingArchive.require(settings.archive, invocation)
    let archive = AtomicFile.target(of: settings.archive)
    let place = AtomicFile.target(of: target)
    guard place != archive, !place.hasPrefix(archive + "/"), !archive.hasPrefix(place + "/") else {
      throw UsageError("one of the archive and \(target) is inside the other")
    }
    let publisher = FolderPublisher(
      root: archive, target: target, withSources: arguments.has(withSources))
    let isDry = arguments.has(dryRun)
    let held = isDry ? nil : try hold(settings.archive, invocation)
    do {
      let outcome =
        isDry
        ? try publisher.preview() : try publisher.publish(deletesMany: arguments.has(delete))
      withExtendedLifetime(held) {}
      tell(outcome, target, isDry: isDry, invocation)
    } catch let error as FolderPublisher.Failure {
      switch error {
      case .locked: throw StorageError(.locked, error.description, underlying: error)
      case .foreign, .tooManyDeletes:
        throw UsageError(error.description, helpPath: invocation.path)
      case .file: throw StorageError(.notWritable, error.description, underlying: error)
      }
    } catch let error as ExportError {
      throw StorageError(.notWritable, error.description, underlying: error)
    } catch let error as CocoaError {
      throw StorageError(.notWritable, "\(target): \(error)", underlying: error)
    }
    return .success
  }

  /// Takes the archive's lock, so that no run replaces bundles while they are copied; returns `nil` for an
  /// archive on a read-only disk, which no run can change.
  private static func hold(
    _ archive: String, _ invocation: Invocation
  ) throws(StorageError) -> Archive? {
    do throws(StorageError) {
      return try ExistingArchive.open(archive, holder: "publish", invocation)
    } catch {
      guard error.code == .notWritable else { throw error }
      return nil
    }
  }

  /// Returns the directory that a `file:` URL names (RFC 8089).
  private static func folder(_ text: String, _ invocation: Invocation) throws(UsageError) -> String
  {
    var path = text
    for prefix in ["file:///", "file:/"] where text.hasPrefix(prefix) {
      path = "/" + text.dropFirst(prefix.utf8.count)
      break
    }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard text.hasPrefix("file:/"), path != "/", !path.hasPrefix("//") else {
      throw UsageError(
        "TARGET must be file:/ and a folder, such as file:/srv/www/reading, not "
          + "'\(DisplayText.line(text))'", helpPath: invocation.path)
    }
    return path
  }

  private static func tell(
    _ outcome: FolderPublisher.Outcome, _ target: String, isDry: Bool, _ invocation: Invocation
  ) {
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "published", "target": .string(target), "dryRun": .bool(isDry),
        "put": .integer(outcome.put), "bytes": .integer(outcome.byteCount),
        "unchanged": .integer(outcome.unchanged), "deleted": .integer(outcome.deleted),
        "leaving": .integer(outcome.leaving),
      ]
      return invocation.environment.output.write(line.text)
    }
    var text =
      "\(target): \(Quantity.count(outcome.put, "file")) (\(Quantity.bytes(outcome.byteCount))) "
      + "\(isDry ? "to publish" : "published"), \(Quantity.grouped(outcome.unchanged)) unchanged"
    if outcome.deleted > 0 {
      text += ", \(Quantity.grouped(outcome.deleted)) \(isDry ? "to remove" : "removed")"
    }
    if outcome.leaving > 0 {
      text += ", \(Quantity.grouped(outcome.leaving)) to remove in the next run"
    }
    invocation.environment.output.write(text + ".\n")
  }
}
