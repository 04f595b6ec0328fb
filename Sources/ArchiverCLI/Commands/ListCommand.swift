import ArchiverCore
import ArchiverStorage

/// `archiver list`.
enum ListCommand {
  private static let everything = Option(
    "all", withoutVariable: Option.Reason.once,
    help: "With --failed, also items that lack an image or another non-essential part for now")

  static let held = Option(
    "held", withoutVariable: Option.Reason.once,
    help: "Print the items of which the source's newer copy was held back as worse")

  fileprivate static let deleted = Option(
    "deleted", withoutVariable: Option.Reason.once,
    help: "Print the archived items that were deleted at their source")

  static let command = Command(
    "list", summary: "list what is archived",
    discussion: [
      "Prints the archived items, most recently archived first. With --failed, prints the items "
        + "that could not be archived, why, and when they are retried. With --status, prints the "
        + "items with that status, archived or not: complete; outdated, if the source has a "
        + "newer copy; queued, downloading or failed; or not cached, if it was evicted or "
        + "does not fit into the storage budget."
    ],
    options: [
      .source, .limit, .status, .failed, everything, held, deleted, .archive, .config, .json,
    ],
    examples: [
      Command.Example("archiver list --limit 10", "The last ten."),
      Command.Example("archiver list --failed", "What failed and when it is retried."),
      Command.Example("archiver list --status queued", "What later runs will archive."),
      Command.Example("archiver list --held", "What 'archiver accept' may be given."),
      Command.Example(
        "archiver list --deleted", "What 'archiver accept --deletions' may remove."),
      Command.Example("archiver list --json | jq -r .url", "The addresses of all originals."),
    ],
    exitCodes: [.success, .archive], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let wanted = invocation.arguments.text(.status)
    if wanted != nil, invocation.arguments.has(.failed) {
      throw invocation.misuse(
        "--failed and --status exclude each other; --status failed lists the failed items")
    }
    for option in [held, deleted] where invocation.arguments.has(option) {
      guard wanted == nil, !invocation.arguments.has(.failed) else {
        throw invocation.misuse("--\(option.name) excludes --failed and --status")
      }
    }
    if invocation.arguments.has(everything), !invocation.arguments.has(.failed) {
      throw invocation.misuse("--all requires --failed; without it, every item is listed")
    }
    // A source may be archived but no longer configured, so any valid name is accepted.
    let sources = invocation.arguments.texts(.source)
    guard let catalog = try invocation.services.catalog(settings.archive) else {
      ItemPrinter(invocation, pins: []).explainEmpty(settings)
      return .success
    }
    let printer = ItemPrinter(invocation, pins: try catalog.pins(source: nil))
    for source in sources.isEmpty ? [nil] : sources.map(Optional.some) {
      if invocation.arguments.has(.failed) {
        for failure in try catalog.failures(source: source) where !printer.isFull {
          printer.print(failure.key, failure.work)
        }
        guard invocation.arguments.has(everything) else { continue }
        for (key, work) in try catalog.incomplete(source: source) where !printer.isFull {
          var work = work
          work.failure = try catalog.item(key)?.losses?.wholeSentence
          printer.print(key, work)
        }
      } else {
        try list(catalog, source: source, wanted, invocation.arguments, printer)
      }
    }
    printer.finish(settings)
    return .success
  }

  private static func list(
    _ catalog: any CatalogReading, source: String?, _ wanted: String?,
    _ arguments: ParsedArguments, _ printer: ItemPrinter
  ) throws {
    if wanted != nil {
      // Items in progress come before those archived.
      try catalog.forEachAbsent(source: source) { item in
        if wanted == Option.everyStatus || wanted == item.status.word { printer.print(item) }
        return !printer.isFull
      }
    }
    guard !printer.isFull else { return }
    try catalog.forEachItem(source: source) { item in
      if arguments.has(held), item.heldBack == nil { return !printer.isFull }
      if arguments.has(deleted), item.state != .deleted { return !printer.isFull }
      let status = ItemStatus(item, try catalog.queueState(item.key))
      if wanted == nil || wanted == Option.everyStatus || wanted == status.word {
        printer.print(item, status)
      }
      return !printer.isFull
    }
  }
}

