/// Stars, the moon and the dark shapes under them.
enum NightSky {
  private static func sky(_ canvas: inout Canvas, _ stops: [UInt32], stars: Int, seed: UInt64) {
    canvas.fill(
      .rectangle(0, 0, 1200, 675), .vertical(stops.map { Color($0) }, from: 0, to: 640))
    var random = Seeded(seed)
    for _ in 0..<stars {
      let p = Point(random(0, 1200), random(0, 600))
      let r = power(random(0, 1), 5) * 2.3 + 0.6
      canvas.fill(
        .circle(p, r), random.pick([0xFFFFFF, 0xFFE9C4, 0xD3E2FF]), alpha: random(0.35, 1))
    }
  }

  private static func pines(_ canvas: inout Canvas, _ color: UInt32, base: Double, seed: UInt64) {
    var random = Seeded(seed)
    let noise = Noise(seed: seed)
    let ground = stride(from: 0.0, through: 1200, by: 8).map {
      Point($0, base - 50 * noise.layered($0 / 300))
    }
    canvas.fill(.polygon(ground + [Point(1200, 675), Point(0, 675)]), color)
    var x = -10.0
    while x < 1210 {
      let y = base - 50 * noise.layered(max(x, 0) / 300) + 6
      let h = random(40, 120)
      for step in 0..<5 {
        let t = Double(step)
        let w = h * 0.21 * (1 - t * 0.17)
        let foot = y - h * 0.17 * t
        canvas.fill(
          .polygon([Point(x - w, foot), Point(x, foot - h * 0.3), Point(x + w, foot)]), color)
      }
      x += random(14, 44)
    }
  }

  static func milkyWay(_ canvas: inout Canvas) {
    sky(&canvas, [0x0B1030, 0x1B2450, 0x44406F, 0x9A6A7C, 0xE0A27E], stars: 500, seed: 7)
    var random = Seeded(3)
    for _ in 0..<90 {
      let t = random(0, 1)
      let centre = Point(260 + t * 760 + random(-40, 40), 560 - t * 620 + random(-46, 46))
      canvas.fill(
        .circle(centre, 130),
        .glow(Color(random.pick([0xA8B4EA, 0xC9A6CF, 0x8FA3DD])), centre: centre, radius: 130),
        alpha: 0.1)
    }
    for _ in 0..<900 {
      let t = random(0, 1)
      let off = (random(-1, 1) + random(-1, 1) + random(-1, 1)) * 52
      let p = Point(260 + t * 760 + off * 0.7, 560 - t * 620 + off * 0.8)
      canvas.fill(.circle(p, random(0.5, 1.2)), 0xFFFFFF, alpha: random(0.3, 0.9))
    }
    pines(&canvas, 0x2A2146, base: 600, seed: 15)
    pines(&canvas, 0x120F26, base: 650, seed: 16)
    canvas.fill(.polygon([Point(560, 640), Point(600, 590), Point(640, 640)]), 0xE8A04F)
    canvas.fill(.polygon([Point(600, 590), Point(640, 640), Point(610, 640)]), 0xB8692F)
  }

  static func constellations(_ canvas: inout Canvas) {
    sky(&canvas, [0x12233F, 0x17304F, 0x1D3C5C], stars: 220, seed: 21)
    let centre = Point(600, 720)
    for step in 1...6 {
      canvas.stroke(arc(centre, Double(step) * 130, 0.5, 1, steps: 90), 1, 0x8FB0C4, alpha: 0.3)
    }
    for step in 0...12 {
      canvas.stroke(
        [centre.polar(60, 0.5 + Double(step) / 24), centre.polar(900, 0.5 + Double(step) / 24)], 1,
        0x8FB0C4, alpha: 0.22)
    }
    let figures: [[(Double, Double)]] = [
      [
        (150, 190), (235, 150), (312, 165), (382, 190), (402, 262), (500, 270), (500, 190),
        (382, 190),
      ],
      [(700, 130), (745, 190), (800, 150), (850, 205), (900, 140)],
      [(620, 330), (760, 340), (770, 470), (625, 455), (620, 330)],
      [(760, 340), (880, 300), (980, 262), (1085, 240)],
      [(250, 430), (330, 395), (415, 420), (395, 500), (300, 520), (250, 430)],
    ]
    for figure in figures {
      let points = figure.map { Point($0.0, $0.1) }
      canvas.stroke(points, 2, 0xF2D58B, alpha: 0.75)
      for (index, point) in points.enumerated() {
        let r = 5 + Double((index * 7) % 4)
        canvas.fill(
          .circle(point, r * 3), .glow(Color(0xF6E6BE), centre: point, radius: r * 3), alpha: 0.7)
        canvas.fill(.circle(point, r), 0xFDF6E3)
      }
    }
    canvas.stroke(
      [Point(24, 24), Point(1176, 24), Point(1176, 651), Point(24, 651)], 2, 0xF2D58B, closed: true)
    canvas.stroke(
      [Point(32, 32), Point(1168, 32), Point(1168, 643), Point(32, 643)], 1, 0xF2D58B, closed: true)
  }

