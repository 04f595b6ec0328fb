import ArchiverCore

/// The state that a listing stores for the next one.
struct NotionCheckpoint: Codable, Sendable, Equatable {
  /// The rows of a data source as last listed.
  struct Rows: Codable, Sendable, Equatable {
    /// The data source's own edit time.
    var edited: String
    var digest: String
    /// The start of the listing that last queried changed rows; `nil` for the last listing.
    var asked: Date?
    /// The database around them.
    var database: String?

    /// How many there were.
    var count: Int { digest.split(separator: "-").first.flatMap { Int($0) } ?? 0 }
  }

  /// Of the format; another one is treated like no checkpoint.
  var format = 1
  /// When the listing began.
  var started: Date
  /// What the listing covered: roots, exclusions, depth.
  var scope: String
  var rows: [String: Rows]
  /// The data sources that pages show inline.
  var shown: [String: [String]]?
  /// Pages that could not be walked completely.
  var unwalked: [String]?
  /// The known items without rows.
  var known: KnownItems?
  /// The known item requested last; the next listing continues after it.
  var place: String?
  /// The start of the last listing whose search went back to the previous one.
  var searched: Date?
  /// The originals that pages show, and the times of their newest comments.
  var elsewhere: ShownElsewhere.Record?

  private static let currentFormat = 1
}

extension NotionCheckpoint {
  /// Parses a checkpoint of this scope; `nil` for any other.
  init?(_ checkpoint: Checkpoint?, scope: String) {
    guard let text = checkpoint?.value,
      // A checkpoint that cannot be read was written by another version.
      let read = try? JSONDecoder().decode(NotionCheckpoint.self, from: Data(text.utf8)),
      read.format == NotionCheckpoint.currentFormat, read.scope == scope
    else { return nil }
    self = read
  }

  var checkpoint: Checkpoint? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Dates, numbers and strings can always be encoded.
    guard let data = try? encoder.encode(self) else { return nil }
    return Checkpoint(String(decoding: data, as: UTF8.self))
  }

  /// The time from which changes are examined. It is earlier than the last listing because edit
  /// times have minutes only and search is updated with a delay.
  var since: Date { started.addingTimeInterval(-NotionCheckpoint.overlap) }

  /// The time at which search may stop; `nil` if it must list everything.
  var searchedSince: Date? { searched?.addingTimeInterval(-NotionCheckpoint.overlap) }

  /// Returns the time from which changes of a table's rows have to be queried.
  func since(_ rows: Rows) -> Date {
    rows.asked?.addingTimeInterval(-NotionCheckpoint.overlap) ?? since
  }

  static let overlap: Double = 3600

  /// The number of items, including rows.
  var itemCount: Int {
    (known?.insideCount ?? 0) + rows.values.reduce(0) { $0 + min($1.count, 1 << 32) }
  }
}

/// The revision of a page: its edit time, with a mark while that minute may not be over.
enum NotionRevision {
  private static let settlingTime: Double = 120

  /// A page edited twice within a minute keeps its edit time, so that a marked revision is valid
  /// for one run only.
  static func text(edited: String, at time: Date) -> String {
    guard let date = NotionTime.date(edited) else { return unsettled(at: time) }
    if date.addingTimeInterval(settlingTime) <= time { return edited }
    return "\(edited)~\(UTCTime.text(time))"
  }

  /// The revision of an incompletely read page: no listing has it, so that the page is fetched
  /// again.
  static func unsettled(at time: Date) -> String { "?\(UTCTime.text(time))" }
}

/// A digest of a set of texts that does not depend on their order (FNV-1a, summed).
struct SetDigest: Sendable {
  private var sum: UInt64 = 0
  private var count: UInt64 = 0

  mutating func insert(_ text: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    sum &+= hash
    count += 1
  }

  var text: String { "\(count)-\(String(sum, radix: 16))" }
}
