import ArchiverCore

/// A time as Readeck writes it: RFC 3339 with none to nine fraction digits, in UTC or with an offset.
///
/// Comparison and equality go by the instant.
struct Timestamp: Sendable, Hashable {
  /// The server's own string, for sending back.
  let text: String
  let instant: Instant

  /// Parses RFC 3339; `nil` when it is something else.
  init?(_ text: String) {
    guard let instant = Instant(text) else { return nil }
    self.text = text
    self.instant = instant
  }

  /// The same instant in one form, as `Instant` has it.
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