extension Option {
  fileprivate static let everyStatus = "all"
  static let status = Option(
    "status", .choice(ItemStatus.allCases.map(\.word) + [everyStatus]), valueName: "STATUS",
    help: "Print the items with this status, archived or not; 'all' prints every item")
}

/// Prints items while they are read, so that a long list neither delays the output nor fills
/// memory. For people, the rows are aligned in blocks.
private final class ItemPrinter {
  private let arguments: ParsedArguments
  private let output: any TextOutput
  private let styles: Styles
  private let now: Date
  private let pins: Set<ItemKey>
  private let wording: Wording
  private var count = 0
  private var table: TextTable

  private var isJSON: Bool { arguments.has(.json) }

  /// The number of rows that share their column widths.
  private static let block = 500

  init(_ invocation: Invocation, pins: Set<ItemKey>) {
    self.pins = pins
    arguments = invocation.arguments
    output = invocation.environment.output
    styles = invocation.environment.outputStyles
    now = invocation.environment.clock.now()
    let wording = invocation.environment.wording
    self.wording = wording
    table = TextTable(
      invocation.arguments.has(.failed)
        ? [
          .init(wording.text(.source)), .init(wording.text(.id)),
          .init(wording.text(.attempts), isNumber: true), .init(wording.text(.nextAttempt)),
          .init(wording.text(.titleAndReason), isFlexible: true),
        ]
        : [
          .init(wording.text(.archivedOn)), .init(wording.text(.source)),
          .init(wording.text(.status)), .init(wording.text(.id)),
          .init(wording.text(.picturesHeading), isNumber: true),
          .init(wording.text(.size), isNumber: true),
          .init(wording.text(.title), isFlexible: true),
        ])
  }

  var isFull: Bool { count >= arguments.integer(.limit) ?? .max || output.isClosed }

  func print(_ item: CatalogItem, _ status: ItemStatus) {
    if isFull { return }
    count += 1
    let isPinned = pins.contains(item.key)
    if isJSON { return output.write(item.line(status, isPinned: isPinned).text) }
    var title = DisplayText.title(item.metadata.title, id: item.key.id)
    if isPinned { title = wording.text(.pinned, title) }
    if arguments.has(ListCommand.held), let copy = item.heldBack {
      title += " (\(item.folder)/versions/\(copy)/index.html)"
    }
    switch item.state {
    case .archived: break
    case .deleted: title = wording.text(.gone, title)
    case .withheld: title = wording.text(.withheld, title)
    }
    add([
      TextTable.Cell(UTCTime.day(item.lastArchived)), TextTable.Cell(item.key.source),
      TextTable.Cell(status.rawValue, style: status.style),
      TextTable.Cell(DisplayText.line(item.key.id, limit: 40)),
      TextTable.Cell(String(item.imageCount)), TextTable.Cell(Quantity.bytes(item.byteCount)),
      TextTable.Cell(
        title, style: item.state == .archived ? nil : .dim),
    ])
  }

  func print(_ item: AbsentItem) {
    if isFull { return }
    count += 1
    let isPinned = pins.contains(item.key)
    if isJSON { return output.write(item.line(isPinned: isPinned).text) }
    var title = DisplayText.title(item.title, id: item.key.id)
    if isPinned { title = wording.text(.pinned, title) }
    if let message = item.state.message { title += ": \(DisplayText.line(message))" }
    add([
      TextTable.Cell(""), TextTable.Cell(item.key.source),
      TextTable.Cell(item.status.rawValue, style: item.status.style),
      TextTable.Cell(DisplayText.line(item.key.id, limit: 40)), TextTable.Cell(""),
      TextTable.Cell(""), TextTable.Cell(title),
    ])
  }

  func print(_ key: ItemKey, _ work: WorkItem) {
    if isFull { return }
    count += 1
    if isJSON { return output.write(work.line(key).text) }
    let title = DisplayText.title(work.reference.title, id: key.id)
    add([
      TextTable.Cell(key.source), TextTable.Cell(DisplayText.line(key.id, limit: 40)),
      TextTable.Cell(String(work.attempts)), TextTable.Cell(next(work)),
      TextTable.Cell("\(title): \(DisplayText.line(work.failure ?? ""))"),
    ])
  }

