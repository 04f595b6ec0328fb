import ArchiverStorage

/// Makes the rows of items that the log has none of, several at once, and adds them in turn.
struct NewRows {
  /// Items in memory at once.
  private static let batch = 64

  private struct Subject: Sendable {
    let record: StoredItem.Record
    let fingerprint: UInt64
    /// What the queue knows of the item.
    let state: QueueState?
  }

  private let words: Words
  private var waiting: [Subject] = []

  init(words: Words) {
    self.words = words
  }

  /// Takes an item, whose row is in the log once `finish` was called.
  mutating func add(
    _ item: StoredItem, _ state: QueueState?, to log: inout RowLog
  ) throws {
    waiting.append(
      Subject(record: item.record, fingerprint: item.fingerprint, state: state))
    if waiting.count == NewRows.batch { try finish(&log) }
  }

  /// Adds the rows of all items that were taken.
  mutating func finish(_ log: inout RowLog) throws {
    let words = words
    let made = try Concurrent.map(waiting) { subject in
      let item = try subject.record.item()
      return (
        row: LibraryRow(item, words: words, fingerprint: subject.fingerprint),
        status: ItemStatus(item, subject.state)
      )
    }
    for (row, status) in made { log.use(try log.add(row), status) }
    waiting = []
  }
}
