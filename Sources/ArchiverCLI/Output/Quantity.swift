import ArchiverSite

/// Numbers with units, in one format everywhere: sizes in powers of 1,000, times in the one or two largest units.
enum Quantity {
  /// The units of time in a language.
  struct TimeUnits: Sendable {
    let second: String
    let minute: String
    let hour: String
    let day: String

    static let standard = TimeUnits(second: "s", minute: "min", hour: "h", day: "d")
  }

  /// Returns a number with its noun: "1 article", "20 articles", "1,204 articles".
  static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns a number with groups of digits: "1,204,300".
  static func grouped(_ number: Int) -> String { NumberStyle.english.grouped(number) }

  /// Returns a size: "812 B", "12.3 kB", "1.2 GB".
  static func bytes(_ count: Int, style: NumberStyle = .english) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1000
      if value < 999.95 || unit == "TB" { return "\(oneDecimal(value, style: style)) \(unit)" }
    }
    return "\(count) B"
  }

  /// Returns a duration: "0.4 s", "42 s", "3 min 5 s", "2 h 10 min", "3 d 4 h".
  ///
  /// Without `tenths`, for times that change on the screen, at least "1 s".
  static func time(
    _ duration: Duration, tenths: Bool = true, units: TimeUnits = .standard,
    style: NumberStyle = .english
  ) -> String {
    let seconds = max(tenths ? 0 : 1, duration / .seconds(1))
    if tenths, seconds < 9.95 { return "\(oneDecimal(seconds, style: style)) \(units.second)" }
    let whole = Int(seconds.rounded())
    return switch whole {
    case ..<60: "\(whole) \(units.second)"
    case ..<3600: two(whole / 60, units.minute, whole % 60, units.second)
    case ..<86400: two(whole / 3600, units.hour, whole % 3600 / 60, units.minute)
    default: two(whole / 86400, units.day, whole % 86400 / 3600, units.hour)
    }
  }

  /// Returns a duration in whole minutes, hours or days, the largest unit that fits: "5 min", "3 h", "12 d".
  static func largestUnit(_ seconds: Double, units: TimeUnits = .standard) -> String {
    let whole = Int(seconds)
    return switch whole {
    case ..<3600: "\(whole / 60) \(units.minute)"
    case ..<86400: "\(whole / 3600) \(units.hour)"
    default: "\(whole / 86400) \(units.day)"
    }
  }

  /// Returns a number with one digit after the decimal point.
  static func oneDecimal(_ value: Double, style: NumberStyle = .english) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(style.grouped(tenths / 10))\(style.decimal)\(tenths % 10)"
  }

  private static func two(_ large: Int, _ unit: String, _ small: Int, _ smallUnit: String) -> String
  {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
  }
}
