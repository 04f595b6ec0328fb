import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver cleanup`.
enum CleanupCommand {
  private static let maxSize = Option(
    "max-size", .size, valueName: "SIZE", withoutVariable: Option.Reason.once,
    help: "Remove the oldest items until the bundles are no larger than this, such as 50G")
  private static let all = Option(
    "include-favourites", withoutVariable: Option.Reason.once,
    help: "Also remove favourites and items with highlights")
  private static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "Report what would be removed; remove nothing")

  static let command = Command(
    "cleanup", summary: "remove old items from the archive",
    discussion: [
      "Removes the items that were added to their source longest ago (--keep, --max-size) or "
        + "archived longest ago (--older-than); without a condition, only unused files of the "
        + "object pool. Favourites and items with highlights stay, pinned items always. A "
        + "removed item is not archived again unless it changes at the source."
    ],
    options: [.keep, .olderThan, maxSize, all, .source, dryRun, .archive, .config, .json],
    examples: [
      Command.Example(
        "archiver cleanup --older-than 2y --dry-run", "What a limit of two years would remove."),
      Command.Example("archiver cleanup --max-size 50G", "Frees space for other data on the disk."),
    ],
    exitCodes: [.success, .archive, .locked, .interrupted], confinement: .archive(),
    action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let retention = Retention(policy(invocation))
    try ExistingArchive.require(settings.archive, invocation)
    if invocation.arguments.has(dryRun) {
      let archive = try Archive.open(path: settings.archive, mode: .readOnly)
      let plan = try retention.plan(archive.catalog)
      report(plan, garbage: try archive.garbage(), isDry: true, invocation)
      return .success
    }
    let archive = try ExistingArchive.open(settings.archive, holder: "cleanup", invocation)
    let plan = try retention.plan(archive.catalog)
    let garbage = try retention.carryOut(
      plan, in: archive, library: LibraryBuilder(settings, archive))
    try Task.checkCancellation()
    report(plan, garbage: garbage, isDry: false, invocation)
    return .success
  }

  private static func policy(_ invocation: Invocation) -> RetentionPolicy {
    let arguments = invocation.arguments
    var policy = RetentionPolicy(
      keep: arguments.integer(.keep), sources: Set(arguments.texts(.source)),
      includesProtected: arguments.has(all))
    if let age = arguments.duration(.olderThan) {
      policy.archivedBefore = invocation.environment.clock.now()
        .addingTimeInterval(-(age / .seconds(1)))
    }
    policy.maxBytes = arguments.bytes(maxSize)
    return policy
  }

  private static func report(
    _ plan: Retention.Plan, garbage: GarbageReport, isDry: Bool, _ invocation: Invocation
  ) {
    for item in plan.items {
      invocation.report(
        [
          "event": "removed", "source": .string(item.key.source), "id": .string(item.key.id),
          "title": .string(item.title), "bytes": .integer(item.byteCount),
        ],
        "  \(UTCTime.day(item.date))  \(DisplayText.title(item.title, id: item.key.id))\n")
    }
    let items = Quantity.count(plan.items.count, "item")
    let stay = [(plan.treasured, "favourite or highlighted item"), (plan.pinned, "pinned item")]
      .map { $0 == 0 ? "" : " \(Quantity.count($0, $1)) stayed." }.joined()
    let files = Quantity.count(garbage.objects, "unused file")
    let size = Quantity.bytes(garbage.byteCount)
    invocation.report(
      [
        "event": "cleaned", "items": .integer(plan.items.count), "bytes": .integer(plan.byteCount),
        "files": .integer(garbage.objects), "fileBytes": .integer(garbage.byteCount),
        "kept": .integer(plan.treasured + plan.pinned), "pinned": .integer(plan.pinned),
      ],
      isDry
        ? "Would remove \(items) of \(Quantity.bytes(plan.byteCount)) and \(files) (\(size)) of "
          + "the object pool; nothing was removed.\(stay)\n"
        : "Removed \(items) and \(files) (\(size) freed in the object pool).\(stay)\n")
  }
}
