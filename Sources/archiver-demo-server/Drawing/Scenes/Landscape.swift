/// Layered hills under a wide sky, optionally with a lake, a river and trees.
struct Landscape {
  enum Trees { case none, pines, poplars, rounds }

  var seed: UInt64
  /// Top to horizon.
  var sky: [UInt32]
  var sun: (Point, radius: Double, color: UInt32)
  /// Far and near ridge; the ones between are mixed.
  var ridges: (far: UInt32, near: UInt32, count: Int)
  var mist: UInt32
  /// Height of the ridges above their base lines: 1 is hills, 2 mountains.
  var relief = 1.0
  /// Height at which a lake starts.
  var lake: Double?
  var river: UInt32?
  var trees = Trees.none
  var foliage: [UInt32] = []
  var cloud: UInt32?
  var birds = false
  var snow: UInt32?

  func paint(_ canvas: inout Canvas) {
    let horizon = lake ?? 675
    canvas.fill(
      .rectangle(0, 0, 1200, 675), .vertical(sky.map { Color($0) }, from: 0, to: min(horizon, 470)))
    let (centre, radius, color) = sun
    canvas.fill(
      .circle(centre, radius * 6), .glow(Color(color), centre: centre, radius: radius * 6),
      alpha: 0.55)
    canvas.fill(.circle(centre, radius), color)
    if let cloud { paintClouds(&canvas, cloud) }
    if birds { paintBirds(&canvas) }
    for layer in 0..<ridges.count { paintRidge(&canvas, layer) }
    if let lake { paintLake(&canvas, lake) }
    if let river { paintRiver(&canvas, river) }
    paintTrees(&canvas)
  }

  private func base(_ layer: Int) -> Double {
    let bottom = lake ?? 640
    let t = Double(layer) / Double(max(ridges.count - 1, 1))
    return between(bottom - 190, bottom - (lake == nil ? 90 : 20), t)
  }

  private func outline(_ layer: Int) -> [Point] {
    let noise = Noise(seed: seed &+ UInt64(layer) &* 97)
    let t = Double(layer) / Double(max(ridges.count - 1, 1))
    let height = between(170, 70, t) * relief
    let frequency = between(260, 420, t)
    return stride(from: -10.0, through: 1210, by: 5).map { x in
      let value = noise.layered(x / frequency + 7, octaves: relief > 1.4 ? 6 : 4)
      let shape = relief > 1.4 ? 0.35 - abs(value) * 1.25 + 0.3 : value
      return Point(x, base(layer) - height * shape)
    }
  }

  private func paintRidge(_ canvas: inout Canvas, _ layer: Int) {
    let t = Double(layer) / Double(max(ridges.count - 1, 1))
    let color = Color(ridges.far).mixed(Color(ridges.near), t)
    let top = outline(layer)
    let bottom = lake ?? 675
    let highest = top.map(\.y).min() ?? 0
    let veil = color.mixed(Color(mist), 0.75 - 0.55 * t)
    canvas.fill(
      .polygon(top + [Point(1210, bottom), Point(-10, bottom)]),
      .vertical([color, color, veil], from: highest, to: min(bottom, base(layer) + 120)))
    if let snow, layer < ridges.count - 1 { paintSnow(&canvas, top, snow, layer) }
  }

  private func paintSnow(_ canvas: inout Canvas, _ top: [Point], _ snow: UInt32, _ layer: Int) {
    let noise = Noise(seed: seed &+ 991 &+ UInt64(layer))
    let highest = top.map(\.y).min() ?? 0
    let line = highest + 70 - Double(layer) * 12
    let lower = top.map { point -> Point in
      let edge = line + 46 * noise.layered(point.x / 26, octaves: 3)
      return Point(point.x, max(point.y, min(edge, point.y + 90)))
    }
    canvas.fill(.polygon(top + lower.reversed()), snow, alpha: 0.92 - 0.15 * Double(layer))
  }

  private func paintClouds(_ canvas: inout Canvas, _ color: UInt32) {
    var random = Seeded(seed &+ 5)
    for _ in 0..<5 {
      let x = random(40, 1150)
      let y = random(60, 230)
      let width = random(130, 280)
      var path = Path()
      for step in 0..<4 {
        let inset = Double(step) * width * 0.14
        let shift = random(-30, 30)
        path = path.adding(
          .capsule(
            Point(x - width / 2 + inset + shift, y - Double(step) * 13),
            Point(x + width / 2 - inset + shift, y - Double(step) * 13), 15))
      }
      canvas.fill(path, color, alpha: 0.62)
    }
  }

  private func paintBirds(_ canvas: inout Canvas) {
    var random = Seeded(seed &+ 11)
    let start = Point(random(300, 800), random(110, 190))
    for index in 0..<9 {
      let side: Double = index % 2 == 0 ? 1 : -1
      let back = Double((index + 1) / 2)
      let p = Point(start.x - back * 34, start.y + side * back * 15 + random(-4, 4))
      let s = random(7, 10)
      let left = curve(
        p, Point(p.x - s * 0.4, p.y - s), Point(p.x - s, p.y - s),
        Point(p.x - s * 1.6, p.y - s * 0.2))
      let right = left.map { Point(2 * p.x - $0.x, $0.y) }
      canvas.stroke(left, 2.2, ridges.near)
      canvas.stroke(right, 2.2, ridges.near)
    }
  }

