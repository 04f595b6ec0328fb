/// Letters as shapes, and the things that print them.
enum Letterforms {
  /// A lower-case letter of strokes: bowls and stems on a unit of x-height.
  private static func bowl(_ centre: Point, _ radius: Double, weight: Double) -> Path {
    let outer = Path.ellipse(centre, radius, radius * 1.02)
    return outer.cutting(.ellipse(centre, radius - weight, radius - weight * 0.62))
  }

  /// The letters a, d, b, p, q, o, n built from one bowl and one stem.
  static func letter(_ name: Character, x: Double, baseline: Double, height: Double) -> Path {
    let weight = height * 0.21
    let radius = height * 0.5
    let centre = Point(x + radius, baseline - radius)
    let right = x + 2 * radius - weight
    let rise = height * 0.62
    func stem(_ left: Double, _ top: Double, _ bottom: Double) -> Path {
      .rectangle(left, top, weight, bottom - top)
    }
    switch name {
    case "a":
      return bowl(centre, radius, weight: weight).adding(stem(right, baseline - height, baseline))
    case "d":
      return bowl(centre, radius, weight: weight).adding(
        stem(right, baseline - height - rise, baseline))
    case "b":
      return bowl(centre, radius, weight: weight).adding(
        stem(x, baseline - height - rise, baseline))
    case "p":
      return bowl(centre, radius, weight: weight).adding(
        stem(x, baseline - height, baseline + rise))
    case "q":
      return bowl(centre, radius, weight: weight).adding(
        stem(right, baseline - height, baseline + rise))
    case "n":
      let outside = arc(centre, radius, 0.5, 1)
      let inside = arc(centre, radius - weight, 1, 0.5)
      let arch = Path.polygon(outside + inside)
      return arch.adding(stem(x, baseline - height, baseline)).adding(
        stem(right, baseline - radius, baseline))
    case "l": return stem(x, baseline - height - rise, baseline)
    default: return bowl(centre, radius, weight: weight)
    }
  }

  /// A drawer of metal type seen from above.
  static func typeCase(_ canvas: inout Canvas) {
    canvas.fill(0x5B3F2C)
    var random = Seeded(140)
    let widths = [[3, 2, 2, 3, 2], [2, 3, 3, 2, 2], [2, 2, 3, 2, 3]]
    var y = 26.0
    for row in 0..<3 {
      var x = 26.0
      let unit = (1200 - 52.0) / 12
      for cell in widths[row] {
        let w = Double(cell) * unit - 12
        let h = 196.0
        canvas.fill(.rectangle(x, y, w, h), 0x3B281C)
        canvas.fill(.rectangle(x, y, w, 9), 0x241811)
        for _ in 0..<Int(w / 7) {
          let p = Point(x + random(24, w - 24), y + random(34, h - 26))
          let turn = random(-0.5, 0.5)
          let body = Path.rectangle(p.x - 21, p.y - 10, 42, 20).rotated(turn, around: p)
          canvas.fill(body.moved(2, 4), 0x140D09, alpha: 0.45)
          canvas.fill(body, random.pick([0x9CA3A8, 0xB4B9BB, 0x858D94, 0xC6C7C3] as [UInt32]))
          let face = Path.rectangle(p.x + 9, p.y - 10, 12, 20).rotated(turn, around: p)
          canvas.fill(face, 0xE4E2DA)
          let mark = Path.ring(Point(p.x + 15, p.y), 5, 2.6).rotated(turn, around: p)
          canvas.fill(mark, 0x40464C)
        }
        x += w + 12
      }
      y += 212
    }
  }

