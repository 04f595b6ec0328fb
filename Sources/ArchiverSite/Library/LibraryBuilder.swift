import ArchiverCore
package import ArchiverStorage
import Dispatch

/// Updates the library of an archive: `index.html` and everything under `library/`.
///
/// The same catalog gives the same bytes, whatever the library contained before. The files of the search index are an
/// exception: they may also have former texts of a few items (`SegmentList.Revision`) until a rebuild. Unchanged
/// files are not rewritten. A run that changed no item writes `library/status.js` only.
package struct LibraryBuilder: Sendable {
  /// The number of items above which the heap is trimmed between steps.
  private static let largeCount = 16_384

  private let root: String
  private let catalog: any LibraryCatalog
  private let words: Words
  private let text: SearchText
  private let sizes: SearchIndex.Sizes
  private let data: DataSizes
  private let remembered = LibraryPrefetch()

  /// Builds the library of the archive at `root`, with plain pages in the language of `words`.
  ///
  /// - Parameter books: Returns the texts of books for search. If it selects other books than in
  /// the last update, all texts are read again.
  package init(
    root: String, catalog: any LibraryCatalog, words: Words = .english,
    books: BookTexts = BookTexts()
  ) {
    self.init(
      root: root, catalog: catalog, words: words,
      text: SearchText(root: root, fresh: FreshTexts(), books: books))
  }

  init(
    root: String, catalog: any LibraryCatalog, words: Words = .english, text: SearchText,
    sizes: SearchIndex.Sizes = SearchIndex.Sizes(), data: DataSizes = DataSizes()
  ) {
    self.root = root
    self.sizes = sizes
    self.data = data
    self.text = text
    self.catalog = catalog
    self.words = words
  }

  /// Keeps the text of a staged bundle, so that the next update need not read it back.
  package func keep(_ text: String, of item: CatalogItem) { self.text.fresh?.put(text, of: item) }

  /// Tokenises the kept texts for the search index, ahead of the update.
  package func prepare(_ keys: [ItemKey]) { text.fresh?.prepare(keys) }

  /// Starts to prefetch the caches of the last update for the next one; until then nothing else may update
  /// the library. A no-op if called again.
  package func prepare() { remembered.read(root: root, words: words) }

  /// Updates the library. `isChanged` is false after a run that, as far as it knows, changed no item.
  ///
  /// Changed items are found by comparison even if the run reports none: the run before may have been interrupted.
  ///
  /// An item that cannot be read, or at which the process crashed twice, is left out and reported
  /// in `troubles`; all others are in the library. Errors that do not concern a single item are
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
    let known = remembered.take()
    let files = try known?.files ?? SiteFiles(root: root)
    let work = try LibraryWork(root: root, retries: retries)
    if !isChanged, let stamp = LibraryStamp(root: root, language: words.language),
      try isCurrent(stamp, files, work)
    {
      try files.put(StatusData.path, StatusData.script(catalog))
      var update = try files.commit(removesOthers: false)
      update.troubles = work.troubles
      return update
    }
    let cached =
      try known
      ?? LibraryPrefetch.Content(files, LibraryStore(root: root, words: words, spare: files.spare))
    do {
      return try build(cached, work)
    } catch {
      // The update succeeded, so no item in the work journal is to blame for a crash.
      work.abandon()
      throw error
    }
  }

  private func build(
    _ cached: LibraryPrefetch.Content, _ work: LibraryWork
  ) throws -> LibraryUpdate {
    let (files, store) = (cached.files, cached.store)
    let catalog = catalog
    let isLarge = try catalog.itemCount(source: nil) > LibraryBuilder.largeCount
    tidyUp(isLarge)
    files.keys = cached.keys
    var update = cached.rows
    let states = try catalog.statesOfArchived()
    let status = Deferred { try StatusData.script(catalog) }
    try bringUpToDate(&update, states, work)
    try files.put(StatusData.path, status.value())
    let shared = try SharedAttributes(store)
    tidyUp(isLarge)
    // Create one sort order at a time, as there may be many rows.
    let totals = try writeData(
      RowTable(store, .oldestFirst, shared, statuses: update.statuses).rows, work, to: files,
      // After damage, files of the index may not match their names.
      index: store.stamp == nil ? SegmentList() : SegmentList(files.bytes))
    tidyUp(isLarge)
    let links = Deferred { try catalog.linkedItems() }
    let rows = try RowTable(store, .newestFirst, shared, statuses: update.statuses).rows
    let graphs = GraphStore(root: root, files: files, words: words)
    let graph = try graphs.graph(rows, links: links.value())
    let standing = try QueueStanding(catalog, sources: totals.bookSources)
    let books = try books(rows)
    let sections = LibraryShell.Section.allCases.filter { section in
      section == .books ? !books.isEmpty : section == .graph ? graph != nil : true
    }
    tidyUp(isLarge)
    // The catalog is complete. Checkpoint its WAL in parallel with the flush of the pages, which
    // shortens closing.
    let tidying = DispatchGroup()
    DispatchQueue(label: "archiver.log").async(group: tidying) { catalog.emptyLog() }
    defer { tidying.wait() }
    try writePages(rows, totals, sections, standing, to: files)
    if let graph { try graphs.write(graph, store, sections: sections) }
    if !books.isEmpty {
      try files.put(
        ShelfPage.path, ShelfPage(words: words, sections: sections).page(books, standing))
    }
    var result = try files.commit(
      last: [SearchIndex.manifestPath, IndexPage.path], removesOthers: true)
    store.finish { stamp in
      stamp.itemCount = rows.count
      stamp.standing = standing.mark
    }
    try work.finish()
    result.troubles = work.troubles
    return result
  }

  /// Rebuilds the library from the catalog and the bundles, ignoring all caches.
  ///
  /// Gives the same bytes for the same catalog, and retries items that were left out. If it is interrupted, the next
  /// update completes it.
  package func rebuild() throws -> LibraryUpdate {
    _ = remembered.take()
    LibraryStamp.remove(root: root)
    return try update(isChanged: true, retries: true)
  }

  /// Whether the library has as many items as the catalog and shows the state of the queue. If not, an
  /// interrupted run left some out.
  private func isCurrent(
    _ stamp: LibraryStamp, _ files: SiteFiles, _ work: LibraryWork
  ) throws -> Bool {
    guard !work.hasDied else { return false }
    return try files.exists(IndexPage.path) && files.exists(LibraryStore.path)
      && stamp.itemCount + work.absentCount == catalog.itemCount(source: nil)
      && LibraryAssets.files.allSatisfy { files.holds("library/\($0.name)", $0.bytes) }
      && QueueStanding(catalog, sources: stamp.standing.dropLast()).mark == stamp.standing
  }

  /// Returns freed pages to the system after a step.
  private func tidyUp(_ isLarge: Bool) { if isLarge { Heap.trim() } }

  /// Finds the row of every item in the store, or adds it, and removes all others.
  private func bringUpToDate(
    _ rows: inout RowUpdate, _ states: [ItemKey: QueueState], _ work: LibraryWork
  ) throws {
    var new = NewRows(words: words, work: work)
    var queued: [UInt64: QueueState] = [:]
    try catalog.forEachStoredItem { fingerprint, key in
      guard rows.find(fingerprint) else { return true }
      guard !states.isEmpty, let state = states[key()] else { return false }
      queued[fingerprint] = state
      return true
    } _: { stored in
      if let state = queued[stored.fingerprint] {
        rows.note(ItemStatus(try stored.record.item(), state), stored.fingerprint)
      } else {
        try new.add(stored, states[stored.key], to: &rows)
      }
    }
    try new.finish(&rows)
    try rows.finish()
  }

  /// Returns the books of the shelf; a book is outdated while the queue holds a newer one.
  private func books(_ rows: RowList) throws -> [ShelfBook] {
    let books = try rows.only(LibraryRow.Traits.book).loaded()
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
        row: row, place: row.place, readPath: ShelfBook.readPath(row, root: root),
        formats: BookFormat.all(row, root: root), isOutdated: waiting.contains(row.key))
    }
  }

  /// Writes the data for scripts, in the order of the items' numbers. Returns the totals of all rows.
  ///
  /// - Parameter index: The search index of the last update, as far as it is reliable.
  private func writeData(
    _ rows: RowList, _ work: LibraryWork, to files: SiteFiles, index: SegmentList
  ) throws -> LibraryTotals {
    try writeData(rows, by: RecordData.size, RecordData.path, RecordData.script, to: files)
    let size = data.items(rows.count)
    try writeData(
      rows, by: size, ItemData.path, { ItemData.script($0, $1, size: size) }, to: files)
    if let size = data.column(rows.count) {
      try ColumnFiles.write(rows, by: size, words, to: files)
      try OrderData.forEach(rows.table, by: size, files.put)
      try NameFiles.write(rows, data.lists(rows.count), to: files)
    }
    let totals = try LibraryTotals(rows)
    try files.put(FacetData.path, FacetData.script(rows, totals, data))
    try files.put(TitleData.path, TitleData.script(rows))
    tidyUp(rows.count > LibraryBuilder.largeCount)
    let search = SearchIndex(files: files, text: text, sizes: sizes, work: work) { key in
      try catalog.item(key)?.annotations ?? []
    }
    try search.write(rows, known: index)
    return totals
  }

  /// Writes a file for each `size` rows.
  private func writeData(
    _ rows: RowList, by size: Int, _ path: (Int) -> String,
    _ script: @escaping @Sendable (Int, [LibraryRow]) -> [UInt8], to files: SiteFiles
  ) throws {
    try files.put(
      stride(from: 0, to: rows.count, by: size).lazy.enumerated().map { number, start in
        let members = rows[start..<Swift.min(rows.count, start + size)]
        var key = PageKey(words, [])
        key.add(number)
        key.add(members)
        return SiteFiles.Page(path: path(number), key: key.value) {
          script(number, try members.loaded())
        }
      })
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
    try writeLists(rows, totals, sections, to: files)
    try HighlightPages(words: words, sections: sections).write(
      rows.only(LibraryRow.Traits.highlighted), item: catalog.item, to: files)
    try files.put(
      StatisticsPage.path, StatisticsPage(words: words, sections: sections).page(totals))
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
    _ rows: RowList, _ totals: LibraryTotals, _ sections: [LibraryShell.Section],
    to files: SiteFiles
  ) throws {
    try GroupPages(words: words, sections: sections, section: .labels)
      .write(totals.labels, to: files) { name in
        try rows.only("SELECT number FROM labels WHERE name = ?", each: [name])
      }
    try GroupPages(words: words, sections: sections, section: .sources)
      .write(totals.sources.mapValues(\.count), to: files) { name in
        totals.sources.count == 1
          ? rows
          : try rows.only(
            "SELECT number FROM items INDEXED BY newest WHERE source = ?", each: [name])
      }
  }
}