  private func paintLake(_ canvas: inout Canvas, _ top: Double) {
    let colors = sky.reversed().map { Color($0).mixed(Color(ridges.near), 0.28) }
    canvas.fill(.rectangle(0, top, 1200, 675 - top), .vertical(colors, from: top, to: 700))
    let ridge = outline(ridges.count - 1)
    let mirrored = ridge.map { Point($0.x, top + (top - $0.y) * 0.8) }
    canvas.fill(.polygon(mirrored + [Point(1210, top), Point(-10, top)]), ridges.near, alpha: 0.5)
    var random = Seeded(seed &+ 3)
    var y = top + 4
    while y < 668 {
      let depth = (y - top) / (675 - top)
      let half = sun.radius * (0.7 + depth * 1.2) * random(0.35, 1.15)
      let x = sun.0.x + random(-10, 10)
      canvas.fill(
        .capsule(Point(x - half, y), Point(x + half, y), 1.8 + depth * 4), sun.color, alpha: 0.75)
      for _ in 0..<3 {
        let cx = random(0, 1200)
        let w = random(12, 46) * (0.5 + depth)
        canvas.fill(
          .capsule(Point(cx - w, y + 3), Point(cx + w, y + 3), 1.2 + depth * 2), mist, alpha: 0.26)
      }
      y += 7 + depth * 9
    }
  }

  private func paintRiver(_ canvas: inout Canvas, _ color: UInt32) {
    let centre = smooth(
      [
        Point(690, 505), Point(610, 522), Point(650, 545), Point(800, 568), Point(740, 605),
        Point(540, 640), Point(430, 700),
      ], steps: 16)
    let left = centre.map { Point($0.x - 6 - power(max(0, $0.y - 500) / 175, 1.4) * 120, $0.y) }
    let right = centre.map { Point($0.x + 6 + power(max(0, $0.y - 500) / 175, 1.4) * 120, $0.y) }
    canvas.fill(
      .polygon(left + right.reversed()),
      .vertical([Color(color).mixed(Color(mist), 0.5), Color(color)], from: 500, to: 675))
    var random = Seeded(seed &+ 21)
    for point in centre where point.y > 530 && random(0, 1) < 0.6 {
      let spread = (point.y - 495) / 180 * 90
      let x = point.x + random(-spread, spread)
      let w = random(0.1, 0.35) * spread
      canvas.fill(
        .capsule(Point(x - w, point.y), Point(x + w, point.y), 1.6), mist, alpha: 0.55)
    }
  }

  private func paintTrees(_ canvas: inout Canvas) {
    guard trees != .none, let first = foliage.first else { return }
    var random = Seeded(seed &+ 77)
    let ground = outline(ridges.count - 1)
    let near = lake == nil
    var places: [Point] = []
    var x = random(0, 30)
    while x < 1200 {
      let index = min(Int((x + 10) / 5), ground.count - 1)
      let open = river != nil && x > 480 && x < 860
      if !open { places.append(Point(x, ground[index].y + (near ? random(6, 90) : 4))) }
      x += random(trees == .pines ? 14 : 26, trees == .pines ? 52 : 74)
    }
    for place in places.sorted(by: { $0.y < $1.y }) {
      let depth = near ? 0.75 + (place.y - 480) / 260 : 0.8
      paintTree(&canvas, place, random(52, 96) * max(depth, 0.5), random.pick(foliage), first)
    }
  }

  private func paintTree(
    _ canvas: inout Canvas, _ foot: Point, _ height: Double, _ color: UInt32, _ trunk: UInt32
  ) {
    let dark = Color(trunk).mixed(Color(0x20_1A18), 0.6)
    canvas.fill(.rectangle(foot.x - 1.6, foot.y - height * 0.4, 3.2, height * 0.4), dark)
    switch trees {
    case .none: break
    case .pines:
      for step in 0..<4 {
        let t = Double(step) / 4
        let y = foot.y - height * (0.16 + 0.21 * Double(step))
        let w = height * 0.24 * (1 - t * 0.72)
        canvas.fill(
          .polygon([
            Point(foot.x - w, y), Point(foot.x, y - height * 0.3), Point(foot.x + w, y),
          ]), color)
      }
    case .poplars:
      let centre = Point(foot.x, foot.y - height * 0.62)
      canvas.fill(.ellipse(centre, height * 0.13, height * 0.52), color)
      canvas.fill(
        .ellipse(Point(centre.x + height * 0.045, centre.y + 3), height * 0.07, height * 0.44),
        dark, alpha: 0.16)
    case .rounds:
      let r = height * 0.3
      let centre = Point(foot.x, foot.y - height * 0.58)
      let crown = Path.circle(centre, r)
        .adding(.circle(Point(centre.x - r * 0.7, centre.y + r * 0.35), r * 0.62))
        .adding(.circle(Point(centre.x + r * 0.7, centre.y + r * 0.4), r * 0.6))
      canvas.fill(crown, color)
      canvas.fill(
        .circle(Point(centre.x - r * 0.25, centre.y - r * 0.3), r * 0.5),
        Color(color).mixed(Color(0xFFF4D8), 0.35), alpha: 0.6)
    }
  }
}
