import ArchiverCore

/// A day in the proleptic Gregorian calendar and a time of day in UTC, so that pages do not depend
/// on the local time zone.
struct CivilDate: Sendable, Hashable {
  let year: Int
  /// 1 to 12.
  let month: Int
  /// 1 to 31.
  let day: Int
  let hour: Int
  let minute: Int
  let second: Int

  /// Converts a date; times outside the years 1 to 9999 are clamped, and invalid ones become 1970.
  init(_ date: Date) {
    let seconds1970 = date.timeIntervalSince1970
    let bounded = seconds1970.isNaN ? 0 : min(max(seconds1970, -62_135_596_800), 253_402_300_799)
    let seconds = Int(bounded.rounded(.down))
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let time = seconds - days * 86_400
    (year, month, day) = CalendarDay(number: days).parts
    hour = time / 3_600
    minute = time / 60 % 60
    second = time % 60
  }

  /// `2026-11-21`.
  var dayText: String { CivilDate.text([(year, 4), (month, 2), (day, 2)], "--") }

  /// `2026-11`.
  var monthText: String { CivilDate.text([(year, 4), (month, 2)], "-") }

  /// `2026-11-21T09:31:44Z` (RFC 3339).
  var timeText: String {
    CivilDate.text(
      [(year, 4), (month, 2), (day, 2), (hour, 2), (minute, 2), (second, 2)], "--T::Z")
  }

  /// Returns numbers with a given number of digits, separated by the given separators.
  private static func text(
    _ numbers: [(value: Int, width: Int)], _ separators: StaticString
  ) -> String {
    String(unsafeUninitializedCapacity: 20) { text in
      var count = 0
      for (index, number) in numbers.enumerated() {
        var rest = number.value
        for place in stride(from: count + number.width - 1, through: count, by: -1) {
          text[place] = 0x30 + UInt8(rest % 10)
          rest /= 10
        }
        count += number.width
        guard index < separators.utf8CodeUnitCount else { continue }
        text[count] = separators.utf8Start[index]
        count += 1
      }
      return count
    }
  }
}
