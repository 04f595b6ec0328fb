import ArchiverCore
import ArchiverStorage

/// Tests items for the states that `is:` requires or excludes, except labels, which the index has.
struct StateTest {
  private let wanted: [String]
  private let excluded: [String]
  /// The states of items in the queue; empty unless the query asks for failed items.
  private let standings: [ItemKey: QueueState]

  /// - Parameters:
  ///   - query: The query.
  ///   - catalog: The catalog whose queue has the failed items.
  init(_ query: SearchQuery, _ catalog: SQLiteCatalog) throws(StorageError) {
    wanted = StateTest.states(query.filters)
    excluded = StateTest.states(query.excluded.filters)
    let isAsked = (wanted + excluded).contains("failed")
    standings = isAsked ? try catalog.statesOfArchived() : [:]
  }

  private static func states(_ filters: [String: [String]]) -> [String] {
    (filters["is"] ?? []).map { $0.lowercased() }.filter { $0 != "unlabelled" }
  }

  /// Whether every item passes.
  var isEmpty: Bool { wanted.isEmpty && excluded.isEmpty }

  /// Whether an item has every required state and no excluded one.
  func passes(_ item: CatalogItem, _ row: LibraryRow) -> Bool {
    wanted.allSatisfy { has($0, item, row) } && !excluded.contains { has($0, item, row) }
  }

  private func has(_ state: String, _ item: CatalogItem, _ row: LibraryRow) -> Bool {
    switch state {
    case "unread": !row.isDone && row.readProgress < 100
    case "read": row.isDone || row.readProgress >= 100
    case "begun": !row.isDone && (1..<100).contains(row.readProgress)
    case "favourite": row.isFavourite
    case "failed":
      standings[item.key].map { ItemStatus(item, $0) == .failed } ?? false
    default: false
    }
  }
}
