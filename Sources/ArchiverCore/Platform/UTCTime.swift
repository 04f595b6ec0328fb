/// Points in time as text of RFC 3339, in the proleptic Gregorian calendar.
///
/// Foundation's `ISO8601FormatStyle` has the Julian calendar before 15 October 1582.
package enum UTCTime {
  /// Returns `2026-11-21T09:31:44Z`: a point in time, rounded down to the second. Times outside the
  /// years 1 to 9999 are clamped, and invalid ones become 1970.
  package static func text(_ date: Date) -> String {
    text(seconds: bounded(date))
  }

  /// Returns the text of whole seconds since 1970 without clamping: years beyond 9999 have more digits.
  package static func text(seconds: Int) -> String {
    let (day, second) = parts(seconds)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(text(day))T\(time.joined(separator: ":"))Z"
  }

  /// Returns the day in UTC, clamped like `text`: `2026-11-21`.
  package static func day(_ date: Date) -> String { text(calendarDay(date)) }

  /// Returns the day in UTC, clamped like `text`.
  package static func calendarDay(_ date: Date) -> CalendarDay { parts(bounded(date)).day }

  /// Parses like `date`, and also what Foundation understands beyond RFC 3339: days and hours that do not exist
  /// roll over.
  package static func leniently(_ text: String) -> Date? {
    // A failure means "not a time", which the caller handles.
    date(text) ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  /// Parses `2026-11-21T09:31:44Z`, with a fraction of a second and with an offset such as `+02:00` or `+0200` as
  /// well, or a day, which is its midnight in UTC. `nil` for other text and for days that do not exist.
  package static func date(_ text: some StringProtocol) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes[4] == 0x2D, bytes[7] == 0x2D,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10])
    else { return nil }
    let date = CalendarDay(year: year, month: month, day: day)
    guard date.parts == (year, month, day) else { return nil }
    let midnight = Double(date.number) * 86_400
    if bytes.count == 10 { return Date(timeIntervalSince1970: midnight) }
    guard let seconds = seconds(bytes[10...]) else { return nil }
    return Date(timeIntervalSince1970: midnight + seconds)
  }

  /// Reads `T09:31:44.5+02:00` as seconds since midnight in UTC.
  private static func seconds(_ bytes: ArraySlice<UInt8>) -> Double? {
    let start = bytes.startIndex
    guard bytes.count >= 10, bytes[start] == 0x54, bytes[start + 3] == 0x3A,
      bytes[start + 6] == 0x3A, let hour = number(bytes[(start + 1)..<(start + 3)]),
      let minute = number(bytes[(start + 4)..<(start + 6)]),
      let second = number(bytes[(start + 7)..<(start + 9)]), hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = bytes[(start + 9)...]
    var fraction = 0.0
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
      rest = rest.dropFirst(digits.count + 1)
    }
    guard let offset = offset(rest) else { return nil }
    return Double(hour * 3_600 + minute * 60 + second - offset) + fraction
  }

  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if bytes.count == 1 { return sign == 0x5A || sign == 0x7A ? 0 : nil }
    let digits = bytes.dropFirst().filter { $0 != 0x3A }
    guard sign == 0x2B || sign == 0x2D, digits.count == 4, let hours = number(digits[0..<2]),
      let minutes = number(digits[2..<4]), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == 0x2B ? 1 : -1)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }

  private static func bounded(_ date: Date) -> Int {
    let time = date.timeIntervalSince1970
    let bounded = time.isNaN ? 0 : min(max(time, -62_135_596_800), 253_402_300_799)
    return Int(bounded.rounded(.down))
  }

  private static func parts(_ seconds: Int) -> (day: CalendarDay, second: Int) {
    let number = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    return (CalendarDay(number: number), seconds - number * 86_400)
  }

  private static func text(_ day: CalendarDay) -> String {
    let parts = day.parts
    return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
