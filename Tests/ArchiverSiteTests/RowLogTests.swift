import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The file of rows.
@Suite struct RowLogTests {
  private func rows(_ count: Int) -> [LibraryRow] {
    var sample = SampleArchive(seed: 8)
    return (0..<count).map { number in
      var item = sample.item(number)
      if number % 3 == 0 { item.thumbnail = .init(path: "a.jpg", width: 3, height: nil) }
      if number % 4 == 0 {
        item.metadata.kind = .book
        item.metadata.properties = [ItemProperty("Series", "Tides [\(number)]")]
      }
      if number % 5 == 0 { item.metadata.published = nil }
      if number % 6 == 0 { item.annotations = [Annotation(id: "a", text: "Marked.")] }
      return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
    }
  }

  private func bytes(_ row: LibraryRow) -> [UInt8] { RowRecord.body(row, 0, 0) }

  private func path(_ root: String) -> String { "\(root)/\(RowLog.path)" }

  private func file(_ root: String) throws -> Data {
    try #require(FileManager.default.contents(atPath: path(root)))
  }

  private func log(_ root: String, _ words: Words = .english) throws -> RowLog {
    try RowLog(root: root, words: words, spare: root)
  }

  /// Finds or adds rows, as an update does. Returns them in order and the number found.
  @discardableResult
  private func update(
    _ root: String, _ rows: some Sequence<LibraryRow>, _ words: Words = .english
  ) throws -> (table: RowTable, found: Int) {
    let files = try SiteFiles(root: root)
    var log = try log(root, words)
    var found = 0
    for row in rows {
      if let number = log.number(row.fingerprint) {
        found += 1
        log.use(number, .complete)
      } else {
        log.use(try log.add(row), .complete)
      }
    }
    let table = try log.table()
    try log.compact(files)
    _ = try files.commit(removesOthers: false)
    return (table, found)
  }

  private func expect(_ table: RowTable, has rows: [LibraryRow]) throws {
    var found = 0
    try table.newestFirst().forEachRow { entry, read in
      let row = rows[Int(read.fingerprint) - 1]
      found += 1
      #expect(bytes(read) == bytes(row))
      #expect(read.key == row.key && read.place == row.place && read.saved == row.saved)
      #expect(read.thumbnail == row.thumbnail && read.labels == row.labels)
      #expect(read.site == row.site && read.kind == row.kind && read.language == row.language)
      #expect(CivilDate(entry.day).dayText == CivilDate(row.saved).dayText)
      #expect(entry.hasHighlights == (row.highlightCount > 0))
      #expect(entry.lacksParts == (row.missingParts > 0))
    }
    #expect(found == rows.count)
  }

