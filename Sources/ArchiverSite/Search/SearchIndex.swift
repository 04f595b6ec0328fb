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

  let files: SiteFiles
  let text: SearchText

  /// Brings the index up to date with items in the order of their numbers; returns what is known of
  /// their texts.
  func write(_ rows: [LibraryRow], item: (ItemKey) throws -> CatalogItem?) throws -> TextState {
    let known = TextState(files.bytes(SearchIndex.statePath))
    var state = TextState()
    for row in rows {
      let entry = try writeText(row, known: known.entries[row.stateKey], item: item)
      state.entries[row.stateKey] = entry
    }
    try writeSegments(rows, state)
    try files.put(SearchIndex.statePath, state.bytes(order: rows.map(\.stateKey)))
    return state
  }

  /// Returns what the state says of the item's text, after writing it when it is not there.
  private func writeText(
    _ row: LibraryRow, known: TextState.Entry?, item: (ItemKey) throws -> CatalogItem?
  ) throws -> TextState.Entry {
    if let known, known.contentHash == row.contentHash {
      let paths = (0..<known.passageCount).map { SearchIndex.textPath(row.textName, $0) }
      if paths.allSatisfy(files.exists) {
        paths.forEach(files.keep)
        return known
      }
    }
    let whole = try item(row.key).map(text.read) ?? ""
    let passages = Passages.cut(whole)
    for (number, passage) in passages.enumerated() {
      try files.put(
        SearchIndex.textPath(row.textName, number),
        ScriptData.call(
          "archiverSearch.text", [.string("\(row.textName)-\(number)"), .string(passage)]))
    }
    return TextState.Entry(
      contentHash: row.contentHash, fingerprint: Fingerprint.text(Fingerprint.of(whole)),
      passageCount: passages.count)
  }

  private func writeSegments(_ rows: [LibraryRow], _ state: TextState) throws {
    let known = SegmentList(files.bytes(SearchIndex.manifestPath))
    var list = SegmentList()
    for range in SearchIndex.ranges(rows.count) {
      let members = rows[range]
      let name = SearchIndex.name(members, state)
      if let segment = known.segments.first(where: { $0.name == name }),
        segment.paths.allSatisfy(files.exists)
      {
        segment.paths.forEach(files.keep)
        list.segments.append(segment)
      } else {
        list.segments.append(try build(name, members, state))
      }
    }
    try files.put(SearchIndex.manifestPath, list.script())
  }

  private func build(
    _ name: String, _ rows: ArraySlice<LibraryRow>, _ state: TextState
  ) throws -> SegmentList.Segment {
    var builder = SegmentBuilder(itemCount: rows.count)
    var passageCounts: [Int] = []
    for row in rows {
      let count = state.entries[row.stateKey]?.passageCount ?? 1
      passageCounts.append(count)
      for number in 0..<count {
        let path = SearchIndex.textPath(row.textName, number)
        let title = number == 0 ? row.searchedTitle : ""
        builder.add(ScriptData.lastString(files.current(path) ?? []) ?? "", title: title)
      }
    }
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
}
