import ArchiverCore
package import ArchiverStorage

/// Searches an archive with the index of its library; the results are those of the library's pages.
///
/// The weight of a term in a passage is BM25 in eight levels. An item's weight for a term is that
/// of its best passage; a prefix match counts less than a whole word. Items must have all terms and
/// no excluded ones. Items whose titles equal the query are first; among equals, the one archived
/// last is first.
package struct LibrarySearch {
  /// A found item.
  package struct Match: Sendable {
    package let item: CatalogItem
    /// The item's score; `nil` for a query with filters only.
    package let score: Double?
    /// The best part of the text; `nil` without terms, and if the text is missing.
    package let snippet: Snippet?
    /// The URL within the bundle of the chapter or page of a book from which the snippet is taken;
    /// `nil` for the item's own page.
    package var place: String?
  }

  package struct Result: Sendable {
    package var matches: [Match] = []
    /// The total number of matches; `nil` if phrases were checked only as far as needed.
    package var total: Int?
    /// The query with misspelled words replaced by words of the index, if nothing was found.
    package var suggestion: String?
    /// Whether the index lacks some items or files.
    package var isIncomplete = false
  }

  private let root: String
  private let catalog: SQLiteCatalog
  /// Waits before the next attempt.
  var pause: () -> Void = { usleep(400_000) }

  /// Searches the archive at `root`; texts for phrases and snippets are read from its library.
  package init(root: String, catalog: SQLiteCatalog) {
    self.root = root
    self.catalog = catalog
  }

  /// The maximum number of attempts while the library changes.
  private static let tries = 6

  /// Returns at most `limit` items, best first; without terms, those saved last first. Throws `notFound` if the library
  /// is missing or incomplete.
  ///
  /// May be used while the library is updated: its stamp is absent while files are installed, and differs afterwards.
  package func find(_ query: SearchQuery, limit: Int) throws -> Result {
    for attempt in 0..<LibrarySearch.tries {
      if attempt > 0 { pause() }
      guard let stamp = LibraryStamp(readable: root) else {
        if LibraryMark(root: root).state != .none || LibraryStamp.exists(root: root) { break }
        continue
      }
      do {
        let part = try find(query, limit: limit, stamp)
        if LibraryStamp(readable: root) == stamp { return part }
      } catch {
        // An error caused by a concurrent update is not an error of the library.
        guard LibraryStamp(readable: root) != stamp else { throw error }
      }
    }
    throw StorageError(
      .notFound,
      LibraryStamp.exists(root: root)
        ? "another version of archiver wrote the search index; the next run or 'archiver site' writes it again"
        : "the library, which has the search index, is missing, incomplete or being written; 'archiver site' rebuilds it"
    )
  }

  private func find(_ query: SearchQuery, limit: Int, _ stamp: LibraryStamp) throws -> Result {
    let items = try LibraryItems(root: root)
    let index = IndexReader(count: items.count) { ArchiveFile($0, in: root).bytes }
    guard index.itemCount == items.count else {
      throw StorageError(
        .damaged, "the search index does not belong to the library; 'archiver site' rebuilds both")
    }
    var result = Result()
    let parts = try (query.alternatives.isEmpty ? [query] : query.alternatives)
      .map { try QueryHits($0, index, items, catalog) }
    let candidates = try LibrarySearch.merged(parts, items)
    let words = Words.of(stamp.language)
    var found: Set<Int> = []
    // The numbers of items that were removed from the catalog after the library was written.
    var removed: Set<Int> = []
    var tried = 0
    for (part, hit) in candidates {
      guard result.matches.count < limit else { break }
      tried += 1
      guard !found.contains(hit.item) else { continue }
      guard let item = try items.key(hit.item).flatMap(catalog.item) else {
        removed.insert(hit.item)
        continue
      }
      guard let match = match(hit, item, parts[part], words) else { continue }
      found.insert(hit.item)
      result.matches.append(match)
    }
    result.total =
      parts.allSatisfy(\.isCertain)
      ? Set(candidates.map(\.hit.item)).subtracting(removed).count
      : tried == candidates.count ? result.matches.count : nil
    if candidates.isEmpty { result.suggestion = SpellingHelp.suggestion(query, index) }
    result.isIncomplete = try index.lacksFiles || catalog.itemCount(source: nil) > items.count
    return result
  }

  /// Merges the results of several queries in order; an item may occur once per query.
  private static func merged(
    _ parts: [QueryHits], _ items: LibraryItems
  ) throws(StorageError) -> [(part: Int, hit: QueryHits.Hit)] {
    let all = parts.enumerated().flatMap { number, part in
      part.hits.map { (part: number, hit: $0) }
    }
    guard parts.count > 1 else { return all }
    if parts.contains(where: { !$0.query.terms.isEmpty }) {
      return all.sorted { $0.hit.precedes($1.hit) }
    }
    var order: [Int: Int] = [:]
    for (place, item) in try items.newestFirst().enumerated() { order[item] = place }
    return all.sorted { (order[$0.hit.item] ?? 0) < (order[$1.hit.item] ?? 0) }
  }

  /// Returns the item with its snippet; `nil` if it lacks a phrase or state, or has an excluded
  /// one.
  private func match(
    _ hit: QueryHits.Hit, _ item: CatalogItem, _ part: QueryHits, _ words: Words
  ) -> Match? {
    let row = LibraryRow(item, words: words)
    guard part.states.passes(item, row) else { return nil }
    var texts = PassageTexts(root: root, item: item, name: row.textName)
    let also = SearchFields(row, item.annotations).also
    let lines = [row.title] + also.split(separator: "\n").map(String.init)
    func first(_ phrase: PhrasePlaces) -> Int? {
      phrase.first(of: hit.item, best: hit.passage, &texts, lines)
    }
    guard !part.excludedPhrases.contains(where: { first($0) != nil }) else { return nil }
    let found = part.phrases.map(first)
    guard !found.contains(nil) else { return nil }
    guard let score = hit.score else { return Match(item: item, score: nil, snippet: nil) }
    let passage = found.first.flatMap { $0 } ?? hit.passage
    let file = texts.file(passage)
    let snippet = Snippet(file?.text ?? "", part.query)
    return Match(
      item: item, score: score, snippet: snippet, place: file?.path(at: snippet?.place ?? 0))
  }
}
