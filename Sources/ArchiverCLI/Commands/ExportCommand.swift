import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver export`.
enum ExportCommand {
  private static let singleFile = Option(
    "single-file", .file, valueName: "FILE", help: "Write a page with everything inside it")
  private static let epub = Option(
    "epub", .file, valueName: "FILE", help: "Write a book (EPUB 3)")
  private static let label = Option(
    "label", .text, valueName: "NAME", isRepeatable: true,
    help: "Items that have this label, of several any")
  private static let since = Option(
    "since", .text, valueName: "DATE",
    help: "Items saved since 2024, 2024-05 or 2024-05-17, or within an age such as 30d or 2y")
  private static let title = Option(
    "title", .text, valueName: "TEXT", defaultText: "that of the item, or what was chosen",
    help: "The title of the book")

  static let command = Command(
    "export", summary: "write items as one page or as a book",
    discussion: [
      "ITEM is an id as 'archiver list' prints it, SOURCE/ID, the folder's name or its last part, "
        + "or a title or part of one that only one item has. Without ITEM, --label, --since and "
        + "--source choose the items for a book; those saved last come first.",
      "A page holds its pictures, sounds and files itself and makes no request; files above 32 MB "
        + "are left out, which is said. A book holds text, pictures and highlights; it leaves out "
        + "sound, and pictures of kinds that books may not have.",
    ],
    operands: [
      Command.Operand("ITEM", .text, isOptional: true, help: "The item to write")
    ],
    options: [
      singleFile, epub, label, since, title, .source, .overwrite, .archive, .config, .json,
    ],
    examples: [
      Command.Example(
        "archiver export 'paper maps' --single-file maps.html", "One page to send to somebody."),
      Command.Example(
        "archiver export --label 'to read' --since 30d --epub week.epub",
        "A book for the reading device."),
    ],
    exitCodes: [.success, .archive, .interrupted],
    confinement: .archive(outputs: [singleFile, epub]), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    guard arguments.has(singleFile) != arguments.has(epub) else {
      throw UsageError("give either --single-file or --epub", helpPath: invocation.path)
    }
    let target = invocation.environment.expanded(
      arguments.text(singleFile) ?? arguments.text(epub) ?? "")
    guard !AtomicFile.isStream(target) else { throw UsageError("\(target) is no plain file") }
    guard arguments.has(.overwrite) || !FileManager.default.fileExists(atPath: target) else {
      throw UsageError("\(target) is there already; --overwrite replaces it")
    }
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    let items = try ItemSelection(invocation, label: label, since: since).items(archive.catalog)
    do {
      if arguments.has(epub) {
        try writeBook(items, to: target, archive.path, invocation)
      } else {
        try writePage(items, to: target, archive.path, invocation)
      }
    } catch let error as ExportError {
      throw StorageError(.damaged, error.description, underlying: error)
    }
    return .success
  }

  private static func writePage(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws {
    guard invocation.arguments.operands.count == 1, let item = items.first else {
      throw UsageError("--single-file takes one ITEM", helpPath: invocation.path)
    }
    let environment = invocation.environment
    let page = try SingleFileExport(root: root).page(item)
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(page.bytes, to: target, mode: 0o644, isNamedByUser: true)
    } catch {
      throw StorageError(.notWritable, "cannot be written: \(error.description)")
    }
    for file in page.left {
      environment.error.write(
        "archiver: left out: \(file.path) (\(Quantity.bytes(file.byteCount))) is too large for "
          + "a page\n")
    }
    if page.lacksBookPages {
      environment.error.write(
        "archiver: left out: the pages of the book; they stay in \(item.folder)\n")
    }
    let title = DisplayText.title(item.metadata.title, id: item.key.id)
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "exported", "format": "html", "file": .string(target), "items": 1,
        "files": .integer(page.files), "bytes": .integer(page.bytes.count),
        "left": .array(page.left.map { .string($0.path) }),
      ]
      return environment.output.write(line.text)
    }
    environment.output.write(
      "Wrote '\(title)' with \(Quantity.count(page.files, "file")) inside it to \(target) "
        + "(\(Quantity.bytes(page.bytes.count))).\n")
  }

  private static func writeBook(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws {
    let environment = invocation.environment
    let isOne = !invocation.arguments.operands.isEmpty
    let given = invocation.arguments.text(title)
    let outcome = try BookExport(root: root).write(
      items, title: given ?? (isOne ? nil : chosen(invocation)), to: target)
    for title in outcome.withoutText {
      environment.error.write(
        "archiver: '\(DisplayText.line(title))' has no text of its own; its chapter names it only\n"
      )
    }
    if outcome.leftPictures > 0 {
      environment.error.write(
        "archiver: \(Quantity.count(outcome.leftPictures, "picture")) in formats that no reader of EPUB has to "
          + "show, such as AVIF, are left out; their words are in their place\n")
    }
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "exported", "format": "epub", "file": .string(target),
        "items": .integer(outcome.chapters), "files": .integer(outcome.pictures),
        "leftPictures": .integer(outcome.leftPictures),
      ]
      return environment.output.write(line.text)
    }
    environment.output.write(
      "Wrote \(Quantity.count(outcome.chapters, "item")) with "
        + "\(Quantity.count(outcome.pictures, "picture")) to \(target).\n")
  }

  /// What was chosen, in words, as a title.
  private static func chosen(_ invocation: Invocation) -> String {
    let arguments = invocation.arguments
    var parts = arguments.texts(label).isEmpty ? arguments.texts(.source) : arguments.texts(label)
    if let since = arguments.text(since) { parts.append("since \(since)") }
    return parts.joined(separator: ", ")
  }
}

/// Which items an export is about.
private struct ItemSelection {
  private let invocation: Invocation
  private let labels: Set<String>
  private let since: Date?
  private let sources: Set<String>

  init(_ invocation: Invocation, label: Option, since: Option) throws(UsageError) {
    self.invocation = invocation
    let arguments = invocation.arguments
    labels = Set(arguments.texts(label).map(SearchQuery.folded))
    sources = Set(arguments.texts(.source))
    self.since = try arguments.text(since).map { (text) throws(UsageError) in
      if let age = Quantity.age(text) {
        return invocation.environment.clock.now().addingTimeInterval(-(age / .seconds(1)))
      }
      if let day = SearchQuery.day(text) { return day }
      throw UsageError(
        "--since takes a date such as 2024-05-17 or an age such as 30d, not "
          + "'\(DisplayText.line(text))'", helpPath: invocation.path)
    }
    let isChosen =
      !labels.isEmpty || self.since != nil || arguments.origins["source"] == .commandLine
    guard !arguments.operands.isEmpty || isChosen else {
      throw UsageError(
        "say which items: ITEM, --label, --since or --source", helpPath: invocation.path)
    }
    guard arguments.operands.isEmpty || labels.isEmpty && self.since == nil else {
      throw UsageError("give either ITEM or --label and --since", helpPath: invocation.path)
    }
  }

  func items(_ catalog: any CatalogReading) throws -> [CatalogItem] {
    if let text = invocation.arguments.operands.first {
      return [
        try ItemFinder(catalog: catalog, sources: sources).item(text, helpPath: invocation.path)
      ]
    }
    var items: [CatalogItem] = []
    try catalog.forEachItem(source: nil) { item in
      if isWanted(item) { items.append(item) }
      return true
    }
    guard !items.isEmpty else {
      throw UsageError("no item is like that", helpPath: invocation.path)
    }
    return items.sorted { one, other in
      let (first, second) = (ItemSelection.saved(one), ItemSelection.saved(other))
      return first != second ? first > second : one.folder < other.folder
    }
  }

  private static func saved(_ item: CatalogItem) -> Date {
    item.metadata.added ?? item.firstArchived
  }

  private func isWanted(_ item: CatalogItem) -> Bool {
    guard sources.isEmpty || sources.contains(item.key.source) else { return false }
    if let since, ItemSelection.saved(item) < since { return false }
    return labels.isEmpty
      || item.metadata.labels.contains { labels.contains(SearchQuery.folded($0)) }
  }
}
