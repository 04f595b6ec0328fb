import ArchiverCore
import ArchiverPDF
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

/// `archiver render`: rebuilds pages from the delivered content.
enum RenderCommand {
  private static let query = Option(
    "query", .text, valueName: "WORDS",
    help: "Only the items that 'archiver search' finds with these words and filters")

  static let command = Command(
    "render", summary: "rebuild pages from the stored HTML",
    discussion: [
      "Every bundle stores the HTML as its source delivered it. This rebuilds the pages from it, "
        + "without the network and the source, so that improvements of a newer version of "
        + "archiver reach what is archived. Without ITEM all pages are rebuilt; an unchanged "
        + "page is not rewritten.",
      "No version is made and nothing is fetched: an image that only the newer version finds is "
        + "missing until the item is fetched again (archiver run --force ID). A bundle that was "
        + "edited by hand is left unchanged, and so is one that was archived before the HTML "
        + "was stored.",
      "After an update of archiver, every run spends up to a minute on this.",
    ],
    operands: [.items],
    options: [query, .source, .archive, .config, .json],
    examples: [
      Command.Example("archiver render", "All pages, after an update."),
      Command.Example("archiver render --query 'label:history'", "Those with a label."),
    ],
    exitCodes: [.success, .someFailed, .archive, .locked, .interrupted],
    confinement: .configured, action: { try await perform($0) })

  private static func perform(_ invocation: Invocation) async throws -> ExitCode {
    let settings = try RunSettings(invocation, programs: .described)
    let archive = try ExistingArchive.open(settings.archive, holder: "render", invocation)
    var options = RunOptions(settings)
    options.equip(
      version: invocation.services.version,
      searchPath: invocation.environment.searchPath)
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
        throw invocation.misuse("use either ITEM or --query")
      }
      let finder = ItemFinder(catalog: archive.catalog, sources: sources)
      return try invocation.arguments.operands.map {
        try finder.key($0, helpPath: invocation.path)
      }
    }
    var keys: [ItemKey] = []
    if let words = invocation.arguments.text(query) {
      let wanted = SearchQuery(words)
      SearchCommand.warn(wanted, invocation.environment)
      guard !wanted.isEmpty else {
        throw invocation.misuse("the query contains no search terms")
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
      let error = AdapterError(.configuration, "\(status.source) is not queried for pages")
      return RunSource(
        name: status.source, kind: kind.name, properties: kind.properties,
        adapter: FailingSource(error: error), client: client, origin: nil)
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
        "\(DisplayText.title(note.title, id: note.id)) is left unchanged: "
          + "\(DisplayText.line(note.message))\n"
      )
    }
    var facts = ["\(Quantity.grouped(report.unchanged)) are unchanged"]
    if report.nothingKept > 0 {
      facts.append(
        "\(Quantity.grouped(report.nothingKept)) were archived before their HTML was stored")
    }
    if report.unknownKinds > 0 {
      facts.append(
        "\(Quantity.grouped(report.unknownKinds)) are of unknown sources")
    }
    output.write(
      "\(Quantity.count(report.written, "page")) rebuilt; \(facts.joined(separator: ", ")).\n")
  }
}
