import ArchiverCore
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("0", 0.0), (" 12 ", 12), ("Fri, 15 Jan 2027 08:01:30 GMT", 90),
    ("Friday, 15-Jan-27 08:01:30 GMT", 90), ("Fri Jan 15 08:01:30 2027", 90),
    ("Fri Jan  1 08:00:00 2027", 0), ("Thu, 14 Jan 2027 08:00:00 GMT", 0),
    ("Sat, 16 Jan 2027 09:00:00 GMT", 86_400), ("604800", 86_400),
    ("99999999999999999999999", 86_400), ("soon", nil), ("", nil), ("-5", nil), ("1.5", nil),
    ("Fri, 15 Jan 2027", nil), ("Fri, 35 Jan 2027 08:01:30 GMT", nil),
    ("Fri, 15 Foo 2027 08:01:30 GMT", nil),
  ])
  func `Retry-After is read in seconds and as a date in each form, up to a day`(
    field: String, seconds: Double?
  ) {
    let headers: HTTPHeaders = ["Retry-After": field]
    let delay = headers.retryAfter(now: Date(timeIntervalSince1970: 1_800_000_000))
    #expect(delay == seconds.map { Duration.seconds($0) })
  }

  @Test func `a response without the field asks for no delay`() {
    #expect(HTTPHeaders().retryAfter(now: Date()) == nil)
    #expect(HTTPHeaders().date == nil)
  }

  @Test(arguments: [
    "Fri, 15 Jan 2027 08:00:00 GMT", "Friday, 15-Jan-27 08:00:00 GMT", "Fri Jan 15 08:00:00 2027",
  ])
  func `the date of a response is read in each form`(field: String) {
    let headers: HTTPHeaders = ["Date": field]
    #expect(headers.date == Date(timeIntervalSince1970: 1_800_000_000))
  }
}
