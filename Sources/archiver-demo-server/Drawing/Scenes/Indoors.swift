/// Tables, shelves and windows.
enum Indoors {
  /// A loaf with a knife on a board.
  static func loaf(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 675), .vertical([Color(0x35524F), Color(0x4B6B62)], from: 0, to: 450))
    canvas.fill(.rectangle(0, 430, 1200, 245), 0x8A5A3C)
    for step in 0..<6 {
      canvas.stroke(
        [Point(0, 455 + Double(step) * 40), Point(1200, 452 + Double(step) * 41)], 2, 0x6E4329,
        alpha: 0.7)
    }
    canvas.fill(.rounded(210, 500, 800, 66, 26), 0x4A2C1B, alpha: 0.5)
    canvas.fill(.rounded(200, 486, 800, 62, 26), 0xC99A62)
    canvas.fill(.rounded(200, 486, 800, 18, 9), 0xDDB57F)
    let crust = smooth(
      [
        Point(300, 490), Point(276, 420), Point(330, 320), Point(470, 256), Point(620, 250),
        Point(740, 300), Point(800, 400), Point(786, 490),
      ], steps: 16)
    canvas.fill(
      .polygon(crust),
      .vertical([Color(0xC87A35), Color(0x9A4F22), Color(0x6E3416)], from: 250, to: 490))
    canvas.fill(.ellipse(Point(500, 310), 150, 34), 0xE3A458, alpha: 0.35)
    for step in 0..<4 {
      let x = 380 + Double(step) * 95
      let cut = curve(
        Point(x, 410), Point(x + 6, 350), Point(x + 40, 310), Point(x + 92, 276 + Double(step) * 9))
      let open = cut.enumerated().map {
        Point($1.x + 20 * sine(Double($0) / 48), $1.y + 10 * sine(Double($0) / 48))
      }
      canvas.fill(.polygon(cut + open.reversed()), 0xF0CF96)
      canvas.stroke(cut, 3, 0x6E3416)
    }
    var random = Seeded(3)
    for _ in 0..<260 {
      let p = Point(random(300, 780), random(265, 470))
      if power((p.x - 540) / 250, 2) + power((p.y - 480) / 222, 2) > 0.9 { continue }
      canvas.fill(.circle(p, random(0.8, 2.6)), 0xF8EBD0, alpha: random(0.3, 0.8))
    }
    for slice in 0..<2 {
      let x = 815 + Double(slice) * 74
      let outline = smooth(
        [
          Point(x, 490), Point(x - 14, 400), Point(x + 40, 330), Point(x + 100, 390),
          Point(x + 92, 490),
        ], steps: 12)
      canvas.fill(.polygon(outline), 0x8A451D)
      canvas.fill(
        Path.polygon(outline).mapped {
          Point(x + 44 + ($0.x - x - 44) * 0.84, 488 + ($0.y - 490) * 0.9)
        }, 0xEBCB98)
      for _ in 0..<26 {
        canvas.fill(
          .ellipse(Point(x + random(14, 76), random(395, 480)), random(2, 6), random(1.5, 4)),
          0xC79B62)
      }
    }
    canvas.fill(
      .polygon([Point(160, 596), Point(620, 580), Point(660, 604), Point(160, 612)]), 0xD8DCDC)
    canvas.fill(.rounded(20, 590, 150, 26, 12), 0x2E1C12)
    for x in [48.0, 95, 140] { canvas.fill(.circle(Point(x, 603), 4), 0xC9A45A) }
    Botanical.sprig(
      &canvas, from: Point(1180, 640), to: Point(900, 590), bend: 30, leaves: 7, size: 66, 0xC9A45A,
      stem: 0x8C6A2E, slender: 0.24)
  }

  /// A jar, a bowl and two lemons.
  static func jar(_ canvas: inout Canvas) {
    canvas.fill(0xF1DFC4)
    canvas.fill(.rectangle(0, 0, 1200, 460), 0xE8B89A)
    for step in 0..<13 { canvas.fill(.rectangle(Double(step) * 100, 0, 50, 460), 0xEBC1A5) }
    canvas.fill(.rectangle(0, 460, 1200, 215), 0xF5EAD6)
    canvas.fill(.ellipse(Point(600, 566), 520, 46), 0xD9C3A4, alpha: 0.6)
    canvas.fill(.rounded(330, 190, 210, 370, 40), 0xBFD3CC)
    canvas.fill(.rounded(344, 280, 182, 268, 32), 0xE9D2A2)
    var random = Seeded(15)
    for _ in 0..<70 {
      canvas.fill(
        .circle(Point(random(362, 508), random(296, 530)), random(4, 13)), 0xF8EBD0, alpha: 0.8)
    }
    canvas.fill(.rounded(350, 150, 170, 56, 10), 0x8C3F2E)
    canvas.fill(.rectangle(350, 172, 170, 5), 0x6B2D20)
    canvas.fill(.rounded(362, 220, 18, 290, 9), 0xFFFFFF, alpha: 0.55)
    canvas.fill(.rounded(392, 370, 90, 66, 4), 0xF8F2E2)
    for y in [388.0, 404, 420] { canvas.stroke([Point(404, y), Point(470, y)], 3, 0x6B5A48) }
    let bowl = curve(Point(600, 400), Point(620, 560), Point(900, 560), Point(920, 400))
    canvas.fill(.polygon(bowl), 0x2F6B74)
    canvas.fill(.rectangle(710, 540, 100, 24), 0x265760)
    canvas.fill(.ellipse(Point(760, 400), 160, 32), 0x3F8590)
    canvas.fill(.ellipse(Point(760, 402), 146, 26), 0xF6EFDD)
    for step in 0..<9 {
      let p = Point(640 + Double(step) * 30, 460 + 26 * sine(Double(step) / 16))
      canvas.fill(.circle(p, 8), 0xF2C879)
    }
    for (x, y) in [(985.0, 526.0), (1065, 536)] {
      canvas.fill(.ellipse(Point(x, y), 48, 36), 0xEDBE3F)
      canvas.fill(.ellipse(Point(x + 46, y), 10, 9), 0xEDBE3F)
      canvas.fill(.ellipse(Point(x - 12, y - 12), 20, 10), 0xF8DE88)
    }
    Botanical.leaf(
      &canvas, at: Point(960, 492), length: 90, width: 22, turns: -0.08, 0x5E8A5A, rib: 0x3B5E3E)
    canvas.stroke([Point(150, 580), Point(285, 330)], 12, 0xA8703F)
    canvas.fill(
      Path.ellipse(Point(142, 590), 30, 46).rotated(0.08, around: Point(142, 590)), 0xB9814C)
  }

  /// Bookshelves with a few empty places.
  static func shelves(_ canvas: inout Canvas, seed: UInt64, wood: UInt32, inks: [UInt32]) {
    canvas.fill(wood)
    var random = Seeded(seed)
    for shelf in 0..<3 {
      let floor = 212 + Double(shelf) * 216
      canvas.fill(.rectangle(24, floor - 190, 1152, 190), Color(wood).mixed(Color(0x120C0A), 0.55))
      canvas.fill(.rectangle(24, floor - 190, 1152, 14), 0x0C0806, alpha: 0.4)
      var x = 32.0
      while x < 1140 {
        let w = random(18, 52)
        let h = random(112, 168)
        let ink = random.pick(inks)
        if random(0, 1) < 0.07 {
          x += random(20, 60)
          continue
        }
        let lean = random(0, 1) < 0.08 ? 0.02 : 0
        let foot = Point(x + w, floor)
        func part(_ path: Path) -> Path { path.rotated(lean, around: foot) }
        canvas.fill(part(.rectangle(x, floor - h, w - 2, h)), ink)
        canvas.fill(part(.rectangle(x, floor - h, 4, h)), 0xFFFFFF, alpha: 0.18)
        canvas.fill(part(.rectangle(x + w - 7, floor - h, 5, h)), 0x000000, alpha: 0.18)
        let band: UInt32 = random.pick([0xF2DCA6, 0xF6EFE0, 0xD9A94E])
        if w > 24 {
          canvas.fill(part(.rectangle(x + 4, floor - h + 18, w - 10, 4)), band)
          canvas.fill(part(.rectangle(x + 4, floor - h + 27, w - 10, 22)), band, alpha: 0.85)
          canvas.fill(part(.rectangle(x + 4, floor - 26, w - 10, 4)), band)
        }
        x += w + (lean > 0 ? 16 : 0)
      }
      canvas.fill(.rectangle(12, floor, 1176, 22), Color(wood).mixed(Color(0xFFE6C4), 0.18))
    }
  }

  /// A reading place behind a wet window.
  static func rain(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 675),
      .vertical([Color(0x6F8A99), Color(0x9DB3B5), Color(0xC4CFC4)], from: 0, to: 560))
    var random = Seeded(24)
    for _ in 0..<26 {
      let c = Point(random(80, 1120), random(280, 520))
      let r = random(16, 52)
      canvas.fill(
        .circle(c, r), random.pick([0xF2C879, 0xF6E3B4, 0xD98C6B, 0xA9C4BE] as [UInt32]),
        alpha: 0.32)
    }
    for _ in 0..<170 {
      let p = Point(random(60, 1140), random(30, 540))
      let l = random(10, 46)
      canvas.stroke(
        [p, Point(p.x - l * 0.12, p.y + l)], random(1, 2.4), 0xEAF1EE, alpha: random(0.3, 0.75))
    }
    for _ in 0..<110 {
      let p = Point(random(60, 1140), random(40, 540))
      let r = random(2, 7)
      canvas.fill(.ellipse(p, r, r * 1.25), 0x52707D, alpha: 0.5)
      canvas.fill(
        .ellipse(Point(p.x - r * 0.2, p.y - r * 0.35), r * 0.5, r * 0.4), 0xFFFFFF, alpha: 0.75)
    }
    for x in [0.0, 392, 784, 1168] { canvas.fill(.rectangle(x, 0, 32, 575), 0x3E2C25) }
    for y in [0.0, 270] { canvas.fill(.rectangle(0, y, 1200, 24), 0x3E2C25) }
    canvas.fill(.rectangle(0, 556, 1200, 119), 0x5A3D2E)
    canvas.fill(.rectangle(0, 556, 1200, 14), 0x7A5640)
    let books: [UInt32] = [0xB5452F, 0xE4D4B0, 0x2F5D62]
    for (index, ink) in books.enumerated() {
      canvas.fill(
        .rounded(
          690 + Double(index) * 14, 590 - Double(index) * 30, 250 - Double(index) * 22, 28, 4), ink)
    }
    canvas.fill(.rounded(300, 520, 120, 96, 16), 0xF3E9D6)
    canvas.fill(.ring(Point(432, 562), 32, 20), 0xF3E9D6)
    canvas.fill(.ellipse(Point(360, 522), 58, 11), 0x8C5A34)
    for step in 0..<3 {
      let x = 330 + Double(step) * 30
      canvas.stroke(
        curve(Point(x, 496), Point(x - 24, 466), Point(x + 24, 440), Point(x - 4, 400)), 5,
        0xFFFFFF, alpha: 0.5)
    }
  }

  /// A cup of coffee from above on a patterned tray.
  static func coffee(_ canvas: inout Canvas) {
    canvas.fill(0xB5472F)
    for row in 0..<7 {
      for column in 0..<12 {
        let c = Point(Double(column) * 109 + (row % 2 == 0 ? 0 : 54), Double(row) * 112)
        canvas.fill(
          .polygon((0..<16).map { c.polar($0 % 2 == 0 ? 40 : 24, Double($0) / 16) }), 0xC96046)
        canvas.fill(.circle(c, 9), 0xE9B872)
      }
    }
    let centre = Point(600, 338)
    canvas.fill(.circle(Point(612, 352), 280), 0x5E1F14, alpha: 0.45)
    canvas.fill(.circle(centre, 278), 0xE3B04B)
    canvas.fill(.ring(centre, 262, 254), 0x8C5A1E)
    for step in 0..<40 {
      let p = centre.polar(226, Double(step) / 40)
      canvas.fill(
        .polygon((0..<8).map { p.polar($0 % 2 == 0 ? 14 : 6, Double($0) / 8 + Double(step) / 40) }),
        0x8C5A1E)
    }
    canvas.fill(.ring(centre, 196, 191), 0x8C5A1E)
    canvas.fill(.circle(Point(606, 346), 140), 0x6E3F12, alpha: 0.5)
    canvas.fill(.circle(centre, 136), 0xF8F1E3)
    canvas.fill(.ring(centre, 128, 122), 0x1F6F78)
    canvas.fill(.circle(centre, 98), 0x3A1D10)
    canvas.fill(.ring(centre, 98, 88), 0x8A5A32)
    var random = Seeded(9)
    for _ in 0..<40 {
      let p = centre.polar(random(20, 86), random(0, 1))
      canvas.fill(.circle(p, random(2, 7)), 0xA8743F, alpha: 0.5)
    }
    for step in 0..<3 {
      let c = Point(900 + Double(step) * 62, 540 - Double(step % 2) * 44)
      canvas.fill(.ellipse(c, 44, 28), 0x6B3A1C)
      canvas.fill(.ellipse(Point(c.x - 8, c.y - 8), 20, 9), 0x9A5D30)
    }
  }
}
