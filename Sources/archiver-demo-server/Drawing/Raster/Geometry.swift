#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A point of the drawing plane, 1200 by 675 units, y downwards.
struct Point {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
  static func * (a: Point, k: Double) -> Point { Point(a.x * k, a.y * k) }

  /// The point at a distance and an angle in turns (0 is to the right, 0.25 is down).
  func polar(_ radius: Double, _ turns: Double) -> Point {
    Point(x + radius * cosine(turns), y + radius * sine(turns))
  }

  func rotated(_ turns: Double, around centre: Point) -> Point {
    let c = cosine(turns)
    let s = sine(turns)
    let d = self - centre
    return Point(centre.x + d.x * c - d.y * s, centre.y + d.x * s + d.y * c)
  }

  var length: Double { (x * x + y * y).squareRoot() }
}

/// Sine of an angle in turns.
func sine(_ turns: Double) -> Double { sin(turns * 2 * .pi) }

/// Cosine of an angle in turns.
func cosine(_ turns: Double) -> Double { cos(turns * 2 * .pi) }

/// Angle of a direction in turns.
func direction(_ d: Point) -> Double { atan2(d.y, d.x) / (2 * .pi) }

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

func between(_ a: Double, _ b: Double, _ t: Double) -> Double { a + (b - a) * t }
