/// SplitMix64: the same numbers on every start and every machine.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func callAsFunction(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / 9_007_199_254_740_992
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }
}

/// Smooth value noise between -1 and 1.
struct Noise {
  let seed: UInt64

  private func value(_ x: Int, _ y: Int) -> Double {
    var z = seed &+ UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
    z = z &+ UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) / 4_503_599_627_370_496 - 1
  }

  func at(_ x: Double, _ y: Double = 0.5) -> Double {
    let fx = x.rounded(.down)
    let fy = y.rounded(.down)
    let (i, j) = (Int(fx), Int(fy))
    let u = (x - fx) * (x - fx) * (3 - 2 * (x - fx))
    let v = (y - fy) * (y - fy) * (3 - 2 * (y - fy))
    return between(
      between(value(i, j), value(i + 1, j), u), between(value(i, j + 1), value(i + 1, j + 1), u), v)
  }

  /// Octaves of noise on top of one another, each half as high and twice as fine.
  func layered(_ x: Double, _ y: Double = 0.5, octaves: Int = 4) -> Double {
    var sum = 0.0
    var weight = 0.5
    var scale = 1.0
    for _ in 0..<octaves {
      sum += weight * at(x * scale, y * scale)
      weight *= 0.5
      scale *= 2.03
    }
    return sum
  }
}
