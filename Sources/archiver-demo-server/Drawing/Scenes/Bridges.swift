/// Bridges in elevation, as on an engineer's presentation drawing.
enum Bridges {
  struct Inks {
    var paper: UInt32
    var line: UInt32
    var accent: UInt32
    var water: UInt32
    var sun: UInt32
  }

  static let dusk = Inks(
    paper: 0xF3E4CF, line: 0x2B3A4A, accent: 0xC4513A, water: 0x7FA3A5, sun: 0xEFB35A)
  static let blueprint = Inks(
    paper: 0x1F3F66, line: 0xE9EFF2, accent: 0xF2C879, water: 0x17324F, sun: 0x2E5480)
  static let sage = Inks(
    paper: 0xE4E9DD, line: 0x33443C, accent: 0xB5652F, water: 0x86A79A, sun: 0xF4D58A)
  static let rose = Inks(
    paper: 0xF6DDD3, line: 0x4A2D3F, accent: 0x9C3D54, water: 0xA493AE, sun: 0xFBF3E6)

  private static func setting(_ canvas: inout Canvas, _ inks: Inks, sun: Point, grid: Bool = false)
  {
    canvas.fill(inks.paper)
    canvas.fill(.circle(sun, 92), inks.sun)
    if grid {
      for step in 1..<30 {
        let weight = step % 5 == 0 ? 1.6 : 0.8
        canvas.stroke(
          [Point(Double(step) * 40, 0), Point(Double(step) * 40, 675)], weight, inks.line,
          alpha: 0.13)
        canvas.stroke(
          [Point(0, Double(step) * 40), Point(1200, Double(step) * 40)], weight, inks.line,
          alpha: 0.13)
      }
    }
    let noise = Noise(seed: 404)
    for layer in 0..<2 {
      let base = 505 - Double(layer) * -25
      let top = stride(from: 0.0, through: 1200, by: 6).map {
        Point($0, base - 62 * (noise.layered($0 / 240 + Double(layer) * 9) + 0.5))
      }
      let color = Color(inks.paper).mixed(Color(inks.water), 0.4 + 0.3 * Double(layer))
      canvas.fill(.polygon(top + [Point(1200, 560), Point(0, 560)]), color)
    }
    canvas.fill(.rectangle(0, 545, 1200, 130), inks.water)
  }

  /// Water lines over the piers' feet.
  private static func ripples(_ canvas: inout Canvas, _ inks: Inks, seed: UInt64) {
    var random = Seeded(seed)
    var y = 556.0
    while y < 670 {
      var x = random(-60, 40)
      while x < 1200 {
        let w = random(20, 110)
        canvas.stroke([Point(x, y), Point(x + w, y)], 2.2, inks.paper, alpha: 0.5)
        x += w + random(30, 190)
      }
      y += 13
    }
  }

  static func suspension(_ canvas: inout Canvas) {
    let inks = dusk
    setting(&canvas, inks, sun: Point(600, 330))
    let deck = 470.0
    let towers = [300.0, 900.0]
    func hang(_ x: Double) -> Double {
      if x < 300 { return between(deck - 8, 150, power(max(0, x + 60) / 360, 1.5)) }
      if x > 900 { return between(deck - 8, 150, power(max(0, 1260 - x) / 360, 1.5)) }
      return 150 + 290 * (1 - power(abs(x - 600) / 300, 2))
    }
    for x in stride(from: 12.0, to: 1200, by: 24) {
      canvas.stroke([Point(x, hang(x)), Point(x, deck)], 1.5, inks.line, alpha: 0.75)
    }
    let line = stride(from: -20.0, through: 1220, by: 6).map { Point($0, hang($0)) }
    canvas.stroke(line, 6, inks.accent)
    for x in towers {
      for side in [-16.0, 16.0] {
        canvas.fill(.rectangle(x + side - 7, 132, 14, 430), inks.accent)
      }
      for y in stride(from: 160.0, to: 460, by: 74) {
        canvas.fill(.rectangle(x - 16, y, 32, 10), inks.accent)
        canvas.stroke([Point(x - 12, y + 14), Point(x + 12, y + 70)], 3, inks.accent)
        canvas.stroke([Point(x + 12, y + 14), Point(x - 12, y + 70)], 3, inks.accent)
      }
      canvas.fill(.rounded(x - 44, 530, 88, 50, 8), inks.line)
    }
    canvas.fill(.rectangle(0, deck, 1200, 11), inks.line)
    canvas.fill(.rectangle(0, deck + 20, 1200, 4), inks.line)
    for x in stride(from: 0.0, to: 1200, by: 24) {
      canvas.stroke([Point(x, deck + 10), Point(x + 12, deck + 21)], 2, inks.line)
      canvas.stroke([Point(x + 12, deck + 21), Point(x + 24, deck + 10)], 2, inks.line)
    }
    ripples(&canvas, inks, seed: 4)
  }

