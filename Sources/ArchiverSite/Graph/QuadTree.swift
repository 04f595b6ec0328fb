/// A point or a force in the plane.
struct Point: Hashable, Codable {
  var x: Double
  var y: Double
}

/// A quadtree of bodies in the plane, which approximates distant bodies by their centre of mass
/// (Barnes and Hut, 1986).
///
/// Rebuilt for each step. Cells are in one array, with four adjacent children.
struct QuadTree {
  private struct Cell {
    var mass = 0.0
    /// The centre of mass after `finish`; the sum of mass times position before.
    var x = 0.0
    var y = 0.0
    var size: Double
    /// The index of the first of four children; 0 for none.
    var children: Int32 = 0
    /// The only body of a leaf; -1 for none.
    var body: Int32 = -1
  }

  private var cells: [Cell] = []
  private let places: [Point]
  private let masses: [Double]
  private let left: Double
  private let top: Double
  /// A cell is approximated if the ratio of its size to its distance is below this value.
  private static let openness = 0.9
  private static let depthLimit = 40

  init(_ places: [Point], masses: [Double]) {
    self.places = places
    self.masses = masses
    let xs = places.map(\.x)
    let ys = places.map(\.y)
    left = xs.min() ?? 0
    top = ys.min() ?? 0
    let size = max((xs.max() ?? 0) - left, (ys.max() ?? 0) - top, 1)
    cells.reserveCapacity(places.count * 3)
    cells.append(Cell(size: size * 1.0001))
    for body in places.indices { insert(Int32(body)) }
    for index in cells.indices where cells[index].mass > 0 {
      cells[index].x /= cells[index].mass
      cells[index].y /= cells[index].mass
    }
  }

  private mutating func insert(_ body: Int32) {
    let place = places[Int(body)]
    var (cell, x, y) = (0, left, top)
    for depth in 0... {
      let half = cells[cell].size / 2
      if cells[cell].mass > 0, cells[cell].children == 0, depth < QuadTree.depthLimit {
        divide(cell, x, y, half)
      }
      add(body, to: cell)
      guard cells[cell].children != 0 else {
        cells[cell].body = body
        return
      }
      let (right, down) = (place.x >= x + half, place.y >= y + half)
      cell = Int(cells[cell].children) + (right ? 1 : 0) + (down ? 2 : 0)
      if right { x += half }
      if down { y += half }
    }
  }

  /// Divides a leaf and moves its body into a child.
  private mutating func divide(_ cell: Int, _ x: Double, _ y: Double, _ half: Double) {
    let first = cells.count
    for _ in 0..<4 { cells.append(Cell(size: half)) }
    cells[cell].children = Int32(first)
    let body = cells[cell].body
    guard body >= 0 else { return }
    cells[cell].body = -1
    let place = places[Int(body)]
    let child = first + (place.x >= x + half ? 1 : 0) + (place.y >= y + half ? 2 : 0)
    add(body, to: child)
    cells[child].body = body
  }

  private mutating func add(_ body: Int32, to cell: Int) {
    let (mass, place) = (masses[Int(body)], places[Int(body)])
    cells[cell].mass += mass
    cells[cell].x += mass * place.x
    cells[cell].y += mass * place.y
  }

  /// Returns the repulsion on a body: the sum over all others of their mass divided by the
  /// distance.
  func repulsion(on body: Int, stack: inout [Int32]) -> Point {
    let place = places[body]
    var force = Point(x: 0, y: 0)
    stack.removeAll(keepingCapacity: true)
    stack.append(0)
    cells.withUnsafeBufferPointer { cells in
      while let index = stack.popLast() {
        let cell = cells[Int(index)]
        guard cell.mass > 0, cell.body != Int32(body) || cell.children != 0 else { continue }
        let (dx, dy) = (place.x - cell.x, place.y - cell.y)
        let square = max(dx * dx + dy * dy, 0.01)
        let isFar = cell.size * cell.size < QuadTree.openness * QuadTree.openness * square
        if cell.children == 0 || isFar {
          force.x += dx / square * cell.mass
          force.y += dy / square * cell.mass
        } else {
          for child in cell.children..<cell.children + 4 { stack.append(child) }
        }
      }
    }
    return force
  }
}
