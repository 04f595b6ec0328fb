import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// The rows of the library in its store.
@Suite struct LibraryStoreTests {
  func rows(_ count: Int) -> [LibraryRow] {
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

  /// Everything that is stored of a row.
  func described(_ row: LibraryRow) -> String {
    "\(row.values(origin: 0, labels: 0)) \(row.labels) \(row.origin)"
  }

  func path(_ root: String) -> String { "\(root)/\(LibraryStore.path)" }

  func file(_ path: String) throws -> Data {
    try #require(FileManager.default.contents(atPath: path))
  }

  func store(_ root: String, _ words: Words = .english) throws -> LibraryStore {
    try LibraryStore(root: root, words: words, spare: SiteFiles(root: root).spare)
  }

  func newest(_ store: LibraryStore) throws -> RowList {
    try RowTable(store, .newestFirst, SharedAttributes(store)).rows
  }

  /// Finds or adds rows, as an update does. Returns all rows, and the number found.
  @discardableResult
  func update(
    _ root: String, _ rows: some Sequence<LibraryRow>, _ words: Words = .english
  ) throws -> (rows: RowList, found: Int) {
    let store = try store(root, words)
    var update = try RowUpdate(store)
    var found = 0
    for row in rows {
      if update.find(row.fingerprint) { found += 1 } else { try update.add(row) }
    }
    try update.finish()
    let list = try newest(store)
    store.finish { $0.itemCount = list.count }
    return (list, found)
  }

  func expect(_ list: RowList, has rows: [LibraryRow]) throws {
    #expect(list.count == rows.count)
    for (entry, read) in zip(list, try list.loaded()) {
      let row = rows[Int(read.fingerprint) - 1]
      #expect(described(read) == described(row))
      #expect(read.key == row.key && read.place == row.place && read.authors == row.authors)
      #expect(read.status == .complete)
      #expect(CivilDate(entry.day).dayText == CivilDate(row.saved).dayText)
    }
  }

  @Test func `a store that was not finished leaves nothing behind`() async throws {
    try await TemporaryFolder.with("rows") { root in
      try update(root, rows(3))
      let names = {
        try FileManager.default.contentsOfDirectory(atPath: root + "/.archiver/library").sorted()
      }
      let known = try names()
      do {
        let remade = try store(root, .german)
        #expect(
          try names() == (known + ["library.sqlite.new", "library.sqlite.new-journal"]).sorted())
        _ = remade
      }
      #expect(try names() == known)
    }
  }

