import ArchiverCore
import ArchiverStorage

/// The part of the queue that the library shows: archived items that are outdated or incomplete,
/// and books of its catalogs that are not archived.
///
/// `.archiver/library/standing` stores the names of the sources with books, and a hash of this
/// state. So even a run that archived nothing updates the library if the state changed.
struct QueueStanding {
  static let path = ".archiver/library/standing"
  /// Books that are not archived and are shown on the shelf.
  static let shown = 500

  let states: [ItemKey: QueueState]
  /// The newest known books that are not archived.
  private(set) var absent: [AbsentItem] = []
  private(set) var absentCount = 0
  let bytes: [UInt8]

  /// Reads the state of the queue; `sources` are those with books.
  init(_ catalog: any Catalog, sources: [String]) throws {
    states = try catalog.statesOfArchived()
    var text = states.map { "\($0.key.source)/\($0.key.id) \(QueueStanding.word($0.value))" }
      .sorted().joined(separator: "\n")
    var absent: [AbsentItem] = []
    var count = 0
    for source in sources {
      try catalog.forEachAbsent(source: source) { item in
        count += 1
        if absent.count < QueueStanding.shown { absent.append(item) }
        return true
      }
    }
    for item in absent {
      text +=
        "\n\(item.key.source)/\(item.key.id) \(item.title) \(item.status.rawValue)"
        + " \(item.status == .failed ? item.state.message ?? "" : "")"
    }
    self.absent = absent
    absentCount = count
    let mark = "\(String(Fingerprint.of(text), radix: 16)) \(count)"
    bytes = Array((sources + [mark]).joined(separator: "\n").utf8)
  }

  /// Reads the state for the sources that had books last time; `nil` if these are unknown.
  init?(_ catalog: any Catalog, last: [UInt8]?) throws {
    guard let last else { return nil }
    let lines = String(decoding: last, as: UTF8.self).split(separator: "\n").map(String.init)
    try self.init(catalog, sources: lines.dropLast())
  }

  private static func word(_ state: QueueState) -> String {
    let next = state.nextAttempt.map { CivilDate($0).timeText } ?? ""
    return "\(state.reason.rawValue) \(state.isLeftOut) \(state.isFetching) \(next)"
  }
}
