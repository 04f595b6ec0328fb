/// The ends that libxml2 puts where HTML's standard has none.
///
/// Its table of elements that end others is HTML 4's: `p` ends headings and `b`, so that
/// `<h2><p>Title</p></h2>` would be an empty heading and a paragraph, which every browser shows as a
/// heading. Such an end is held back until the element's own end tag, for which libxml2 then has no
/// element and which it reports as an error, or until the end of what the element stands in.
///
/// Invariants:
/// 1. Every start has its end, properly nested, whatever is held back.
/// 2. At most `most` ends are held back, so that unclosed elements do not nest without limit.
struct ImpliedEnds {
  /// An element whose end is held back.
  private struct Held {
    var name: String
    /// How deep libxml2 had it; what comes as deep from then on is inside it.
    var depth: Int
  }

  /// Elements that libxml2 has just ended because of a start tag that is not known yet.
  private var pending: [Held] = []
  /// Outermost first, so that depths never fall.
  private var held: [Held] = []
  /// Depths of elements that are open for libxml2 and ended already.
  private var ended: [Int] = []
  private static let most = 8

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
  private static let inlines: Set<String> = [
    "b", "i", "u", "s", "strike", "tt", "big", "small", "font", "a",
  ]

  /// Whether all there is to do with an end is to hand it on.
  var isEmpty: Bool { held.isEmpty && ended.isEmpty && pending.isEmpty }

  /// How much deeper elements stand than libxml2 has them.
  var depth: Int { held.count }

  /// Takes an end that no end tag asked for; returns whether it waits for what began.
  mutating func take(_ name: String, depth: Int) -> Bool {
    guard held.count + pending.count < ImpliedEnds.most, !ended.contains(depth),
      ImpliedEnds.headings.contains(name) || ImpliedEnds.inlines.contains(name)
    else { return false }
    pending.append(Held(name: name, depth: depth))
    return true
  }

  /// Returns the ends that come before the start of an element.
  mutating func ends(beforeStart name: String, depth: Int, openNames: (Int) -> String) -> [String] {
    var ends = [String]()
    // libxml2 ends the innermost first: what stands in one that ends, ends too.
    while let first = pending.first,
      !pending.allSatisfy({ ImpliedEnds.staysOpen($0.name, around: name) })
    {
      pending.removeFirst()
      end(first, &ends)
    }
    for element in pending { hold(element) }
    pending = []
    if let last = held.last, last.depth == depth, ImpliedEnds.headings.contains(last.name),
      ImpliedEnds.headings.contains(name)
    {
      held.removeLast()
      ends.append(last.name)
    }
    if name == "a" { ends += self.ends(atTag: "a", depth: depth - 1, openNames: openNames) }
    return ends
  }

  /// Returns the ends that come before that of an element at this depth.
  mutating func ends(beforeEndAt depth: Int) -> [String] {
    var ends = takePending()
    while let last = held.last, last.depth > depth {
      ends.append(last.name)
      held.removeLast()
    }
    return ends
  }

  /// Returns whether an element has been ended already that libxml2 ends only now.
  mutating func wasEnded(at depth: Int) -> Bool {
    guard let index = ended.lastIndex(of: depth) else { return false }
    ended.remove(at: index)
    return true
  }

  /// Returns the ends that an end tag asks for for which libxml2 has no element.
  ///
  /// `depth` is that of the innermost element libxml2 has open, whose names `openNames` tells.
  mutating func ends(atTag name: String, depth: Int, openNames: (Int) -> String) -> [String] {
    var ends = takePending()
    guard let index = held.lastIndex(where: { $0.name == name }) else { return ends }
    var depth = depth
    for element in held[index...].reversed() {
      while depth >= element.depth {
        if !ended.contains(depth) {
          ends.append(openNames(depth))
          ended.append(depth)
        }
        depth -= 1
      }
      ends.append(element.name)
    }
    held.removeSubrange(index...)
    return ends
  }

  /// Returns the ends that were to wait for a start tag, where none comes.
  mutating func takePending() -> [String] {
    var ends = [String]()
    for element in pending { end(element, &ends) }
    pending = []
    return ends
  }

  /// Holds an end back. What comes inside elements that are held stands no deeper than the outermost was.
  private mutating func hold(_ element: Held) {
    let index = held.firstIndex { $0.depth > element.depth } ?? held.endIndex
    for inner in held[index...].indices { held[inner].depth = element.depth }
    held.insert(element, at: index)
  }

  /// Ends an element after those in it.
  private mutating func end(_ element: Held, _ ends: inout [String]) {
    while let last = held.last, last.depth > element.depth {
      ends.append(last.name)
      held.removeLast()
    }
    ends.append(element.name)
  }

  /// Whether an element holds another by HTML's standard, though not by libxml2's table.
  private static func staysOpen(_ outer: String, around inner: String) -> Bool {
    switch inner {
    case "p", "center": headings.contains(outer) || inlines.contains(outer)
    // A table would lose its rows in a heading, which holds nothing but a line.
    case "table", "fieldset", "form": inlines.contains(outer)
    default: false
    }
  }
}
