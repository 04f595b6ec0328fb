/// Leaves, flowers and beds.
enum Botanical {
  /// A pointed leaf from its stalk, with a lighter half and a midrib.
  static func leaf(
    _ canvas: inout Canvas, at foot: Point, length: Double, width: Double, turns: Double,
    _ color: UInt32, rib: UInt32
  ) {
    let tip = Point(foot.x + length, foot.y)
    let upper = curve(
      foot, Point(foot.x + length * 0.25, foot.y - width),
      Point(foot.x + length * 0.7, foot.y - width),
      tip, steps: 14)
    let lower = upper.map { Point($0.x, 2 * foot.y - $0.y) }
    let whole = Path.polygon(upper + lower.reversed()).rotated(turns, around: foot)
    canvas.fill(whole, color)
    canvas.fill(
      Path.polygon(upper + [foot]).rotated(turns, around: foot),
      Color(color).mixed(Color(rib), 0.25))
    let veins = [foot, Point(foot.x + length * 0.93, foot.y)].map {
      $0.rotated(turns, around: foot)
    }
    canvas.stroke(veins, max(1.2, width * 0.07), rib)
  }

  /// A stem with leaves on both sides.
  static func sprig(
    _ canvas: inout Canvas, from foot: Point, to tip: Point, bend: Double, leaves: Int,
    size: Double, _ color: UInt32, stem: UInt32, slender: Double = 0.34
  ) {
    let d = tip - foot
    let side = Point(-d.y, d.x) * (bend / max(d.length, 1))
    let line = curve(foot, foot + d * 0.35 + side, foot + d * 0.7 + side, tip, steps: 40)
    canvas.stroke(line, 3.4, stem)
    for index in 0..<leaves {
      let t = 0.14 + 0.86 * Double(index) / Double(leaves)
      let at = Int(t * 39)
      let heading = direction(line[min(at + 1, 40)] - line[max(at - 1, 0)])
      let taper = size * (1 - 0.45 * t)
      for spread in [-0.14, 0.14] {
        leaf(
          &canvas, at: line[at], length: taper, width: taper * slender, turns: heading + spread,
          color, rib: stem)
      }
    }
    let last = direction(line[40] - line[38])
    leaf(
      &canvas, at: line[40], length: size * 0.6, width: size * 0.6 * slender, turns: last, color,
      rib: stem)
  }

  static func flower(
    _ canvas: inout Canvas, _ centre: Point, radius: Double, petals: Int, _ color: UInt32,
    heart: UInt32, turn: Double = 0
  ) {
    for index in 0..<petals {
      let turns = turn + Double(index) / Double(petals)
      let middle = centre.polar(radius * 0.58, turns)
      let petal = Path.ellipse(middle, radius * 0.46, radius * 0.27).rotated(turns, around: middle)
      canvas.fill(petal, index % 2 == 0 ? Color(color) : Color(color).mixed(Color(0xFFFFFF), 0.22))
    }
    canvas.fill(.circle(centre, radius * 0.28), heart)
  }

  /// A flower border in high summer.
  static func border(_ canvas: inout Canvas) {
    canvas.fill(
      .rectangle(0, 0, 1200, 675), .vertical([Color(0xFBEFD9), Color(0xF6DFC0)], from: 0, to: 600))
    canvas.fill(.circle(Point(930, 150), 74), 0xF3B562)
    var random = Seeded(61)
    for row in 0..<4 {
      let base = 560 + Double(row) * 45
      let greens: [UInt32] = [0xA7B98F, 0x7F9C74, 0x567F62, 0x2F5D50]
      for _ in 0..<46 {
        let x = random(-20, 1220)
        let h = random(110, 250) - Double(row) * 22
        let lean = random(-50, 50)
        let line = curve(
          Point(x, base + 60), Point(x, base - h * 0.3), Point(x + lean * 0.4, base - h * 0.7),
          Point(x + lean, base - h), steps: 12)
        canvas.stroke(line, 2.6, greens[row])
        leaf(
          &canvas, at: line[5], length: random(40, 70), width: random(8, 13),
          turns: random(0.55, 0.95), greens[row], rib: greens[max(row - 1, 0)])
        let color = random.pick(
          [0xD9573F, 0xE58A6B, 0xF2E3C6, 0x8B5A83, 0xC98CA7, 0xE9B44C] as [UInt32])
        let head = line[12]
        switch Int(random(0, 3)) {
        case 0:
          flower(
            &canvas, head, radius: random(18, 32), petals: 8, color, heart: 0x5B3A29,
            turn: random(0, 1))
        case 1:
          for dot in 0..<14 {
            let p = Point(
              head.x + random(-7, 7) * (1 - Double(dot) / 16), head.y + 34 - Double(dot) * 5)
            canvas.fill(.circle(p, 5 - Double(dot) * 0.2), color)
          }
        default:
          canvas.fill(.circle(head, 13), color)
          canvas.fill(.circle(Point(head.x - 3, head.y - 4), 6), 0xFFFFFF, alpha: 0.3)
        }
      }
    }
  }

