import ArchiverCore

/// Notion's times: `2022-02-25`, `2022-02-25T01:23:00.000+09:00`, `…Z`.
enum NotionTime {
  /// Parses a date or date-time; a date means midnight in UTC. `nil` for other text.
  static func date(_ text: String?) -> Date? {
    guard let text, let day = day(text.prefix(10)) else { return nil }
    let clock = text.dropFirst(10)
    let midnight = Double(day.number) * 86_400
    guard clock.hasPrefix("T") else { return Date(timeIntervalSince1970: midnight) }
    let fields = clock.dropFirst().prefix { $0.isNumber || $0 == ":" || $0 == "." }
    guard let seconds = seconds(fields), let offset = offset(clock.dropFirst(fields.count + 1))
    else { return nil }
    return Date(timeIntervalSince1970: midnight + seconds - Double(offset))
  }

  /// Returns `2026-03-01T09:30:00Z`, whole seconds in UTC.
  static func text(_ date: Date) -> String {
    UTCTime.text(date)
  }

  /// Shortens a time for reading: `2022-02-25`, `2022-02-25 01:23 +09:00` or `2022-02-25 01:23 UTC`.
  static func readable(_ text: String) -> String {
    guard text.count > 16, text.dropFirst(10).hasPrefix("T") else { return text }
    let offset = text.dropFirst(16).drop { $0.isNumber || $0 == ":" || $0 == "." }
    let zone = ["Z", "+00:00", "-00:00"].contains(offset) ? "UTC" : String(offset)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))" + (zone.isEmpty ? "" : " \(zone)")
  }

  /// Parses `yyyy-mm-dd`.
  static func day(_ text: some StringProtocol) -> CalendarDay? {
    let parts = text.split(separator: "-").map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  private static func seconds(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":")
    guard parts.count >= 2, let hours = Double(parts[0]), let minutes = Double(parts[1])
    else { return nil }
    let rest = parts.count > 2 ? Double(parts[2]) ?? 0 : 0
    return hours * 3600 + minutes * 60 + rest
  }

  private static func offset(_ text: Substring) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return 0 }
    let digits = text.dropFirst().filter(\.isNumber)
    guard digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2))
    else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }
}
