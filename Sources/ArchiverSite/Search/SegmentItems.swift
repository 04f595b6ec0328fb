import ArchiverStorage

/// The items of a segment during an update of the index.
struct SegmentItems {
  let rows: RowList
  /// The number of the first item.
  let first: Int
  /// What the last update left of each.
  let known: [KnownText]
  /// The states of the texts; `nil` for those that must be read.
  var entries: [TextState?]
  /// The texts that the segment has, by `mark`; `nil` for those of items that are in none.
  private(set) var inSegment: [UInt64?]

  init(_ rows: RowList, first: Int, _ known: [KnownText], _ entries: [TextState?]) {
    self.rows = rows
    self.first = first
    self.known = known
    self.entries = entries
    inSegment = known.map(\.inSegment)
  }

  /// Returns a hash of everything that the index has of an item; `nil` if its text must be read.
  func mark(_ place: Int) -> UInt64? { entries[place].map { known[place].mark(with: $0) } }

  /// Whether the text of an item is known and not that of the segment.
  func isRevised(_ place: Int) -> Bool { entries[place] != nil && mark(place) != inSegment[place] }

  /// Records that the segment was built from the present texts.
  mutating func takeAll() { inSegment = entries.indices.map(mark) }

  /// Returns the name of the segment of the texts that were written or, if revisions are to be merged, of the
  /// present ones; `nil` if one of these is unknown.
  func nameOfWritten(isMerging: Bool) -> String? {
    var hash = WordHash.of(SearchIndex.format)
    for place in known.indices {
      guard let mark = isMerging ? mark(place) : inSegment[place] else { return nil }
      hash = WordHash.add(mark, to: hash)
    }
    return String(Fingerprint.text(hash).prefix(12))
  }
}
