import ArchiverCore

/// A point in time to the nanosecond, stored compactly.
struct Instant: Sendable, Hashable {
  /// Whole seconds since 1970 in UTC, rounded down.
  let seconds: Int64
  /// Less than 1,000,000,000.
  let nanoseconds: UInt32

  /// RFC 3339 in UTC without trailing zeros in the fraction. Equal instants have equal forms; the
  /// catalog stores it as the revision.
  var canonical: String {
    var text = UTCTime.text(seconds: Int(seconds))
    guard nanoseconds > 0 else { return text }
    var (fraction, width) = (nanoseconds, 9)
    while fraction.isMultiple(of: 10) {
      fraction /= 10
      width -= 1
    }
    let digits = String(fraction)
    text.removeLast()
    text += "." + String(repeating: "0", count: width - digits.utf8.count) + digits + "Z"
    return text
  }

  var date: Date { whole.addingTimeInterval(Double(nanoseconds) / 1_000_000_000) }

  private var whole: Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension Instant {
  /// Converts a date, which must be in the years 1 to 9999.
  init(_ date: Date) {
    let whole = date.timeIntervalSince1970.rounded(.down)
    seconds = Int64(whole)
    nanoseconds = UInt32(
      min((date.timeIntervalSince1970 - whole) * 1_000_000_000, 999_999_999))
  }
}

extension Instant: Comparable {
  static func < (one: Instant, other: Instant) -> Bool {
    (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
  }
}

extension Instant {
  /// Parses RFC 3339; `nil` for other text. Digits beyond nanoseconds are dropped.
  init?(_ text: String) {
    let dot = text.utf8.firstIndex(of: UInt8(ascii: "."))
    let digits = dot.map { text.utf8[$0...].dropFirst().prefix { 0x30...0x39 ~= $0 } }
    guard digits?.isEmpty != true else { return nil }
    var whole = text
    if let dot, let digits { whole.removeSubrange(dot..<digits.endIndex) }
    guard whole.utf8.count == 20 || whole.utf8.count == 25, let date = UTCTime.leniently(whole)
    else { return nil }
    seconds = Int64(date.timeIntervalSince1970)
    var fraction: UInt32 = 0
    var unit: UInt32 = 1_000_000_000
    for digit in (digits ?? "".utf8[...]).prefix(9) {
      unit /= 10
      fraction += UInt32(digit - UInt8(ascii: "0")) * unit
    }
    nanoseconds = fraction
  }
}
