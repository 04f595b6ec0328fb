/// Land seen from above.
enum Maps {
  /// An island with depth lines, woods, a town and a compass rose.
  static func island(_ canvas: inout Canvas) {
    canvas.fill(0xCFE0DA)
    let noise = Noise(seed: 21)
    func coast(_ grow: Double) -> [Point] {
      (0..<180).map { step in
        let turns = Double(step) / 180
        let wobble = noise.layered(cosine(turns) * 2.1 + 5, sine(turns) * 2.1 + 5, octaves: 5)
        // Going up, the land narrows towards a summit on one side.
        let share = grow < 0 ? 1 + grow / 205 : 1
        let r = (215 + max(grow, 0) + wobble * 210) * share
        let centre = Point(560 + (1 - share) * 70, 345 - (1 - share) * 20)
        let ripple = grow < 0 ? 16 * noise.at(turns * 40, grow) : 0
        return Point(
          centre.x + (r + ripple) * 1.5 * cosine(turns), centre.y + (r + ripple) * sine(turns))
      }
    }
    for (index, grow) in [120.0, 84, 54, 30, 12].enumerated() {
      canvas.fill(
        .polygon(coast(grow)), Color(0xCFE0DA).mixed(Color(0x8FB9BA), Double(index + 1) * 0.17))
      canvas.stroke(coast(grow), 1.2, 0x5E8F97, alpha: 0.6, closed: true)
    }
    canvas.fill(.polygon(coast(0)), 0xF3E7C6)
    for (index, shrink) in [40.0, 80, 115, 145].enumerated() {
      canvas.fill(
        .polygon(coast(-shrink)), Color(0xE6D9A8).mixed(Color(0xB58B55), Double(index) * 0.26))
    }
    canvas.stroke(coast(0), 3.4, 0x6B4A32, closed: true)
    var random = Seeded(8)
    for _ in 0..<150 {
      let p = Point(560, 345) + Point(random(-260, 120), random(-90, 110))
      if noise.layered(p.x / 120, p.y / 120) < 0.02 { continue }
      canvas.fill(.rectangle(p.x - 1.2, p.y, 2.4, 9), 0x5A4030)
      canvas.fill(.circle(p, 7.5), 0x5E8459)
      canvas.fill(.circle(Point(p.x - 2, p.y - 2), 3.6), 0x8BAA78)
    }
    let road = smooth([
      Point(330, 400), Point(430, 330), Point(560, 360), Point(680, 300), Point(770, 370),
    ])
    canvas.stroke(road, 5, 0x8B4A33)
    canvas.stroke(road, 2, 0xF7EFD8)
    for (x, y) in [
      (752.0, 350.0), (775, 362), (798, 352), (768, 385), (792, 390), (320, 392), (340, 412),
    ] {
      canvas.fill(.rectangle(x - 8, y - 5, 16, 12), 0xF7EFD8)
      canvas.fill(
        .polygon([Point(x - 11, y - 5), Point(x, y - 15), Point(x + 11, y - 5)]), 0xB5452F)
    }
    rose(&canvas, Point(1040, 520), 92)
    frame(&canvas)
  }

  private static func rose(_ canvas: inout Canvas, _ c: Point, _ r: Double) {
    canvas.fill(.ring(c, r * 0.78, r * 0.75), 0x4A3A2C)
    canvas.fill(.ring(c, r * 0.6, r * 0.585), 0x4A3A2C)
    for step in 0..<8 {
      let actual = step < 4 ? Double(step) / 4 + 0.125 : Double(step - 4) / 4
      let length = step < 4 ? r * 0.66 : r
      let tip = c.polar(length, actual)
      let width = r * 0.13
      canvas.fill(.polygon([c, c.polar(width, actual + 0.125), tip]), 0x8B3B2B)
      canvas.fill(.polygon([c, c.polar(width, actual - 0.125), tip]), 0xF3E7C6)
      canvas.stroke([c, c.polar(width, actual - 0.125), tip], 1, 0x4A3A2C, closed: true)
    }
  }

  private static func frame(_ canvas: inout Canvas) {
    canvas.stroke(
      [Point(20, 20), Point(1180, 20), Point(1180, 655), Point(20, 655)], 3, 0x4A3A2C, closed: true)
    canvas.stroke(
      [Point(34, 34), Point(1166, 34), Point(1166, 641), Point(34, 641)], 1.4, 0x4A3A2C,
      closed: true)
    for step in 0..<58 where step % 2 == 0 {
      let x = 20 + Double(step) * 20
      canvas.fill(.rectangle(x, 22, 20, 11), 0x4A3A2C)
      canvas.fill(.rectangle(x, 642, 20, 11), 0x4A3A2C)
    }
  }

