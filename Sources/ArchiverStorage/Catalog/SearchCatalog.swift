package import ArchiverCore

/// The search index's entry of an item.
///
/// Text is folded and cut into terms by the caller, so the catalog knows nothing of language.
package struct SearchEntry: Sendable, Hashable {
  package var key: ItemKey
  /// Changes if anything changes that search shows or finds.
  package var fingerprint: String
  /// When it was archived; orders equal hits.
  package var archived: Date
  /// When the user saved it.
  package var saved: Date
  package var kind: String
  /// Folded names of the site, one per line.
  package var site: String
  /// Folded labels.
  package var labels: [String]
  /// The terms of each passage, each once, separated by spaces, of ASCII letters, ASCII digits and
  /// non-ASCII characters only. Each is preceded by a digit, the score bucket of the term in the
  /// passage, or by a letter for an entry that covers several terms.
  package var passages: [String]

  package init(
    key: ItemKey, fingerprint: String, archived: Date, saved: Date, kind: String, site: String,
    labels: [String], passages: [String]
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

/// A filter of the items to search. Several values of one kind match any of them, several kinds
/// must all match; of labels an item must match each list.
package struct SearchFilter: Sendable, Hashable {
  /// Folded labels; an item's label must match one in full. An empty label matches items without
  /// labels.
  package var labels: [[String]] = []
  /// Whether the item has no label.
  package var isUnlabelled = false
  /// Full names.
  package var sources: [String] = []
  /// Folded parts of sites' names.
  package var sites: [String] = []
  /// Full kinds, as in `SearchEntry`.
  package var kinds: [String] = []
  /// Saved before all of these.
  package var before: [Date] = []
  package var after: [Date] = []
  /// Saved within one of these.
  package var within: [Range<Date>] = []

  /// Whether every item passes.
  package var isEmpty: Bool { self == SearchFilter() }

  package init() {}
}

/// A reference to an indexed passage.
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
