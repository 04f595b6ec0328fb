import ArchiverCore
import ArchiverStorage

/// Maintains the search index of the library: `library/search/` and `library/text/`.
///
/// Items are numbered in the order of archiving. Every 2,048 items form a segment; the remaining
/// items form segments of 256, then of 32, then one of the rest. A segment's folder is named by a
/// fingerprint of its content, so that
/// 1. the same archive gives the same files, however it was built;
/// 2. a segment of unchanged items is neither read nor rewritten;
/// 3. new items rewrite the last small segment only and, every 32, 256 and 2,048 items, a larger one;
/// 4. open pages keep a complete index until `index.js`, which is written last, replaces it.
struct SearchIndex {
  static let manifestPath = "library/search/index.js"
  static let statePath = ".archiver/library/texts"
  private static let sizes = [2_048, 256, 32]
  /// Part of every fingerprint; must be changed whenever the same text gives other shards.
  static let format = "7"

  /// The number of items whose texts are in memory at a time.
  private static let batch = 64
  /// The number of books among them, whose texts are long.
  private static let bookBatch = 4

  let files: SiteFiles
  let text: SearchText
  /// Receives each item's terms; `nil` if the catalog has no search.
  let catalog: CatalogIndex?
  /// Items to leave out, and the journal of items in work; `nil` without either.
  let work: LibraryWork?
  /// Returns an item's highlights and notes.
  let annotations: (ItemKey) throws -> [Annotation]
  private let ahead: ReadAhead

  init(
    files: SiteFiles, text: SearchText, catalog: CatalogIndex?, work: LibraryWork? = nil,
    annotations: @escaping (ItemKey) throws -> [Annotation] = { _ in [] }
  ) {
    self.files = files
    self.text = text
    self.catalog = catalog
    self.work = work
    self.annotations = annotations
    ahead = ReadAhead(root: files.root)
  }

  /// Updates this index and the catalog's with items in the order of their numbers. `known` must
  /// contain each of them, in that order.
  func write(_ rows: RowList, _ known: consuming TextStateLookup) throws {
    let knownSegments = SegmentList(files.bytes(SearchIndex.manifestPath))
    try catalog?.begin(known.catalogMark)
    let output = try files.begin(SearchIndex.statePath)
    var state = try TextStateWriter(output)
    var list = SegmentList()
    for range in SearchIndex.ranges(rows.count) {
      var entries = try known.entries(range)
      let start = rows.startIndex + range.lowerBound
      list.segments.append(
        try writeSegment(rows[start..<start + range.count], knownSegments, &entries))
      for entry in entries.compactMap(\.self) { try state.add(entry) }
    }
    try state.finish(catalogMark: try catalog?.finish() ?? 0)
    try files.put(SearchIndex.manifestPath, list.script())
    try files.finish(output)
  }

  /// `entries` has one element per item; it is `nil` if the text must be read.
  private func writeSegment(
    _ rows: RowList, _ knownSegments: SegmentList, _ entries: inout [TextState.Entry?]
  ) throws -> SegmentList.Segment {
    if let segment = try keep(rows, knownSegments, &entries) { return segment }
    // Return the memory of a large segment, which would leave holes in the heap.
    defer { if rows.count == SearchIndex.sizes[0] { Heap.trim() } }
    var builder = SegmentBuilder(itemCount: rows.count)
    var passages: [(item: Int32, count: Int32)] = []
    var marks: [UInt64] = []
    var subjects: [LibraryWork.Subject] = []
    try forEachText(rows.indices, rows, &entries) { row, text in
      if text.passages.count != 1 {
        passages.append((Int32(marks.count), Int32(text.passages.count)))
      }
      marks.append(row.marks.indexed)
      if work != nil { subjects.append(row.subject) }
      text.passages.forEach { builder.add($0) }
    }
    guard let name = SearchIndex.name(marks, entries) else {
      throw StorageError(.io, "the text of an item is missing from the search index")
    }
    if let segment = kept(name, knownSegments) { return segment }
    try work?.begin(.segment, subjects)
    let segment = try write(
      builder,
      SegmentList.Segment(name: name, itemCount: rows.count, passages: passages, starts: []))
    try work?.end()
    return segment
  }

  /// Returns the segment of unchanged items, after updating the catalog's entries if they differ;
  /// `nil` if the segment must be rewritten. Few of the rows are in memory at a time.
  private func keep(
    _ rows: RowList, _ knownSegments: SegmentList, _ entries: inout [TextState.Entry?]
  ) throws -> SegmentList.Segment? {
    guard !entries.contains(where: { $0 == nil }) else { return nil }
    var marks: [UInt64] = []
    var current: [(key: UInt64, cataloged: UInt64)?] = []
    try rows.forEachRow { _, row in
      let entry = entries[marks.count]
      marks.append(row.marks.indexed)
      guard let catalog, let entry else { return }
      let fingerprint = CatalogIndex.fingerprint(row, entry)
      current.append(
        catalog.isCurrent(row, entry, fingerprint) ? (row.marks.key, fingerprint) : nil)
    }
    guard let name = SearchIndex.name(marks, entries), let segment = kept(name, knownSegments)
    else { return nil }
    var changed: [Int] = []
    for (place, known) in current.enumerated() {
      if let known {
        entries[place]?.cataloged = known.cataloged
        catalog?.keep(known.key)
      } else {
        changed.append(rows.startIndex + place)
      }
    }
    try forEachText(changed, rows, &entries) { _, _ in }
    return segment
  }

