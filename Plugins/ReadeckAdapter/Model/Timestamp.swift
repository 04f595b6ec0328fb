import ArchiverCore

/// A time in Readeck's form: RFC 3339 with up to nine fraction digits, in UTC or with an offset.
///
/// Comparison and equality use the instant.
struct Timestamp: Sendable, Hashable {
  /// The server's own text, for use in queries.
  let text: String
  let instant: Instant

  /// Parses RFC 3339; `nil` for other text.
  init?(_ text: String) {
    guard let instant = Instant(text) else { return nil }
    self.text = text
    self.instant = instant
  }

  /// The instant in canonical form.
  var canonical: String { instant.canonical }

  var date: Date { instant.date }

  static func == (one: Timestamp, other: Timestamp) -> Bool { one.instant == other.instant }

  func hash(into hasher: inout Hasher) { hasher.combine(instant) }
}

extension Timestamp: Comparable {
  static func < (one: Timestamp, other: Timestamp) -> Bool { one.instant < other.instant }
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
