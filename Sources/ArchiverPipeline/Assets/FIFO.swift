/// A queue that removes its first element without moving the others.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  var first: Element? { head < elements.count ? elements[head] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first element; `nil` if it is empty.
  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    elements[head] = nil
    head += 1
    // Moving the rest costs no more than the removals before.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes and returns the first matching element; `nil` if none matches.
  mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
    guard let index = elements[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else {
      return nil
    }
    return elements.remove(at: index)
  }
}
