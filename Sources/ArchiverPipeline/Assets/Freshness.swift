import ArchiverCore

/// The freshness lifetime of a response (RFC 9111 section 4.2).
enum Freshness {
  /// Returns the end of freshness by `Cache-Control`; `nil` if the response must be revalidated.
  static func end(_ headers: HTTPHeaders, now: Date) -> Date? {
    var maxAge: Int?
    for field in headers.values("Cache-Control") {
      for directive in field.lowercased().split(separator: ",") {
        let directive = directive.trimmingPrefix { $0 == " " }
        if directive.hasPrefix("no-cache") || directive.hasPrefix("no-store") { return nil }
        if directive.hasPrefix("max-age=") {
          maxAge = Int(directive.dropFirst(8).filter { $0 != "\"" && $0 != " " })
        }
      }
    }
    guard let maxAge, maxAge > 0 else { return nil }
    let age = max(0, headers["Age"].flatMap { Int($0) } ?? 0)
    return maxAge > age ? now.addingTimeInterval(Double(min(maxAge - age, 315_360_000))) : nil
  }
}
