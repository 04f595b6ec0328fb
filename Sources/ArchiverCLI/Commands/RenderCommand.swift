import ArchiverCore
import ArchiverPDF
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver render`: rebuilds pages from what was delivered.
enum RenderCommand {
  private static let query = Option(
    "query", .text, valueName: "WORDS",
    help: "Only the items that 'archiver search' finds with these words and filters")

  static let command = Command(
    "render", summary: "rebuild pages from what was delivered",
    discussion: [
      "Every bundle keeps the HTML as its source delivered it. This makes the pages from it again, "
        + "without the network and without the source: what a newer version of archiver reads better "
        + "or shows better reaches what is archived, even where the source is gone. Without ITEM all "
        + "pages are made; a page that comes out as it is, is not touched.",
      "No version is made and nothing is fetched, so that a picture that only the newer version "
        + "finds is missing until the item is fetched again (archiver run --force ID). A bundle that was "
        + "edited by hand stays as it is, and so does one that was archived before this was kept.",
      "After an update of archiver every run does this for as many pages as it gets done in a minute.",
    ],
    operands: [
      .init(
        "ITEM", .text, isOptional: true, isRepeatable: true,
        help: "An id as 'archiver list' prints it, a bundle's folder, or words of one title only")
    ],
    options: [query, .source, .archive, .config, .json],
    examples: [
      Command.Example("archiver render", "All pages, after an update."),
      Command.Example("archiver render --query 'label:history'", "Those with a label."),
    ],
    exitCodes: [.success, .someFailed, .archive, .locked, .interrupted],
    confinement: .asking { _ in
      .change
    } _: { settings, _ in
      settings.configured
    }, action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .described)
    let archive = try ExistingArchive.open(settings.archive, holder: "render", invocation)
    var options = RunOptions(keepVersions: settings.keepVersions, limits: settings.limits)
    options.generator = "archiver \(invocation.services.version)"
    options.readPDF = { path in
      Result { () throws(PDFError) in try PDFInspection.facts(path: path) }
    }
    options.books = BookTexts(settings.limits, invocation.environment)
    let renderer = PageRenderer(
      archive: archive, sources: try sources(settings, archive, invocation), options: options,
      clock: invocation.environment.clock)
    let report = try await renderer.run(try keys(archive, invocation))
    tell(report, invocation)
    if Task.isCancelled { return .interrupted }
    return report.left.isEmpty ? .success : .someFailed
  }

  /// Returns the items to rebuild, in the catalog's order.
  private static func keys(_ archive: Archive, _ invocation: Invocation) throws -> [ItemKey] {
    let sources = Set(invocation.arguments.texts(.source))
    if !invocation.arguments.operands.isEmpty {
      guard !invocation.arguments.has(query) else {
        throw UsageError("give either items or --query", helpPath: invocation.path)
      }
      let finder = ItemFinder(catalog: archive.catalog, sources: sources)
      return try invocation.arguments.operands.map {
        try finder.item($0, helpPath: invocation.path).key
      }
    }
    var keys: [ItemKey] = []
    if let words = invocation.arguments.text(query) {
      let wanted = SearchQuery(words)
      SearchCommand.warn(wanted, invocation.environment)
      guard !wanted.isEmpty else {
        throw UsageError("there is no word in that to search for", helpPath: invocation.path)
      }
      let found = try LibrarySearch(root: archive.path, catalog: archive.catalog)
        .find(wanted, limit: .max)
      SearchCommand.warn(found, invocation.environment)
      keys = found.matches.map(\.item.key)
    } else {
      try archive.catalog.forEachItem(source: nil) { item in
        keys.append(item.key)
        return true
      }
    }
    return sources.isEmpty ? keys : keys.filter { sources.contains($0.source) }
  }

  /// Returns the archive's sources of known kinds. Stored content has no secrets, so none are
  /// needed.
  private static func sources(
    _ settings: RunSettings, _ archive: Archive, _ invocation: Invocation
  ) throws -> [RunSource] {
    let known = settings.configured.map(\.kind) + invocation.services.kinds
    let client = invocation.services.client(
      Services.ClientRequest(
        access: nil, policy: AddressPolicy(), jobs: 1, events: SilentEventSink(),
        clock: invocation.environment.clock))
    return try archive.catalog.sources().compactMap { status in
      // `PageRenderer` counts the items of those skipped.
      guard let kind = known.first(where: { $0.name == status.kind }) else { return nil }
      let error = AdapterError(.configuration, "\(status.source) is not asked for pages")
      return RunSource(
        name: status.source, kind: kind.name, properties: kind.properties,
        adapter: UnreachedSource(error: error), client: client, origin: nil)
    }
  }

  private static func tell(_ report: PageRenderer.Report, _ invocation: Invocation) {
    let output = invocation.environment.output
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "render", "written": .integer(report.written),
        "unchanged": .integer(report.unchanged), "nothingKept": .integer(report.nothingKept),
        "unknownKinds": .integer(report.unknownKinds), "left": .integer(report.left.count),
      ]
      output.write(line.text)
      return
    }
    for note in report.left {
      output.write(
        "\(DisplayText.title(note.title, id: note.id)) stays as it is: \(DisplayText.line(note.message))\n"
      )
    }
    var facts = ["\(Quantity.grouped(report.unchanged)) came out as they are"]
    if report.nothingKept > 0 {
      facts.append(
        "\(Quantity.grouped(report.nothingKept)) were archived before their HTML was kept")
    }
    if report.unknownKinds > 0 {
      facts.append(
        "\(Quantity.grouped(report.unknownKinds)) are of sources that are not known here")
    }
    output.write(
      "\(Quantity.count(report.written, "page")) rebuilt; \(facts.joined(separator: ", ")).\n")
  }
}
