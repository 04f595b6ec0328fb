import ArchiverCore
package import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Updates the library of an archive: `index.html` and everything under `library/`.
///
/// The same catalog gives the same bytes, whatever was there before. Unchanged files are not
/// rewritten. A run that changed no item writes `library/status.js` only.
package struct LibraryBuilder: Sendable {
  /// The number of items above which the heap is trimmed between steps.
  private static let largeCount = 8_192

  private let root: String
  private let catalog: any Catalog
  private let words: Words
  private let text: SearchText
  private let remembered = LibraryPrefetch()

  /// Builds the library of the archive at `root`, with plain pages in the language of `words`.
  ///
  /// - Parameter books: Returns the texts of books for search. If it selects other books than in
  /// the last update, all texts are read again.
  package init(
    root: String, catalog: any Catalog, words: Words = .english, books: BookTexts = BookTexts()
  ) {
    self.init(
      root: root, catalog: catalog, words: words,
      text: SearchText(root: root, fresh: FreshTexts(), books: books))
  }

  init(root: String, catalog: any Catalog, words: Words = .english, text: SearchText) {
    self.root = root
    self.text = text
    self.catalog = catalog
    self.words = words
  }

  /// Keeps the text of a staged bundle, so that the next update need not read it back.
  package func keep(_ text: String, of item: CatalogItem) { self.text.fresh?.put(text, of: item) }

  /// Tokenises the kept texts for the search index, ahead of the update.
  package func prepare(_ keys: [ItemKey]) { text.fresh?.prepare(keys) }

  /// Prefetches the caches of the last update for the next one; until then nothing else may update
  /// the library. A no-op if called again.
  package func prepare() { remembered.read(root: root, words: words) }

  /// Updates the library; `isChanged` is false after a run that changed no item as far as it knows.
  ///
  /// Changed items are found by comparison, whatever the run knows: the run before may have been
  /// interrupted.
  ///
  /// An item that cannot be read, or at which the process crashed twice, is left out and named in
  /// `troubles`; everything else is in the library. Errors that do not concern a single item are
  /// thrown.
  package func update(isChanged: Bool) throws -> LibraryUpdate {
    try update(isChanged: isChanged, retries: false)
  }

  private func update(isChanged: Bool, retries: Bool) throws -> LibraryUpdate {
    let mark = LibraryMark(root: root)
    mark.begin()
    do {
      let update = try carryOut(isChanged: isChanged, retries: retries)
      mark.end()
      return update
    } catch {
      mark.fail(error)
      throw error
    }
  }

  private func carryOut(isChanged: Bool, retries: Bool) throws -> LibraryUpdate {
    var known = remembered.take()
    let files = try known?.files ?? SiteFiles(root: root)
    // A second reference to the log would make a change copy its entries.
    var log = known?.log
    known = nil
    let work = try LibraryWork(root: root, retries: retries)
    try files.put(StatusData.path, StatusData.script(catalog))
    if !isChanged, try isCurrent(files, work), try isStandingShown(files) {
      var update = try files.commit(removesOthers: false)
      update.troubles = work.troubles
      return update
    }
    do {
      return try build(files, log.take(), work)
    } catch {
      // The update succeeded, so no item in the work journal is to blame for a crash.
      work.abandon()
      throw error
    }
  }

  private func build(
    _ files: SiteFiles, _ known: consuming RowLog?, _ work: LibraryWork
  ) throws -> LibraryUpdate {
    try tidyUp()
    files.list()
    var log = try consume known ?? RowLog(root: root, words: words, spare: files.spare)
    let table = try table(&log, work)
    try tidyUp()
    // Handles one sort order at a time, as rows may be many.
    let totals = try writeData(try table.oldestFirst(), work, to: files)
    try tidyUp()
    let rows = try table.newestFirst()
    let standing = try QueueStanding(catalog, sources: LibraryBuilder.bookSources(rows))
    try files.put(QueueStanding.path, standing.bytes)
    let graphs = GraphStore(root: root, files: files, words: words)
    let graph = try graphs.graph(rows, links: catalog.linkedItems())
    let books = try books(rows)
    let sections = LibraryShell.Section.allCases.filter { section in
      section == .books ? !books.isEmpty : section == .graph ? graph != nil : true
    }
    try tidyUp()
    // The catalog is complete. Checkpoint its WAL in parallel with the flush of the pages, which
    // shortens closing.
    let tidying = BackgroundWork { catalog.emptyLog() }
    defer { tidying.wait() }
    try writePages(rows, totals, sections, standing, to: files)
    if let graph { try graphs.write(graph, sections: sections) }
    if !books.isEmpty {
      try files.put(
        ShelfPage.path, ShelfPage(words: words, sections: sections).page(books, standing))
    }
    try log.compact(files)
    var update = try files.commit(
      last: [SearchIndex.manifestPath, IndexPage.path, SearchIndex.statePath], removesOthers: true)
    // Remove a file of earlier versions; it usually does not exist.
    unlink("\(root)/.archiver/library/texts.tsv")
    try work.finish()
    update.troubles = work.troubles
    return update
  }

  /// Rebuilds the library from the catalog and the bundles, ignoring all caches.
  ///
  /// Gives the same bytes as `update`, and retries items that were left out. If it is interrupted,
  /// the next update completes it.
  package func rebuild() throws -> LibraryUpdate {
    _ = remembered.take()
    // A missing folder is not an error.
    for path in [SearchIndex.statePath, RowLog.path, PageKeys.path] {
      try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
    }
    if let catalog = catalog as? any SearchCatalog { try catalog.clearSearch() }
    return try update(isChanged: true, retries: true)
  }

  /// Whether this program built the library and it has as many items as the catalog. If not, an
  /// interrupted run left some out.
  private func isCurrent(_ files: SiteFiles, _ work: LibraryWork) throws -> Bool {
    guard !work.hasDied else { return false }
    let known = try TextState(files.reader(SearchIndex.statePath)).count
    let searchable = try (catalog as? any SearchCatalog)?.searchableCount()
    return try files.exists(IndexPage.path)
      && known + work.absentCount == catalog.itemCount(source: nil)
      && (searchable ?? known) == known
      && LibraryAssets.files.allSatisfy { files.holds("library/\($0.name)", $0.bytes) }
  }

  /// Whether the library shows the current state of the queue.
  private func isStandingShown(_ files: SiteFiles) throws -> Bool {
    let last = files.bytes(QueueStanding.path)
    return try QueueStanding(catalog, last: last).map { $0.bytes == last } ?? false
  }

  /// Returns freed memory between live allocations to the system after a step.
  private func tidyUp() throws(StorageError) {
    if try catalog.itemCount(source: nil) > LibraryBuilder.largeCount { Heap.trim() }
  }

  private static func bookSources(_ rows: RowList) -> [String] {
    rows.origins.names { ShelfBook.kinds.contains($0.kind) ? [$0.source] : [] }.keys.sorted()
  }

  /// Finds the row of every item in the log, or adds it.
  private func table(_ log: inout RowLog, _ work: LibraryWork) throws -> RowTable {
    let states = try catalog.statesOfArchived()
    log.reserve(try catalog.itemCount(source: nil))
    var new = NewRows(words: words, work: work)
    try catalog.forEachStoredItem { stored in
      let state = states.isEmpty ? nil : states[stored.key]
      if let known = log.number(stored.fingerprint) {
        log.use(
          known, state == nil ? .complete : ItemStatus(try stored.record.item(), state))
      } else {
        try new.add(stored, state, to: &log)
      }
      return true
    }
    try new.finish(&log)
    return try log.table()
  }

  /// Returns the books of the shelf; a book is outdated while the queue holds a newer one.
  private func books(_ rows: RowList) throws -> [ShelfBook] {
    let books = try rows.only { ShelfBook.kinds.contains(rows.origin($0).kind) }.loaded()
    var waiting: Set<ItemKey> = []
    for source in Set(books.map(\.key.source)) {
      for work in try catalog.work(
        source: source, WorkSelection(now: Date(timeIntervalSince1970: 0), force: true))
      where work.reason == .changed {
        waiting.insert(ItemKey(source: source, id: work.reference.id))
      }
    }
    return books.map { row in
      ShelfBook(
        row, readPath: ShelfBook.readPath(row, root: root), isOutdated: waiting.contains(row.key))
    }
  }

  /// Writes the data for scripts, in the order of the items' numbers, and returns the totals of all
  /// rows.
  private func writeData(
    _ rows: RowList, _ work: LibraryWork, to files: SiteFiles
  ) throws -> LibraryTotals {
    try files.put(
      stride(from: 0, to: rows.count, by: RecordData.size).lazy.enumerated().map { number, start in
        let members = rows[start..<Swift.min(rows.count, start + RecordData.size)]
        var key = PageKey(words, [])
        key.add(number)
        key.add(members)
        return SiteFiles.Page(path: RecordData.path(number), key: key.value) {
          RecordData.script(number, try members.loaded())
        }
      })
    let (totals, texts) = try readRows(rows, files)
    try tidyUp()
    let index = (catalog as? any SearchCatalog).map(CatalogIndex.init)
    let search = SearchIndex(files: files, text: text, catalog: index, work: work) { key in
      try catalog.item(key)?.annotations ?? []
    }
    try search.write(rows, texts)
    return totals
  }

  /// Reads every row once: writes the filter data for scripts and releases it, and returns the
  /// totals and the states of the texts.
  private func readRows(
    _ rows: RowList, _ files: SiteFiles
  ) throws -> (LibraryTotals, TextStateLookup) {
    var totals = LibraryTotals(rows)
    var facets = try FacetData(rows, files)
    var texts = try TextStateLookup(files, count: rows.count, text)
    try rows.forEachRow { entry, row in
      totals.add(entry, row)
      try facets.add(entry, row)
      try texts.add(row)
    }
    try facets.finish(files)
    return (totals, texts)
  }

  private func writePages(
    _ rows: RowList, _ totals: LibraryTotals, _ sections: [LibraryShell.Section],
    _ standing: QueueStanding, to files: SiteFiles
  ) throws {
    for (name, bytes) in LibraryAssets.files { try files.put("library/\(name)", bytes) }
    let dates = DatePages(words: words, sections: sections)
    let parts = dates.parts(rows)
    try files.put(
      parts.enumerated().lazy.map { index, part in
        let newer = index > 0 ? parts[index - 1] : nil
        let older = index + 1 < parts.count ? parts[index + 1] : nil
        return SiteFiles.Page(
          path: part.path, key: dates.key(part, newer: newer, older: older)
        ) {
          try dates.page(part, newer: newer, older: older)
        }
      })
    try files.put("library/dates.html", dates.overview(parts))
    try writeLists(rows, sections, to: files)
    try HighlightPages(words: words, sections: sections).write(
      rows.only(\.hasHighlights), item: catalog.item, to: files)
    try files.put(
      StatisticsPage.path, StatisticsPage(words: words, sections: sections).page(rows, totals))
    try files.put(
      ReaderPage.path, ReaderPage(words: words, sections: sections).page())
    try files.put(
      ProblemsPage.path,
      try ProblemsPage(words: words, sections: sections, standing: standing)
        .page(rows, item: catalog.item))
    try files.put(
      IndexPage.path,
      try IndexPage(words: words, sections: sections).page(rows, totals, months: parts))
  }

  private func writeLists(
    _ rows: RowList, _ sections: [LibraryShell.Section], to files: SiteFiles
  ) throws {
    try GroupPages(words: words, sections: sections, section: .labels, path: LabelName.path)
      .write(rows.grouped(rows.labellings, \.labels, \.names), to: files)
    try GroupPages(words: words, sections: sections, section: .sources, path: LabelName.sourcePath)
      .write(rows.grouped(rows.origins, \.origin) { [$0.source] }, to: files)
  }
}