  @Test func `gives back what was added, in one run and in several`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(700)
      let first = try update(root, rows.prefix(300))
      #expect(first.found == 0)
      try expect(first.table, has: Array(rows.prefix(300)))
      let second = try update(root, rows)
      #expect(second.found == 300)
      try expect(second.table, has: rows)
      let third = try update(root, rows.reversed())
      #expect(third.found == 700)
      try expect(third.table, has: rows)
    }
  }

  @Test func `rows made several at once are those made one by one, with their items' states`()
    async throws
  {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 3)
      let items = (0..<150).map { sample.item($0) }
      let catalog = MemoryCatalog(items)
      let waiting = Set(items.enumerated().filter { $0.offset % 10 == 0 }.map(\.element.key))
      let state = QueueState(reason: .changed)
      var log = try log(root)
      var new = NewRows(words: .english)
      try catalog.forEachStoredItem { stored in
        try new.add(stored, waiting.contains(stored.key) ? state : nil, to: &log)
        return true
      }
      try new.finish(&log)
      let table = try log.table()
      let one = Dictionary(
        uniqueKeysWithValues: items.map { ($0.key, bytes(LibraryRow($0, words: .english))) })
      var found: Set<ItemKey> = []
      try table.newestFirst().forEachRow { entry, row in
        found.insert(row.key)
        #expect(bytes(row) == one[row.key])
        #expect(entry.status == (waiting.contains(row.key) ? .outdated : .complete))
      }
      #expect(found == Set(items.map(\.key)))
    }
  }

  @Test func `reads rows in any order and number`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(400)
      let table = try update(root, rows).table
      var random = SplitMix(state: 4)
      for _ in 0..<60 {
        let numbers = (0..<random.below(50)).map { _ in Int32(random.below(400)) }
        let read = try table.rows(numbers)
        #expect(read.map(\.title) == numbers.map { rows[Int($0)].title })
      }
      let ordered = try table.newestFirst()
      let middle = ordered[100..<250].dropFirst(20).prefix(30)
      #expect(middle.startIndex == 120 && middle.count == 30)
      let loaded = try middle.loaded()
      #expect(
        loaded.map { CivilDate($0.saved).dayText } == middle.map { CivilDate($0.day).dayText })
      #expect(loaded.map(\.fingerprint) == (121...150).map(UInt64.init))
    }
  }

  @Test func `sorts rows of the same second by a unique key`() async throws {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 3)
      var random = SplitMix(state: 9)
      let rows = sample.items(300).enumerated().map { number, item in
        var item = item
        item.metadata.added = SampleArchive.now.addingTimeInterval(Double(random.below(4)))
        item.firstArchived = SampleArchive.now.addingTimeInterval(Double(random.below(4)))
        item.key = ItemKey(
          source: number % 3 == 0 ? "books" : "readeck", id: "i\(random.below(1_000_000))")
        item.folder = "\(item.key.source)/\(random.below(1_000_000))"
        return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      let table = try update(root, rows).table
      #expect(
        try table.newestFirst().loaded().map(\.folder)
          == rows.sorted { ($1.saved, $0.folder) < ($0.saved, $1.folder) }.map(\.folder))
      #expect(
        try table.oldestFirst().loaded().map(\.key)
          == rows.sorted {
            ($0.archived, $0.source, $0.key.id) < ($1.archived, $1.source, $1.key.id)
          }
          .map(\.key))
    }
  }

  @Test func `an entry has the day, the start and the status that were put in`() {
    var sample = SampleArchive(seed: 5)
    var random = SplitMix(state: 2)
    let days = [
      -62_135_596_800, -62_135_596_801, -1e12, -86_400, -86_400.5, -0.25, 0, 86_399, 86_400,
      1_795_000_000.75, 253_402_300_799, 253_402_300_800, 1e12,
    ]
    for seconds in days {
      for status in ItemStatus.allCases {
        var item = sample.item(random.below(100))
        item.metadata.added = Date(timeIntervalSince1970: seconds)
        item.annotations = random.below(2) == 0 ? [] : [Annotation(id: "a", text: "Marked.")]
        let row = LibraryRow(item, words: .english, fingerprint: random.next())
        let start = random.below(3) == 0 ? RowEntry.limit - 1 : random.below(1 << 36)
        var entry = RowEntry(row, at: start, origin: 7, labels: .max)
        #expect(entry.status == .complete && !entry.isUsed)
        entry.isUsed = true
        entry.status = .notCached
        entry.status = status
        #expect(entry.start == start && entry.status == status && entry.isUsed)
        #expect(CivilDate(entry.day).dayText == CivilDate(row.saved).dayText)
        #expect(entry.hasHighlights == (row.highlightCount > 0))
        #expect(entry.lacksParts == (row.missingParts > 0))
        var other = RowEntry(row, at: start, origin: 7, labels: .max)
        #expect((entry.mark == other.mark) == (status == .complete))
        other.status = status
        #expect(entry.mark == other.mark && entry.mark & (1 << 36 - 1) == UInt64(start))
        #expect(entry.origin == 7 && entry.labels == .max)
        entry.isUsed = false
        #expect(!entry.isUsed && entry.start == start && entry.status == status)
      }
    }
    #expect(MemoryLayout<RowEntry>.stride == 16)
  }

  @Test func `knows nothing in another language`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(5)
      try update(root, rows)
      #expect(try update(root, rows, .german).found == 0)
      #expect(try update(root, rows, .german).found == 5)
    }
  }

  @Test func `a file cut or changed anywhere gives right rows, and is updated`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(6)
      try update(root, rows)
      let whole = try file(root)
      #expect(try update(root, rows).found == 6)
      #expect(try file(root) == whole)
      // The generation is at the end of the first line.
      let end = try #require(whole.firstIndex(of: 0x0A))
      let mark = end - 16..<end
      var random = SplitMix(state: 2)
      for _ in 0..<200 {
        var damaged = whole
        let place = random.below(whole.count)
        if random.below(2) == 0 {
          damaged = damaged.prefix(place)
        } else {
          damaged[place] ^= UInt8(1 + random.below(255))
        }
        try damaged.write(to: URL(filePath: path(root)))
        let (table, found) = try update(root, rows)
        let isOtherMark = found == 6 && mark.contains(place)
        #expect(found < 6 || isOtherMark)
        try expect(table, has: rows)
        let mended = try file(root)
        #expect(mended.dropFirst(end) == whole.dropFirst(end))
        // New rows took the offsets of others.
        #expect(mended.prefix(end) != whole.prefix(end))
      }
    }
  }

  @Test func `a row's mark is unique in its file`() async throws {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 9)
      // Different in one letter only, so that their records have the same length.
      let one = sample.item(1)
      let rows = (0..<40).map { number in
        var item = one
        item.key = ItemKey(source: one.key.source, id: "id\(10 + number)")
        return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      let first = try update(root, rows[..<30]).table
      #expect(try update(root, rows[..<30]).table.mark == first.mark)
      #expect(try update(root, rows).table.mark == first.mark)
      // Other rows are written at the offsets of those after the tenth.
      var damaged = try file(root)
      damaged[first.entries[10].start + 30] ^= 1
      try damaged.write(to: URL(filePath: path(root)))
      let mended = try update(root, rows.prefix(10) + rows.dropFirst(10).reversed()).table
      #expect(mended.entries[10].start == first.entries[10].start && mended.mark != first.mark)
      #expect(try update(root, rows).table.mark == mended.mark)
      // Offsets differ in the compacted file.
      try update(root, self.rows(400))
      try update(root, rows[..<2])
      let renewed = try update(root, rows[..<2]).table
      #expect(renewed.entries.count == 2 && renewed.mark != mended.mark)
    }
  }

  @Test func `a file that changes while it is read gives an error and no row`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let table = try update(root, rows(50)).table
      var bytes = try file(root)
      bytes[bytes.count - 3] ^= 1
      let handle = try #require(PieceFile(path(root), .write))
      try handle.write(Array(bytes), at: 0)
      #expect(throws: StorageError.self) { try table.newestFirst().loaded() }
      // The same for a record that is read for its time.
      bytes[table.entries[20].start + RowRecord.head] ^= 1
      try handle.write(Array(bytes), at: 0)
      #expect(throws: StorageError.self) { try table.newestFirst() }
      #expect(throws: StorageError.self) { try table.oldestFirst() }
      try handle.cut(to: bytes.count / 2)
      #expect(throws: StorageError.self) { try table.newestFirst() }
    }
  }

  @Test func `a link or a folder in the place of the file is left alone`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(20)
      try FileManager.default.createDirectory(
        atPath: "\(root)/.archiver/library", withIntermediateDirectories: true)
      let target = "\(root)/elsewhere"
      try Data("mine".utf8).write(to: URL(filePath: target))
      try FileManager.default.createSymbolicLink(
        atPath: path(root), withDestinationPath: target)
      try expect(try update(root, rows).table, has: rows)
      #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
      try FileManager.default.removeItem(atPath: path(root))
      try FileManager.default.createDirectory(
        atPath: path(root) + "/in", withIntermediateDirectories: true)
      try expect(try update(root, rows).table, has: rows)
      #expect(FileManager.default.fileExists(atPath: path(root) + "/in"))
    }
  }

  @Test func `a file of rows that left is written again`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(2_000)
      try update(root, rows)
      let whole = try file(root)
      try expect(try update(root, rows.prefix(10)).table, has: Array(rows.prefix(10)))
      #expect(try file(root).count < whole.count / 50)
      #expect(try update(root, rows.prefix(10)).found == 10)
    }
  }

  @Test func `a file of long lists of labels is added to, and written again when they left`()
    async throws
  {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 13)
      let rows = sample.items(120).enumerated().map { number, item in
        var item = item
        item.metadata.labels = (0..<100).map { "label \(number) \($0)" }
        return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      func state() throws -> (inode: UInt64, bytes: Int) {
        let facts = try FileManager.default.attributesOfItem(atPath: path(root))
        return (
          try #require(facts[.systemFileNumber] as? UInt64), try #require(facts[.size] as? Int)
        )
      }
      try update(root, rows[..<100])
      let first = try state()
      try update(root, rows[..<110])
      let second = try state()
      #expect(second.inode == first.inode)
      #expect(second.bytes > first.bytes)
      try update(root, rows[100...])
      let third = try state()
      #expect(third.bytes * 4 < second.bytes)
      #expect(try update(root, rows[100...]).found == 20)
    }
  }

  @Test func `shared attributes are in memory once`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(200)
      let new = try update(root, rows).table
      let read = try update(root, rows).table
      for table in [new, read] {
        #expect(table.origins.count < 80)
        #expect(table.labels.count < 200)
        let list = try table.oldestFirst()
        var counts: [String: Int] = [:]
        for row in rows { counts["\(row.source) \(row.kind)", default: 0] += 1 }
        #expect(list.origins.names { ["\($0.source) \($0.kind)"] } == counts)
        var labels: [String: Int] = [:]
        for label in rows.flatMap(\.labels) { labels[label, default: 0] += 1 }
        #expect(list.labellings.names(\.names) == labels)
        let groups = list.grouped(list.labellings, { $0.labels }, { $0.names })
        #expect(groups.counts == labels)
      }
      #expect(new.origins.count == read.origins.count)
    }
  }

  @Test func `rows of names are listed in parts`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let list = try update(root, rows(200)).table.newestFirst()
      let groups = list.grouped(list.labellings, { $0.labels }, { $0.names })
      let names = groups.counts.keys.sorted()
      #expect(names.count > 3)
      let all = groups.counts.values.reduce(0, +)
      for listed in [1, 60, RowGroups.listed] {
        var parts: [[(name: String, rows: RowList)]] = []
        groups.forEachPart(names, listed: listed) { parts.append($0) }
        #expect(parts.flatMap { part in part.map { $0.name } } == names)
        for part in parts {
          let size = part.reduce(0) { $0 + $1.rows.count }
          if part.count > 1 { #expect(size <= max(listed, 50)) }
          if listed == RowGroups.listed { #expect(size == all) }
          for (name, rows) in part {
            let wanted = try list.loaded().filter { $0.labels.contains(name) }
            #expect(try rows.loaded().map { $0.folder } == wanted.map { $0.folder })
          }
        }
        #expect(parts.count == 1 || listed < all)
      }
    }
  }
}
