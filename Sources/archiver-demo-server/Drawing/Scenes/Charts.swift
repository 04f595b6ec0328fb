/// Charts of the numbers in the articles.
enum Charts {
  /// Twelve overlapping curves, one a month.
  static func ridgeline(_ canvas: inout Canvas) {
    canvas.fill(0xFAF3E6)
    let cold = Color(0x3E6C8F)
    let warm = Color(0xD9683C)
    for month in 0..<12 {
      let heat = (1 - cosine((Double(month) - 0.4) / 12)) / 2
      let base = 150 + Double(month) * 43
      let centre = 300 + heat * 540
      let noise = Noise(seed: UInt64(month) + 70)
      let line = stride(from: 60.0, through: 1140, by: 6).map { x -> Point in
        let d = (x - centre) / (120 + 30 * noise.at(Double(month)))
        let second = (x - centre - 110) / 70
        let bell = power(2.718, -d * d) + 0.35 * power(2.718, -second * second)
        return Point(x, base - 92 * bell * (1 + 0.12 * noise.layered(x / 60)))
      }
      canvas.fill(
        .polygon(line + [Point(1140, base), Point(60, base)]), cold.mixed(warm, heat), alpha: 0.88)
      canvas.stroke(line, 2.4, 0xFFFDF6)
      canvas.stroke([Point(60, base), Point(1140, base)], 1, 0x5B5148, alpha: 0.4)
    }
  }

  /// A year of days as coloured cells.
  static func calendar(_ canvas: inout Canvas) {
    canvas.fill(0x22303A)
    let noise = Noise(seed: 365)
    let inks: [UInt32] = [0x2F5D7A, 0x4E8A9A, 0x8FBFA8, 0xE8DFA6, 0xF2B765, 0xE27B4E, 0xC04A3A]
    for week in 0..<53 {
      for day in 0..<7 {
        let t = Double(week * 7 + day) / 365
        let value = (1 - cosine(t - 0.05)) / 2 + 0.55 * noise.layered(Double(week * 7 + day) / 2.3)
        let index = min(max(Int(value * 7), 0), 6)
        canvas.fill(
          .rounded(44 + Double(week) * 21, 120 + Double(day) * 62, 17, 56, 4), inks[index])
      }
    }
    for (index, ink) in inks.enumerated() {
      canvas.fill(.rounded(44 + Double(index) * 50, 590, 44, 16, 4), ink)
    }
  }

  /// Round bars around a centre, longer with the hours of light.
  static func daylight(_ canvas: inout Canvas) {
    canvas.fill(0xF6E9D2)
    let centre = Point(600, 338)
    canvas.fill(.circle(centre, 330), 0x2B3553)
    for day in 0..<180 {
      let turns = Double(day) / 180 - 0.25
      let light = 0.5 - 0.27 * cosine(Double(day) / 180)
      let color = Color(0xF6B24B).mixed(Color(0xE8684A), light * 1.2 - 0.3)
      canvas.stroke(
        [centre.polar(100, turns), centre.polar(100 + 225 * light, turns)], 5.4, color.packed)
    }
    canvas.fill(.circle(centre, 92), 0xF6E9D2)
    canvas.fill(.circle(centre, 58), 0xF2B441)
    for step in 0..<12 {
      let turns = Double(step) / 12
      canvas.stroke([centre.polar(66, turns), centre.polar(84, turns)], 5, 0xF2B441)
      canvas.stroke([centre.polar(333, turns), centre.polar(350, turns)], 4, 0x2B3553)
    }
  }
}