  /// Contour lines of invented hills.
  static func contours(_ canvas: inout Canvas) {
    canvas.fill(0xF2EAD8)
    let noise = Noise(seed: 1203)
    let cell = 8.0
    func height(_ x: Double, _ y: Double) -> Double {
      noise.layered(x / 340, y / 340, octaves: 4) * 1.6 + 0.3
    }
    let (columns, rows) = (150, 85)
    var field: [Double] = []
    for j in 0...rows {
      for i in 0...columns { field.append(height(Double(i) * cell, Double(j) * cell)) }
    }
    let tints: [UInt32] = [0x8FB5B5, 0xC9D6B0, 0xDDDDB0, 0xE9D7A6, 0xE3BE8A, 0xD29C6E]
    for j in 0..<rows {
      for i in 0..<columns {
        let v = field[j * (columns + 1) + i]
        let band = v < -0.42 ? 0 : min(5, 1 + Int((v + 0.42) / 0.24))
        canvas.fill(.rectangle(Double(i) * cell, Double(j) * cell, cell, cell), tints[band])
      }
    }
    for step in 0..<24 {
      let level = -0.62 + Double(step) * 0.06
      var lines = Path()
      let weight = step % 4 == 0 ? 2.4 : 1.1
      for j in 0..<rows {
        for i in 0..<columns {
          let at = j * (columns + 1) + i
          let values = [field[at], field[at + 1], field[at + columns + 2], field[at + columns + 1]]
          let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]
          var cuts: [Point] = []
          for k in 0..<4 {
            let (a, b) = (values[k], values[(k + 1) % 4])
            if (a < level) == (b < level) { continue }
            let t = (level - a) / (b - a)
            let (p, q) = (corners[k], corners[(k + 1) % 4])
            cuts.append(
              Point(
                (Double(i) + between(p.0, q.0, t)) * cell, (Double(j) + between(p.1, q.1, t)) * cell
              ))
          }
          if cuts.count >= 2 {
            lines = lines.adding(.stroke([cuts[0], cuts[1]], weight))
          }
        }
      }
      canvas.fill(lines, level < -0.42 ? 0x3F7683 : 0x8A5A3A, alpha: step % 4 == 0 ? 0.9 : 0.6)
    }
    let inner = field.indices.filter {
      (40...120).contains($0 % (columns + 1)) && (15...65).contains($0 / (columns + 1))
    }
    let summit = inner.max { field[$0] < field[$1] } ?? 0
    let peak = Point(Double(summit % (columns + 1)) * cell, Double(summit / (columns + 1)) * cell)
    var corners: [Point] = []
    for step in 0...7 {
      let t = Double(step) / 7
      let swing = (step % 2 == 0 ? 1.0 : -1) * 46 * (1 - t * 0.6) * min(1, 7 - Double(step))
      corners.append(
        Point(between(-20, peak.x, t) + swing * 0.4, between(600, peak.y, t) + swing))
    }
    let track = smooth(corners)
    for (index, p) in track.enumerated() where index % 2 == 0 && index + 1 < track.count {
      canvas.stroke([p, track[index + 1]], 6, 0xB3352B)
    }
    canvas.fill(
      .polygon([peak + Point(0, -18), peak + Point(17, 13), peak + Point(-17, 13)]), 0xB3352B)
  }

  /// A walled river town in plan.
  static func town(_ canvas: inout Canvas) {
    canvas.fill(0xDCE3C8)
    var random = Seeded(47)
    for row in 0..<12 {
      for column in 0..<20 {
        let p = Point(Double(column) * 62, Double(row) * 58)
        let field = Path.rectangle(p.x, p.y, 59, 55).rotated(0.02, around: Point(600, 340))
        canvas.fill(field, random.pick([0xD3DCB6, 0xE6E3BE, 0xC4D2A8, 0xE9DDB4] as [UInt32]))
      }
    }
    let river = smooth([
      Point(-20, 190), Point(200, 240), Point(420, 420), Point(700, 430), Point(950, 520),
      Point(1220, 500),
    ])
    let centre = Point(600, 330)
    let wall = (0..<14).map { step -> Point in
      let corner = centre.polar(step % 2 == 0 ? 259 : 235, Double(step) / 14)
      return Point(600 + (corner.x - 600) * 1.35, corner.y)
    }
    canvas.fill(.polygon(wall), 0xF0E2C4)
    for ring in 0..<6 {
      let radius = 58 + Double(ring) * 31
      let count = 9 + ring * 5
      for step in 0..<count {
        if random(0, 1) < 0.1 { continue }
        let start = (Double(step) + 0.1) / Double(count)
        let end = (Double(step) + 0.84) / Double(count)
        let outer = arc(centre, radius + 20, start, end, steps: 5)
        let inner = arc(centre, radius, end, start, steps: 5)
        let block = (outer + inner).map { Point(600 + ($0.x - 600) * 1.35, $0.y) }
        canvas.fill(
          .polygon(block), random.pick([0xB9573F, 0xC77B55, 0xA94B3A, 0xD29A6A] as [UInt32]))
      }
    }
    canvas.stroke(river, 66, 0x6E9AA3)
    canvas.stroke(river, 52, 0x8DB5B8)
    canvas.stroke(wall, 9, 0x5B4636, closed: true)
    for p in wall { canvas.fill(.circle(p, 12), 0x5B4636) }
    for x in [445.0, 610.0, 770.0] {
      canvas.fill(.rectangle(x, 375, 15, 118), 0xEFE2C6)
      canvas.stroke([Point(x, 375), Point(x, 493)], 2, 0x5B4636)
      canvas.stroke([Point(x + 15, 375), Point(x + 15, 493)], 2, 0x5B4636)
    }
    canvas.fill(.circle(centre, 42), 0xF0E2C4)
    canvas.fill(.rectangle(572, 322, 56, 18), 0x5B4636)
    canvas.fill(.rectangle(588, 306, 18, 50), 0x5B4636)
    rose(&canvas, Point(110, 560), 74)
    frame(&canvas)
  }
}
