import ArchiverStorage

/// Makes the rows of items that the log has none of, several at once, and adds them in turn.
struct NewRows {
  /// Items in memory at once.
  private static let batch = 64

  private struct Subject: Sendable {
    let record: StoredItem.Record
    let item: LibraryWork.Subject
    /// What the queue knows of the item.
    let state: QueueState?
  }

  private let words: Words
  /// What is left out and what is in work; `nil` where it is not wanted.
  private let work: LibraryWork?
  private var waiting: [Subject] = []

  init(words: Words, work: LibraryWork? = nil) {
    self.words = words
    self.work = work
  }

  /// Takes an item, whose row is in the log once `finish` was called, unless it is left out.
  mutating func add(
    _ item: StoredItem, _ state: QueueState?, to log: inout RowLog
  ) throws {
    let standing = work?.standing(item.fingerprint) ?? .clear
    guard standing != .leftOut else { return }
    // What may kill the process is tried alone.
    if standing == .suspect { try finish(&log) }
    waiting.append(
      Subject(
        record: item.record,
        item: LibraryWork.Subject(key: item.key, fingerprint: item.fingerprint), state: state))
    if standing == .suspect || waiting.count == NewRows.batch { try finish(&log) }
  }

  /// Adds the rows of all items that were taken; one that cannot be read is left out.
  mutating func finish(_ log: inout RowLog) throws {
    guard !waiting.isEmpty else { return }
    let words = words
    try work?.begin(.row, waiting.lazy.map(\.item))
    let made = try Concurrent.map(waiting) { subject in
      Result {
        let item = try subject.record.item()
        return (
          row: LibraryRow(item, words: words, fingerprint: subject.item.fingerprint),
          status: ItemStatus(item, subject.state)
        )
      }
    }
    for (subject, result) in zip(waiting, made) {
      switch result {
      case .success(let (row, status)): log.use(try log.add(row), status)
      case .failure(let error):
        guard let work else { throw error }
        try work.leaveOut(subject.item, .row, error)
      }
    }
    try work?.end()
    waiting = []
  }
}
