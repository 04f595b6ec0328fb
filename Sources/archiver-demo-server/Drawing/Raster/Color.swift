/// An opaque colour, components from 0 to 255.
struct Color {
  var red: Double
  var green: Double
  var blue: Double

  init(_ hex: UInt32) {
    red = Double(hex >> 16 & 255)
    green = Double(hex >> 8 & 255)
    blue = Double(hex & 255)
  }

  init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  func mixed(_ other: Color, _ t: Double) -> Color {
    Color(
      red: between(red, other.red, t), green: between(green, other.green, t),
      blue: between(blue, other.blue, t))
  }

  var packed: UInt32 {
    UInt32(red + 0.5) << 16 | UInt32(green + 0.5) << 8 | UInt32(blue + 0.5)
  }
}

/// What a path is filled with.
enum Paint {
  case flat(Color)
  /// Colour stops from top to bottom, evenly spaced between two heights.
  case vertical([Color], from: Double, to: Double)
  /// Opaque at the centre, nothing at the radius.
  case glow(Color, centre: Point, radius: Double)

  static func hex(_ value: UInt32) -> Paint { .flat(Color(value)) }

  func color(atHeight y: Double) -> Color {
    switch self {
    case .flat(let color), .glow(let color, _, _): return color
    case .vertical(let stops, let top, let bottom):
      let last = stops.count - 1
      let position = min(max((y - top) / (bottom - top), 0), 1) * Double(last)
      let index = min(Int(position), max(last - 1, 0))
      return stops[index].mixed(stops[min(index + 1, last)], position - Double(index))
    }
  }
}
