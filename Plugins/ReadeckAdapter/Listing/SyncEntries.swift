import ArchiverCore

/// Entries of the sync API, about forty bytes each: an answer may name a hundred thousand bookmarks.
///
/// They are in order of arrival until `keepLatest` sorts them newest first.
struct SyncEntries: Sendable {
  private struct Entry {
    let seconds: Int64
    let nanoseconds: UInt32
    /// Where the id begins. The order of places is that in which the entries came.
    let place: UInt32

    var instant: Instant { Instant(seconds: seconds, nanoseconds: nanoseconds & ~Entry.deletion) }
    var isDeletion: Bool { nanoseconds & Entry.deletion != 0 }

    /// Set in `nanoseconds`, which have no use for the bit.
    static let deletion: UInt32 = 1 << 31
  }

  /// Ends an id: a byte that UTF-8 does not have.
  private static let end: UInt8 = 0xFF

  private var entries: [Entry] = []
  /// In UTF-8, each with its end. Ids of entries that are gone stay.
  private var ids: [UInt8] = []
  /// The newest time of all that came, the first of several.
  private(set) var newest: Timestamp?
  /// When the server says it answered; `nil` when it does not.
  var answered: Date?
  /// What was wrong with the entries left out, a sentence each.
  var faults: [String] = []

  var count: Int { entries.count }

  subscript(index: Int) -> (id: String, time: Instant) {
    (id(of: entries[index]), entries[index].instant)
  }

  /// Adds an entry; the ids of all may take 4 GB.
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

  /// Returns the newest time that is not later than `limit`; `nil` when all are.
  func newest(until limit: Instant) -> Timestamp? {
    if let newest, newest.instant <= limit { return newest }
    let past = entries.lazy.map(\.instant).filter { $0 <= limit }.max()
    return past.flatMap { Timestamp($0.canonical) }
  }

  /// Leaves one entry of each bookmark, its latest, and puts the newest first. Among those of one time the
  /// one that came first stands first, and is the one that is left.
  mutating func keepLatest() {
    entries.sort { one, other in
      (other.instant, one.place) < (one.instant, other.place)
    }
    ids.withUnsafeBufferPointer { ids in
      var seen = PlaceSet(of: entries.count, in: ids, end: SyncEntries.end)
      entries.removeAll { !seen.insert($0.place) }
    }
  }

  /// Takes the deletions out and returns their ids, in the order of the entries.
  mutating func takeDeletions() -> [String] {
    defer { entries.removeAll(where: \.isDeletion) }
    return entries.lazy.filter(\.isDeletion).map(id)
  }

  /// Leaves the entries of these bookmarks.
  mutating func keep(_ wanted: Set<String>) {
    entries = entries.filter { wanted.contains(id(of: $0)) }
  }

  private func id(of entry: Entry) -> String {
    String(decoding: ids[Int(entry.place)...].prefix { $0 != SyncEntries.end }, as: UTF8.self)
  }
}

/// A set of texts in one buffer, by their offsets: five to nine bytes each.
private struct PlaceSet {
  private let texts: UnsafeBufferPointer<UInt8>
  private let end: UInt8
  private var slots: [UInt32]

  private static let free = UInt32.max

  /// Has room for `count`.
  init(of count: Int, in texts: UnsafeBufferPointer<UInt8>, end: UInt8) {
    self.texts = texts
    self.end = end
    var room = 16
    while room * 7 < count * 8 { room *= 2 }
    slots = Array(repeating: PlaceSet.free, count: room)
  }

  /// Returns whether the text was not in the set yet.
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