  /// Wood type locked up in a chase, mirrored as it must be.
  static func forme(_ canvas: inout Canvas) {
    canvas.fill(0xE9DFC9)
    canvas.fill(.rounded(90, 50, 1020, 575, 10), 0x3E444A)
    canvas.fill(.rectangle(122, 82, 956, 511), 0x6D5136)
    var random = Seeded(77)
    let rows: [(String, Double, UInt32)] = [
      ("band", 112, 0xC9975B), ("apoqbn", 92, 0xB5793F), ("lbnoadpq", 60, 0xD3A871),
    ]
    var y = 104.0
    for (text, size, wood) in rows {
      let block = size * 1.15
      let total = Double(text.count) * (block + 8)
      var x = 600 - total / 2
      canvas.fill(.rectangle(132, y + size * 1.55 + 14, 936, 10), 0x8E6B45)
      for name in text.reversed() {
        let shade = Color(wood).mixed(Color(0x6D4A28), random(0, 0.35))
        canvas.fill(.rounded(x, y, block, size * 1.5, 4), shade)
        for line in 0..<5 {
          let gy = y + 8 + Double(line) * size * 0.3
          canvas.stroke(
            [Point(x + 4, gy), Point(x + block - 4, gy + random(-3, 3))], 1, 0x5A3B20, alpha: 0.3)
        }
        let tall = "bdl".contains(name) ? 0.62 : 0
        let deep = "pq".contains(name) ? 0.62 : 0
        let h = size * 0.72
        let baseline = y + size * 0.75 + h * (0.5 + (tall - deep) / 2)
        let shape = letter(name, x: x + (block - h) / 2, baseline: baseline, height: h)
        let axis = x + block / 2
        canvas.fill(shape.mapped { Point(2 * axis - $0.x, $0.y) }, 0x2A1B12)
        x += block + 8
      }
      y += size * 1.55 + 34
    }
    for p in [Point(150, 560), Point(1050, 560), Point(1050, 110), Point(150, 110)] {
      canvas.fill(.circle(p, 15), 0xA9ADAE)
      canvas.stroke([Point(p.x - 9, p.y), Point(p.x + 9, p.y)], 3, 0x3E444A)
    }
  }

  /// An open page with a large initial, a column of lines and notes below a rule.
  static func page(_ canvas: inout Canvas) {
    canvas.fill(0x8C4A3C)
    canvas.fill(.rectangle(146, 66, 908, 560), 0x5E2E25, alpha: 0.5)
    canvas.fill(.rectangle(140, 52, 460, 560), 0xF7F0E0)
    canvas.fill(.rectangle(600, 52, 460, 560), 0xF1E7D2)
    canvas.fill(.rectangle(590, 52, 20, 560), 0xDCCDB0, alpha: 0.6)
    var random = Seeded(12)
    func lines(
      _ x: Double, _ y: Double, _ width: Double, _ count: Int, _ gap: Double, _ weight: Double
    ) {
      for line in 0..<count {
        var start = x
        let last = line == count - 1 ? width * 0.55 : width
        while start < x + last - 14 {
          let word = min(random(14, 52), x + last - start)
          canvas.stroke(
            [Point(start, y + Double(line) * gap), Point(start + word, y + Double(line) * gap)],
            weight, 0x3A332C, alpha: 0.72)
          start += word + 9
        }
      }
    }
    canvas.fill(.rectangle(196, 110, 92, 92), 0xB5432F)
    canvas.fill(letter("a", x: 212, baseline: 186, height: 60), 0xF7F0E0)
    lines(304, 118, 240, 5, 19, 5)
    lines(196, 222, 348, 11, 19, 5)
    canvas.stroke([Point(196, 446), Point(310, 446)], 1.6, 0xB5432F)
    lines(196, 466, 348, 8, 13, 3)
    lines(656, 118, 348, 14, 19, 5)
    canvas.stroke([Point(656, 400), Point(770, 400)], 1.6, 0xB5432F)
    lines(656, 420, 348, 12, 13, 3)
    for p in [Point(404, 241), Point(300, 336), Point(780, 175), Point(930, 308)] {
      canvas.fill(.circle(p + Point(0, -7), 4.5), 0xB5432F)
    }
  }
}