  static func viaduct(_ canvas: inout Canvas) {
    let inks = sage
    setting(&canvas, inks, sun: Point(930, 180))
    let span = 150.0
    var body = Path.rectangle(-10, 258, 1220, 302)
    for index in -1..<9 {
      let x = Double(index) * span + 30
      let opening = arc(Point(x + span / 2, 372), span / 2 - 15, 0.5, 1)
      body = body.cutting(
        .polygon(opening + [Point(x + span - 15, 560), Point(x + 15, 560)]))
    }
    let stone = Color(inks.accent).mixed(Color(inks.paper), 0.28)
    canvas.fill(body, stone)
    canvas.fill(.rectangle(0, 250, 1200, 16), inks.accent)
    for index in -1..<9 {
      let x = Double(index) * span + 30
      let centre = Point(x + span / 2, 372)
      for step in 0...16 {
        let turns = 0.5 + Double(step) / 32
        canvas.stroke(
          [centre.polar(span / 2 - 15, turns), centre.polar(span / 2 + 1, turns)], 1.8,
          inks.line, alpha: 0.6)
      }
      canvas.stroke(arc(centre, span / 2 + 1, 0.5, 1), 1.8, inks.line, alpha: 0.6)
      canvas.fill(.rectangle(x - 21, 372, 42, 9), inks.accent)
      for y in stride(from: 400.0, to: 545, by: 18) {
        canvas.stroke([Point(x - 15, y), Point(x + 15, y)], 1, inks.line, alpha: 0.35)
      }
    }
    train(&canvas, inks)
    ripples(&canvas, inks, seed: 9)
  }

  private static func train(_ canvas: inout Canvas, _ inks: Inks) {
    for wagon in 0..<4 {
      let x = 330 + Double(wagon) * 112
      canvas.fill(.rounded(x, 196, 104, 46, 7), wagon == 3 ? inks.accent : inks.line)
      for window in 0..<4 {
        canvas.fill(.rectangle(x + 11 + Double(window) * 22, 206, 15, 14), inks.sun)
      }
      for wheel in [20.0, 38, 68, 86] {
        canvas.fill(.circle(Point(x + wheel, 245), 7), inks.line)
      }
    }
    var random = Seeded(31)
    for puff in 0..<9 {
      let x = 742 - Double(puff) * 44
      let r = 12 + Double(puff) * 4.5
      canvas.fill(
        .circle(Point(x, 172 - Double(puff) * 9 + random(-6, 6)), r), 0xFFFFFF,
        alpha: 0.75 - Double(puff) * 0.07)
    }
    canvas.fill(.rectangle(738, 172, 12, 26), inks.line)
  }

  static func cableStayed(_ canvas: inout Canvas) {
    let inks = rose
    setting(&canvas, inks, sun: Point(250, 240))
    let deck = 480.0
    for tower in [400.0, 860.0] {
      for step in 1...11 {
        let reach = Double(step) * 21 + 4
        let top = 120 + Double(11 - step) * 17
        for side in [-1.0, 1.0] {
          canvas.stroke(
            [Point(tower, top), Point(tower + side * reach, deck)], 2, inks.line, alpha: 0.85)
        }
      }
      canvas.fill(
        .polygon([
          Point(tower - 5, 96), Point(tower + 5, 96), Point(tower + 13, 570),
          Point(tower - 13, 570),
        ]), inks.accent)
      canvas.fill(.rounded(tower - 40, 540, 80, 34, 10), inks.line)
    }
    canvas.fill(
      .polygon([
        Point(0, deck + 4), Point(1200, deck + 4), Point(1200, deck + 17), Point(0, deck + 17),
      ]),
      inks.line)
    canvas.fill(.rectangle(0, deck - 6, 1200, 3), inks.line)
    for x in stride(from: 20.0, to: 1200, by: 38) {
      canvas.fill(.rectangle(x, deck - 6, 2, 12), inks.line)
    }
    for x in stride(from: 60.0, to: 1200, by: 152) {
      canvas.stroke(
        [Point(x, deck), Point(x, deck - 42), Point(x + 16, deck - 42)], 2.4, inks.line)
      canvas.fill(.circle(Point(x + 18, deck - 40), 4.5), inks.sun)
    }
    ripples(&canvas, inks, seed: 12)
  }

  static func truss(_ canvas: inout Canvas) {
    let inks = blueprint
    setting(&canvas, inks, sun: Point(1020, 190), grid: true)
    let (top, bottom) = (255.0, 425.0)
    for start in [70.0, 605.0] {
      let panel = 88.0
      var upper: [Point] = []
      for index in 1...5 { upper.append(Point(start + Double(index) * panel, top)) }
      let left = Point(start, bottom)
      let right = Point(start + 6 * panel, bottom)
      canvas.stroke([left] + upper + [right], 8, inks.line)
      canvas.stroke([left, right], 9, inks.line)
      for index in 1...5 {
        let x = start + Double(index) * panel
        canvas.stroke([Point(x, top), Point(x, bottom)], 4, inks.line)
        if index < 5 {
          let falls = index < 3
          canvas.stroke(
            [Point(x, falls ? top : bottom), Point(x + panel, falls ? bottom : top)], 4,
            inks.accent)
        }
      }
      for point in upper + [left, right] {
        canvas.fill(.circle(point, 8), inks.line)
        canvas.fill(.circle(point, 3.5), inks.water)
      }
    }
    for x in [70.0, 601.0, 1133.0] {
      canvas.fill(
        .polygon([
          Point(x - 26, bottom + 12), Point(x + 26, bottom + 12), Point(x + 40, 575),
          Point(x - 40, 575),
        ]), inks.line, alpha: 0.9)
    }
    canvas.stroke([Point(70, 150), Point(598, 150)], 1.6, inks.accent)
    canvas.stroke([Point(605, 150), Point(1133, 150)], 1.6, inks.accent)
    for x in [70.0, 598, 605, 1133] {
      canvas.stroke([Point(x, 136), Point(x, bottom)], 1, inks.accent, alpha: 0.6)
      canvas.stroke([Point(x - 7, 157), Point(x + 7, 143)], 2, inks.accent)
    }
    ripples(&canvas, inks, seed: 16)
  }
}
