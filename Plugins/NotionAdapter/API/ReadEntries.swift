import ArchiverCore

/// The entries that were read of a list. A list that is begun again returns them again: those with an id are
/// known by it, others by their whole content.
struct ReadEntries: Sendable {
  private var ids: Set<NotionID> = []
  /// The entries without an id.
  private var unnamed: [JSONValue] = []
  /// Those that the list may return once more, as it was begun again.
  private var repeated: [JSONValue] = []

  /// Records that the list is begun again.
  mutating func restart() { repeated = unnamed }

  /// Records an entry and returns whether it was not read before.
  mutating func insert(_ entry: JSONValue) -> Bool {
    if let id = NotionID(entry["id"]) { return ids.insert(id).inserted }
    if let place = repeated.firstIndex(of: entry) {
      repeated.remove(at: place)
      return false
    }
    unnamed.append(entry)
    return true
  }
}
