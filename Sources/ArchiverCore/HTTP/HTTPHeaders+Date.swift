extension HTTPHeaders {
  /// When the server says it answered: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 sections 5.6.7
  /// and 6.6.1); `nil` where the field is missing or of another form.
  public var date: Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = (self["Date"] ?? "").split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    // A date in another form proves nothing about a clock.
    return try? Date.ISO8601FormatStyle().parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
