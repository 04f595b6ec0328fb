extension HTTPHeaders {
  /// The `Date` of the response (RFC 9110 section 6.6.1); `nil` if the field is missing or not a date.
  public var date: Date? { self["Date"].flatMap(HTTPHeaders.date) }

  /// The delay that the server asks for, from 0 to a day: `Retry-After` in seconds or as a date
  /// (RFC 9110 section 10.2.3); `nil` if the field is missing or neither. A date in the past gives
  /// 0.
  public func retryAfter(now: Date) -> Duration? {
    guard let field = self["Retry-After"] else { return nil }
    let text = field.filter { $0 != " " && $0 != "\t" }
    let day = 86_400
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      // A number that overflows `Int` counts as the maximum, a day.
      return .seconds(min(Int(text) ?? day, day))
    }
    guard let date = HTTPHeaders.date(field) else { return nil }
    return .seconds(min(max(0, date.timeIntervalSince(now)), Double(day)))
  }

  /// Returns the date in a field in any of the three forms of RFC 9110 section 5.6.7: `Sun, 06 Nov 1994 08:49:37
  /// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  private static func date(_ field: String) -> Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = field.split { " ,-".contains($0) }.map(String.init)
    let numbers = words.compactMap { Int($0) }
    guard let month = words.lazy.compactMap({ months.firstIndex(of: $0) }).first,
      let time = words.first(where: { $0.contains(":") }), numbers.count == 2
    else { return nil }
    // A year of two digits is one from 1970 to 2069, whatever the current year.
    let year = numbers[1] >= 100 ? numbers[1] : numbers[1] + (numbers[1] < 70 ? 2_000 : 1_900)
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // A day or time out of range gives nil.
    return try? Date.ISO8601FormatStyle()
      .parse("\(year)-\(digits(month + 1))-\(digits(numbers[0]))T\(time)Z")
  }
}
