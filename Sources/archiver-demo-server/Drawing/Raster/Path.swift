/// Closed outlines, filled by non-zero winding; an outline the other way round cuts a hole.
struct Path {
  var contours: [[Point]] = []

  static func polygon(_ points: [Point]) -> Path { Path(contours: [points]) }

  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Path {
    polygon([
      Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height),
    ])
  }

  static func circle(_ centre: Point, _ radius: Double) -> Path {
    ellipse(centre, radius, radius)
  }

  static func ellipse(_ centre: Point, _ rx: Double, _ ry: Double) -> Path {
    let steps = max(12, min(160, Int(max(rx, ry) * 1.2)))
    return polygon(
      (0..<steps).map { step in
        let turns = Double(step) / Double(steps)
        return Point(centre.x + rx * cosine(turns), centre.y + ry * sine(turns))
      })
  }

  static func ring(_ centre: Point, _ outer: Double, _ inner: Double) -> Path {
    circle(centre, outer).cutting(circle(centre, inner))
  }

  /// A bar with round ends.
  static func capsule(_ a: Point, _ b: Point, _ width: Double) -> Path {
    stroke([a, b], width)
  }

  /// A rectangle with round corners.
  static func rounded(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double
  ) -> Path {
    var points: [Point] = []
    let corners = [
      (Point(x + width - radius, y + height - radius), 0.0),
      (Point(x + radius, y + height - radius), 0.25), (Point(x + radius, y + radius), 0.5),
      (Point(x + width - radius, y + radius), 0.75),
    ]
    for (centre, start) in corners {
      for step in 0...8 { points.append(centre.polar(radius, start + Double(step) / 32)) }
    }
    return polygon(points)
  }

  /// A line of a width, with round joins and ends.
  static func stroke(_ points: [Point], _ width: Double, closed: Bool = false) -> Path {
    var path = Path()
    let line = closed ? points + points.prefix(1) : points
    for (p, q) in zip(line, line.dropFirst()) {
      let d = q - p
      let length = d.length
      guard length > 0 else { continue }
      let n = Point(d.y, -d.x) * (width / 2 / length)
      path.contours.append([p + n, q + n, q - n, p - n])
    }
    guard width > 1.6 else { return path }
    let steps = max(8, min(48, Int(width * 2)))
    for p in line {
      path.contours.append(
        (0..<steps).map { p.polar(width / 2, Double($0) / Double(steps)) })
    }
    return path
  }

  func cutting(_ hole: Path) -> Path {
    Path(contours: contours + hole.contours.map { Array($0.reversed()) })
  }

  func adding(_ other: Path) -> Path { Path(contours: contours + other.contours) }

  func mapped(_ change: (Point) -> Point) -> Path {
    Path(contours: contours.map { $0.map(change) })
  }

  func moved(_ x: Double, _ y: Double) -> Path { mapped { Point($0.x + x, $0.y + y) } }

  func rotated(_ turns: Double, around centre: Point) -> Path {
    mapped { $0.rotated(turns, around: centre) }
  }
}

/// Points along an arc from one angle to another, in turns.
func arc(_ centre: Point, _ radius: Double, _ start: Double, _ end: Double, steps: Int = 32)
  -> [Point]
{
  (0...steps).map { centre.polar(radius, between(start, end, Double($0) / Double(steps))) }
}

/// Points along a cubic Bézier curve.
func curve(_ a: Point, _ b: Point, _ c: Point, _ d: Point, steps: Int = 24) -> [Point] {
  (0...steps).map { step in
    let t = Double(step) / Double(steps)
    let u = 1 - t
    let start = a * (u * u * u) + b * (3 * u * u * t)
    return start + c * (3 * u * t * t) + d * (t * t * t)
  }
}

/// Points along a smooth line through all the given ones (Catmull–Rom).
func smooth(_ points: [Point], closed: Bool = false, steps: Int = 10) -> [Point] {
  let count = points.count
  guard count > 2 else { return points }
  func at(_ i: Int) -> Point {
    closed ? points[(i + count) % count] : points[min(max(i, 0), count - 1)]
  }
  var line: [Point] = []
  for i in 0..<(closed ? count : count - 1) {
    let (p0, p1, p2, p3) = (at(i - 1), at(i), at(i + 1), at(i + 2))
    let b = p1 + (p2 - p0) * (1 / 6.0)
    let c = p2 - (p3 - p1) * (1 / 6.0)
    line += curve(p1, b, c, p2, steps: steps).dropLast()
  }
  if !closed { line.append(points[count - 1]) }
  return line
}
