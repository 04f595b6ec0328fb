import ArchiverCore

/// Dates in the forms that catalogs use: RFC 3339 with or without a fraction, or a prefix of it.
enum CatalogDate {
  /// Returns the time; `nil` if it is invalid or before the year 1000, which means unknown.
  static func date(_ text: String?) -> Date? {
    guard let text = text?.trimmed, text.utf8.count >= 4 else { return nil }
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    guard let year = parts.first, year.utf8.count == 4, let number = Int(year), number >= 1_000
    else { return nil }
    switch parts.count {
    case 1: return UTCTime.leniently("\(year)-01-01T00:00:00Z")
    case 2: return UTCTime.leniently("\(year)-\(parts[1])-01T00:00:00Z")
    default: break
    }
    let day = text.prefix(10)
    let time = text.dropFirst(11)
    guard time.utf8.count >= 8 else { return UTCTime.leniently("\(day)T00:00:00Z") }
    let zone = time.dropFirst(8).drop { $0 == "." || $0.isNumber }
    return UTCTime.leniently("\(day)T\(time.prefix(8))\(zone.isEmpty ? "Z" : zone)")
  }

  /// Returns a text that cannot be read as a time, for people to read; `nil` for a time and for an unknown one.
  static func unread(_ text: String?) -> String? {
    guard let text = text?.trimmed, !text.isEmpty, date(text) == nil else { return nil }
    let year = text.prefix { $0 != "-" }
    let isUnknown = year.utf8.count >= 3 && Int(year).map { $0 < 1_000 } == true
    return isUnknown ? nil : text
  }
}
