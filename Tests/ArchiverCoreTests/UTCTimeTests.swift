import ArchiverCore
import Testing

@Suite struct UTCTimeTests {
  @Test(arguments: [
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("1500-03-01T12:00:00Z", -14_826_628_800),
    ("1582-10-04T23:59:59Z", -12_220_156_801), ("1582-10-10T00:00:00Z", -12_219_724_800),
    ("1582-10-15T00:00:00Z", -12_219_292_800), ("1969-12-31T23:59:59Z", -1),
    ("1970-01-01T00:00:00Z", 0), ("2263-05-05T05:05:05Z", 9_256_914_305),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `times of every year are written and read in the Gregorian calendar`(
    text: String, seconds: Int
  ) {
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(UTCTime.text(date) == text)
    #expect(UTCTime.date(text) == date)
    #expect(UTCTime.day(date) == text.prefix(10))
  }

  @Test func `every day from 1500 to 1600 follows the one before`() {
    var day = CalendarDay(year: 1500, month: 1, day: 1)
    while day < CalendarDay(year: 1600, month: 1, day: 1) {
      let parts = day.parts
      let text = UTCTime.day(Date(timeIntervalSince1970: Double(day.number) * 86_400))
      let numbers = text.split(separator: "-").compactMap { Int($0) }
      #expect(numbers == [parts.year, parts.month, parts.day])
      day = CalendarDay(number: day.number + 1)
    }
  }

  @Test(arguments: [
    ("2026-11-21", 1_795_219_200.0), ("2026-11-21T02:00:00+02:00", 1_795_219_200),
    ("2026-11-20T22:30:00-0130", 1_795_219_200), ("2026-11-21T00:00:00.25z", 1_795_219_200.25),
    ("2026-11-21T00:00:60Z", 1_795_219_260), ("1600-02-29", -11_670_998_400),
  ])
  func `forms of RFC 3339 are read`(text: String, seconds: Double) {
    #expect(UTCTime.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-02-30", "1500-02-29", "2026-13-01", "2026-11-21T",
    "2026-11-21T10:00Z",
    "2026-11-21T10:00:00", "2026-11-21T24:00:00Z", "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00Zx",
    "2026-11-21T10:00:00+2", "2026-11-21t10:00:00Z", "2026-11-21 10:00:00Z", "20261121T100000Z",
    "2026-11-21T10:00:00+25:00", "２０２６-11-21",
  ])
  func `other text is no time`(text: String) {
    #expect(UTCTime.date(text) == nil)
  }

  @Test func `times that no text has are clamped`() {
    #expect(UTCTime.text(.distantFuture) <= "9999-12-31T23:59:59Z")
    #expect(UTCTime.text(Date(timeIntervalSince1970: 1e300)) == "9999-12-31T23:59:59Z")
    #expect(UTCTime.text(Date(timeIntervalSince1970: -1e300)) == "0001-01-01T00:00:00Z")
    #expect(UTCTime.text(Date(timeIntervalSince1970: .nan)) == "1970-01-01T00:00:00Z")
  }
}