  /// Returns a segment that exists completely; `nil` otherwise.
  private func kept(_ name: String, _ known: SegmentList) -> SegmentList.Segment? {
    guard let segment = known.segments.first(where: { $0.name == name }) else { return nil }
    let paths = segment.paths
    return files.keepAll(paths.count) { FileListing.hash(paths[$0]) } ? segment : nil
  }

  /// Calls `body` with items, given by their indexes in `rows`, and the search data of their texts,
  /// in order.
  private func forEachText(
    _ places: some Sequence<Int>, _ rows: RowList,
    _ entries: inout [TextState.Entry?], _ body: (LibraryRow, IndexedText) -> Void
  ) throws {
    var rest = Array(places)[...]
    var next = try readAhead(&rest, rows, entries)
    while !next.isEmpty {
      let loaded = next
      next = try readAhead(&rest, rows, entries)
      for part in parts(loaded) {
        try work?.begin(.text, part.map(\.row.subject))
        let subjects = try part.map { place, row in
          IndexedText.Subject(
            row: row,
            fields: SearchFields(row, row.highlightCount > 0 ? try annotations(row.key) : []),
            known: entries[place],
            cataloged: catalog?.fingerprint(of: row, entries[place]))
        }
        let texts = try texts(of: subjects)
        try files.putTexts(texts.flatMap { $0.files })
        for ((place, row), text) in zip(part, texts) {
          entries[place] = text.state
          try catalog?.put(row, text.entry)
          body(row, text)
        }
        try work?.end()
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
      let isSuspect = work?.standing(member.row.fingerprint) == .suspect
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
    let (text, root, isCataloged) = (text, files.root, catalog != nil)
    let isAlone = subjects.count == 1
    let leftOut = Set(
      subjects.indices.filter { work?.isUnsearchable(subjects[$0].row) ?? false })
    let results = try Concurrent.map(Array(subjects.indices)) { number in
      let subject = subjects[number]
      return Result {
        if leftOut.contains(number) {
          return IndexedText(
            leavingOut: subject.row, cataloged: subject.cataloged, isCataloged: isCataloged)
        }
        let made = try IndexedText(subject, text: text, root: root, isCataloged: isCataloged)
        if isAlone { made.tryOut() }
        return made
      }
    }
    return try zip(subjects, results).map { subject, result in
      do {
        return try result.get()
      } catch {
        guard let work else { throw error }
        try work.leaveOut(subject.row.subject, .text, error)
        return IndexedText(
          leavingOut: subject.row, cataloged: subject.cataloged, isCataloged: isCataloged)
      }
    }
  }

  /// Takes the first indexes, at most `batch`, and returns them with their rows; prefetches the
  /// rows' texts from disk.
  private func readAhead(
    _ places: inout ArraySlice<Int>, _ rows: RowList, _ entries: [TextState.Entry?]
  ) throws -> [(place: Int, row: LibraryRow)] {
    let members = places.prefix(SearchIndex.batch)
    places = places.dropFirst(members.count)
    let loaded = zip(members, try rows.loaded(members)).map { ($0 - rows.startIndex, $1) }
    ahead.read(
      loaded.flatMap { place, row in
        let known = SearchIndex.textPath(row.textName, 0)
        if entries[place] != nil { return [known] }
        let isThere = files.isListed(known)
        return (text.isFresh(row) ? [] : ["\(row.folder)/index.html"]) + (isThere ? [known] : [])
      })
    return loaded
  }

  private func write(
    _ builder: SegmentBuilder, _ empty: SegmentList.Segment
  ) throws -> SegmentList.Segment {
    var segment = empty
    for (number, shard) in builder.shards().enumerated() {
      var bytes = Array("archiverSearch.shard(\"\(segment.name)\",\(number),\"".utf8)
      bytes += shard.bytes
      bytes += "\");\n".utf8
      segment.starts.append(shard.start)
      try files.put(segment.path(number), bytes)
    }
    return segment
  }

  /// Returns the ranges of item numbers of the segments.
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

  /// Names a segment by its content; `marks` are those of its rows (`indexed`). `nil` if the state
  /// of a text is unknown.
  private static func name(_ marks: [UInt64], _ entries: [TextState.Entry?]) -> String? {
    var hash = WordHash.of(format)
    for (mark, entry) in zip(marks, entries) {
      guard let entry else { return nil }
      hash = WordHash.add(mark, to: hash)
      hash = WordHash.add(entry.fingerprint, to: hash)
    }
    return String(Fingerprint.text(hash).prefix(12))
  }

  static func textPath(_ name: String, _ passage: Int) -> String {
    "library/text/\(name.prefix(2))/\(name)-\(passage).js"
  }

  /// Returns a passage of an item's text from the archive at `root`; empty if it is missing.
  static func passage(_ row: LibraryRow, _ number: Int, root: String) -> PassageFile {
    let file = ArchiveFile(textPath(row.textName, number), in: root)
    return file.bytes.flatMap { PassageFile($0) } ?? PassageFile("")
  }
}
