/// A picture being painted: exact-area anti-aliasing over packed RGB pixels.
///
/// Scenes paint in a plane of 1200 by 675 units whatever the size in pixels.
struct Canvas {
  static let planeWidth = 1200.0
  static let planeHeight = 675.0

  let width: Int
  let height: Int
  private let scale: Double
  private(set) var pixels: [UInt32]
  private var area: [Float] = []

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    scale = Double(width) / Canvas.planeWidth
    pixels = [UInt32](repeating: 0xFFFFFF, count: width * height)
  }

  mutating func fill(_ hex: UInt32) { fill(.rectangle(0, 0, 1200, 675), .hex(hex)) }

  mutating func fill(_ path: Path, _ hex: UInt32, alpha: Double = 1) {
    fill(path, .hex(hex), alpha: alpha)
  }

  mutating func fill(_ path: Path, _ color: Color, alpha: Double = 1) {
    fill(path, .flat(color), alpha: alpha)
  }

  mutating func stroke(
    _ points: [Point], _ lineWidth: Double, _ hex: UInt32, alpha: Double = 1, closed: Bool = false
  ) {
    fill(.stroke(points, lineWidth, closed: closed), .hex(hex), alpha: alpha)
  }

  /// Fills a path; overlapping outlines of one path do not darken one another.
  mutating func fill(_ path: Path, _ paint: Paint, alpha: Double = 1) {
    guard let box = Box(path, scale: scale, width: width, height: height) else { return }
    let size = box.stride * box.rows
    if area.count < size {
      area += [Float](repeating: 0, count: size - area.count)
    }
    for contour in path.contours where contour.count > 2 {
      var previous = contour[contour.count - 1] * scale
      for point in contour {
        let next = point * scale
        accumulate(previous, next, box)
        previous = next
      }
    }
    composite(paint, alpha: alpha, box)
  }

  /// The pixels a path may touch.
  private struct Box {
    let left: Int
    let top: Int
    let columns: Int
    let rows: Int
    var stride: Int { columns + 2 }

    init?(_ path: Path, scale: Double, width: Int, height: Int) {
      var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
      for contour in path.contours {
        for point in contour {
          x0 = min(x0, point.x)
          x1 = max(x1, point.x)
          y0 = min(y0, point.y)
          y1 = max(y1, point.y)
        }
      }
      guard x0 <= x1 else { return nil }
      left = min(max(Int((x0 * scale).rounded(.down)), 0), width)
      top = min(max(Int((y0 * scale).rounded(.down)), 0), height)
      columns = min(max(Int((x1 * scale).rounded(.up)), 0), width) - left
      rows = min(max(Int((y1 * scale).rounded(.up)), 0), height) - top
      guard columns > 0, rows > 0 else { return nil }
    }
  }

  /// Adds one edge's signed area to the cells it passes; a running sum then gives the coverage.
  private mutating func accumulate(_ a: Point, _ b: Point, _ box: Box) {
    guard a.y != b.y else { return }
    let sign: Double = a.y < b.y ? 1 : -1
    let (p, q) = a.y < b.y ? (a, b) : (b, a)
    let slope = (q.x - p.x) / (q.y - p.y)
    let top = max(p.y - Double(box.top), 0)
    let bottom = min(q.y - Double(box.top), Double(box.rows))
    guard top < bottom else { return }
    let limit = Double(box.columns)
    var x = p.x - Double(box.left) + (top + Double(box.top) - p.y) * slope
    var y = top
    while y < bottom {
      let row = Int(y)
      let next = min(Double(row + 1), bottom)
      let nextX = x + slope * (next - y)
      let x0 = min(max(min(x, nextX), 0), limit)
      let x1 = min(max(max(x, nextX), 0), limit)
      spread(sign * (next - y), x0, x1, at: row * box.stride)
      x = nextX
      y = next
    }
  }

  private mutating func spread(_ d: Double, _ x0: Double, _ x1: Double, at start: Int) {
    let first = Int(x0)
    let end = Int(x1.rounded(.up))
    if end <= first + 1 {
      let middle = d * (0.5 * (x0 + x1) - Double(first))
      area[start + first] += Float(d - middle)
      area[start + first + 1] += Float(middle)
      return
    }
    let slope = 1 / (x1 - x0)
    var before = 0.0
    for cell in first..<end {
      // Area right of the edge within this cell, as a share of the row.
      let from = max(x0, Double(cell))
      let to = min(x1, Double(cell + 1))
      let passed = (to - x0) * slope
      let mean = (from + to) / 2 - Double(cell)
      let share = (to - from) * slope
      let covered = (passed - share) + share * (1 - mean)
      area[start + cell] += Float(d * (covered - before))
      before = covered
    }
    area[start + end] += Float(d * (1 - before))
  }

  private mutating func composite(_ paint: Paint, alpha: Double, _ box: Box) {
    let strength = Float(alpha * 256)
    for row in 0..<box.rows {
      let y = (Double(row + box.top) + 0.5) / scale
      let color = paint.color(atHeight: y).packed
      var sum: Float = 0
      let start = row * box.stride
      let target = (row + box.top) * width + box.left
      for column in 0..<box.columns {
        sum += area[start + column]
        area[start + column] = 0
        var weight = UInt32(min(abs(sum), 1) * strength + 0.5)
        if weight == 0 { continue }
        if case .glow(_, let centre, let radius) = paint {
          let x = (Double(column + box.left) + 0.5) / scale
          let fade = max(0, 1 - (Point(x, y) - centre).length / radius)
          weight = UInt32(Double(weight) * fade * fade + 0.5)
        }
        pixels[target + column] =
          weight >= 256 ? color : Canvas.blend(pixels[target + column], color, weight)
      }
      area[start + box.columns] = 0
      area[start + box.columns + 1] = 0
    }
  }

  private static func blend(_ under: UInt32, _ over: UInt32, _ weight: UInt32) -> UInt32 {
    let rest = 256 - weight
    let redBlue = ((under & 0xFF00FF) * rest + (over & 0xFF00FF) * weight + 0x800080) >> 8
    let green = ((under & 0x00FF00) * rest + (over & 0x00FF00) * weight + 0x008000) >> 8
    return redBlue & 0xFF00FF | green & 0x00FF00
  }
}