  @Test func `gives back what was added, in one run and in several`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(700)
      let first = try update(root, rows.prefix(300))
      #expect(first.found == 0)
      try expect(first.rows, has: Array(rows.prefix(300)))
      let second = try update(root, rows)
      #expect(second.found == 300)
      try expect(second.rows, has: rows)
      let third = try update(root, rows.reversed())
      #expect(third.found == 700)
      try expect(third.rows, has: rows)
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
      let store = try store(root)
      var update = try RowUpdate(store)
      var new = NewRows(words: .english)
      try catalog.forEachStoredItem { _, _ in
        true
      } _: { stored in
        try new.add(stored, waiting.contains(stored.key) ? state : nil, to: &update)
      }
      try new.finish(&update)
      let table = try RowTable(
        store, .newestFirst, SharedAttributes(store), statuses: update.statuses)
      var found: Set<ItemKey> = []
      for row in try table.rows.loaded() {
        let item = try #require(try catalog.item(row.key))
        let one = LibraryRow(item, words: .english, fingerprint: row.fingerprint)
        found.insert(row.key)
        #expect(described(row) == described(one))
        #expect(row.status == (waiting.contains(row.key) ? .outdated : .complete))
      }
      #expect(found == Set(items.map(\.key)))
    }
  }

  @Test func `reads rows in any order and number`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let list = try update(root, rows(400)).rows
      var random = SplitMix(state: 4)
      let all = try list.loaded()
      for _ in 0..<60 {
        let places = (0..<random.below(50)).map { _ in random.below(400) }
        #expect(try list.loaded(places).map(\.title) == places.map { all[$0].title })
      }
      let middle = list[100..<250].dropFirst(20).prefix(30)
      #expect(middle.startIndex == 120 && middle.count == 30)
      #expect(try middle.loaded().map(\.fingerprint) == (121...150).map(UInt64.init))
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
      let newest = try update(root, rows).rows
      #expect(
        try newest.loaded().map(\.folder)
          == rows.sorted { ($1.saved, $0.folder) < ($0.saved, $1.folder) }.map(\.folder))
      let oldest = try RowTable(
        newest.table.store, .oldestFirst, SharedAttributes(newest.table.store))
      #expect(
        try oldest.rows.loaded().map(\.key)
          == rows.sorted {
            ($0.archived, $0.source, $0.key.id) < ($1.archived, $1.source, $1.key.id)
          }
          .map(\.key))
    }
  }

  @Test func `an entry has the day that was put in, in 16 bytes`() {
    for seconds in [
      -62_135_596_800, -62_135_596_801, -1e12, -86_400, -86_400.5, -0.25, 0, 86_399, 86_400,
      1_795_000_000.75, 253_402_300_799, 253_402_300_800, 1e300,
    ] {
      let saved = Date(timeIntervalSince1970: seconds)
      let entry = RowEntry(number: 7, fingerprint: .max, saved: saved)
      #expect(CivilDate(entry.day).dayText == CivilDate(saved).dayText)
      #expect(entry.number == 7 && entry.fingerprint == .max)
    }
    #expect(MemoryLayout<RowEntry>.stride == 16)
  }

  @Test func `a changed item keeps its number, and a removed one leaves nothing`() async throws {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 8)
      var item = sample.item(1)
      item.metadata.labels = ["one", "two"]
      item.metadata.authors = ["Ada", "Ada", "Bo"]
      let other = LibraryRow(sample.item(2), words: .english, fingerprint: 9)
      let first = try update(root, [LibraryRow(item, words: .english, fingerprint: 1), other]).rows
      let number = try #require(first.first { $0.fingerprint == 1 }).number
      item.metadata.labels = ["two", "three"]
      item.metadata.title = "Renamed"
      let list = try update(root, [LibraryRow(item, words: .english, fingerprint: 2), other]).rows
      let entry = try #require(list.first { $0.fingerprint == 2 })
      #expect(list.count == 2 && entry.number == number)
      #expect(try list.loaded().contains { $0.title == "Renamed" })
      func names(_ table: String) throws -> [String] {
        try list.table.store.all(
          "SELECT name FROM \(table) WHERE number = ? ORDER BY name", Int(number)
        ) { $0.text(0) }
      }
      #expect(try names("labels") == ["three", "two"] && names("authors") == ["Ada", "Bo"])
      let left = try update(root, [other]).rows
      #expect(try left.loaded().map(\.key) == [other.key])
      #expect(try names("labels") == [] && names("authors") == [])
      #expect(try left.table.store.all("SELECT value FROM shared") { $0.text(0) }.count == 2)
    }
  }

  @Test func `lists the rows of a name and of a trait in the order of all`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(200)
      let list = try update(root, rows).rows
      let all = try list.loaded()
      let totals = try LibraryTotals(list)
      var counts: [String: Int] = [:]
      for label in rows.flatMap(\.labels) { counts[label, default: 0] += 1 }
      #expect(totals.labels == counts && counts.count > 3)
      for name in counts.keys {
        let named = try list.only("SELECT number FROM labels WHERE name = ?", each: [name])
        #expect(
          try named.loaded().map(\.folder)
            == all.filter { $0.labels.contains(name) }.map(\.folder))
      }
      for trait in [
        LibraryRow.Traits.highlighted, LibraryRow.Traits.incomplete, LibraryRow.Traits.book,
      ] {
        #expect(
          try list.only(trait).loaded().map(\.folder)
            == all.filter { $0.traits & trait != 0 }.map(\.folder))
      }
    }
  }

  @Test func `titles are sorted naturally, equal ones newest first`() async throws {
    try await TemporaryFolder.with("rows") { root in
      var sample = SampleArchive(seed: 3)
      let titles = ["b", "B", "Part 10", "part 9", "ä", "a", "a", "", "Z 1", "a b"]
      let rows = titles.enumerated().map { number, title in
        var item = sample.item(number)
        item.metadata.title = title
        item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number))
        return LibraryRow(item, words: .english, fingerprint: UInt64(number + 1))
      }
      let store = try update(root, rows).rows.table.store
      let list = try RowTable(store, .oldestFirst, SharedAttributes(store)).rows
      let sorted = rows.indices.sorted { one, other in
        let (first, second) = (NaturalOrder(rows[one].title), NaturalOrder(rows[other].title))
        return first == second ? one > other : first < second
      }
      var codes: [UInt8] = []
      for number in sorted { PostingCode.append(number, to: &codes) }
      let script = Array("archiverData.titles(\"".utf8) + codes + Array("\");\n".utf8)
      #expect(try TitleData.script(list) == script)
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

  @Test func `knows nothing of another program`() async throws {
    try await TemporaryFolder.with("rows") { root in
      let rows = rows(5)
      try update(root, rows)
      let stamp = "\(root)/\(LibraryStamp.path)"
      let own = try #require(LibraryStamp(language: "en")).program
      let text = String(decoding: try file(stamp), as: UTF8.self)
      #expect(text.contains(own))
      try Data(text.replacing(own, with: "1 2.3").utf8).write(to: URL(filePath: stamp))
      #expect(try update(root, rows).found == 0)
      #expect(try update(root, rows).found == 5)
    }
  }
}
