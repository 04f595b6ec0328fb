import ArchiverCore

/// The syntax of durations, ages and sizes on the command line, in variables and in the file.
extension Quantity {
  /// The number of seconds of each unit of time; a month has 30 days and a year 365.
  private static let seconds: [String: Double] = [
    "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400, "mo": 30 * 86_400,
    "y": 365 * 86_400,
  ]

  /// Parses a duration: `90`, `90s`, `15m`, `4h`, `2d`, `1w`; a number alone is seconds. Returns
  /// `nil` for anything else and for more than ten years.
  static func duration(_ text: String) -> Duration? {
    guard let parts = parts(text) else { return nil }
    return time(parts, bare: 1, limit: 3650)
  }

  /// Parses an age: a duration with a unit, such as `36h`, `90d`, `8w`, `18mo` or `2y`. Returns
  /// `nil` for anything else and for more than a hundred years.
  static func age(_ text: String) -> Duration? {
    guard let parts = parts(text) else { return nil }
    return time(parts, bare: nil, limit: 36_500)
  }

  private static func time(
    _ parts: (number: Double, unit: String), bare: Double?, limit: Double
  ) -> Duration? {
    // Ambiguous: a capital M might mean months.
    if parts.unit == "M" { return nil }
    let factor = parts.unit.isEmpty ? bare : seconds[parts.unit.lowercased()]
    guard let factor, parts.number * factor <= limit * 86_400 else { return nil }
    return .seconds(Int((parts.number * factor).rounded()))
  }

  /// Parses a size: `1000`, `500K`, `100M`, `1.5G`, `1T`, each with or without a final `B`; `20GiB`
  /// counts in steps of 1024. Returns `nil` for anything else and for more than 1000 T.
  static func bytes(_ text: String) -> Int? {
    guard let parts = parts(text) else { return nil }
    var unit = parts.unit.uppercased()
    if unit.hasSuffix("B") { unit.removeLast() }
    let base = unit.count == 2 && unit.hasSuffix("I") ? 1024.0 : 1000.0
    if base == 1024 { unit.removeLast() }
    guard let power = ["", "K", "M", "G", "T"].firstIndex(of: unit) else { return nil }
    let value = (0..<power).reduce(parts.number) { sum, _ in sum * base }
    return value <= 1e15 ? Int(value.rounded()) : nil
  }

  /// Splits a text into a number, possibly with a decimal point, and a unit; spaces around both are allowed.
  private static func parts(_ text: String) -> (number: Double, unit: String)? {
    let words = text.split(separator: " ")
    guard (1...2).contains(words.count) else { return nil }
    let whole = words.joined()
    let digits = whole.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard digits.first?.isNumber == true, digits.last?.isNumber == true, digits.count <= 15,
      words.count == 1 || words[0] == digits, let number = Double(digits)
    else { return nil }
    return (number, String(whole.dropFirst(digits.count)))
  }
}
