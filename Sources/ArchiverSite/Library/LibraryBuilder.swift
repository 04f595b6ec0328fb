import ArchiverCore
package import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Brings the library of an archive up to date: `index.html` and everything under `library/`.
///
/// The same catalog gives the same bytes, whatever was there before. Files whose bytes stay the
/// same are not touched. A run that changed no item writes `library/status.js` and nothing else.
package struct LibraryBuilder: Sendable {
  private let root: String
  private let catalog: any Catalog
  private let words: Words
  private let text: SearchText

  /// Builds the library of the archive at `root`, with plain pages in the language of `words`.
  ///
  /// `fresh` are texts of items that were archived just now; all others are read from the bundles.
  package init(
    root: String, catalog: any Catalog, words: Words = .english, fresh: FreshTexts? = nil
  ) {
    self.init(
      root: root, catalog: catalog, words: words, text: .bundles(root: root, fresh: fresh))
  }

  init(root: String, catalog: any Catalog, words: Words = .english, text: SearchText) {
    self.root = root
    self.text = text
    self.catalog = catalog
    self.words = words
  }

  /// Updates the library after items changed; `nil` when any may have, as after an interrupted
  /// run, and for `archiver site`.
  package func update(changed: [ItemKey]?) throws -> LibraryUpdate {
    let files = try SiteFiles(root: root)
    try files.put(StatusData.path, StatusData.script(catalog))
    if let changed, changed.isEmpty, try isCurrent(files), try isStandingShown(files) {
      return try files.commit(removesOthers: false)
    }
    let (rows, cache) = try rows()
    let standing = try QueueStanding(catalog, sources: LibraryBuilder.bookSources(rows))
    try files.put(QueueStanding.path, standing.bytes)
    let graphs = GraphStore(root: root, files: files, words: words)
    let graph = try graphs.graph(rows)
    let books = try books(rows)
    let sections = LibraryShell.Section.allCases.filter { section in
      section == .books ? !books.isEmpty : section == .graph ? graph != nil : true
    }
    try writePages(rows, sections, to: files)
    if let graph { try graphs.write(graph, sections: sections) }
    if !books.isEmpty {
      try files.put(
        ShelfPage.path, ShelfPage(words: words, sections: sections).page(books, standing))
    }
    try writeData(LibraryRow.oldestFirst(rows), to: files)
    let update = try files.commit(
      last: [SearchIndex.manifestPath, IndexPage.path, SearchIndex.statePath], removesOthers: true)
    cache.save()
    // What an earlier version kept there; usually it is gone.
    unlink("\(root)/.archiver/library/texts.tsv")
    return update
  }

  /// Makes the library anew from the catalog and the bundles, trusting nothing that is known of them.
  ///
  /// The bytes are those that `update` gives. What is cut short, the next update completes.
  package func rebuild() throws -> LibraryUpdate {
    // That there may be nothing is fine.
    for path in [SearchIndex.statePath, RowCache.path, PageKeys.path] {
      try? FileManager.default.removeItem(atPath: "\(root)/\(path)")
    }
    if let catalog = catalog as? any SearchCatalog { try catalog.clearSearch() }
    return try update(changed: nil)
  }

  /// Whether the library is of this program and names as many items as the catalog does; what an
  /// interrupted run left out is taken in by the next.
  private func isCurrent(_ files: SiteFiles) throws -> Bool {
    let known = TextState(files.bytes(SearchIndex.statePath)).count
    let searchable = try (catalog as? any SearchCatalog)?.searchableCount()
    return try files.exists(IndexPage.path) && known == catalog.itemCount(source: nil)
      && (searchable ?? known) == known
      && LibraryAssets.files.allSatisfy { files.holds("library/\($0.name)", $0.bytes) }
  }

  /// Whether the library shows how items stand in the queue.
  private func isStandingShown(_ files: SiteFiles) throws -> Bool {
    let last = files.bytes(QueueStanding.path)
    return try QueueStanding(catalog, last: last).map { $0.bytes == last } ?? false
  }

  private static func bookSources(_ rows: [LibraryRow]) -> [String] {
    Set(rows.filter { ShelfBook.kinds.contains($0.kind) }.map(\.source)).sorted()
  }

  private func rows() throws -> ([LibraryRow], RowCache) {
    var rows: [LibraryRow] = []
    var cache = RowCache(root: root, words: words)
    let states = try catalog.statesOfArchived()
    try catalog.forEachStoredItem { stored in
      if let row = cache.row(stored.fingerprint), states.isEmpty || states[row.key] == nil {
        rows.append(row)
        return true
      }
      let item = try stored.item()
      let state = states[item.key]
      let row = LibraryRow(item, words: words, state: state, fingerprint: stored.fingerprint)
      if state == nil { cache.add(row) }
      rows.append(row)
      return true
    }
    return (LibraryRow.newestFirst(rows), cache)
  }

  /// What stands on the shelf; a book is outdated while the queue holds a newer one.
  private func books(_ rows: [LibraryRow]) throws -> [ShelfBook] {
    let books = rows.filter { ShelfBook.kinds.contains($0.kind) }
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

  private func writeData(_ rows: [LibraryRow], to files: SiteFiles) throws {
    try files.put(FacetData.path, FacetData.script(rows))
    let starts = stride(from: 0, to: rows.count, by: RecordData.size)
    try files.put(
      starts.enumerated().map { number, start in
        let members = rows[start..<min(rows.count, start + RecordData.size)]
        var key = PageKey(words, [])
        key.add(number)
        key.add(members)
        return SiteFiles.Page(path: RecordData.path(number), key: key.value) {
          RecordData.script(number, members)
        }
      })
    let index = (catalog as? any SearchCatalog).map(CatalogIndex.init)
    try SearchIndex(files: files, text: text, catalog: index).write(rows)
  }

  private func writePages(
    _ rows: [LibraryRow], _ sections: [LibraryShell.Section], to files: SiteFiles
  ) throws {
    for (name, bytes) in LibraryAssets.files { try files.put("library/\(name)", bytes) }
    let dates = DatePages(words: words, sections: sections)
    let parts = dates.parts(rows)
    try files.put(
      parts.enumerated().map { index, part in
        let newer = index > 0 ? parts[index - 1] : nil
        let older = index + 1 < parts.count ? parts[index + 1] : nil
        return SiteFiles.Page(
          path: part.path, key: dates.key(part, newer: newer, older: older)
        ) {
          dates.page(part, newer: newer, older: older)
        }
      })
    try files.put("library/dates.html", dates.overview(parts))
    try writeLists(rows, sections, to: files)
    try HighlightPages(words: words, sections: sections).write(
      rows.filter { $0.highlightCount > 0 }, item: catalog.item, to: files)
    try files.put(StatisticsPage.path, StatisticsPage(words: words, sections: sections).page(rows))
    try files.put(
      ReaderPage.path, ReaderPage(words: words, sections: sections).page())
    try files.put(ProblemsPage.path, ProblemsPage(words: words, sections: sections).page(rows))
    try files.put(
      IndexPage.path, IndexPage(words: words, sections: sections).page(rows, months: parts))
  }

  private func writeLists(
    _ rows: [LibraryRow], _ sections: [LibraryShell.Section], to files: SiteFiles
  ) throws {
    let labels = LibraryBuilder.grouped(rows, RowCensus(rows, \.labelling), \.names)
    let sources = LibraryBuilder.grouped(rows, RowCensus(rows, \.origin)) { [$0.source] }
    try GroupPages(words: words, sections: sections, section: .labels, path: LabelName.path)
      .write(labels, to: files)
    try GroupPages(words: words, sections: sections, section: .sources, path: LabelName.sourcePath)
      .write(sources, to: files)
  }

  /// Returns the rows of each name, in order.
  private static func grouped<Group>(
    _ rows: [LibraryRow], _ census: RowCensus<Group>, _ names: (Group) -> [String]
  ) -> [String: [LibraryRow]] {
    var numbers: [String: Int] = [:]
    let members = census.groups.map { group in
      names(group).map { name in
        let number = numbers[name] ?? numbers.count
        numbers[name] = number
        return number
      }
    }
    var lists: [[LibraryRow]] = Array(repeating: [], count: numbers.count)
    for (row, group) in zip(rows, census.numbers) {
      for number in members[group] { lists[number].append(row) }
    }
    return numbers.mapValues { lists[$0] }
  }
}
