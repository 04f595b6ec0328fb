import ArchiverStorage

/// Keeps segments in which few items changed.
extension SearchIndex {
  /// The state of an update of the index.
  struct Update {
    /// The list that the last update wrote.
    let known: SegmentList
    /// The list that this update is building.
    var list = SegmentList()
    /// Whether to rebuild segments that have revisions.
    var isMerging = false
  }

  /// Returns the number of passages of items that have revisions or will get some.
  func revisedPassages(_ table: RowTable) throws(StorageError) -> Int {
    var count = 0
    try table.store.forEachIndexedText { known in
      guard let state = known.state else { return }
      let isSame = state.content == text.content(of: known.marks)
      if !isSame || known.mark(with: state) != known.inSegment {
        count += max(1, state.passageCount)
      }
    }
    return count
  }

  /// Updates the revisions of the items of a segment that is not rewritten.
  func revise(_ items: inout SegmentItems, _ update: inout Update) throws {
    var revisions: [Int: SegmentList.Revision] = [:]
    var places: [Int] = []
    for (place, item) in items.all.enumerated() {
      let isRevised = item.isRevised
      if isRevised { revisions[place] = kept(place, items, update.known) }
      if item.state == nil || isRevised && revisions[place] == nil { places.append(place) }
    }
    var texts: [(place: Int, passages: [PassageTerms], subject: LibraryWork.Subject)] = []
    let before = items.all
    try forEachText(places, &items) { place, row, text in
      let item = before[place]
      guard revisions[place] == nil, item.known.mark(with: text.state) != item.inSegment
      else { return }
      texts.append((place, text.passages, row.subject))
    }
    for text in texts {
      try work.begin(.segment, [text.subject])
      revisions[text.place] = try write(text.place, items, text.passages)
      try work.end()
    }
    update.list.revisions += revisions.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the revision of the last update if all its files exist and it has the present text.
  private func kept(
    _ place: Int, _ items: SegmentItems, _ known: SegmentList
  ) -> SegmentList.Revision? {
    guard let mark = items.all[place].mark,
      let revision = known.revision(items.first + place, SearchIndex.name(mark)),
      keepAll(revision.shards)
    else { return nil }
    return revision
  }

  private func write(
    _ place: Int, _ items: SegmentItems, _ passages: [PassageTerms]
  ) throws -> SegmentList.Revision? {
    guard let mark = items.all[place].mark else { return nil }
    var builder = SegmentBuilder(shardSize: SegmentList.Revision.shardSize)
    for passage in passages { builder.add(passage) }
    var revision = SegmentList.Revision(
      name: SearchIndex.name(mark), item: items.first + place, passageCount: passages.count)
    try builder.forEachShard { revision.shards.append(try write($0)) }
    return revision
  }

  private static func name(_ mark: UInt64) -> String {
    String(Fingerprint.text(WordHash.add(mark, to: WordHash.of(format))).prefix(12))
  }
}
