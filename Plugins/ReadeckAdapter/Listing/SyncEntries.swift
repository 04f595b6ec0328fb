import ArchiverCore

/// A compact array of entries of the sync API, whose response may list a hundred thousand
/// bookmarks.
///
/// The entries are in order of arrival until `keepLatest` sorts them, newest first.
struct SyncEntries: Sendable {
  private struct Entry {
    let seconds: Int64
    let nanoseconds: UInt32
    /// The offset of the id. Offsets increase in the order of arrival.
    let place: UInt32

    var instant: Instant { Instant(seconds: seconds, nanoseconds: nanoseconds & ~Entry.deletion) }
    var isDeletion: Bool { nanoseconds & Entry.deletion != 0 }

    /// A flag in `nanoseconds`, which never use this bit.
    static let deletion: UInt32 = 1 << 31
  }

  /// The terminator of an id: a byte that does not occur in UTF-8.
  private static let end: UInt8 = 0xFF

  private var entries: [Entry] = []
  /// Terminated ids in UTF-8. Ids of removed entries stay.
  private var ids: [UInt8] = []
  /// The newest time of all entries that arrived; the first of equal ones.
  private(set) var newest: Timestamp?
  /// The server's time of the response; `nil` if it has none.
  var answered: Date?
  /// One sentence for each invalid entry that was skipped.
  var faults: [String] = []

  var count: Int { entries.count }

  subscript(index: Int) -> (id: String, time: Instant) {
    (id(of: entries[index]), entries[index].instant)
  }

  /// Appends an entry; the ids may take 4 GB altogether.
  mutating func append(_ entry: SyncEntry) {
    let time = entry.time.instant
    entries.append(
      Entry(
        seconds: time.seconds,
        nanoseconds: time.nanoseconds | (entry.isDeletion ? Entry.deletion : 0),
        place: UInt32(ids.count)))
    ids.append(contentsOf: entry.id.utf8)
    ids.append(SyncEntries.end)
    if newest.map({ $0 < entry.time }) ?? true { newest = entry.time }
  }

  /// Returns the newest time that is not later than `limit`; `nil` if all are later.
  func newest(until limit: Instant) -> Timestamp? {
    if let newest, newest.instant <= limit { return newest }
    let past = entries.lazy.map(\.instant).filter { $0 <= limit }.max()
    return past.flatMap { Timestamp($0.canonical) }
  }

  /// Keeps the latest entry of each bookmark and sorts them, newest first. Entries with equal times
  /// keep their order; of those of one bookmark the first is kept.
  mutating func keepLatest() {
    entries.sort { one, other in
      (other.instant, one.place) < (one.instant, other.place)
    }
    ids.withUnsafeBufferPointer { ids in
      var seen = PlaceSet(of: entries.count, in: ids, end: SyncEntries.end)
      entries.removeAll { !seen.insert($0.place) }
    }
  }

  /// Removes the deletions and returns their ids, in order.
  mutating func takeDeletions() -> [String] {
    defer { entries.removeAll(where: \.isDeletion) }
    return entries.lazy.filter(\.isDeletion).map(id)
  }

  /// Keeps the entries of these bookmarks only.
  mutating func keep(_ wanted: Set<String>) {
    entries = entries.filter { wanted.contains(id(of: $0)) }
  }

  private func id(of entry: Entry) -> String {
    String(decoding: ids[Int(entry.place)...].prefix { $0 != SyncEntries.end }, as: UTF8.self)
  }
}

/// A set of strings in one buffer, identified by their offsets.
private struct PlaceSet {
  private let texts: UnsafeBufferPointer<UInt8>
  private let end: UInt8
  private var slots: [UInt32]

  private static let free = UInt32.max

  /// Reserves capacity for `count` strings.
  init(of count: Int, in texts: UnsafeBufferPointer<UInt8>, end: UInt8) {
    self.texts = texts
    self.end = end
    var room = 16
    while room * 7 < count * 8 { room *= 2 }
    slots = Array(repeating: PlaceSet.free, count: room)
  }

  /// Inserts a string; returns whether it was not in the set yet.
  mutating func insert(_ place: UInt32) -> Bool {
    let text = self.text(place)
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(text))
    var slot = hasher.finalize() & (slots.count - 1)
    while slots[slot] != PlaceSet.free {
      if self.text(slots[slot]).elementsEqual(text) { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = place
    return true
  }

  private func text(_ place: UInt32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: texts[Int(place)...].prefix { $0 != end })
  }
}
