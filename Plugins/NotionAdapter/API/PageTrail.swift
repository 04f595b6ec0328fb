import ArchiverCore

/// The way through the pages of a list: knows cursors that come again and lists without end.
///
/// Every walk over pages goes through one. What was read until it ends is kept.
struct PageTrail: Sendable {
  /// Most pages of one list, 100 objects each.
  static let most = 20_000
  private static let mostEmpty = 5

  /// Where to go on; `nil` at the beginning and at the end.
  private(set) var cursor: String?
  /// Why the list ended before it was complete, as the end of a sentence; `nil` while it did not.
  private(set) var fault: String?
  private var seen: Set<String> = []
  /// Pages in a row with nothing on them.
  private var emptyCount = 0

  /// Takes a page's answer and returns whether there is another to ask for.
  mutating func goesOn(after list: NotionList) -> Bool {
    cursor = nil
    guard list.hasMore else { return false }
    emptyCount = list.results.isEmpty ? emptyCount + 1 : 0
    guard emptyCount <= PageTrail.mostEmpty else {
      fault = "the list goes on with nothing on it"
      return false
    }
    guard let next = list.next else {
      fault = "the list says that it has more and not where"
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
