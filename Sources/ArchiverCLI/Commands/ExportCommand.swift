import ArchiverCore
import ArchiverExport
import ArchiverSite
import ArchiverStorage

/// `archiver export`.
enum ExportCommand {
  private static let singleFile = Option(
    "single-file", .file, valueName: "FILE", help: "Write a self-contained page")
  private static let epub = Option(
    "epub", .file, valueName: "FILE", help: "Write a book (EPUB 3)")
  static let markdown = Option(
    "markdown", .directory, valueName: "DIR",
    help: "Write or update a folder of Markdown files")
  static let highlights = Option(
    "highlights", .file, valueName: "FILE",
    help: "Write the highlights: Markdown, JSON or CSV, by the file extension .md, .json or .csv")
  static let bookmarks = Option(
    "bookmarks", .file, valueName: "FILE",
    help: "Write the URLs as a bookmark file that browsers import")
  static let jsonLines = Option(
    "json-lines", .file, valueName: "FILE",
    help: "Write the items' metadata and text, one JSON object per line")
  static let wacz = Option(
    "wacz", .file, valueName: "FILE", help: "Write a web archive (WACZ) for replay programs")
  /// Targets that export all items unless some are selected.
  private static let ofAll = [markdown, highlights, bookmarks, jsonLines, wacz]
  static let name = Option(
    "name", .text, valueName: "TEMPLATE", defaultText: "{title}",
    help: "Name pattern of new Markdown files; a slash makes a folder")
  static let prune = Option(
    "prune", withoutVariable: Option.Reason.once,
    help: "With --markdown, remove the unedited files of other items")
  static let chapters = Option(
    "chapters", withoutVariable: Option.Reason.once,
    help: "With --markdown, also write the chapters of books")
  static let dryRun = Option(
    "dry-run", environment: "ARCHIVER_DRY_RUN",
    help: "With --markdown, report what would be written; write nothing")
  static let title = Option(
    "title", .text, valueName: "TEXT", defaultText: "the item's title, or the selection",
    help: "The title of the book or web archive")

