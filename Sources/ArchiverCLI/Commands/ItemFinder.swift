import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// Finds the item named by an argument.
struct ItemFinder {
  let catalog: any CatalogReading
  /// The sources to search; if empty, all.
  let sources: Set<String>
  /// Whether to find also items that are not archived.
  var findsAbsent = false

  /// Returns the key of the item with this id, `SOURCE/ID`, folder or short id, or of the only one with this
  /// title or with a title that contains it. Throws if there is none or several.
  func key(_ text: String, helpPath: [String]) throws -> ItemKey {
    // The catalog finds ids and folders without reading every item.
    let named = try catalog.keys(named: text, source: nil).filter(isWanted)
    if named.count == 1 { return named[0] }
    var tiers: [[(key: ItemKey, title: String, folder: String?)]] = [[], [], [], []]
    let folded = SearchQuery.folded(text)
    func look(_ key: ItemKey, _ title: String, _ folder: String?) -> Bool {
      guard sources.isEmpty || sources.contains(key.source) else { return true }
      if let tier = ItemFinder.tier(key, title, folder, text, folded) {
        tiers[tier].append((key, title, folder))
      }
      return true
    }
    try catalog.forEachItem(source: nil) { look($0.key, $0.metadata.title, $0.folder) }
    if findsAbsent { try catalog.forEachAbsent(source: nil) { look($0.key, $0.title, nil) } }
    let shown = DisplayText.line(text, limit: 80)
    guard let found = tiers.first(where: { !$0.isEmpty }) else {
      throw UsageError("no item has the id, folder or title '\(shown)'", helpPath: helpPath)
    }
    guard found.count > 1 else { return found[0].key }
    let most = 3
    let names = found.prefix(most).map { item in
      "\(item.folder ?? DisplayText.line(item.key.id)) "
        + "(\(DisplayText.title(item.title, id: item.key.id)))"
    }.joined(separator: ", ")
    let rest = found.count > most ? " or \(Quantity.grouped(found.count - most)) more" : ""
    throw UsageError(
      "'\(shown)' matches \(Quantity.count(found.count, "item")); use the "
        + "\(findsAbsent ? "folder or id" : "folder") of one: \(names)\(rest)")
  }

  private func isWanted(_ key: ItemKey) throws -> Bool {
    guard sources.isEmpty || sources.contains(key.source) else { return false }
    return try findsAbsent || catalog.item(key) != nil
  }

  private static func tier(
    _ key: ItemKey, _ title: String, _ folder: String?, _ text: String, _ folded: String
  ) -> Int? {
    let name = folder?.split(separator: "/").last.map(String.init)
    let names: [String?] = [key.id, "\(key.source)/\(key.id)", folder, name]
    if names.contains(text) { return 0 }
    if text.utf8.count >= 4, let short = name?.split(separator: "-").last, short == text {
      return 1
    }
    let title = SearchQuery.folded(title)
    guard !folded.isEmpty else { return nil }
    return title == folded ? 2 : title.contains(folded) ? 3 : nil
  }
}
