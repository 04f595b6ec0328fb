import ArchiverCore
import ArchiverStorage

/// `archiver list`.
enum ListCommand {
  static let command = Command(
    "list", summary: "list what is archived",
    discussion: [
      "Prints the archived items, last archived first. With --failed those that could not be "
        + "archived, why, and when they are tried again."
    ],
    options: [.source, .limit, .failed, .archive, .config, .json],
    examples: [
      Command.Example("archiver list --limit 10", "The last ten."),
      Command.Example("archiver list --failed", "What went wrong and when it is tried again."),
      Command.Example("archiver list --json | jq -r .url", "The addresses of all originals."),
    ],
    exitCodes: [.success, .archive], action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation)
    let printer = ItemPrinter(invocation)
    // A source may be archived and no longer configured, so any plain name will do.
    let sources = invocation.arguments.texts(.source)
    guard let catalog = try invocation.services.catalog(settings.archive) else {
      printer.explainEmpty(settings)
      return .success
    }
    for source in sources.isEmpty ? [nil] : sources.map(Optional.some) {
      if invocation.arguments.has(.failed) {
        for failure in try catalog.failures(source: source) where !printer.isFull {
          printer.print(failure.key, failure.work)
        }
      } else {
        try catalog.forEachItem(source: source) { item in
          printer.print(item)
          return !printer.isFull
        }
      }
    }
    printer.finish(settings)
    return .success
  }
}

/// Prints items as they come; for people in blocks of aligned rows, so that a long list neither
/// waits nor fills memory.
private final class ItemPrinter {
  private let output: any TextOutput
  private let styles: Styles
  private let isJSON: Bool
  private let listsFailures: Bool
  private let limit: Int
  private let now: Date
  private var count = 0
  private var table: TextTable

  /// Rows that share their column widths.
  private static let block = 500

  init(_ invocation: Invocation) {
    output = invocation.environment.output
    styles = invocation.environment.outputStyles
    isJSON = invocation.arguments.has(.json)
    listsFailures = invocation.arguments.has(.failed)
    limit = invocation.arguments.integer(.limit) ?? .max
    now = invocation.environment.clock.now()
    table = TextTable(
      listsFailures
        ? [
          .init("source"), .init("id"), .init("attempts", isNumber: true), .init("next attempt"),
          .init("title and reason", isFlexible: true),
        ]
        : [
          .init("archived"), .init("source"), .init("id"), .init("pictures", isNumber: true),
          .init("size", isNumber: true), .init("title", isFlexible: true),
        ])
  }

  var isFull: Bool { count >= limit || output.isClosed }

  func print(_ item: CatalogItem) {
    if isFull { return }
    count += 1
    if isJSON { return output.write(item.line.text) }
    let isGone = item.state == .deleted
    let title = DisplayText.title(item.metadata.title, id: item.key.id)
    add([
      TextTable.Cell(Quantity.day(item.lastArchived)), TextTable.Cell(item.key.source),
      TextTable.Cell(DisplayText.line(item.key.id, limit: 40)),
      TextTable.Cell(String(item.imageCount)), TextTable.Cell(Quantity.bytes(item.byteCount)),
      TextTable.Cell(
        isGone ? "\(title) (gone from the source)" : title, style: isGone ? .dim : nil),
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
    if work.gaveUp { return "given up" }
    guard let date = work.nextAttempt, date > now else { return "next run" }
    return "in " + Quantity.time(.seconds(date.timeIntervalSince(now)))
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

  /// What to do when there is nothing to list; goes to people only.
  func explainEmpty(_ settings: RunSettings) {
    if isJSON { return }
    output.write(listsFailures ? "Nothing failed.\n" : EmptyArchive.text(settings))
  }
}

/// What to say of an archive that has nothing in it.
enum EmptyArchive {
  static func text(_ settings: RunSettings) -> String {
    let folder = settings.environment.abbreviated(settings.archive)
    let source = settings.configured.first?.name ?? settings.resolution.sources.first?.name
    let words = source.map { " --source \($0)" } ?? ""
    return "Nothing archived yet in \(folder). Try: archiver run\(words) --max 20\n"
  }
}

extension CatalogItem {
  /// The item for `list --json`.
  fileprivate var line: JSONLine {
    [
      "source": .string(key.source), "id": .string(key.id), "title": .string(metadata.title),
      "kind": .string(metadata.kind.rawValue), "url": .text(metadata.url),
      "folder": .string(folder), "state": .string(state.rawValue),
      "labels": .array(metadata.labels.map { .string($0) }), "added": .time(metadata.added),
      "firstArchived": .time(firstArchived), "lastArchived": .time(lastArchived),
      "images": .integer(imageCount), "imagesMissing": .integer(missingImages),
      "bytes": .integer(byteCount), "versions": .integer(versions.count),
    ]
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
