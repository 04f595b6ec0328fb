/// Houses, streets and what moves in them.
enum Town {
  /// Gabled houses along a canal, mirrored in it.
  static func canal(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 430), .vertical([Color(0xF3D9B8), Color(0xF9EBD3)], from: 0, to: 430))
    canvas.fill(.circle(Point(880, 120), 58), 0xEE9D5B)
    canvas.fill(.rectangle(0, 430, 1200, 245), 0x4F7C83)
    var random = Seeded(33)
    let walls: [UInt32] = [0xA6493A, 0x7A3B3A, 0xC98B52, 0x3F5661, 0xD9B48A, 0x8C5A44, 0x566B57]
    var x = -12.0
    var houses: [(Double, Double, Double, UInt32, Int)] = []
    while x < 1200 {
      let w = random(84, 128)
      houses.append((x, w, random(190, 300), random.pick(walls), Int(random(0, 3))))
      x += w
    }
    for (x, w, h, wall, gable) in houses {
      house(&canvas, x, w, h, wall, gable, mirrored: true)
      house(&canvas, x, w, h, wall, gable, mirrored: false)
    }
    canvas.fill(.rectangle(0, 424, 1200, 20), 0x6B6055)
    for _ in 0..<70 {
      let p = Point(random(0, 1200), random(455, 670))
      let w = random(20, 90)
      canvas.fill(
        .capsule(Point(p.x - w, p.y), Point(p.x + w, p.y), random(2, 4.5)),
        random.pick([0x6E9BA0, 0x8FB5B0, 0xF0CFA0, 0x3F6970] as [UInt32]), alpha: 0.7)
    }
    for boat in [210.0, 800.0] {
      canvas.fill(
        .polygon([
          Point(boat, 520), Point(boat + 190, 520), Point(boat + 166, 556), Point(boat + 22, 556),
        ]), 0x2B2A33)
      canvas.fill(.rectangle(boat + 8, 516, 176, 7), 0xD9683C)
      canvas.fill(.rounded(boat + 52, 488, 84, 30, 5), 0xF3E6CF)
      for step in 0..<3 {
        canvas.fill(.rectangle(boat + 62 + Double(step) * 24, 496, 16, 12), 0x4F7C83)
      }
    }
  }

  private static func house(
    _ canvas: inout Canvas, _ x: Double, _ w: Double, _ h: Double, _ wall: UInt32, _ gable: Int,
    mirrored: Bool
  ) {
    let base = 428.0
    func place(_ path: Path) -> Path {
      mirrored ? path.mapped { Point($0.x, 2 * base - ($0.y - base) * 0 - $0.y + 14) } : path
    }
    let alpha = mirrored ? 0.4 : 1
    let top = base - h
    var roof = [Point(x, base), Point(x, top)]
    switch gable {
    case 0:
      for step in 0..<4 {
        let inset = Double(step) * w / 9
        roof += [
          Point(x + inset, top - Double(step) * 15), Point(x + inset, top - Double(step + 1) * 15),
        ]
      }
      for step in (0..<4).reversed() {
        let inset = Double(step) * w / 9
        roof += [
          Point(x + w - inset, top - Double(step + 1) * 15),
          Point(x + w - inset, top - Double(step) * 15),
        ]
      }
    case 1:
      roof += curve(
        Point(x, top), Point(x + w * 0.3, top), Point(x + w * 0.2, top - 60),
        Point(x + w * 0.5, top - 66))
      roof += curve(
        Point(x + w * 0.5, top - 66), Point(x + w * 0.8, top - 60), Point(x + w * 0.7, top),
        Point(x + w, top))
    default: roof += [Point(x + w / 2, top - 62)]
    }
    roof += [Point(x + w, top), Point(x + w, base)]
    canvas.fill(place(.polygon(roof)), Color(wall), alpha: alpha)
    for row in 0..<Int(h / 66) {
      for column in 0..<3 {
        let wx = x + w * (0.13 + 0.28 * Double(column))
        let wy = top + 14 + Double(row) * 64
        let lit = (Int(x) + row * 5 + column * 3) % 4 == 0
        canvas.fill(place(.rectangle(wx - 2, wy - 2, w * 0.19 + 4, 44)), 0xF6EBD6, alpha: alpha)
        canvas.fill(
          place(.rectangle(wx, wy, w * 0.19, 40)), lit ? 0xF7C667 : 0x2F4450, alpha: alpha)
        canvas.fill(place(.rectangle(wx + w * 0.085, wy, 2.4, 40)), 0xF6EBD6, alpha: alpha)
      }
    }
  }

  /// A tram on its last round.
  static func nightTram(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 560),
      .vertical(
        [Color(0x1F2A5C), Color(0x5A4A84), Color(0xC77F8A), Color(0xF0B28C)], from: 0, to: 560))
    var random = Seeded(88)
    for layer in 0..<2 {
      var x = -20.0
      while x < 1200 {
        let w = random(60, 130)
        let h = random(150, 330) - Double(layer) * 70
        let color: UInt32 = layer == 0 ? 0x2A2A52 : 0x1B1B3A
        canvas.fill(.rectangle(x, 520 - h, w + 1, h), color)
        for row in 0..<Int(h / 26) {
          for column in 0..<Int(w / 22) where random(0, 1) < (layer == 0 ? 0.22 : 0.34) {
            canvas.fill(
              .rectangle(x + 8 + Double(column) * 22, 530 - h + Double(row) * 26, 9, 13),
              random.pick([0xF7C667, 0xF2E0AE, 0xE99A5B] as [UInt32]), alpha: 0.85)
          }
        }
        x += w
      }
    }
    canvas.fill(
      .rectangle(0, 520, 1200, 155),
      .vertical([Color(0x23233F), Color(0x14142A)], from: 520, to: 675))
    canvas.stroke([Point(0, 236), Point(1200, 228)], 2, 0x0D0D1E)
    for wagon in 0..<2 {
      let x = 250 + Double(wagon) * 345
      let glowCentre = Point(x + 165, 430)
      canvas.fill(
        .circle(glowCentre, 330), .glow(Color(0xF6B65C), centre: glowCentre, radius: 330),
        alpha: 0.5)
      canvas.fill(.rounded(x, 318, 335, 206, 22), 0xC7412F)
      canvas.fill(.rectangle(x, 424, 335, 12), 0xF4E4C6)
      for window in 0..<4 {
        let wx = x + 20 + Double(window) * 76
        canvas.fill(.rounded(wx, 340, 66, 74, 8), 0xFBDf9D)
        if (window + wagon) % 2 == 0 {
          canvas.fill(.circle(Point(wx + 32, 382), 12), 0x5A3A32)
          canvas.fill(.rounded(wx + 16, 394, 32, 20, 8), 0x5A3A32)
        }
      }
      for wheel in [60.0, 120, 215, 275] {
        canvas.fill(.circle(Point(x + wheel, 528), 19), 0x111122)
        canvas.fill(.circle(Point(x + wheel, 528), 7), 0x8E8EA3)
      }
    }
    canvas.stroke([Point(420, 318), Point(455, 276), Point(420, 234)], 4, 0x0D0D1E)
    for y in [549.0, 566] {
      canvas.stroke([Point(0, y), Point(1200, y)], 3.4, 0x9B93AE, alpha: 0.8)
    }
    for _ in 0..<90 {
      let p = Point(random(0, 1200), random(576, 670))
      let w = random(8, 44)
      canvas.fill(
        .capsule(Point(p.x - w, p.y), Point(p.x + w, p.y), 2.2),
        random.pick([0xF6B65C, 0xC7412F, 0x6A4A70] as [UInt32]), alpha: 0.5)
    }
  }

  /// A bicycle in elevation.
  static func bicycle(_ canvas: inout Canvas) {
    canvas.fill(0xE9D8B6)
    canvas.fill(.circle(Point(600, 320), 285), 0xF3E8CF)
    canvas.fill(.rectangle(0, 562, 1200, 113), 0xC98B5C)
    let (rear, front) = (Point(395, 425), Point(805, 425))
    for hub in [rear, front] {
      for spoke in 0..<18 {
        canvas.stroke([hub, hub.polar(128, Double(spoke) / 18)], 1.3, 0x6D6A66)
      }
      canvas.fill(.ring(hub, 139, 125), 0x2B2B2F)
      canvas.fill(.ring(hub, 126, 121), 0xA8A49A)
      canvas.fill(.circle(hub, 9), 0x2B2B2F)
    }
    let crank = Point(560, 440)
    let seat = Point(505, 225)
    let head = Point(735, 215)
    let tubes: [[Point]] = [
      [crank, seat], [seat, head], [crank, Point(742, 245)], [rear, crank],
      [rear, Point(512, 248)],
    ]
    for tube in tubes { canvas.stroke(tube, 11, 0x1F6F68) }
    canvas.stroke(
      [head, Point(752, 290)] + curve(Point(752, 290), Point(768, 360), Point(790, 400), front), 10,
      0x1F6F68)
    canvas.stroke([head, Point(727, 186)], 8, 0x6D6A66)
    canvas.stroke(
      curve(Point(727, 186), Point(790, 165), Point(840, 190), Point(785, 232)), 8, 0x2B2B2F)
    canvas.stroke([Point(505, 230), Point(496, 190)], 8, 0x6D6A66)
    canvas.fill(
      .polygon(
        smooth(
          [Point(440, 176), Point(500, 172), Point(560, 184), Point(500, 198), Point(452, 200)],
          closed: true)), 0x7A3E24)
    canvas.fill(.ring(crank, 46, 38), 0xA8A49A)
    for step in 0..<5 { canvas.stroke([crank, crank.polar(42, Double(step) / 5)], 4, 0xA8A49A) }
    canvas.stroke([crank, Point(610, 505)], 8, 0x2B2B2F)
    canvas.fill(.rounded(590, 500, 46, 12, 4), 0x2B2B2F)
    canvas.stroke([Point(crank.x, crank.y - 45), Point(rear.x, rear.y - 19)], 3, 0x4A4744)
    canvas.stroke([Point(crank.x, crank.y + 45), Point(rear.x, rear.y + 19)], 3, 0x4A4744)
    canvas.stroke(arc(rear, 152, 0.52, 0.86), 6, 0x1F6F68)
    canvas.stroke(arc(front, 152, 0.6, 0.92), 6, 0x1F6F68)
    canvas.fill(.rounded(824, 238, 108, 84, 10), 0xB9793F)
    for step in 0..<5 {
      canvas.stroke(
        [Point(826, 252 + Double(step) * 15), Point(930, 252 + Double(step) * 15)], 2, 0x7A4A24)
    }
    for step in 0..<7 {
      canvas.stroke(
        [Point(836 + Double(step) * 15, 240), Point(836 + Double(step) * 15, 320)], 2, 0x7A4A24)
    }
    for step in 0..<3 {
      Botanical.flower(
        &canvas, Point(850 + Double(step) * 30, 226 - Double(step % 2) * 12), radius: 22, petals: 7,
        [0xC7412F, 0xF2B441, 0xD98AA0][step], heart: 0x5B3A29)
    }
  }
}
