import ArchiverCore
import ArchiverStorage

/// Maintains the search index of the library: `library/search/` and `library/text/`.
///
/// Items are numbered in the order of archiving. Every 1,024 items form a segment; the remaining
/// items form segments of 256, then of 32, then one of the rest. Every sixteen segments of 1,024 items are a
/// `SegmentGroup`. Segments and their shards are named by fingerprints of their content, so that
/// 1. a segment of unchanged items is neither read nor rewritten;
/// 2. new items rewrite the last small segment only and, every 32, 256 and 1,024 items, a larger one, and every
///    16,384 items a group;
/// 3. a changed item leaves its segment as it is: its new text has shards of its own, a `Revision`, which takes
///    precedence. Once there are many, the update merges them into their segments; `LibraryBuilder.rebuild` does so
///    always and gives the same files for the same archive, however it was built;
/// 4. open pages keep a complete index until `index.js`, which is written last, replaces it.
struct SearchIndex {
  static let manifestPath = "library/search/index.js"
  /// A part of every fingerprint. Change it whenever the same text gives other shards.
  static let format = "17"

  /// The number of items whose texts are in memory at a time.
  private static let batch = 64
  /// The maximum number of books among them, whose texts are long.
  private static let bookBatch = 4

  /// The division of items into segments and groups.
  struct Sizes: Sendable {
    /// The numbers of items of a segment, from the largest; the last segment has the rest.
    var segments = [1_024, 256, 32]
    /// The number of segments of a group.
    var group = 16
    /// The number of passages of revisions above which these are merged.
    var revised = 16

    /// Returns the ranges of item numbers of the segments.
    func ranges(_ count: Int) -> [Range<Int>] {
      var ranges: [Range<Int>] = []
      var start = 0
      for size in segments {
        while count - start >= size {
          ranges.append(start..<start + size)
          start += size
        }
      }
      if start < count { ranges.append(start..<count) }
      return ranges
    }

    /// Returns the number of segments in groups; they are the first.
    func groupedCount(_ count: Int) -> Int { count / segments[0] / group * group }
  }

  let files: SiteFiles
  let sizes: Sizes
  let text: SearchText
  /// Items to leave out, and the journal of items in work.
  let work: LibraryWork
  /// Returns an item's highlights and notes.
  let annotations: (ItemKey) throws -> [Annotation]
  private let ahead: ReadAhead

  init(
    files: SiteFiles, text: SearchText, sizes: Sizes, work: LibraryWork,
    annotations: @escaping (ItemKey) throws -> [Annotation]
  ) {
    self.files = files
    self.sizes = sizes
    self.text = text
    self.work = work
    self.annotations = annotations
    ahead = ReadAhead(root: files.root)
  }

  /// Updates the index with items in the order of their numbers.
  ///
  /// - Parameter known: The list that the last update wrote. Its shards are kept if they exist.
  func write(_ rows: RowList, known: SegmentList) throws {
    var update = Update(known: known)
    update.isMerging = try revisedPassages(rows.table) > sizes.revised
    var group: [GroupPart] = []
    for (number, range) in sizes.ranges(rows.count).enumerated() {
      let start = rows.startIndex + range.lowerBound
      let rows = rows[start..<start + range.count]
      var items = try SegmentItems(rows, first: range.lowerBound, state: current)
      let isGrouped = number < sizes.groupedCount(rows.table.rows.count)
      if isGrouped {
        group.append(try part(&items, &update))
      } else {
        update.list.segments.append(try writeSegment(&items, &update))
      }
      try rows.table.store.put(items)
      if group.count == sizes.group {
        update.list.segments += try writeGroup(group, update.known)
        group = []
      }
    }
    var list = update.list
    try ItemShards.forEach(rows.table) { (shard) throws(StorageError) in
      list.wholes.append(try write(shard))
    }
    for file in list.files(large: sizes.segments[0]) { try files.put(file.path, file.bytes) }
  }

  /// Returns the state of a text that need not be read again, and keeps its files; `nil` if the item
  /// changed, or if a file is missing.
  private func current(_ known: KnownText) -> TextState? {
    guard let state = known.state, state.content == text.content(of: known.marks) else {
      return nil
    }
    guard files.keepAll(state.passageCount, { TextPath.hash(state.key, $0) }) else {
      files.noteLostText()
      return nil
    }
    return state
  }

  private func writeSegment(
    _ items: inout SegmentItems, _ update: inout Update
  ) throws -> SegmentList.Segment {
    if let name = items.nameOfWritten(isMerging: update.isMerging),
      let segment = kept(name, update.known)
    {
      try revise(&items, &update)
      return segment
    }
    let built = try build(&items)
    defer { tidyUp(items.rows) }
    if let segment = kept(built.segment.name, update.known) { return segment }
    var segment = built.segment
    try work.begin(.segment, built.subjects)
    try built.builder.forEachShard { segment.shards.append(try write($0)) }
    try work.end()
    return segment
  }

  /// A segment that was not written yet.
  struct Built {
    let builder: SegmentBuilder
    /// The segment, without shards.
    let segment: SegmentList.Segment
    let subjects: [LibraryWork.Subject]
  }

