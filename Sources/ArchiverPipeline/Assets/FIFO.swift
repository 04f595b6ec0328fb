/// A queue whose first element leaves without the others being moved.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }

  var first: Element? { head < elements.count ? elements[head] : nil }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the first element out; `nil` when there is none.
  mutating func popFirst() -> Element? {
    guard let element = first else { return nil }
    elements[head] = nil
    head += 1
    // Moving what is left costs no more than what left before.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Takes out the first element that is wanted; `nil` when none is.
  mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
    guard let index = elements[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else {
      return nil
    }
    return elements.remove(at: index)
  }
}
