import ArchiverCore

/// Listed objects that are not pages, databases or tables as far as they can be parsed.
struct UnreadableObjects: Sendable {
  /// The number of objects by kind; objects that may be items are counted separately.
  private var items: [String: Int] = [:]
  private var others: [String: Int] = [:]

  /// Counts an object.
  ///
  /// - Parameter isInTrash: Whether it is deleted, so that nothing is lost.
  mutating func add(_ value: JSONValue, isInTrash: Bool = false) {
    let kind = value["object"]?.string ?? "object without a type"
    let isItem = value["object"] == nil || NotionObject.Kind(rawValue: kind) != nil
    if isItem, !isInTrash {
      items[kind, default: 0] += 1
    } else {
      others[kind, default: 0] += 1
    }
  }

  /// One gap for each kind, sorted by name.
  var gaps: [ListingGap] {
    gaps(items, isEssential: true) + gaps(others, isEssential: false)
  }

  private func gaps(_ counts: [String: Int], isEssential: Bool) -> [ListingGap] {
    counts.sorted { $0.key < $1.key }.map { kind, count in
      ListingGap(
        "Notion returned \(count) of kind \u{201C}\(kind)\u{201D} that could not be read",
        isEssential: isEssential)
    }
  }
}
