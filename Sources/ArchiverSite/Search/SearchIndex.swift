import ArchiverCore
import ArchiverStorage

/// Keeps the search index of the library: `library/search/` and `library/text/`.
///
/// Items are numbered in the order in which they came into the archive. Each 2,048 of them are a
/// segment; of what remains at the end each 256, then each 32, and the rest. A segment's folder is
/// named by a fingerprint of what is in it, so that
/// 1. the same archive gives the same files, whichever way they came about;
/// 2. a segment whose items did not change is neither read nor written again;
/// 3. new items cost the writing of the last small segment and, every 32, 256 and 2,048 items, of a larger;
/// 4. pages that are open keep a whole index until it is replaced by `index.js`, which comes last.
struct SearchIndex {
  static let manifestPath = "library/search/index.js"
  static let statePath = ".archiver/library/texts.tsv"
  private static let sizes = [2_048, 256, 32]
  /// Part of every fingerprint; to be changed whenever the same text would give other shards.
  private static let format = "2"

  /// Items whose texts are in memory at once.
  private static let batch = 64

  let files: SiteFiles
  let text: SearchText
  /// What is told of each item's terms; `nil` where the catalog has no search.
  let catalog: CatalogIndex?

  /// Brings the index up to date with items in the order of their numbers.
  func write(_ rows: [LibraryRow]) throws {
    let knownTexts = TextState(files.bytes(SearchIndex.statePath))
    let knownSegments = SegmentList(files.bytes(SearchIndex.manifestPath))
    var state = TextState()
    var list = SegmentList()
    for range in SearchIndex.ranges(rows.count) {
      list.segments.append(
        try writeSegment(rows[range], knownTexts, knownSegments, &state))
    }
    try files.put(SearchIndex.manifestPath, list.script())
    try files.put(SearchIndex.statePath, state.bytes(order: rows.map(\.stateKey)))
  }

  private func writeSegment(
    _ rows: ArraySlice<LibraryRow>, _ knownTexts: TextState, _ knownSegments: SegmentList,
    _ state: inout TextState
  ) throws -> SegmentList.Segment {
    var isWhole = true
    for row in rows {
      state.entries[row.stateKey] = current(row, knownTexts)
      if state.entries[row.stateKey] == nil { isWhole = false }
    }
    if isWhole, let segment = kept(SearchIndex.name(rows, state), knownSegments) {
      try catalogChanged(rows, state)
      return segment
    }
    var builder = SegmentBuilder(itemCount: rows.count)
    var passageCounts: [Int] = []
    try forEachText(rows, state) { row, text in
      try write(row, text)
      state.entries[row.stateKey] = text.state
      passageCounts.append(text.passages.count)
      text.passages.forEach { builder.add($0) }
    }
    let name = SearchIndex.name(rows, state)
    return try kept(name, knownSegments) ?? write(builder, name, passageCounts)
  }

  /// Returns what is known of an item's text, when it still holds and the files are there.
  private func current(_ row: LibraryRow, _ known: TextState) -> TextState.Entry? {
    guard let entry = known.entries[row.stateKey], entry.contentHash == row.contentHash else {
      return nil
    }
    let paths = (0..<entry.passageCount).map { SearchIndex.textPath(row.textName, $0) }
    guard paths.allSatisfy(files.exists) else { return nil }
    paths.forEach(files.keep)
    return entry
  }

  /// Returns a segment that is there already, whole.
  private func kept(_ name: String, _ known: SegmentList) -> SegmentList.Segment? {
    guard let segment = known.segments.first(where: { $0.name == name }),
      segment.paths.allSatisfy(files.exists)
    else { return nil }
    segment.paths.forEach(files.keep)
    return segment
  }

  /// Stores what the catalog knows otherwise of items whose segment stays.
  private func catalogChanged(_ rows: ArraySlice<LibraryRow>, _ state: TextState) throws {
    guard let catalog else { return }
    var changed: [LibraryRow] = []
    for row in rows {
      if let entry = state.entries[row.stateKey], catalog.isCurrent(row, entry) {
        try catalog.put(row.key, nil)
      } else {
        changed.append(row)
      }
    }
    try forEachText(changed[...], state) { row, text in try catalog.put(row.key, text.entry) }
  }

  /// Calls `body` with each item and what search makes of its text, in order.
  private func forEachText(
    _ rows: ArraySlice<LibraryRow>, _ state: TextState,
    _ body: (LibraryRow, IndexedText) throws -> Void
  ) throws {
    let (text, root, isCataloged) = (text, files.root, catalog != nil)
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: SearchIndex.batch) {
      let members = rows[start..<min(start + SearchIndex.batch, rows.endIndex)]
      let subjects = members.map { row in
        IndexedText.Subject(
          row: row, known: state.entries[row.stateKey],
          cataloged: catalog?.fingerprint(of: row.key))
      }
      let texts = try Concurrent.map(subjects) { subject in
        try IndexedText(subject, text: text, root: root, isCataloged: isCataloged)
      }
      for (row, text) in zip(members, texts) { try body(row, text) }
    }
  }

  private func write(_ row: LibraryRow, _ text: IndexedText) throws {
    for (number, script) in (text.scripts ?? []).enumerated() {
      try files.put(SearchIndex.textPath(row.textName, number), script)
    }
    try catalog?.put(row.key, text.entry)
  }

  private func write(
    _ builder: SegmentBuilder, _ name: String, _ passageCounts: [Int]
  ) throws -> SegmentList.Segment {
    var segment = SegmentList.Segment(name: name, passageCounts: passageCounts, starts: [])
    for (number, shard) in builder.shards().enumerated() {
      var bytes = Array("archiverSearch.shard(\"\(name)\",\(number),\"".utf8)
      bytes += shard.bytes
      bytes += "\");\n".utf8
      segment.starts.append(shard.start)
      try files.put(segment.path(number), bytes)
    }
    return segment
  }

  /// Returns the numbers of the items of each segment.
  static func ranges(_ count: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for size in sizes {
      while count - start >= size {
        ranges.append(start..<start + size)
        start += size
      }
    }
    if start < count { ranges.append(start..<count) }
    return ranges
  }

  private static func name(_ rows: ArraySlice<LibraryRow>, _ state: TextState) -> String {
    var hash = Fingerprint.of(format)
    for row in rows {
      let text = state.entries[row.stateKey]?.fingerprint ?? ""
      for part in [row.textName, row.title, text] + row.authors {
        hash = Fingerprint.of(part.utf8, from: hash)
        hash = Fingerprint.of([0], from: hash)
      }
    }
    return String(Fingerprint.text(hash).prefix(12))
  }

  static func textPath(_ name: String, _ passage: Int) -> String {
    "library/text/\(name.prefix(2))/\(name)-\(passage).js"
  }

  /// Returns a passage of an item's text as the archive at `root` has it; empty when it is not there.
  static func text(_ row: LibraryRow, _ passage: Int, root: String) -> String {
    let file = ArchiveFile(textPath(row.textName, passage), in: root)
    return file.bytes.flatMap(ScriptData.lastString) ?? ""
  }
}
