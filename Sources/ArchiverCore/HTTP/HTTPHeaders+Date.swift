extension HTTPHeaders {
  /// The `Date` of the response: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 sections 5.6.7 and
  /// 6.6.1); `nil` if the field is missing or has another form.
  public var date: Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = (self["Date"] ?? "").split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    // A date in another form is ignored.
    return try? Date.ISO8601FormatStyle().parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
