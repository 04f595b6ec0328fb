import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The file that rows are kept in.
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

  /// Finds or adds rows, as an update does. Returns the table and how many were found.
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
    try log.renew(files)
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
      #expect(entry.fingerprint == row.fingerprint && entry.key == row.marks.key)
      #expect(entry.saved == row.saved && entry.archived == row.archived)
      #expect(entry.hasHighlights == (row.highlightCount > 0))
      #expect(entry.lacksImages == (row.missingImages > 0))
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
      #expect(loaded.map(\.saved) == middle.map(\.saved))
      #expect(loaded.map(\.fingerprint) == (121...150).map(UInt64.init))
    }
  }

  @Test func `sorts what is of the same second by what no two share`() async throws {
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

  @Test func `knows nothing in another language`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(5)
      try update(root, rows)
      #expect(try update(root, rows, .german).found == 0)
      #expect(try update(root, rows, .german).found == 5)
    }
  }

  @Test func `a file cut or changed anywhere gives right rows, and is mended`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(6)
      try update(root, rows)
      let whole = try file(root)
      #expect(try update(root, rows).found == 6)
      #expect(try file(root) == whole)
      var random = SplitMix(state: 2)
      for _ in 0..<200 {
        var damaged = whole
        if random.below(2) == 0 {
          damaged = damaged.prefix(random.below(whole.count))
        } else {
          damaged[random.below(whole.count)] ^= UInt8(1 + random.below(255))
        }
        try damaged.write(to: URL(filePath: path(root)))
        let (table, found) = try update(root, rows)
        #expect(found < 6)
        try expect(table, has: rows)
        #expect(try file(root) == whole)
      }
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
      try handle.cut(to: bytes.count / 2)
      #expect(throws: StorageError.self) { try table.newestFirst().forEachRow { _, _ in } }
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

  @Test func `a file of rows that left is written anew`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(2_000)
      try update(root, rows)
      let whole = try file(root)
      try expect(try update(root, rows.prefix(10)).table, has: Array(rows.prefix(10)))
      #expect(try file(root).count < whole.count / 50)
      #expect(try update(root, rows.prefix(10)).found == 10)
    }
  }

  @Test func `a file of long lists of labels is added to, and written anew when they left`()
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

  @Test func `what rows share is in memory once`() async throws {
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
        let groups = list.grouped(list.labellings, \.labels, \.names)
        #expect(groups.mapValues(\.count) == labels)
      }
      #expect(new.origins.count == read.origins.count)
    }
  }
}
