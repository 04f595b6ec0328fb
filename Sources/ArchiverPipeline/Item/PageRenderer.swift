package import ArchiverCore
import ArchiverSite
package import ArchiverStorage

/// Rebuilds the pages of bundles from what was delivered, without the network, so that improvements
/// of the program reach items that an earlier version archived.
package struct PageRenderer: Sendable {
  /// The revision of rendered pages. Increment it if a change of sanitiser, converters or layout
  /// should reach existing pages; pages that come out unchanged are not written.
  package static let revision = 19

  /// Returns the revision of pages in a language, as the catalog has it: 1000 times the place of the
  /// language in `Words.all` is added, so that a page in another language is not of this revision, and
  /// 1,000,000 times the number of what pages of a book lack.
  static func revision(in words: Words, lacking need: PageNeed? = nil) -> Int {
    let place = Words.all.firstIndex { $0.language == words.language } ?? 0
    return revision + 1_000 * place + 1_000_000 * (need?.rawValue ?? 0)
  }

  /// Returns the revisions of pages that need not be rebuilt: the current one, also with what is still
  /// not installed.
  static func settled(_ options: RunOptions) -> [Int] {
    let missing = PageNeed.allCases.filter { !$0.isMet(options) }.map(Optional.some)
    return ([nil] + missing).map { revision(in: options.words, lacking: $0) }
  }

  /// The number of pages published together.
  private static let batchSize = 32

  /// The results for the bundles processed.
  package struct Report: Sendable {
    package var written = 0
    /// Pages that came out unchanged.
    package var unchanged = 0
    /// Bundles made before the delivered content was stored.
    package var nothingKept = 0
    /// Bundles left unchanged for another reason.
    package var left: [SourceReport.ItemNote] = []
    /// Bundles of sources of an unknown kind.
    package var unknownKinds = 0
  }

  private let archive: Archive
  private let options: RunOptions
  private let clock: ArchiverClock
  private let library: LibraryBuilder
  private let fetcher: AssetFetcher
  private let sources: [String: RunSource]

  /// - Parameter sources: The sources whose items may be rebuilt.
  package init(
    archive: Archive, sources: [RunSource], options: RunOptions, clock: ArchiverClock = .system
  ) {
    self.init(
      archive: archive, sources: sources, options: options, clock: clock,
      library: LibraryBuilder(
        root: archive.path, catalog: archive.catalog, words: options.words,
        books: options.books))
  }

  init(
    archive: Archive, sources: [RunSource], options: RunOptions, clock: ArchiverClock,
    library: LibraryBuilder
  ) {
    self.archive = archive
    self.options = options
    self.clock = clock
    self.library = library
    self.sources = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
    // Makes no requests here.
    fetcher = AssetFetcher(
      catalog: archive.catalog, pool: archive.objects,
      limiter: DownloadLimiter(total: 1, perHost: 1, exemptHosts: []), clock: clock,
      events: SilentEventSink())
  }

  /// Rebuilds pages, those of another revision or language or of these items, until all are done, the time
  /// limit is reached or the task is cancelled. Then updates the library.
  package func run(_ only: [ItemKey]? = nil, limit: Duration? = nil) async throws -> Report {
    let report = try await pages(only, limit: limit)
    if report.written > 0 {
      try LinkMender(archive: archive).mend()
      _ = try library.update(isChanged: true)
    }
    return report
  }

  /// The same without updating links and library.
  func pages(_ only: [ItemKey]? = nil, limit: Duration? = nil) async throws(StorageError) -> Report
  {
    let start = ContinuousClock.now
    var report = Report()
    var rest = only?[...]
    var last: ItemKey?
    while !Task.isCancelled, limit.map({ ContinuousClock.now - start < $0 }) ?? true {
      let keys: [ItemKey]
      if let wanted = rest {
        keys = Array(wanted.prefix(PageRenderer.batchSize))
        rest = wanted.dropFirst(PageRenderer.batchSize)
      } else {
        keys = try archive.catalog.itemsWithPages(
          not: PageRenderer.settled(options), after: last, limit: PageRenderer.batchSize)
        last = keys.last
      }
      guard !keys.isEmpty else { break }
      try await render(keys, &report)
    }
    return report
  }

  private typealias Remade = (item: CatalogItem, result: Result<ItemProcessor.Remade, StorageError>)

  private func render(_ keys: [ItemKey], _ report: inout Report) async throws(StorageError) {
    let known = keys.filter { sources[$0.source] != nil }
    report.unknownKinds += keys.count - known.count
    var items: [CatalogItem] = []
    for key in known {
      if let item = try archive.catalog.item(key) { items.append(item) }
    }
    var staged: [StagedBundle] = []
    var settled: [PageNeed?: [ItemKey]] = [:]
    let remade = await remade(items)
    do throws(StorageError) {
      for (item, result) in remade {
        let remade = try result.get()
        switch remade.result {
        case .staged(let bundle): staged.append(bundle)
        case .same: report.unchanged += 1
        case .nothingKept: report.nothingKept += 1
        case .left(let reason):
          report.left.append(
            SourceReport.ItemNote(id: item.key.id, title: item.metadata.title, message: reason))
        }
        settled[remade.need, default: []].append(item.key)
      }
    } catch {
      for case .success(let remade) in remade.map(\.result) {
        if case .staged(let bundle) = remade.result { archive.bundles.discard(bundle) }
      }
      throw error
    }
    try archive.mend(staged)
    for (need, keys) in settled {
      try archive.catalog.notePages(
        keys, revision: PageRenderer.revision(in: options.words, lacking: need))
    }
    report.written += staged.count
  }

  /// Returns the results for items of known sources, in their order.
  private func remade(_ items: [CatalogItem]) async -> [Remade] {
    await withTaskGroup(of: (Int, Remade).self) { group in
      for (index, item) in items.enumerated() {
        guard let source = sources[item.key.source] else { continue }
        let processor = ItemProcessor(
          source: source, archive: archive, fetcher: fetcher, library: library,
          options: options.for(source), clock: clock)
        group.addTask { (index, (item, await processor.attempt(item))) }
      }
      var results: [(Int, Remade)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

extension ItemProcessor {
  /// Like `remade`, but an error of this bundle alone leaves it unchanged.
  fileprivate func attempt(_ item: CatalogItem) async -> Result<Remade, StorageError> {
    do throws(StorageError) {
      return .success(try await remade(item))
    } catch {
      return error.isOfOneBundle ? .success(Remade(.left(error.message))) : .failure(error)
    }
  }
}
