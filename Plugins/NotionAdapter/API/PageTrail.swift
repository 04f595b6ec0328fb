import ArchiverCore

/// Follows the pages of a list, and detects repeated cursors and lists without end.
///
/// Every paged list is read with one. What was read before it ends is kept.
struct PageTrail: Sendable {
  /// The maximum number of pages of a list, of 100 objects each.
  static let most = 20_000
  private static let mostEmpty = 5

  /// The cursor of the next page; `nil` at the beginning and at the end.
  private(set) var cursor: String?
  /// Why the list ended before it was complete, as the end of a sentence; otherwise `nil`.
  private(set) var fault: String?
  /// Whether the list was begun again.
  private(set) var hasRestarted = false
  private var seen: Set<String> = []
  /// The number of consecutive empty pages.
  private var emptyCount = 0

  /// Begins the list again, once, if the error is that Notion no longer accepts the cursor: a cursor ends
  /// with the entry that it names, and after some time. Entries read before are returned again.
  mutating func restarts(after error: AdapterError) -> Bool {
    guard cursor != nil, !hasRestarted, error.fault?.isOfCursor == true else { return false }
    self = PageTrail()
    hasRestarted = true
    return true
  }

  /// Adds a response and returns whether to request another page.
  mutating func goesOn(after list: NotionList) -> Bool {
    cursor = nil
    guard list.hasMore else {
      if list.isCut { fault = "Notion ends the list at a limit" }
      return false
    }
    emptyCount = list.results.isEmpty ? emptyCount + 1 : 0
    guard emptyCount <= PageTrail.mostEmpty else {
      fault = "the list continues with an empty page"
      return false
    }
    guard let next = list.next else {
      fault = "the list has more entries but no cursor"
      return false
    }
    guard seen.insert(next).inserted else {
      fault = "the list repeats itself"
      return false
    }
    guard seen.count < PageTrail.most else {
      fault = "the list has no end"
      return false
    }
    cursor = next
    return true
  }
}
