import ArchiverCore

/// What a listing leaves for the next one.
struct NotionCheckpoint: Codable, Sendable, Equatable {
  /// The rows of a data source as last enumerated.
  struct Rows: Codable, Sendable, Equatable {
    /// The data source's own stamp.
    var edited: String
    var digest: String
    /// When the listing began that last asked for what changed in them; `nil` for the last one.
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
  /// The data sources that pages show inside them.
  var shown: [String: [String]]?
  /// Pages that could not be walked whole.
  var unwalked: [String]?
  /// What is known, rows left out.
  var known: KnownItems?
  /// The known item that was asked for last; the next listing goes on after it.
  var place: String?
  /// When the last listing began whose search went back to the one before.
  var searched: Date?
  /// What pages show of others and how far their comments are known.
  var elsewhere: ShownElsewhere.Record?

  private static let currentFormat = 1

  init(
    started: Date, scope: String, rows: [String: Rows], shown: [String: [String]]? = nil,
    unwalked: [String] = [], known: KnownItems? = nil, place: String? = nil, searched: Date? = nil,
    elsewhere: ShownElsewhere.Record? = nil
  ) {
    self.elsewhere = elsewhere
    self.unwalked = unwalked.isEmpty ? nil : unwalked
    self.known = known
    self.place = place
    self.searched = searched
    self.started = started
    self.scope = scope
    self.rows = rows
    self.shown = shown
  }

  /// Reads a checkpoint of this scope; `nil` for any other.
  init?(_ checkpoint: Checkpoint?, scope: String) {
    guard let text = checkpoint?.value,
      // A checkpoint that cannot be read is one of another version.
      let read = try? JSONDecoder().decode(NotionCheckpoint.self, from: Data(text.utf8)),
      read.format == NotionCheckpoint.currentFormat, read.scope == scope
    else { return nil }
    self = read
  }

  var checkpoint: Checkpoint? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Dates, numbers and texts always encode.
    guard let data = try? encoder.encode(self) else { return nil }
    return Checkpoint(String(decoding: data, as: UTF8.self))
  }

  /// Stamps are cut to the minute and search lags behind; what changed since this time is looked at.
  var since: Date { started.addingTimeInterval(-NotionCheckpoint.overlap) }

  /// Where search may stop; `nil` when it has to name everything.
  var searchedSince: Date? { searched?.addingTimeInterval(-NotionCheckpoint.overlap) }

  /// From when on the changes of a table's rows have to be asked for.
  func since(_ rows: Rows) -> Date {
    rows.asked?.addingTimeInterval(-NotionCheckpoint.overlap) ?? since
  }

  static let overlap: Double = 3600

  /// How many items there are, rows included.
  var itemCount: Int {
    (known?.insideCount ?? 0) + rows.values.reduce(0) { $0 + min($1.count, 1 << 32) }
  }
}

/// The revision of a page: its stamp, marked while the stamp's minute may still be going on.
enum NotionRevision {
  private static let settlingTime: Double = 120

  /// A page edited twice within a minute keeps its stamp; such a revision is good for one run only.
  static func text(edited: String, at time: Date) -> String {
    guard let date = NotionTime.date(edited) else { return unsettled(at: time) }
    if date.addingTimeInterval(settlingTime) <= time { return edited }
    return "\(edited)~\(NotionTime.text(time))"
  }
}

extension NotionRevision {
  /// The revision of what could not be read whole: no listing names it, so that it is asked for again.
  static func unsettled(at time: Date) -> String { "?\(NotionTime.text(time))" }
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
