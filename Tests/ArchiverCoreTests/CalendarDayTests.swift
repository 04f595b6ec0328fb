import ArchiverCore
import Testing

@Suite struct CalendarDayTests {
  /// Days that the calendar of the C library (gmtime) names, at the edges of leap years and centuries.
  @Test(arguments: [
    (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29),
    (11_017, 2000, 3, 1), (-25_508, 1900, 3, 1), (20_778, 2026, 11, 21), (-719_528, 0, 1, 1),
    (-719_468, 0, 3, 1), (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31),
  ])
  func `a number and a date name the same day`(number: Int, year: Int, month: Int, day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day).number == number)
    #expect(CalendarDay(number: number).parts == (year, month, day))
  }

  @Test func `months and days out of range carry over`() {
    let start = CalendarDay(year: 2027, month: 1, day: 1)
    #expect(CalendarDay(year: 2026, month: 13, day: 1) == start)
    #expect(CalendarDay(year: 2028, month: -11, day: 1) == start)
    #expect(CalendarDay(year: 2026, month: 12, day: 32) == start)
    #expect(CalendarDay(year: 2027, month: 2, day: -30) == start)
  }

  @Test func `four hundred years lose no day`() {
    var expected = CalendarDay(year: 1799, month: 12, day: 31).number
    for year in 1800..<2_200 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in 1...length {
          expected += 1
          let number = CalendarDay(year: year, month: month, day: day).number
          guard number == expected, CalendarDay(number: number).parts == (year, month, day)
          else {
            Issue.record("\(year)-\(month)-\(day)")
            return
          }
        }
      }
    }
  }
}