  static func moonPhases(_ canvas: inout Canvas) {
    sky(&canvas, [0x191A33, 0x24264A, 0x3A3560], stars: 130, seed: 33)
    for index in 0..<9 {
      let phase = Double(index) / 8
      let x = 120 + Double(index) * 120
      let centre = Point(x, 350 - 120 * sine(phase / 2))
      moon(&canvas, centre, radius: index == 4 ? 58 : 44, phase: phase)
    }
    canvas.stroke(
      stride(from: 60.0, through: 1140, by: 10).map { x in
        Point(x, 455 - 120 * sine((x - 120) / 960 / 2))
      }, 1.6, 0xE8C98A, alpha: 0.7)
    pines(&canvas, 0x14132B, base: 640, seed: 41)
  }

  /// A moon lit from the right while it grows, from the left while it wanes; 0.5 is full.
  static func moon(_ canvas: inout Canvas, _ centre: Point, radius: Double, phase: Double) {
    canvas.fill(
      .circle(centre, radius * 2), .glow(Color(0xF4E3B2), centre: centre, radius: radius * 2),
      alpha: 0.35)
    canvas.fill(.circle(centre, radius), 0x45436E)
    let waxing = phase <= 0.5
    let edge = cosine(phase)
    let limb = (0...40).map { centre.polar(radius, (waxing ? -0.25 : 0.25) + Double($0) / 80) }
    let terminator = (0...40).map { step -> Point in
      let y = between(radius, -radius, Double(step) / 40) * (waxing ? 1 : -1)
      let width = (max(0, radius * radius - y * y)).squareRoot() * edge
      return Point(centre.x + (waxing ? width : -width), centre.y + y)
    }
    canvas.fill(.polygon(limb + terminator), 0xF7ECCB)
    guard phase == 0.5 else { return }
    var random = Seeded(5)
    for _ in 0..<9 {
      let p = centre.polar(random(0, radius * 0.7), random(0, 1))
      canvas.fill(.circle(p, random(3, 10)), 0xDCC99B, alpha: 0.7)
    }
  }

  static func trails(_ canvas: inout Canvas) {
    sky(&canvas, [0x0C1A2B, 0x16324A, 0x2F5D6E, 0x7DA08F], stars: 0, seed: 1)
    var random = Seeded(8)
    let pole = Point(720, 250)
    for _ in 0..<230 {
      let radius = power(random(0, 1), 0.7) * 820
      let start = random(0, 1)
      canvas.stroke(
        arc(pole, radius, start, start + 0.11, steps: 40), random(0.8, 2.4),
        random.pick([0xFFFFFF, 0xFCE3B6, 0xBFD8F2, 0xF2C6A8]), alpha: random(0.3, 0.9))
    }
    canvas.fill(.circle(pole, 3), 0xFFFFFF)
    pines(&canvas, 0x0C1C22, base: 640, seed: 50)
    canvas.fill(.rectangle(300, 470, 46, 150), 0x0C1C22)
    canvas.fill(.polygon([Point(292, 470), Point(323, 432), Point(354, 470)]), 0x0C1C22)
    canvas.fill(.rectangle(316, 500, 14, 22), 0xF6C667)
  }
}