  static let command = Command(
    "export", summary: "write items as a page, a book, Markdown, a web archive or a list",
    discussion: [
      "ITEM is an id as 'archiver list' prints it, SOURCE/ID, the folder's name or its last part, "
        + "or a title or part of one that is unique. Without ITEM, --label, --since and --source "
        + "select the items, most recently saved first. Without a selection, Markdown and lists "
        + "contain all items.",
      "A page contains its images, sounds and files and makes no request; files above 32 MB are "
        + "left out and reported. A book contains text, images and highlights; it leaves out "
        + "sound, and images in formats that books may not contain.",
      "Markdown is for note-taking programs: one file per item, with its metadata in front, its "
        + "highlights at the end, and its images and files in the folder 'files'. archiver "
        + "updates the part between its two marks only; what you write before or after them "
        + "stays, and so does what you change between them, which is reported. Files of items "
        + "that are not selected stay unless --prune is given. With --chapters, the pages of each "
        + "book are files of their own in the folder of its images, under their numbers and titles.",
      "Highlights as CSV have the columns that Readwise imports; items without highlights are "
        + "skipped. Bookmarks are in Netscape's format, with labels as TAGS and the day of "
        + "saving; items without a web address are left out and reported.",
      "A web archive contains the items' pages under their web addresses and their images and files "
        + "under theirs; ReplayWeb.page and other programs for WACZ show it. Items without a web "
        + "address, files above 256 MB and the pages of books are left out and reported.",
      "A name pattern may contain "
        + VaultName.fields.map { "{\($0.name)} (\($0.help))" }
        .joined(separator: ", ") + ".",
    ],
    operands: [
      Command.Operand("ITEM", .text, isOptional: true, help: "The item to write")
    ],
    options: [
      singleFile, epub, markdown, highlights, bookmarks, jsonLines, wacz, ItemSelection.label,
      ItemSelection.since, title, name, prune, chapters,
      dryRun, .source, .overwrite, .archive, .config, .json,
    ],
    examples: [
      Command.Example(
        "archiver export 'paper maps' --single-file maps.html", "One page to send to a friend."),
      Command.Example(
        "archiver export --label 'to read' --since 30d --epub week.epub",
        "A book for an e-reader."),
      Command.Example(
        "archiver export --markdown ~/notes/archive --name '{source}/{date} {title}'",
        "Everything as notes; run it again to update them."),
      Command.Example(
        "archiver export --highlights highlights.csv --since 30d", "A month's highlights."),
      Command.Example(
        "archiver export --bookmarks bookmarks.html", "For a browser or another program."),
    ],
    exitCodes: [.success, .someFailed, .archive, .interrupted],
    confinement: .archive(outputs: [singleFile, epub] + ofAll), action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .named)
    let arguments = invocation.arguments
    let targets = ([singleFile, epub] + ofAll).filter { arguments.has($0) }
    guard targets.count == 1, let option = targets.first else {
      throw invocation.misuse(
        "use one of --single-file, --epub, --markdown, --highlights, --bookmarks, --json-lines and "
          + "--wacz")
    }
    let target = invocation.environment.expanded(arguments.text(option) ?? "")
    if option != markdown { try requireNew(target, invocation) }
    try requireFitting(option, invocation)
    try ExistingArchive.require(settings.archive, invocation)
    let archive = try Archive.open(path: settings.archive, mode: .readOnly)
    let items = try ItemSelection(invocation, allowsEverything: ofAll.contains(option)).items(
      archive.catalog)
    do {
      switch option {
      case epub: try writeBook(items, to: target, archive.path, invocation)
      case markdown: return try writeVault(items, to: target, archive, settings, invocation)
      case highlights: try writeHighlights(items, to: target, invocation)
      case bookmarks: try writeBookmarks(items, to: target, invocation)
      case wacz: return try writeWebArchive(items, to: target, archive.path, invocation)
      case jsonLines: return try writeRecords(items, to: target, archive.path, invocation)
      default: try writePage(items, to: target, archive.path, invocation)
      }
    } catch let error as ExportError {
      throw StorageError(.damaged, error.description, underlying: error)
    }
    return .success
  }

  static func requireNew(_ target: String, _ invocation: Invocation) throws {
    guard !AtomicFile.isStream(target) else { throw UsageError("\(target) is not a regular file") }
    guard invocation.arguments.has(.overwrite) || !FileManager.default.fileExists(atPath: target)
    else {
      throw UsageError("\(target) already exists; --overwrite replaces it")
    }
  }

  /// Rejects options that do not apply to the target.
  private static func requireFitting(_ target: Option, _ invocation: Invocation) throws {
    guard target != markdown else { return }
    for option in [name, prune, chapters, dryRun] where invocation.arguments.has(option) {
      guard invocation.arguments.origins[option.name] == .commandLine else { continue }
      throw invocation.misuse("\(option.flag) requires --markdown")
    }
  }

  private static func writePage(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws {
    guard invocation.arguments.operands.count == 1, let item = items.first else {
      throw invocation.misuse("--single-file takes one ITEM")
    }
    let environment = invocation.environment
    let page = try SingleFileExport.page(item, root: root)
    try write(page.bytes, to: target)
    for file in page.left {
      environment.complain(
        "left out: \(file.path) (\(Quantity.bytes(file.byteCount))) is too large for "
          + "a page")
    }
    if page.lacksBookPages {
      environment.complain("left out: the pages of the book; they are in \(item.folder)")
    }
    let title = DisplayText.title(item.metadata.title, id: item.key.id)
    invocation.report(
      [
        "event": "exported", "format": "html", "file": .string(target), "items": 1,
        "files": .integer(page.files), "bytes": .integer(page.bytes.count),
        "left": .array(page.left.map { .string($0.path) }),
      ],
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
      environment.complain(
        "'\(DisplayText.line(title))' has no text; its chapter contains its title only")
    }
    if outcome.leftPictures > 0 {
      environment.complain(
        "\(Quantity.count(outcome.leftPictures, "image")) in formats that EPUB does not "
          + "require, such as AVIF, are replaced by their text")
    }
    invocation.report(
      [
        "event": "exported", "format": "epub", "file": .string(target),
        "items": .integer(outcome.chapters), "files": .integer(outcome.pictures),
        "leftPictures": .integer(outcome.leftPictures),
      ],
      "Wrote \(Quantity.count(outcome.chapters, "item")) with "
        + "\(Quantity.count(outcome.pictures, "image")) to \(target).\n")
  }

  /// Returns a description of the selection, as a title.
  static func chosen(_ invocation: Invocation) -> String {
    let arguments = invocation.arguments
    var parts =
      arguments.texts(ItemSelection.label).isEmpty
      ? arguments.texts(.source) : arguments.texts(ItemSelection.label)
    if let since = arguments.text(ItemSelection.since) { parts.append("since \(since)") }
    return parts.joined(separator: ", ")
  }
}
