import ArchiverCore

/// A time as Readeck writes it: RFC 3339 with none to nine fraction digits, in UTC or with an offset.
///
/// Comparison and equality go by the instant, to the nanosecond.
struct Timestamp: Sendable, Hashable {
  /// The server's own string, for sending back.
  let text: String
  /// The same instant in one form: UTC, no zeros at the fraction's end. Equal instants have equal forms.
  let canonical: String
  let date: Date

  /// Parses RFC 3339; `nil` when it is something else.
  init?(_ text: String) {
    let dot = text.firstIndex(of: ".")
    let digits = dot.map { text[text.index(after: $0)...].prefix { "0"..."9" ~= $0 } } ?? ""
    guard dot == nil || !digits.isEmpty else { return nil }
    let whole = dot.map { text[..<$0] + text[digits.endIndex...] } ?? text[...]
    // The style reads as far as it can; only these lengths leave nothing unread.
    guard whole.utf8.count == 20 || whole.utf8.count == 25,
      let seconds = Timestamp.parse(String(whole))
    else { return nil }
    let fraction = digits.reversed().drop { $0 == "0" }.reversed()
    let base = Timestamp.wholeSeconds.format(seconds)
    canonical = fraction.isEmpty ? base : base.dropLast() + "." + String(fraction) + "Z"
    // Most are written so, and need not be in memory twice.
    self.text = text == canonical ? canonical : text
    date = seconds.addingTimeInterval(digits.isEmpty ? 0 : Double("0.\(digits)") ?? 0)
  }

  private static let wholeSeconds = Date.ISO8601FormatStyle()

  private static func parse(_ text: String) -> Date? {
    // A nil here is the answer "not a time", which the caller hands on.
    try? wholeSeconds.parse(text)
  }

  static func == (one: Timestamp, other: Timestamp) -> Bool { one.canonical == other.canonical }

  func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Timestamp: Comparable {
  // Without its Z the canonical form is a prefix code of digits, so text order is time order.
  static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.canonical.dropLast() < other.canonical.dropLast()
  }
}

extension Timestamp: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a time")
    }
    self = time
  }
}
