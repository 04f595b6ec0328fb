import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// The items that an export includes.
struct ItemSelection {
  private let invocation: Invocation
  private let labels: Set<String>
  private let since: Date?
  private let sources: Set<String>
  /// Whether nothing was selected, which means all items.
  let isEverything: Bool

  /// Whether whole sources, or everything, were selected.
  var hasWholeSources: Bool {
    invocation.arguments.operands.isEmpty && labels.isEmpty && since == nil
  }

  static let label = Option(
    "label", .text, valueName: "NAME", isRepeatable: true,
    help: "Items with this label; with several, any of them")
  static let since = Option(
    "since", .text, valueName: "DATE",
    help: "Items saved since 2024, 2024-05 or 2024-05-17, or within an age such as 30d or 2y")

  /// Reads the selection.
  ///
  /// - Parameter allowsEverything: Whether an empty selection means all items; otherwise it is an error.
  init(_ invocation: Invocation, allowsEverything: Bool = false) throws(UsageError) {
    let (label, since) = (ItemSelection.label, ItemSelection.since)
    self.invocation = invocation
    let arguments = invocation.arguments
    labels = Set(arguments.texts(label).map(SearchQuery.folded))
    sources = Set(arguments.texts(.source))
    self.since = try arguments.text(since).map { (text) throws(UsageError) in
      if let age = Quantity.age(text) {
        return invocation.environment.clock.now().addingTimeInterval(-(age / .seconds(1)))
      }
      if let day = SearchQuery.day(text) { return day }
      throw invocation.misuse(
        "--since takes a date such as 2024-05-17 or an age such as 30d, not "
          + "'\(DisplayText.line(text))'")
    }
    let isChosen =
      !labels.isEmpty || self.since != nil || arguments.origins["source"] == .commandLine
    isEverything = arguments.operands.isEmpty && !isChosen
    guard !isEverything || allowsEverything else {
      throw invocation.misuse("no items selected; use ITEM, --label, --since or --source")
    }
    guard arguments.operands.isEmpty || labels.isEmpty && self.since == nil else {
      throw invocation.misuse("use either ITEM or --label and --since")
    }
  }

  func items(_ catalog: any CatalogReading) throws -> [CatalogItem] {
    if let text = invocation.arguments.operands.first {
      let finder = ItemFinder(catalog: catalog, sources: sources)
      let key = try finder.key(text, helpPath: invocation.path)
      return [try catalog.item(key)].compactMap(\.self)
    }
    var items: [CatalogItem] = []
    try catalog.forEachItem(source: nil) { item in
      if isWanted(item) { items.append(item) }
      return true
    }
    guard !items.isEmpty || isEverything else {
      throw invocation.misuse("no item matches --label, --since and --source")
    }
    return items.sorted { one, other in
      let (first, second) = (ItemSelection.saved(one), ItemSelection.saved(other))
      return first != second ? first > second : one.folder < other.folder
    }
  }

  private static func saved(_ item: CatalogItem) -> Date {
    item.metadata.added ?? item.firstArchived
  }

  private func isWanted(_ item: CatalogItem) -> Bool {
    guard sources.isEmpty || sources.contains(item.key.source) else { return false }
    if let since, ItemSelection.saved(item) < since { return false }
    return labels.isEmpty
      || item.metadata.labels.contains { labels.contains(SearchQuery.folded($0)) }
  }
}
