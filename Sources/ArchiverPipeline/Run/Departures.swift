import ArchiverCore
import ArchiverStorage

/// What a listing shows to be gone from its source, found without writing.
struct Departures {
  private let source: String
  private let catalog: SQLiteCatalog
  private var named: Set<String> = []
  private var gone: Set<String>

  /// Begins with what earlier runs found to be gone.
  init(_ source: String, _ catalog: SQLiteCatalog) throws(StorageError) {
    self.source = source
    self.catalog = catalog
    gone = Set(try catalog.deletedItems(source: source).map(\.id))
  }

  mutating func add(_ page: ListingPage) {
    for reference in page.references {
      named.insert(reference.id)
      gone.remove(reference.id)
    }
    for id in page.deleted {
      named.remove(id)
      gone.insert(id)
    }
  }

  /// Adds what a listing of everything did not name.
  mutating func addUnnamed() throws {
    gone.formUnion(try unnamed { _ in true })
  }

  /// Adds what the source says is gone when asked about items that its listing did not name.
  mutating func ask(_ adapter: some Source) async throws {
    let place = try catalog.askedPlace(source: source)
    let sorted = try unnamed { $0 == .archived }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let isLater: (String) -> Bool = { id in
      place.map { $0.utf8.lexicographicallyPrecedes(id.utf8) } ?? true
    }
    let ids = (sorted.filter(isLater) + sorted.filter { !isLater($0) })
      .prefix(Planner.usuallyAsked)
    for start in stride(from: 0, to: ids.count, by: Planner.askedAtOnce) {
      try Task.checkCancellation()
      let batch = Array(ids.dropFirst(start).prefix(Planner.askedAtOnce))
      for (id, standing) in try await adapter.standings(of: batch) where standing == .gone {
        gone.insert(id)
      }
    }
  }

  private func unnamed(_ isAsked: (ItemState) -> Bool) throws -> [String] {
    var ids: [String] = []
    try catalog.forEachItem(source: source) { item in
      if !named.contains(item.key.id), isAsked(item.state) { ids.append(item.key.id) }
      return true
    }
    return ids
  }

  /// Returns the items that `DeletionPolicy.remove` takes away.
  func items() throws(StorageError) -> [SourceReport.ItemNote] {
    var items: [SourceReport.ItemNote] = []
    for id in gone.sorted() {
      guard let item = try catalog.item(ItemKey(source: source, id: id)) else { continue }
      items.append(SourceReport.ItemNote(gone: item))
    }
    return Deletion.isSudden(items.count, of: try catalog.itemCount(source: source)) ? [] : items
  }
}
