import ArchiverCore

/// Places the nodes of a graph with a force-directed layout (Fruchterman and Reingold, 1991): edges
/// attract, nodes repel each other. Repulsion is approximated with a quadtree.
///
/// The result is the same on every machine: only operations that IEEE 754 defines exactly are used,
/// and pseudo-random numbers are derived from the nodes' names.
enum GraphLayout {
  /// The rest length of an edge.
  private static let rest = 34.0

  /// Returns the position of each node, in units of about a pixel.
  static func places(_ graph: LibraryGraph.Drawn) -> [Point] {
    guard graph.nodes.count > 1 else { return graph.nodes.map { _ in Point(x: 0, y: 0) } }
    var places = start(graph)
    let masses = graph.degrees.map { 1 + 0.25 * Double(min($0, 40)) }
    let count = stepCount(graph.nodes.count)
    let spread = rest * Double(graph.nodes.count).squareRoot()
    for step in 0..<count {
      let left = 1 - Double(step) / Double(count)
      let reach = max(0.5, spread * 0.12 * left * left)
      places = moved(places, graph, masses, reach: reach)
    }
    return places.map { Point(x: ($0.x * 10).rounded() / 10, y: ($0.y * 10).rounded() / 10) }
  }

  private static func stepCount(_ nodes: Int) -> Int { nodes > 2_000 ? 150 : 300 }

  /// Performs one step, in which no node moves farther than `reach`.
  private static func moved(
    _ places: [Point], _ graph: LibraryGraph.Drawn, _ masses: [Double], reach: Double
  ) -> [Point] {
    let tree = QuadTree(places, masses: masses)
    var stack: [Int32] = []
    var forces = places.indices.map { body in
      let push = tree.repulsion(on: body, stack: &stack)
      let scale = rest * rest * masses[body]
      // A force towards the centre, equal to the repulsion of evenly distributed nodes, keeps
      // unconnected components together.
      let pull = 0.6 * masses[body]
      return Point(
        x: push.x * scale - places[body].x * pull, y: push.y * scale - places[body].y * pull)
    }
    for (source, target, edge) in graph.edges {
      let dx = places[target].x - places[source].x
      let dy = places[target].y - places[source].y
      let weight = edge.kind == .parent ? 1.5 : 0.8
      let pull = weight * length(dx, dy) / rest
      forces[source].x += dx * pull
      forces[source].y += dy * pull
      forces[target].x -= dx * pull
      forces[target].y -= dy * pull
    }
    return zip(places, forces).map { place, force in
      let strength = max(length(force.x, force.y), 1e-9)
      let way = min(strength, reach) / strength
      return Point(x: place.x + force.x * way, y: place.y + force.y * way)
    }
  }

  /// Returns the initial positions: each node near its parent, which leaves few crossings.
  private static func start(_ graph: LibraryGraph.Drawn) -> [Point] {
    var neighbours = Array(repeating: [Int](), count: graph.nodes.count)
    for (source, target, _) in graph.edges {
      neighbours[source].append(target)
      neighbours[target].append(source)
    }
    let spread = rest * Double(graph.nodes.count).squareRoot()
    var places: [Point?] = graph.nodes.map { _ in nil }
    for root in graph.byDegree where places[root] == nil {
      places[root] = offset(graph.nodes[root].id, spread)
      var queue = [root]
      var next = 0
      while next < queue.count {
        let node = queue[next]
        next += 1
        let place = places[node] ?? Point(x: 0, y: 0)
        for neighbour in neighbours[node] where places[neighbour] == nil {
          let away = offset(graph.nodes[neighbour].id, rest * 3)
          places[neighbour] = Point(x: place.x + away.x, y: place.y + away.y)
          queue.append(neighbour)
        }
      }
    }
    return places.map { $0 ?? Point(x: 0, y: 0) }
  }

  /// Returns a position in a square with side `size` around the origin, derived from a name.
  private static func offset(_ name: String, _ size: Double) -> Point {
    var hash = Fingerprint.of(name)
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash ^= hash >> 33
    let x = Double(hash & 0xFFFF_FFFF) / 4_294_967_296 - 0.5
    let y = Double(hash >> 32) / 4_294_967_296 - 0.5
    return Point(x: x * size, y: y * size)
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
