import ArchiverCore

/// A day in the proleptic Gregorian calendar in UTC, so that pages do not depend on the local time zone.
struct CivilDate: Sendable {
  let year: Int
  /// The month, 1 to 12.
  let month: Int
  /// The day of the month, 1 to 31.
  let day: Int
  private let date: Date

  /// Converts a date; times outside the years 1 to 9999 are clamped, and invalid ones become 1970.
  init(_ date: Date) {
    (year, month, day) = UTCTime.calendarDay(date).parts
    self.date = date
  }

  /// The day in ISO 8601: `2026-11-21`.
  var dayText: String { UTCTime.day(date) }

  /// The number of months since the year 0.
  var monthNumber: Int { year * 12 + month - 1 }

  /// The month in ISO 8601: `2026-11`.
  var monthText: String { String(dayText.prefix(7)) }
}
