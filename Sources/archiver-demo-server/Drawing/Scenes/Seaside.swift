/// Light, waves and the edge of the land.
enum Seaside {
  static func lighthouse(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 480),
      .vertical(
        [Color(0x27406B), Color(0x6D6A92), Color(0xE59B7A), Color(0xF8D79A)], from: 0, to: 480))
    let lamp = Point(820, 168)
    for (up, down) in [(0.475, 0.505), (0.98, 1.012)] {
      canvas.fill(
        .polygon([lamp, lamp.polar(1200, up), lamp.polar(1200, down)]), 0xFFF1C4, alpha: 0.4)
    }
    canvas.fill(.circle(lamp, 130), .glow(Color(0xFFF3CC), centre: lamp, radius: 130), alpha: 0.9)
    canvas.fill(.circle(Point(310, 440), 62), 0xFBE3A9)
    waves(&canvas, from: 455, [0x8A7FA0, 0x5F6F98, 0x41598A, 0x2C4573, 0x1C3158], seed: 5)
    canvas.fill(
      .polygon(
        smooth([
          Point(620, 690), Point(660, 560), Point(730, 520), Point(820, 500), Point(930, 516),
          Point(1040, 560), Point(1220, 610), Point(1220, 700),
        ])), 0x2A2438)
    canvas.fill(
      .polygon([Point(786, 196), Point(854, 196), Point(878, 512), Point(762, 512)]), 0xF7EEDF)
    for step in 0..<3 {
      let y = 240 + Double(step) * 96
      let w = 36 + Double(step) * 8.2
      canvas.fill(
        .polygon([
          Point(820 - w, y), Point(820 + w, y), Point(820 + w + 4, y + 46),
          Point(820 - w - 4, y + 46),
        ]), 0xBF3B33)
    }
    canvas.fill(
      .polygon([Point(820, 196), Point(854, 196), Point(878, 512), Point(820, 512)]), 0x3A2A4A,
      alpha: 0.2)
    canvas.fill(.rectangle(774, 188, 92, 10), 0x2A2438)
    canvas.fill(.rectangle(796, 146, 48, 44), 0xFFF1C4)
    for x in [796.0, 812, 828, 842] { canvas.fill(.rectangle(x, 146, 3, 44), 0x2A2438) }
    canvas.fill(.polygon([Point(786, 147), Point(820, 112), Point(854, 147)]), 0xBF3B33)
    canvas.fill(.rounded(920, 476, 110, 52, 3), 0xE9DCC6)
    canvas.fill(.polygon([Point(910, 478), Point(975, 440), Point(1040, 478)]), 0x8E3A34)
    canvas.fill(.rectangle(944, 494, 18, 20), 0xF8CB6B)
    canvas.fill(.rectangle(984, 494, 18, 20), 0xF8CB6B)
  }

  private static func waves(
    _ canvas: inout Canvas, from top: Double, _ inks: [UInt32], seed: UInt64
  ) {
    for (index, ink) in inks.enumerated() {
      let y = top + Double(index) * (675 - top) / Double(inks.count)
      let noise = Noise(seed: seed + UInt64(index))
      let line = stride(from: 0.0, through: 1200, by: 6).map { x in
        Point(
          x,
          y + 9 * sine(x / (130 + Double(index) * 34) + Double(index) * 0.3) + 8
            * noise.layered(x / 90))
      }
      canvas.fill(.polygon(line + [Point(1200, 675), Point(0, 675)]), ink)
      canvas.stroke(line, 2.4, 0xFFF1D6, alpha: 0.35)
    }
  }

  /// Overlapping scales of waves, as on cotton cloth.
  static func scales(_ canvas: inout Canvas) {
    canvas.fill(0x1E3F66)
    let r = 62.0
    for row in 0..<25 {
      for column in -1..<12 {
        let c = Point(Double(column) * r * 2 + (row % 2 == 0 ? 0 : r), Double(row) * r * 0.5 + 20)
        let ink: UInt32 = (row * 7 + column * 3) % 11 == 0 ? 0xC9573F : 0x1E3F66
        for (step, share) in [1.0, 0.78, 0.56, 0.34].enumerated() {
          canvas.fill(.circle(c, r * share), step % 2 == 0 ? 0xF1E8D6 : ink)
          canvas.fill(.circle(c, r * share - 5), step % 2 == 0 ? ink : 0xF1E8D6)
        }
      }
    }
  }

  /// Tide pools under a low sun.
  static func pools(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 330),
      .vertical(
        [Color(0x5B6C93), Color(0xC98F94), Color(0xF7C78E), Color(0xFCE7B8)], from: 0, to: 320))
    let sun = Point(720, 286)
    canvas.fill(.circle(sun, 260), .glow(Color(0xFFF0C0), centre: sun, radius: 260), alpha: 0.9)
    canvas.fill(.circle(sun, 46), 0xFFF4D0)
    canvas.fill(
      .rectangle(0, 312, 1200, 363),
      .vertical([Color(0xE8B78F), Color(0x8F7F92), Color(0x3F4A66)], from: 312, to: 675))
    var random = Seeded(58)
    let noise = Noise(seed: 58)
    for row in 0..<26 {
      let t = Double(row) / 25
      let y = 330 + power(t, 1.6) * 335
      let size = 14 + t * 96
      var x = random(-60, 20)
      while x < 1260 {
        if noise.layered(x / (180 + t * 300), y / 60) > -0.05 {
          let points = (0..<11).map { step -> Point in
            let turns = Double(step) / 11
            return Point(
              x + size * random(0.7, 1.1) * cosine(turns),
              y + size * 0.26 * random(0.7, 1.1) * sine(turns))
          }
          let rock = smooth(points, closed: true, steps: 5)
          canvas.fill(.polygon(rock), Color(0x6A5566).mixed(Color(0x1E2233), t))
          let lit = rock.map { Point($0.x, y - size * 0.05 + ($0.y - y) * 0.6) }
          canvas.fill(.polygon(lit), Color(0xB98A80).mixed(Color(0x343A52), t), alpha: 0.8)
        }
        x += size * random(1.2, 2.4)
      }
    }
    for _ in 0..<120 {
      let t = power(random(0, 1), 1.6)
      let y = 322 + t * 345
      let w = random(4, 26) * (0.4 + t)
      let x = sun.x + random(-60, 60) * (0.6 + t * 3)
      canvas.fill(.capsule(Point(x - w, y), Point(x + w, y), 1.4 + t * 3), 0xFFF0C4, alpha: 0.6)
    }
  }

  /// A canal lock with its gates closed.
  static func lock(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 330), .vertical([Color(0x9CC3C9), Color(0xDDE8D6)], from: 0, to: 330))
    var random = Seeded(71)
    for _ in 0..<26 {
      let x = random(0, 1200)
      let r = random(36, 84)
      canvas.fill(
        .circle(Point(x, 290 - r * 0.4), r),
        random.pick([0x6E9462, 0x87A871, 0x567D55, 0xA3B877] as [UInt32]))
    }
    canvas.fill(.rectangle(0, 300, 1200, 60), 0xB7C48A)
    canvas.fill(.rectangle(0, 350, 1200, 325), 0xA38B76)
    for row in 0..<11 {
      let y = 352 + Double(row) * 30
      for column in -1..<16 {
        let x = Double(column) * 84 + (row % 2 == 0 ? 0 : 42)
        canvas.fill(
          .rectangle(x + 2, y + 2, 80, 26),
          random.pick([0xB29A83, 0xA88F78, 0xBBA58E, 0x9C836D] as [UInt32]))
      }
    }
    canvas.fill(
      .rectangle(0, 400, 560, 275),
      .vertical([Color(0x6FA3A0), Color(0x2F5F66)], from: 400, to: 675))
    canvas.fill(
      .rectangle(640, 575, 560, 100),
      .vertical([Color(0x6FA3A0), Color(0x3D757A)], from: 575, to: 675))
    canvas.fill(.rectangle(560, 330, 80, 345), 0x4A3426)
    for step in 0..<5 { canvas.fill(.rectangle(560, 350 + Double(step) * 70, 80, 14), 0x2F2018) }
    for x in [572.0, 596, 620] { canvas.fill(.rectangle(x, 330, 5, 345), 0x33231A) }
    canvas.fill(.rectangle(380, 306, 470, 26), 0x2B2B2F)
    canvas.fill(.rectangle(380, 306, 66, 26), 0xF6EFE0)
    canvas.fill(.rectangle(784, 306, 66, 26), 0xF6EFE0)
    for step in 0..<7 {
      let x = 566 + Double(step) * 11
      canvas.fill(
        .polygon(
          curve(
            Point(x, 470 + Double(step % 3) * 30), Point(x + 100, 480), Point(x + 88, 540),
            Point(x + 84, 640)) + [Point(x + 76, 640)]), 0xE8F1EC, alpha: 0.16)
    }
    canvas.fill(
      .polygon([Point(70, 392), Point(480, 392), Point(450, 436), Point(96, 436)]), 0x20303A)
    canvas.fill(.rectangle(64, 384, 424, 10), 0xC7412F)
    canvas.fill(.rounded(140, 330, 280, 56, 6), 0x2F6B5E)
    for step in 0..<4 { canvas.fill(.circle(Point(178 + Double(step) * 66, 358), 14), 0xF2D58B) }
    canvas.fill(.rectangle(384, 296, 14, 36), 0x20303A)
    for (x, c) in [(96.0, 0xC7412F as UInt32), (118, 0xF2B441)] {
      Botanical.flower(&canvas, Point(x, 374), radius: 15, petals: 7, c, heart: 0x5B3A29)
    }
    for y in [412.0, 450, 500, 590, 630] {
      for _ in 0..<5 {
        let x = y > 570 ? random(660, 1180) : random(10, 530)
        canvas.stroke([Point(x, y), Point(x + random(20, 70), y)], 2.4, 0xDCEBE3, alpha: 0.5)
      }
    }
  }

  /// Terraces of tea in the morning.
  static func terraces(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 420),
      .vertical([Color(0xF5D9B0), Color(0xF9EBD0), Color(0xDDE5CF)], from: 0, to: 400))
    canvas.fill(.circle(Point(880, 130), 66), 0xEF9A5A)
    for layer in 0..<3 {
      let noise = Noise(seed: UInt64(layer) + 300)
      let y = 250 + Double(layer) * 52
      let top = stride(from: 0.0, through: 1200, by: 5).map {
        Point($0, y - 130 * noise.layered($0 / 240, octaves: 5))
      }
      let tint = Color(0xB9CDB8).mixed(Color(0x6F9A7E), Double(layer) / 2)
      canvas.fill(
        .polygon(top + [Point(1200, 520), Point(0, 520)]),
        .vertical([tint, tint, Color(0xF2EBD6)], from: y - 80, to: y + 150))
    }
    for band in 0..<15 {
      let t = Double(band) / 14
      let y = 370 + power(t, 1.35) * 300
      let noise = Noise(seed: 812)
      func edge(_ x: Double) -> Double {
        y + (60 + t * 24) * noise.layered(x / 460 + t * 0.35, t * 0.5)
      }
      let line = stride(from: 0.0, through: 1200, by: 8).map { Point($0, edge($0)) }
      let color = Color(0x8DB36B).mixed(Color(0x2B6146), t)
      canvas.fill(.polygon(line + [Point(1200, 675), Point(0, 675)]), color)
      let bush = 5 + t * 12
      var row = Path()
      var x = 0.0
      while x < 1205 {
        row = row.adding(.circle(Point(x, edge(x)), bush))
        x += bush * 1.5
      }
      canvas.fill(row, color.mixed(Color(0xD4DE8A), 0.24))
    }
    for (x, y, s) in [(330.0, 520.0, 1.0), (390, 534, 1.1), (860, 486, 0.8)] {
      canvas.fill(
        .polygon([
          Point(x - 17 * s, y + 34 * s), Point(x, y - 6 * s), Point(x + 17 * s, y + 34 * s),
        ]), 0x2F4A6B)
      canvas.fill(.circle(Point(x, y - 8 * s), 8 * s), 0xE3B48C)
      canvas.fill(
        .polygon([Point(x - 24 * s, y - 8 * s), Point(x, y - 26 * s), Point(x + 24 * s, y - 8 * s)]
        ), 0xE9D29A)
      canvas.fill(.rounded(x + 12 * s, y + 6 * s, 18 * s, 24 * s, 5), 0xA8703F)
    }
  }

}
