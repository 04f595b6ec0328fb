import ArchiverCore

/// Notion's times: `2022-02-25`, `2022-02-25T01:23:00.000+09:00`, `…Z`.
enum NotionTime {
  /// Parses a date or date-time; a date means midnight in UTC. `nil` for other text.
  static func date(_ text: String?) -> Date? { text.flatMap { UTCTime.date($0) } }

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
}
