import ArchiverCore

extension CalendarDay {
  /// Parses the date of a time as written, whatever its time zone.
  init?(_ text: String) {
    guard let day = NotionTime.day(text.prefix(10)) else { return nil }
    self = day
  }

  /// `2026-03-01`.
  var text: String {
    let (year, month, day) = parts
    return
      "\(CalendarDay.padded(year, 4))-\(CalendarDay.padded(month, 2))-\(CalendarDay.padded(day, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The Monday on or before the day.
  var startOfWeek: CalendarDay { CalendarDay(number: number - weekday) }

  /// The Sunday on or before the day.
  var startOfSundayWeek: CalendarDay { CalendarDay(number: number - (weekday + 1) % 7) }

  /// 0 for Monday; 1970-01-01 was a Thursday.
  var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  var year: Int { parts.year }
  /// 1 to 12.
  var month: Int { parts.month }
  /// 1 to 31.
  var day: Int { parts.day }
}
