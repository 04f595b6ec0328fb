/// Patterns that fill the plane.
enum Tilings {
  /// Quarter circles on turned squares (Truchet).
  static func truchet(_ canvas: inout Canvas) {
    canvas.fill(0x20424C)
    var random = Seeded(19)
    let size = 75.0
    let inks: [UInt32] = [0xF3C677, 0xE97F5B, 0xF5EBDC, 0x7FB7A8]
    for row in 0..<9 {
      for column in 0..<16 {
        let (x, y) = (Double(column) * size, Double(row) * size)
        let ink = random.pick(inks)
        let turned = random(0, 1) < 0.5
        let corners =
          turned
          ? [(Point(x, y), 0.0), (Point(x + size, y + size), 0.5)]
          : [(Point(x + size, y), 0.25), (Point(x, y + size), 0.75)]
        for (corner, start) in corners {
          canvas.fill(
            .stroke(arc(corner, size / 2, start, start + 0.25, steps: 14), 24), Color(0x16303A))
          canvas.fill(
            .stroke(arc(corner, size / 2, start, start + 0.25, steps: 14), 15), Color(ink))
        }
      }
    }
  }

  /// Eight-pointed stars and crosses.
  static func stars(_ canvas: inout Canvas) {
    canvas.fill(0xF1E3C8)
    let size = 168.75
    for row in 0..<5 {
      for column in 0..<8 {
        let centre = Point(Double(column) * size + 10, Double(row) * size)
        var outline: [Point] = []
        for step in 0..<16 {
          let radius = step % 2 == 0 ? size * 0.5 : size * 0.383
          outline.append(centre.polar(radius, Double(step) / 16))
        }
        let shade: UInt32 = (row + column) % 2 == 0 ? 0x1F5C6B : 0x2E7F86
        canvas.fill(.polygon(outline), shade)
        canvas.stroke(outline, 6, 0xF8F0DD, closed: true)
        canvas.stroke(outline, 2, 0xB98A3E, closed: true)
        for step in 0..<8 {
          let p = centre.polar(size * 0.27, Double(step) / 8 + 1 / 16.0)
          canvas.fill(
            Path.rectangle(p.x - 9, p.y - 9, 18, 18).rotated(
              Double(step) / 8 + 1 / 16.0, around: p), 0xE0A94A)
        }
        let inner = (0..<16).map { centre.polar($0 % 2 == 0 ? 34 : 18, Double($0) / 16) }
        canvas.fill(.polygon(inner), 0xF8F0DD)
        canvas.fill(.circle(centre, 9), 0xB5472F)
        let cross = Point(centre.x + size / 2, centre.y + size / 2)
        canvas.fill(.circle(cross, 25), 0xB5472F)
        canvas.fill(
          .polygon((0..<8).map { cross.polar($0 % 2 == 0 ? 22 : 9, Double($0) / 8) }), 0xF8E7BE)
      }
    }
  }

  /// Cubes that are hexagons, as on old floors.
  static func cubes(_ canvas: inout Canvas) {
    let size = 62.0
    let h = size * 0.866
    canvas.fill(0x6B3F35)
    var random = Seeded(4)
    let tops: [UInt32] = [0xF2DDB4, 0xEBCB97, 0xF6E8CB]
    for row in -1..<9 {
      for column in -1..<13 {
        let x = Double(column) * h * 2 + (row % 2 == 0 ? 0 : h)
        let y = Double(row) * size * 1.5
        let c = Point(x, y)
        let p = (0..<6).map { c.polar(size, Double($0) / 6 + 1 / 12.0) }
        canvas.fill(.polygon([c, p[3], p[4], p[5]]), random.pick(tops))
        canvas.fill(.polygon([c, p[5], p[0], p[1]]), 0xC77F52)
        canvas.fill(.polygon([c, p[1], p[2], p[3]]), 0x8A4B3A)
      }
    }
  }

