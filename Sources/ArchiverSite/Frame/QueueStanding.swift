import ArchiverCore
import ArchiverStorage

/// The part of the queue that the library shows: archived items that are outdated or incomplete,
/// and books of its catalogs that are not archived.
struct QueueStanding {
  /// The maximum number of books on the shelf that are not archived.
  static let shown = 500

  let states: [ItemKey: QueueState]
  /// The newest known books that are not archived.
  private(set) var absent: [AbsentItem] = []
  private(set) var absentCount = 0
  /// The names of the sources with books, and a hash of the rest. If it changed, even a run that
  /// archived nothing updates the library.
  let mark: [String]

  /// Reads the state of the queue; `sources` are those with books.
  init(_ catalog: any LibraryCatalog, sources: [String]) throws {
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
    mark = sources + ["\(String(Fingerprint.of(text), radix: 16)) \(count)"]
  }

  private static func word(_ state: QueueState) -> String {
    let next = state.nextAttempt.map(UTCTime.text) ?? ""
    return "\(state.reason.rawValue) \(state.isLeftOut) \(state.isFetching) \(next)"
  }
}
