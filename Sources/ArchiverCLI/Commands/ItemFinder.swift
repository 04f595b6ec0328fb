import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// Finds the item named by an argument.
struct ItemFinder {
  let catalog: any CatalogReading
  /// The sources to search; if empty, all.
  let sources: Set<String>

  /// Returns the item with this id, `SOURCE/ID`, folder or short id, or the only one with this
  /// title or with a title that contains it. Throws if there is none or several.
  func item(_ text: String, helpPath: [String]) throws -> CatalogItem {
    var tiers: [[CatalogItem]] = [[], [], [], []]
    let folded = SearchQuery.folded(text)
    try catalog.forEachItem(source: nil) { item in
      guard sources.isEmpty || sources.contains(item.key.source) else { return true }
      if let tier = ItemFinder.tier(item, text, folded) { tiers[tier].append(item) }
      return true
    }
    guard let found = tiers.first(where: { !$0.isEmpty }) else {
      throw UsageError(
        "no item has the id, folder or title '\(DisplayText.line(text, limit: 80))'",
        helpPath: helpPath)
    }
    guard found.count == 1, let item = found.first else {
      throw UsageError(ItemFinder.ambiguity(text, found))
    }
    return item
  }

  private static func tier(_ item: CatalogItem, _ text: String, _ folded: String) -> Int? {
    let name = item.folder.split(separator: "/").last.map(String.init) ?? ""
    let names = [item.key.id, "\(item.key.source)/\(item.key.id)", item.folder, name]
    if names.contains(text) { return 0 }
    if text.utf8.count >= 4, let short = name.split(separator: "-").last, short == text {
      return 1
    }
    let title = SearchQuery.folded(item.metadata.title)
    if title == folded { return 2 }
    return !folded.isEmpty && title.contains(folded) ? 3 : nil
  }

  private static func ambiguity(_ text: String, _ found: [CatalogItem]) -> String {
    let most = 3
    let folders = found.prefix(most).map { item in
      "\(item.folder) (\(DisplayText.title(item.metadata.title, id: item.key.id)))"
    }.joined(separator: ", ")
    let rest = found.count > most ? " or \(Quantity.grouped(found.count - most)) more" : ""
    return "'\(DisplayText.line(text, limit: 80))' matches "
      + "\(Quantity.count(found.count, "item")); use the folder of one: \(folders)\(rest)"
  }
}