  /// Six pressed plants on a sheet.
  static func herbarium(_ canvas: inout Canvas) {
    canvas.fill(0xF4EDDC)
    let inks: [(UInt32, UInt32)] = [
      (0x6B8F71, 0x3E5C48), (0x9AA34F, 0x5E6630), (0x4F7F83, 0x2D5158), (0xB0895A, 0x6F5131),
      (0x7E9A6B, 0x4B6340), (0x8A6F8E, 0x553F5C),
    ]
    for index in 0..<6 {
      let x = 130 + Double(index) * 188
      let (color, stem) = inks[index]
      canvas.stroke(
        [Point(x - 84, 40), Point(x + 84, 40), Point(x + 84, 635), Point(x - 84, 635)], 1.2,
        0xC9B896,
        closed: true)
      sprig(
        &canvas, from: Point(x - 6, 560), to: Point(x + 12, 130), bend: index % 2 == 0 ? 26 : -26,
        leaves: 5 + index, size: 92 - Double(index) * 5, color, stem: stem,
        slender: [0.34, 0.2, 0.42, 0.26, 0.5, 0.3][index])
      canvas.fill(.rectangle(x - 40, 590, 80, 3), 0xB8A680)
      canvas.fill(.rectangle(x - 24, 604, 48, 3), 0xB8A680)
      canvas.fill(
        Path.rectangle(x - 22, 520, 44, 9).rotated(-0.03, around: Point(x, 524)), 0xE6D5AE)
    }
  }

  /// A repeating wallpaper of leaves and berries.
  static func wallpaper(
    _ canvas: inout Canvas, ground: UInt32, leafColor: UInt32, stem: UInt32, berry: UInt32
  ) {
    canvas.fill(ground)
    for row in -1..<5 {
      for column in -1..<8 {
        let x = Double(column) * 180 + (row % 2 == 0 ? 0 : 90)
        let y = Double(row) * 170 + 60
        sprig(
          &canvas, from: Point(x, y + 110), to: Point(x + 60, y - 70), bend: 46, leaves: 5,
          size: 60,
          leafColor, stem: stem)
        sprig(
          &canvas, from: Point(x, y + 110), to: Point(x + 140, y + 60), bend: -34, leaves: 4,
          size: 42, stem, stem: leafColor, slender: 0.28)
        for step in 0..<5 {
          let p = Point(x + 96, y - 26).polar(15, Double(step) / 5)
          canvas.fill(.circle(p, 8.5), berry)
          canvas.fill(.circle(Point(p.x - 2.5, p.y - 2.5), 2.4), 0xFFF6E6, alpha: 0.7)
        }
      }
    }
  }

  /// A garden plan seen from above.
  static func plan(_ canvas: inout Canvas) {
    canvas.fill(0xEFE7D3)
    var random = Seeded(90)
    let lawn = smooth(
      [
        Point(180, 150), Point(520, 90), Point(850, 160), Point(1010, 340), Point(820, 540),
        Point(420, 580), Point(170, 430),
      ],
      closed: true)
    canvas.fill(.rectangle(50, 50, 1100, 575), 0x8FA878)
    canvas.fill(.polygon(lawn), 0xC6D2A0)
    let path = smooth([
      Point(50, 360), Point(300, 330), Point(520, 400), Point(760, 330), Point(1150, 250),
    ])
    canvas.stroke(path, 44, 0xE8D9B5)
    canvas.fill(.circle(Point(560, 270), 62), 0x7FA9AE)
    canvas.fill(.ring(Point(560, 270), 62, 54), 0xD8CBA8)
    canvas.stroke(arc(Point(552, 262), 26, 0.4, 0.9), 3, 0xDCEBE8, alpha: 0.8)
    for _ in 0..<900 {
      let p = Point(random(70, 1130), random(70, 605))
      let across = (p.x - 590) / 470
      let down = (p.y - 335) / 262
      let onPath = (p.x < 180 || p.x > 960) && abs(p.y - (p.x < 180 ? 350 : 285)) < 58
      let onBeds = p.x > 850 && p.y > 440
      if across * across + down * down < 1 || onPath || onBeds { continue }
      let r = random(13, 34)
      let color = random.pick(
        [0x4E7A5A, 0x6C945F, 0x3F6A5E, 0xB9574A, 0xD9A24B, 0x9B6B8F, 0x7C9F76] as [UInt32])
      canvas.fill(.circle(Point(p.x + 3, p.y + 4), r), 0x2E4636, alpha: 0.25)
      canvas.fill(.circle(p, r), color)
      for step in 0..<7 {
        canvas.stroke(
          [p, p.polar(r * 0.8, Double(step) / 7)], 1.3, 0xF6F0DC, alpha: 0.55)
      }
    }
    canvas.stroke(
      [Point(50, 50), Point(1150, 50), Point(1150, 625), Point(50, 625)], 7, 0x6B4F3A, closed: true)
    for step in 0..<3 {
      canvas.fill(.rectangle(880 + Double(step) * 82, 470, 68, 110), 0x8B6A4B)
      for line in 0..<5 {
        canvas.stroke(
          [
            Point(890 + Double(step) * 82, 486 + Double(line) * 20),
            Point(938 + Double(step) * 82, 486 + Double(line) * 20),
          ],
          7, 0x7FA05F)
      }
    }
  }
}