  /// Builds a segment from the texts of its items.
  func build(_ items: inout SegmentItems) throws -> Built {
    var builder = SegmentBuilder(itemCount: items.rows.count)
    var passages: [(item: Int32, count: Int32)] = []
    var subjects: [LibraryWork.Subject] = []
    var count: Int32 = 0
    try forEachText(items.all.indices, &items) { _, row, text in
      if text.passages.count != 1 { passages.append((count, Int32(text.passages.count))) }
      count += 1
      subjects.append(row.subject)
      text.passages.forEach { builder.add($0) }
    }
    for place in items.all.indices { items.all[place].inSegment = items.all[place].mark }
    guard let name = items.nameOfWritten(isMerging: false) else {
      throw StorageError(.io, "the text of an item is missing from the search index")
    }
    let segment = SegmentList.Segment(name: name, itemCount: items.rows.count, passages: passages)
    return Built(builder: builder, segment: segment, subjects: subjects)
  }

  /// Returns freed pages of the heap to the system after a large segment.
  func tidyUp(_ rows: RowList) { if rows.count == sizes.segments[0] { Heap.trim() } }

  /// Returns a segment with shards of its own if all of them exist; `nil` otherwise.
  private func kept(_ name: String, _ known: SegmentList) -> SegmentList.Segment? {
    guard let member = known.member(name), member.count == 1 else { return nil }
    return keepAll(member.shards) ? member.segment : nil
  }

  /// Marks shards as wanted if all of them exist; returns whether they do.
  func keepAll(_ shards: [SegmentList.Shard]) -> Bool {
    files.keepAll(shards.count) { FileListing.hash(shards[$0].path) }
  }

  /// Calls `body` with items, given by their places in the segment, and the search data of their texts, in order.
  /// Sets the states of the texts.
  func forEachText(
    _ places: some Sequence<Int>, _ items: inout SegmentItems,
    _ body: (Int, LibraryRow, IndexedText) -> Void
  ) throws {
    var rest = Array(places)[...]
    var next = try readAhead(&rest, items)
    while !next.isEmpty {
      let loaded = next
      next = try readAhead(&rest, items)
      for part in parts(loaded) {
        try work.begin(.text, part.map(\.row.subject))
        let subjects = try part.map { place, row in
          IndexedText.Subject(
            row: row,
            fields: SearchFields(row, row.highlightCount > 0 ? try annotations(row.key) : []),
            known: items.all[place].state)
        }
        let texts = try texts(of: subjects)
        try files.putTexts(texts.flatMap { $0.files })
        for ((place, row), text) in zip(part, texts) {
          items.all[place].state = text.state
          body(place, row, text)
        }
        try work.end()
      }
    }
  }

  /// Divides items into batches; an item that may crash the process is in a batch of its own.
  private func parts(
    _ loaded: [(place: Int, row: LibraryRow)]
  ) -> [[(place: Int, row: LibraryRow)]] {
    var parts: [[(place: Int, row: LibraryRow)]] = []
    var isAlone = true
    var books = 0
    for member in loaded {
      let isSuspect = work.standing(member.row.fingerprint) == .suspect
      let isBook = SeriesPlace.kinds.contains(member.row.kind)
      if isAlone || isSuspect || isBook && books == SearchIndex.bookBatch {
        parts.append([])
        books = 0
      }
      parts[parts.count - 1].append(member)
      isAlone = isSuspect
      if isBook { books += 1 }
    }
    return parts
  }

  /// Returns the search data of items; one that cannot be read is excluded from search.
  private func texts(of subjects: [IndexedText.Subject]) throws -> [IndexedText] {
    let (text, root) = (text, files.root)
    let isSuspect = subjects.count == 1 && work.standing(subjects[0].row.fingerprint) == .suspect
    let leftOut = Set(subjects.indices.filter { work.isUnsearchable(subjects[$0].row) })
    let results = try Concurrent.map(Array(subjects.indices)) { number in
      let subject = subjects[number]
      return Result {
        if leftOut.contains(number) {
          return IndexedText(leavingOut: subject.row)
        }
        let made = try IndexedText(subject, text: text, root: root)
        if isSuspect { made.tryOut() }
        return made
      }
    }
    return try zip(subjects, results).map { subject, result in
      do {
        return try result.get()
      } catch {
        try work.leaveOut(subject.row.subject, .text, error)
        return IndexedText(leavingOut: subject.row)
      }
    }
  }

  /// Removes the first indexes, at most `batch`, and returns them with their rows; prefetches the
  /// rows' texts from disk.
  private func readAhead(
    _ places: inout ArraySlice<Int>, _ items: SegmentItems
  ) throws -> [(place: Int, row: LibraryRow)] {
    let members = places.prefix(SearchIndex.batch)
    places = places.dropFirst(members.count)
    let rows = try items.rows.loaded(members.map { items.rows.startIndex + $0 })
    let loaded = Array(zip(members, rows))
    ahead.read(
      loaded.flatMap { place, row in
        let known = SearchIndex.textPath(row.textName, 0)
        if items.all[place].state != nil { return [known] }
        let isThere = files.isListed(known)
        return (text.isFresh(row) ? [] : ["\(row.folder)/index.html"]) + (isThere ? [known] : [])
      })
    return loaded
  }

  func write(_ shard: ShardWriter.Shard) throws(StorageError) -> SegmentList.Shard {
    let known = shard.listed
    try files.put(known.path, ShardReader.script(known.name, shard.bytes))
    return known
  }

  static func textPath(_ name: String, _ passage: Int) -> String {
    "library/text/\(name.prefix(2))/\(name)-\(passage).js"
  }

  /// Returns a passage of an item's text from the archive at `root`; empty if it is missing.
  static func passage(_ row: LibraryRow, _ number: Int, root: String) -> PassageFile {
    let file = ArchiveFile(textPath(row.textName, number), in: root)
    return file.bytes.flatMap { PassageFile($0) } ?? PassageFile(text: "")
  }
}
