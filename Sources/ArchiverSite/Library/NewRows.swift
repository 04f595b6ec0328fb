import ArchiverStorage

/// Creates the rows of items that are missing from the store, several in parallel, and adds them in
/// order.
struct NewRows {
  /// The number of items in memory at a time.
  private static let batch = 64

  private struct Subject: Sendable {
    let record: StoredItem.Record
    let item: LibraryWork.Subject
    /// The item's entry in the queue.
    let state: QueueState?
  }

  private let words: Words
  /// The items to leave out, and the journal of items in work; `nil` for none.
  private let work: LibraryWork?
  private var waiting: [Subject] = []

  init(words: Words, work: LibraryWork? = nil) {
    self.words = words
    self.work = work
  }

  /// Adds an item, unless it is left out. Its row is stored after `finish`.
  mutating func add(
    _ item: StoredItem, _ state: QueueState?, to rows: inout RowUpdate
  ) throws {
    let standing = work?.standing(item.fingerprint) ?? .clear
    guard standing != .leftOut else { return }
    // Process an item that may crash the process alone.
    if standing == .suspect { try finish(&rows) }
    waiting.append(
      Subject(
        record: item.record,
        item: LibraryWork.Subject(key: item.key, fingerprint: item.fingerprint), state: state))
    if standing == .suspect || waiting.count == NewRows.batch { try finish(&rows) }
  }

  /// Adds the rows of all pending items; leaves out those that cannot be read.
  mutating func finish(_ rows: inout RowUpdate) throws {
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
      case .success(let (row, status)):
        try rows.add(row)
        rows.note(status, row.fingerprint)
      case .failure(let error):
        guard let work else { throw error }
        try work.leaveOut(subject.item, .row, error)
      }
    }
    try work?.end()
    waiting = []
  }
}
