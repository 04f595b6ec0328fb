import ArchiverCore
import Testing

@testable import ReadeckAdapter

/// Archives contain revisions derived from times: the derivation must never change.
struct TimestampTests {
  @Test(arguments: [
    ("2026-11-21T00:00:32.843606878Z", "2026-11-21T00:00:32.843606878Z", 816_912_032.8436068),
    ("2026-11-21T00:00:33.4775900Z", "2026-11-21T00:00:33.47759Z", 816_912_033.47759),
    ("2023-06-01T06:00:00Z", "2023-06-01T06:00:00Z", 707_292_000),
    ("2023-06-01T06:00:00.000Z", "2023-06-01T06:00:00Z", 707_292_000),
    ("2023-06-01T06:00:00.5+02:00", "2023-06-01T04:00:00.5Z", 707_284_800.5),
    ("2023-06-01T06:00:00-11:30", "2023-06-01T17:30:00Z", 707_333_400),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", -63_113_904_000),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", -63_145_526_400),
    ("1500-03-01T00:00:00Z", "1500-03-01T00:00:00Z", -15_804_979_200),
    ("1582-10-04T00:00:00Z", "1582-10-04T00:00:00Z", -13_198_550_400),
    ("1582-10-15T00:00:00Z", "1582-10-15T00:00:00Z", -13_197_600_000),
    ("1900-02-28T23:59:59Z", "1900-02-28T23:59:59Z", -3_182_198_401),
    ("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999999Z", -978_307_200),
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", -978_307_200),
    ("2000-02-29T12:00:00.000000001Z", "2000-02-29T12:00:00.000000001Z", -26_481_600),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z", 252_423_993_600),
    ("9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z", 252_423_997_199),
    ("2026-11-21T00:00:32+00:00", "2026-11-21T00:00:32Z", 816_912_032),
    ("2026-11-21T00:00:32.1-00:00", "2026-11-21T00:00:32.1Z", 816_912_032.1),
    ("2026-11-21T00:00:32+14:00", "2026-11-20T10:00:32Z", 816_861_632),
    ("2026-11-21T00:00:32.123456789000Z", "2026-11-21T00:00:32.123456789Z", 816_912_032.1234568),
    // What no calendar has rolls over.
    ("1900-02-29T00:00:00Z", "1900-03-01T00:00:00Z", -3_182_198_400),
    ("2023-02-29T00:00:00Z", "2023-03-01T00:00:00Z", 699_321_600),
    ("2023-02-31T00:00:00Z", "2023-03-03T00:00:00Z", 699_494_400),
    ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.5Z", 504_921_600.5),
    ("2023-06-01T24:00:00Z", "2023-06-02T00:00:00Z", 707_356_800),
    ("2023-06-01T23:60:00Z", "2023-06-02T00:00:00Z", 707_356_800),
    ("2026-11-21T00:00:32.5z", "2026-11-21T00:00:32.5Z", 816_912_032.5),
    ("2026-1-021T00:00:32Z", "2026-01-21T00:00:32Z", 790_646_432),
  ])
  func `makes the revision that archives hold`(
    text: String, canonical: String, reference: Double
  ) throws {
    let time = try #require(Timestamp(text))
    #expect(time.canonical == canonical)
    #expect(time.date.timeIntervalSinceReferenceDate == reference)
    #expect(time.text == text)
  }

  @Test(arguments: [
    "2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-01-00T00:00:00Z", "2023-01-32T00:00:00Z",
    "2023-06-01t06:00:00z", "2023-06-01 06:00:00Z", "-001-01-01T00:00:00Z",
    "2026-11-21T00:00:32,5Z",
    "2026-11-21T00:00:32+0000", "2026-11-21T00:00:32+24:00", "2026-11-21T00:00:32.5+02:00.5",
    "2026-11-21T00:00:32.\u{FF15}Z", " 026-11-21T00:00:32Z", "2026-11-21T00:00:3\u{E9}+02:00",
  ])
  func `refuses what was never a time`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `takes times that are written in several ways for one`() throws {
    let times = try [
      "2026-11-21T01:00:00.10+01:00", "2026-11-21T00:00:00.1Z", "2026-11-20T23:59:60.100000000Z",
      "2026-11-20T24:00:00.1Z",
    ].map { try #require(Timestamp($0)) }
    #expect(Set(times).count == 1)
    #expect(Set(times.map(\.canonical)) == ["2026-11-21T00:00:00.1Z"])
    #expect(!(times[0] < times[1]) && !(times[1] < times[0]))
  }

  @Test func `drops what is finer than a nanosecond`() throws {
    let time = try #require(Timestamp("2026-11-21T00:00:32.1234567899Z"))
    #expect(time.canonical == "2026-11-21T00:00:32.123456789Z")
    #expect(time.text == "2026-11-21T00:00:32.1234567899Z")
  }

  @Test func `knows the calendar of every century as Foundation does`() throws {
    let style = Date.ISO8601FormatStyle()
    // All ends of February and of years from 1600 on, and seconds all over the days between.
    var moments = (1_600...2_400).flatMap { year in
      ["\(year)-02-28T23:59:59Z", "\(year)-03-01T00:00:00Z", "\(year)-12-31T23:59:59Z"]
    }
    moments += ["9998-12-31T23:59:59Z", "9997-02-28T12:00:00Z"]
    var seconds = try moments.map { Int64(try style.parse($0).timeIntervalSince1970) }
    seconds += stride(from: -11_676_096_000, to: 253_370_764_800, by: 86_400 * 97 + 34_567)
    for second in seconds {
      let text = style.format(Date(timeIntervalSince1970: Double(second)))
      let time = Timestamp(text)
      guard time?.instant.seconds == second, time?.canonical == text else {
        Issue.record("\(text)")
        return
      }
    }
  }
}
