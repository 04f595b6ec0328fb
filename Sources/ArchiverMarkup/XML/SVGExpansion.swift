/// Counts the elements that a browser draws for an SVG image, whose parts may be used several
/// times.
///
/// `use` elements that each use another group ten times expand exponentially and make a browser
/// unresponsive; so do nested masks, and markers on every point of a path. Patterns, gradients and
/// filters are drawn once and do not count.
package struct SVGExpansion {
  /// The maximum number of drawn elements.
  private static let most = 100_000
  private static let longestChain = 100
  private static let multiplying: Set<Substring> = [
    "mask", "clip-path", "marker", "marker-start", "marker-mid", "marker-end",
  ]

  private struct Node {
    /// The index after its last descendant.
    var end = 0
    /// Ids of elements drawn for it, with the number of times.
    var references: [(id: String, times: Int)] = []
    var classes: [Substring] = []
    /// The maximum number of points of a path or a line.
    var points = 1
    /// The number of elements drawn for the SVG image in an `image`.
    var nested = 0
  }

  private var countsNested = false
  private var nodes: [Node] = []
  private var places: [String: [Int]] = [:]
  /// Ids in style sheets, by class, and for any element.
  private var byClass: [Substring: [String]] = [:]
  private var byAny: [String] = []
  private var known: [Int: Int] = [:]
  private var open: Set<Int> = []

  /// Whether the number of elements drawn below `root` is within the limit, or not much larger than
  /// the number of elements in the file.
  package static func isWithinLimit(_ root: XMLElement) -> Bool {
    let (cost, limit) = cost(root, countsNested: true)
    return cost <= limit
  }

  /// Returns the number of elements drawn below `root`, and the limit. Images in nested SVG images are
  /// left out anyway.
  private static func cost(_ root: XMLElement, countsNested: Bool) -> (cost: Int, limit: Int) {
    var expansion = SVGExpansion()
    expansion.countsNested = countsNested
    expansion.collect(root, depth: 0)
    let limit = max(most, 4 * expansion.nodes.count)
    return (expansion.cost(of: 0..<expansion.nodes.count, chain: 0, limit: limit), limit)
  }

  /// Returns the number of elements drawn for a nested image; 0 if it is left out as not well formed.
  private static func nestedCost(_ bytes: [UInt8]) -> Int {
    // An ill-formed image is left out.
    guard let bytes = XMLEntities.expanded(bytes), let root = try? XMLDocument(bytes).root else {
      return 0
    }
    return cost(root, countsNested: false).cost
  }

  /// The same for the whole document of an element, whose SVG images may use each other.
  package static func isWithinLimit(documentOf element: XMLElement) -> Bool {
    element.document.root.map { isWithinLimit($0) } ?? true
  }

  private mutating func collect(_ element: XMLElement, depth: Int) {
    guard depth < 300 else { return }
    let index = nodes.count
    var node = Node()
    for attribute in element.attributes { note(attribute, of: element.name, at: index, &node) }
    nodes.append(node)
    if element.name == "style" { readSheet(element.text) }
    for case .element(let child) in element.contents { collect(child, depth: depth + 1) }
    nodes[index].end = nodes.count
  }

  private mutating func note(
    _ attribute: XMLElement.Attribute, of element: String, at index: Int, _ node: inout Node
  ) {
    let value = attribute.value
    switch attribute.name {
    case "id": places[value, default: []].append(index)
    case "class": node.classes = value.split(whereSeparator: \.isWhitespace)
    case "d", "points": node.points = max(node.points, value.utf8.count / 4)
    case "href" where element == "use" && value.hasPrefix("#"):
      node.references.append((PercentEncoding.decoded(String(value.dropFirst())), 1))
    case "href" where element == "image" && countsNested:
      node.nested += SVGSanitizer.nestedDrawing(value).map(SVGExpansion.nestedCost) ?? 0
    case "style":
      for id in SVGExpansion.references(value[...]) { node.references.append((id, 0)) }
    case let name where SVGExpansion.multiplying.contains(name[...]):
      for id in SVGExpansion.ids(value[...]) { node.references.append((id, 0)) }
    default: break
    }
  }

  /// Returns the number of elements drawn for some nodes; any number above `limit` if it is
  /// exceeded.
  private mutating func cost(of range: Range<Int>, chain: Int, limit: Int) -> Int {
    guard chain < SVGExpansion.longestChain else { return limit + 1 }
    var total = 0
    for index in range {
      total += 1 + nodes[index].nested
      guard total <= limit else { return limit + 1 }
      for (id, times) in references(of: index) {
        for place in places[id] ?? [] {
          let cost = cost(at: place, chain: chain + 1, limit: limit)
          // A marker is drawn at every point.
          total += cost * (times == 0 ? nodes[index].points : times)
          guard total <= limit else { return limit + 1 }
        }
      }
    }
    return total
  }

  private mutating func cost(at index: Int, chain: Int, limit: Int) -> Int {
    if let cost = known[index] { return cost }
    // An element that uses itself is not drawn.
    guard open.insert(index).inserted else { return 0 }
    let cost = cost(of: index..<nodes[index].end, chain: chain, limit: limit)
    open.remove(index)
    known[index] = cost
    return cost
  }

  private func references(of index: Int) -> [(id: String, times: Int)] {
    let node = nodes[index]
    guard !byClass.isEmpty || !byAny.isEmpty else { return node.references }
    let styled = node.classes.flatMap { byClass[$0] ?? [] } + byAny
    return node.references + styled.map { ($0, 0) }
  }

  private mutating func readSheet(_ sheet: String) {
    for rule in sheet.split(separator: "}") {
      guard let brace = rule.lastIndex(of: "{") else { continue }
      let ids = SVGExpansion.references(rule[brace...].dropFirst())
      guard !ids.isEmpty else { continue }
      for selector in rule[..<brace].split(separator: ",") {
        let words = selector.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let word = words.first, word.hasPrefix("."),
          !word.dropFirst().contains(where: { ".:#[>+~*".contains($0) })
        {
          byClass[word.dropFirst(), default: []] += ids
        } else {
          byAny += ids
        }
      }
    }
  }

  /// Returns ids in declarations that draw the element repeatedly.
  private static func references(_ declarations: Substring) -> [String] {
    guard declarations.contains("#") else { return [] }
    return declarations.split(separator: ";").flatMap { declaration -> [String] in
      guard let colon = declaration.firstIndex(of: ":") else { return [] }
      let name = declaration[..<colon].lowercased().filter { !$0.isWhitespace }
      return multiplying.contains(name[...]) ? ids(declaration[colon...]) : []
    }
  }

  private static func ids(_ value: Substring) -> [String] {
    value.split(separator: "#").dropFirst().map { part in
      PercentEncoding.decoded(String(part.prefix { !")\"' \t\n".contains($0) }))
    }
  }
}
