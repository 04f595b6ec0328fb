import ArchiverCore

/// A time of the fake server to the nanosecond, in its form.
struct ReadeckTime: Sendable, Hashable, Comparable {
  /// Since 1970.
  let nanoseconds: Int
  /// RFC 3339 in UTC without trailing zeros in the fraction.
  let text: String

  init(nanoseconds: Int) {
    self.nanoseconds = nanoseconds
    let seconds = Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000))
    let whole = UTCTime.text(seconds)
    var fraction = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
    while fraction.hasSuffix("0") { fraction = fraction.dropLast() }
    text = fraction.isEmpty ? whole : "\(whole.dropLast()).\(fraction)Z"
  }

  /// Parses the values that Readeck accepts as `since`: RFC 3339, a date, or seconds since 1970.
  init?(parsing text: String) {
    if let seconds = Int(text) {
      self.init(nanoseconds: seconds * 1_000_000_000)
      return
    }
    let full = text.contains("T") ? text : "\(text)T00:00:00Z"
    let parts = full.split(separator: ".", maxSplits: 1)
    let digits = parts.count == 2 ? parts[1].prefix { "0"..."9" ~= $0 } : ""
    let whole = parts.count == 2 ? parts[0] + parts[1].dropFirst(digits.count) : parts[0]
    guard let seconds = UTCTime.date(String(whole)) else { return nil }
    let padded = digits + String(repeating: "0", count: max(0, 9 - digits.count))
    self.init(
      nanoseconds: Int(seconds.timeIntervalSince1970) * 1_000_000_000
        + (Int(padded.prefix(9)) ?? 0))
  }

  static func < (one: ReadeckTime, other: ReadeckTime) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  /// The time to the second as in part headers.
  var wholeSeconds: String {
    ReadeckTime(nanoseconds: nanoseconds / 1_000_000_000 * 1_000_000_000).text
  }

  /// The time in HTTP's form (RFC 9110 section 5.6.7).
  var httpDate: String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let date = text.prefix(10).split(separator: "-")
    let month = months[(Int(date[1]) ?? 1) - 1]
    let day = days[nanoseconds / 1_000_000_000 / 86_400 % 7]
    return "\(day), \(date[2]) \(month) \(date[0]) \(text.dropFirst(11).prefix(8)) GMT"
  }
}
