/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDay: Sendable, Hashable, Comparable {
  /// Days since 1970-01-01; negative before it.
  package let number: Int

  package init(number: Int) {
    self.number = number
  }

  /// - Parameters:
  ///   - year: The astronomical year: 0 precedes 1.
  ///   - month: 1 for January. Other numbers carry over into the years before or after.
  ///   - day: 1 for the first. Other numbers carry over into the months before or after.
  package init(year: Int, month: Int, day: Int) {
    let months = year * 12 + month - 1
    let floored = CalendarDay.quotient(months, 12)
    let month = months - floored * 12 + 1
    let shifted = month <= 2 ? floored - 1 : floored
    let era = CalendarDay.quotient(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * CalendarDay.daysPerEra + dayOfEra - CalendarDay.epoch + day - 1
  }

  package static func < (one: CalendarDay, other: CalendarDay) -> Bool {
    one.number < other.number
  }

  /// The year, the month (1 to 12) and the day of the month (1 to 31).
  package var parts: (year: Int, month: Int, day: Int) {
    let shifted = number + CalendarDay.epoch
    let era = CalendarDay.quotient(shifted, CalendarDay.daysPerEra)
    let dayOfEra = shifted - era * CalendarDay.daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fifths = (5 * dayOfYear + 2) / 153
    let month = fifths < 10 ? fifths + 3 : fifths - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fifths + 2) / 5 + 1
    )
  }

  // Years begin on 1 March in these computations, so that the leap day is the last of a year. An era is
  // 400 years, after which the calendar repeats.

  private static let daysPerEra = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let epoch = 719_468

  /// Returns the quotient, rounded down.
  private static func quotient(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }
}
