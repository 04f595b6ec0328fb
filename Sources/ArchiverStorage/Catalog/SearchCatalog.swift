package import ArchiverCore

/// What search knows of an item.
///
/// Words come folded and cut into terms, so that the catalog need know nothing of language.
package struct SearchEntry: Sendable, Hashable {
  package var key: ItemKey
  /// Differs when anything that search shows or finds differs.
  package var fingerprint: String
  /// When it came into the archive: decides among equal hits.
  package var archived: Date
  /// When the user saved it.
  package var saved: Date
  package var kind: String
  /// Folded names of the site, each on a line of its own.
  package var site: String
  /// Folded.
  package var labels: [String]
  /// The terms of each passage, each once and of ASCII letters, digits and characters beyond ASCII
  /// only; before each a digit that tells how much it weighs there, or a letter for an entry that
  /// stands for several terms.
  package var passages: [[String]]

  package init(
    key: ItemKey, fingerprint: String, archived: Date, saved: Date, kind: String, site: String,
    labels: [String], passages: [[String]]
  ) {
    self.key = key
    self.fingerprint = fingerprint
    self.archived = archived
    self.saved = saved
    self.kind = kind
    self.site = site
    self.labels = labels
    self.passages = passages
  }
}

/// Which items a search is about. Several values of one kind mean any of them, several kinds all; of labels
/// an item must have one of each list.
package struct SearchFilter: Sendable, Hashable {
  /// Folded, whole; an empty one stands for none at all.
  package var labels: [[String]] = []
  /// Whether the item has no label.
  package var isUnlabelled = false
  /// Whole names.
  package var sources: [String] = []
  /// Folded pieces of sites' names.
  package var sites: [String] = []
  /// Whole, as in `SearchEntry`.
  package var kinds: [String] = []
  /// Saved before, or at and after, every one of these.
  package var before: [Date] = []
  package var after: [Date] = []
  /// Saved within one of these.
  package var within: [Range<Date>] = []

  /// Whether everything passes.
  package var isEmpty: Bool { self == SearchFilter() }

  package init() {}
}

/// A passage as the index knows it.
package struct PassageReference: Sendable, Hashable {
  /// The number of its item.
  package let item: Int
  /// Its own number within the item, from 0.
  package let passage: Int

  static let shift = 20

  init(row: Int) {
    item = row >> PassageReference.shift
    passage = row & (1 << PassageReference.shift - 1)
  }

  init(item: Int, passage: Int) {
    self.item = item
    self.passage = passage
  }

  var row: Int { item << PassageReference.shift | passage }
}

/// A catalog that can be searched.
///
/// Contract:
/// 1. `storeSearch` and `clearSearch` are each one transaction.
/// 2. An entry replaces the one of the same key. Removing an item from the catalog removes its entry.
/// 3. `searching` sees one state of the catalog however long it takes, beside a writer too.
package protocol SearchCatalog: Catalog {
  /// Calls `body` with the key and the fingerprint of each entry, in no order.
  func forEachSearchFingerprint(_ body: (ItemKey, String) -> Void) throws(StorageError)

  /// Counts the entries.
  func searchableCount() throws(StorageError) -> Int

  /// Returns a number that is another after any change of the entries.
  func searchMark() throws(StorageError) -> UInt64

  /// Whether replaced and removed entries have left so many stale rows that the index should be
  /// cleared and rebuilt.
  func isSearchWorn() throws(StorageError) -> Bool

  func storeSearch(_ entries: [SearchEntry], removing: [ItemKey]) throws(StorageError)

  func clearSearch() throws(StorageError)

  func searching<Value>(_ body: (SearchSnapshot) throws -> Value) throws -> Value
}
