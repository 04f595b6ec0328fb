import ArchiverCore

/// Objects on lists that are no page, database or table as far as can be read.
struct UnreadableObjects: Sendable {
  /// How many of each kind there were, those that may be items and those of other kinds apart.
  private var items: [String: Int] = [:]
  private var others: [String: Int] = [:]

  /// Counts an object.
  ///
  /// - Parameter isInTrash: whether it is deleted anyway, so that nothing is lost with it.
  mutating func add(_ value: JSONValue, isInTrash: Bool = false) {
    let kind = value["object"]?.string ?? "object of no kind"
    let isItem = value["object"] == nil || NotionObject.Kind(rawValue: kind) != nil
    if isItem, !isInTrash {
      items[kind, default: 0] += 1
    } else {
      others[kind, default: 0] += 1
    }
  }

  /// One gap for each kind, in the order of their names.
  var gaps: [ListingGap] {
    gaps(items, isEssential: true) + gaps(others, isEssential: false)
  }

  private func gaps(_ counts: [String: Int], isEssential: Bool) -> [ListingGap] {
    counts.sorted { $0.key < $1.key }.map { kind, count in
      ListingGap(
        "Notion named \(count) of kind \u{201C}\(kind)\u{201D} that could not be read",
        isEssential: isEssential)
    }
  }
}