  /// A quilt of half-square triangles around stars.
  static func quilt(_ canvas: inout Canvas) {
    canvas.fill(0xF6EFE2)
    let size = 56.25
    let inks: [UInt32] = [0x2F4858, 0xB4532A, 0xE0A458, 0x7A9E9F, 0x8F3B3B]
    for row in 0..<12 {
      for column in 0..<22 {
        let (x, y) = (Double(column) * size - 19, Double(row) * size)
        let (u, v) = (column % 4, row % 4)
        let ink = inks[(column / 4 + row / 4 * 3) % 5]
        let (a, b, c, d) = (
          Point(x, y), Point(x + size, y), Point(x + size, y + size), Point(x, y + size)
        )
        if (1...2).contains(u), (1...2).contains(v) {
          canvas.fill(.polygon([a, b, c, d]), inks[(column / 4 + row / 4 + 2) % 5])
          canvas.fill(
            .circle(Point(x + (u == 1 ? size : 0), y + (v == 1 ? size : 0)), size * 0.6), 0xF6EFE2,
            alpha: 0.25)
        } else if (u == 0 || u == 3) && (v == 0 || v == 3) {
          canvas.fill(.polygon([a, b, c, d]), 0xF6EFE2)
        } else {
          let half = (u == 1 || v == 2) ? [a, c, d] : [b, c, d]
          let other = (u == 2 || v == 1) && u != 0 ? [a, b, c] : half
          canvas.fill(.polygon(v == 0 || v == 3 ? other : half), ink)
        }
        canvas.stroke([a, b, c, d], 1, 0xD8CBB4, alpha: 0.8, closed: true)
      }
    }
  }

  /// Sheets of paper, each half the one before.
  static func sheets(_ canvas: inout Canvas) {
    canvas.fill(0xE8DDC8)
    let inks: [UInt32] = [0x2F5D62, 0x5E8B7E, 0xDFB15B, 0xC8553D, 0x8A5A83, 0xF0E6D2, 0x3B3A4A]
    var (x, y) = (180.0, 42.0)
    var (w, h) = (840.0, 594.0)
    canvas.fill(.rectangle(x + 8, y + 10, w, h), 0xA8977A, alpha: 0.5)
    for index in 0..<12 {
      let wide = w > h
      let (nw, nh) = wide ? (w / 2, h) : (w, h / 2)
      let last = index == 11
      canvas.fill(.rectangle(x, y, last ? w : nw, last ? h : nh), inks[index % 7])
      let box = [Point(x, y), Point(x + nw, y), Point(x + nw, y + nh), Point(x, y + nh)]
      canvas.stroke(box, 3, 0xE8DDC8, closed: true)
      canvas.stroke([box[0], box[2]], 1.4, 0xFFFFFF, alpha: 0.45)
      if wide { x += nw } else { y += nh }
      (w, h) = wide ? (w - nw, h) : (w, h - nh)
    }
  }

  /// Honeycomb, some cells filled.
  static func honeycomb(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 675), .vertical([Color(0xF7C65B), Color(0xD98A2B)], from: 0, to: 675))
    var random = Seeded(66)
    let size = 48.0
    let h = size * 0.866
    let noise = Noise(seed: 12)
    for row in -1..<11 {
      for column in -1..<16 {
        let c = Point(Double(column) * h * 2 + (row % 2 == 0 ? 0 : h), Double(row) * size * 1.5)
        let cell = (0..<6).map { c.polar(size - 4, Double($0) / 6 + 1 / 12.0) }
        let inner = (0..<6).map { c.polar(size - 13, Double($0) / 6 + 1 / 12.0) }
        let value = noise.layered(c.x / 330, c.y / 330)
        canvas.fill(.polygon(cell), value > 0.12 ? 0xFBE3A6 : 0xA85D18)
        canvas.fill(.polygon(inner), value > 0.12 ? 0xF6D588 : value > -0.12 ? 0xE9A63A : 0x6E3A12)
        if value <= 0.12, value > -0.12 {
          canvas.fill(.ellipse(Point(c.x - 10, c.y - 12), 10, 6), 0xFCE9BC, alpha: 0.8)
        }
      }
    }
    for _ in 0..<7 { bee(&canvas, Point(random(90, 1110), random(80, 600)), turn: random(0, 1)) }
  }

  private static func bee(_ canvas: inout Canvas, _ c: Point, turn: Double) {
    func part(_ path: Path) -> Path { path.rotated(turn, around: c) }
    for side in [-1.0, 1.0] {
      let wing = Point(c.x + 6, c.y + side * 25)
      canvas.fill(
        part(Path.ellipse(wing, 15, 24).rotated(side * 0.06, around: wing)), 0xFDF7E6, alpha: 0.8)
    }
    canvas.fill(part(.ellipse(c, 34, 18)), 0x2B1A10)
    for offset in [-14.0, 2] {
      canvas.fill(part(.rounded(c.x + offset - 5, c.y - 16, 9, 32, 4)), 0xF3B73C)
    }
    canvas.fill(part(.circle(Point(c.x + 32, c.y), 12)), 0x2B1A10)
    for side in [-1.0, 1.0] {
      canvas.fill(
        part(.stroke([Point(c.x + 40, c.y + side * 5), Point(c.x + 54, c.y + side * 13)], 2.4)),
        0x2B1A10)
    }
  }
}