  private func next(_ work: WorkItem) -> String {
    if work.gaveUp { return wording.text(.gaveUp) }
    guard let date = work.nextAttempt, date > now else { return wording.text(.inNextRun) }
    return wording.text(.ahead, wording.time(.seconds(date.timeIntervalSince(now))))
  }

  private func add(_ row: [TextTable.Cell]) {
    table.rows.append(row)
    if table.rows.count >= ItemPrinter.block { flush() }
  }

  private func flush() {
    output.write(table.text(width: output.columns, styles: styles))
    table.rows = []
  }

  func finish(_ settings: RunSettings) {
    if isJSON { return }
    if !table.rows.isEmpty { flush() }
    if count == 0 { explainEmpty(settings) }
  }

  /// Prints advice if there is nothing to list; for people only.
  func explainEmpty(_ settings: RunSettings) {
    if isJSON { return }
    if arguments.has(ListCommand.deleted) {
      output.write(wording.text(.nothingDeleted) + "\n")
    } else if arguments.has(ListCommand.held) {
      output.write(wording.text(.nothingHeld) + "\n")
    } else if let status = arguments.text(.status) {
      output.write(
        (status == Option.everyStatus
          ? wording.text(.nothingKnown) : wording.text(.nothingIs, status)) + "\n")
    } else {
      output.write(
        arguments.has(.failed) ? wording.text(.nothingFailed) + "\n" : EmptyArchive.text(settings))
    }
  }
}

/// The advice for an empty archive.
enum EmptyArchive {
  static func text(_ settings: RunSettings) -> String {
    let folder = settings.environment.abbreviated(settings.archive)
    let source = settings.configured.first?.name ?? settings.resolution.sources.first?.name
    let words = source.map { " --source \($0)" } ?? ""
    return settings.environment.wording.text(
      .emptyArchive, folder, "archiver run\(words) --max 20") + "\n"
  }
}

extension CatalogItem {
  /// The item for `list --json`.
  fileprivate func line(_ status: ItemStatus, isPinned: Bool) -> JSONLine {
    [
      "source": .string(key.source), "id": .string(key.id), "title": .string(metadata.title),
      "kind": .string(metadata.kind.rawValue), "url": .text(metadata.url),
      "folder": .string(folder), "state": .string(state.rawValue),
      "status": .string(status.rawValue), "pinned": .bool(isPinned),
      "labels": .array(metadata.labels.map { .string($0) }), "added": .time(metadata.added),
      "firstArchived": .time(firstArchived), "lastArchived": .time(lastArchived),
      "images": .integer(imageCount), "imagesMissing": .integer(missingImages),
      "bytes": .integer(byteCount), "versions": .integer(versions.count),
      "heldBack": .text(heldBack.map { "versions/\($0)" }),
    ]
  }
}

extension AbsentItem {
  /// The item for `list --status --json`.
  fileprivate func line(isPinned: Bool) -> JSONLine {
    [
      "source": .string(key.source), "id": .string(key.id), "title": .string(title),
      "status": .string(status.rawValue), "pinned": .bool(isPinned), "added": .time(date),
      "reason": .text(state.message),
    ]
  }
}

extension ItemStatus {
  /// The word on the command line.
  fileprivate var word: String { self == .notCached ? "not-cached" : rawValue }

  fileprivate var style: Style? {
    switch self {
    case .complete: nil
    case .notCached, .queued: .dim
    case .outdated, .downloading, .incomplete: .yellow
    case .failed: .red
    }
  }
}

extension WorkItem {
  /// The entry for `list --failed --json`.
  fileprivate func line(_ key: ItemKey) -> JSONLine {
    [
      "source": .string(key.source), "id": .string(key.id), "title": .string(reference.title),
      "attempts": .integer(attempts), "nextAttempt": .time(nextAttempt), "gaveUp": .bool(gaveUp),
      "failure": .text(failure),
    ]
  }
}
