import ArchiverCore

/// A day of the Gregorian calendar.
struct CalendarDay: Sendable, Hashable, Comparable {
  /// Days since 1970-01-01.
  let number: Int

  init(number: Int) {
    self.number = number
  }

  /// Parses the date of a time as written, whatever its time zone.
  init?(_ text: String) {
    guard let number = NotionTime.days(text.prefix(10)) else { return nil }
    self.number = number
  }

  static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }

  /// `2026-03-01`; in the Gregorian calendar even for years before 1582.
  var text: String {
    let (year, month, day) = parts
    return
      "\(CalendarDay.padded(year, 4))-\(CalendarDay.padded(month, 2))-\(CalendarDay.padded(day, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Years start in March here, so that the leap day is the last of a year.
  private var parts: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fifths = (5 * dayOfYear + 2) / 153
    let month = fifths < 10 ? fifths + 3 : fifths - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fifths + 2) / 5 + 1
    )
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
