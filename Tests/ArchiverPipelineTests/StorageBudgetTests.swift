import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

@Suite struct StorageBudgetTests {
  private static let fileSize = 100_000
  /// Space for three of the books below and their pages.
  private static let roomForThree = 390_000

  /// A book with a file to download; higher numbers were added later.
  private static func book(
    _ number: Int, size: Int = fileSize, announced: Bool = true, source: ScriptedSource
  ) -> ScriptedSource.Item {
    var item = ScriptedSource.Item(
      id: "b\(number)", title: "Book \(number)", html: "<p>About book \(number).</p>",
      date: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 86_400))
    let path = "/file/\(number).pdf"
    guard let url = WebURL(ScriptedSource.origin + path) else { return item }
    var file = Attachment(.file, .remote(url), name: "b.pdf", mediaType: "application/pdf")
    file.byteCount = announced ? size : nil
    item.attachments = [file]
    let bytes =
      Array("%PDF-1.4 \(number) ".utf8) + [UInt8](repeating: 0x20, count: size - 20)
      + Array("%%EOF".utf8)
    source.picture(path, .data(bytes, type: "application/pdf"))
    return item
  }

  private static func shelf(_ numbers: ClosedRange<Int>, announced: Bool = true) -> ScriptedSource {
    let source = ScriptedSource()
    for number in numbers { source.set(book(number, announced: announced, source: source)) }
    return source
  }

  private static func key(_ id: String) -> ItemKey { ItemKey(source: "scripted", id: id) }

  @Test func `the newest books fill the budget and the others are not downloaded`() async throws {
    try await Bench.with(Self.shelf(1...8)) { bench in
      bench.limit(to: Self.roomForThree)
      let first = try await bench.run()
      #expect(first.archived == 3)
      #expect(first.held.count == 5)
      #expect(try bench.ids() == ["b8", "b7", "b6"])
      #expect(try bench.archive.catalog.byteCount(source: "scripted") <= Self.roomForThree)
      #expect((1...5).allSatisfy { bench.requests("/file/\($0).pdf") == 0 })
      #expect(try bench.status("b1") == .notCached)
      #expect(try bench.status("b8") == .complete)
      let asked = bench.source.itemRequests.count
      let second = try await bench.run()
      #expect(second.plan.new == 0)
      #expect(second.unchanged == 8)
      #expect(bench.source.itemRequests.count == asked, "nothing is asked for again")
      #expect(second.waiting == 0)
      #expect(try bench.archive.catalog.sources().first?.waiting == 0, "nor does it wait for a run")
    }
  }

  @Test func `a budget is kept to the byte`() async throws {
    // Texts: whether a PDF is read in time, which depends on the machine, changes the size.
    let source = ScriptedSource()
    for number in 1...2 {
      var book = Self.book(number, source: source)
      let path = "/file/\(number).txt"
      var file = Attachment(
        .file, .remote(try #require(WebURL(ScriptedSource.origin + path))), name: "b.txt",
        mediaType: "text/plain")
      file.byteCount = Self.fileSize
      book.attachments = [file]
      source.picture(
        path, .data([UInt8](repeating: 0x61, count: Self.fileSize), type: "text/plain"))
      source.set(book)
    }
    var size = 0
    // Dates have milliseconds only if these are not zero, which changes the size.
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    try await Bench.with(source) { bench in
      bench.stopClock(at: date)
      _ = try await bench.run()
      size = try bench.archive.catalog.byteCount(source: "scripted")
    }
    for missing in [0, 1] {
      try await Bench.with(source) { bench in
        bench.stopClock(at: date)
        bench.limit(to: size - missing)
        _ = try await bench.run()
        // The older book may be there first, and is evicted then.
        #expect(try bench.archive.catalog.itemCount(source: "scripted") == 2 - missing)
      }
    }
  }

  @Test func `with little free space, the least recently opened books are evicted`() async throws {
    try await Bench.with(Self.shelf(1...3)) { bench in
      // A disk used by the archive's bundles only.
      let disk = Mutex(1_000_000)
      @Sendable func free() -> Int? {
        let used = (try? bench.archive.catalog.byteCount(source: "scripted")) ?? 0
        return disk.withLock { $0 } - used
      }
      bench.leaveFree(600_000)
      #expect(try await bench.run { $0.freeBytes = free }.archived == 3)
      try bench.open("b1", at: Date(timeIntervalSinceNow: 5 * 86_400))
      disk.withLock { $0 -= 100_000 }
      let run = try await bench.run { $0.freeBytes = free }
      #expect(run.left.map(\.id) == ["b2"])
      #expect(try bench.ids() == ["b1", "b3"])
      #expect((free() ?? 0) >= 600_000)
      disk.withLock { $0 += 200_000 }
      #expect(try await bench.run { $0.freeBytes = free }.archived == 1, "there is room again")
      #expect(try bench.ids() == ["b1", "b2", "b3"])
    }
  }

  @Test func `unknown free space or a full disk ends no run`() async throws {
    for free in [nil, -5, 0] as [Int?] {
      try await Bench.with(Self.shelf(1...2)) { bench in
        bench.leaveFree(1_000)
        let run = try await bench.run { $0.freeBytes = { free } }
        #expect(run.archived == (free == nil ? 2 : 0))
        #expect(run.held.count == (free == nil ? 0 : 2))
      }
    }
  }

  @Test func `a small book uses space that is too small for a large one`() async throws {
    let source = Self.shelf(1...2)
    // Newer than both, and larger than the whole budget.
    source.set(Self.book(3, size: 400_000, source: source))
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      let run = try await bench.run()
      #expect(run.held.map(\.id) == ["b3"])
      #expect(try bench.ids() == ["b1", "b2"])
      #expect(bench.requests("/file/3.pdf") == 0)
    }
  }

  @Test func `a small file with large pages does not make others seem too large`() async throws {
    let source = Self.shelf(1...2)
    var small = Self.book(3, size: 1_000, source: source)
    small.html = "<p>" + String(repeating: "words ", count: 10_000) + "</p>"
    source.set(small)
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      let run = try await bench.run { $0.jobs = 1 }
      #expect(run.archived == 3)
    }
  }

  @Test(arguments: [Int.max, Int.max - 1, -1, Int.min])
  func `a wrong declared size of a book affects no other`(
    said: Int
  ) async throws {
    let source = Self.shelf(1...3)
    source.change("b3") { book in
      book.attachments += book.attachments
      for place in book.attachments.indices { book.attachments[place].byteCount = said }
    }
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      let report = try await bench.run()
      #expect(report.archived >= 2)
      #expect(try bench.ids().isSuperset(of: ["b1", "b2"]))
    }
  }

  @Test func `books of unknown size are downloaded once at most`() async throws {
    try await Bench.with(Self.shelf(1...5, announced: false)) { bench in
      bench.limit(to: Self.roomForThree)
      // A book processed before a newer one is evicted by the newer one.
      #expect(try await bench.run { $0.jobs = 1 }.archived >= 3)
      #expect(try bench.ids() == ["b5", "b4", "b3"])
      let counts = (1...5).map { bench.requests("/file/\($0).pdf") }
      _ = try await bench.run()
      #expect((1...5).map { bench.requests("/file/\($0).pdf") } == counts)
      #expect(try bench.archive.catalog.byteCount(source: "scripted") <= Self.roomForThree)
    }
  }

  @Test func `a newer book evicts the least recently opened one`() async throws {
    let source = Self.shelf(1...3)
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      for number in 1...3 {
        _ = try await bench.run { $0.only = ["b\(number)"] }
        bench.advance(hours: 1)
      }
      // Archived first, and the only one opened since.
      try bench.open("b1", at: Date(timeIntervalSinceNow: 5 * 86_400))
      let before = try bench.poolSize()
      source.set(Self.book(4, source: source))
      let run = try await bench.run()
      #expect(run.archived == 1)
      #expect(run.left.map(\.id) == ["b2"])
      #expect(try bench.ids() == ["b1", "b3", "b4"])
      #expect(try bench.status("b2") == .notCached)
      #expect(try bench.poolSize() <= before + 1_000, "the pool is emptied of it too")
      #expect(try await bench.verify() == [])
      let again = try await bench.run()
      #expect(again.archived == 0)
      #expect(try bench.status("b2") == .notCached)
    }
  }

  @Test
  func `the one opened on an earlier day leaves first, of one day the one that arrived earlier`()
    throws
  {
    /// With the hour, counted from the first one of a day, at which it was opened.
    func candidate(_ id: String, hour: Double?, arrival: Double) -> StorageBudget.EvictionCandidate
    {
      var metadata = ItemMetadata(kind: .book, title: id)
      metadata.added = Date(timeIntervalSince1970: arrival)
      let item = CatalogItem(
        key: Self.key(id), revision: "1", folder: id, metadata: metadata,
        firstArchived: .distantPast, lastArchived: .distantPast, contentHash: "c")
      // An even number of days after 1970.
      let day = 20_000.0 * 86_400
      return .init(item: item, opened: hour.map { Date(timeIntervalSince1970: day + $0 * 3_600) })
    }
    let candidates = [
      candidate("next day", hour: 24, arrival: 0), candidate("evening", hour: 23, arrival: 1),
      candidate("morning", hour: 1, arrival: 2), candidate("never", hour: nil, arrival: 3),
    ]
    let order = candidates.sorted(by: StorageBudget.leavesEarlier).map(\.item.metadata.title)
    #expect(order == ["never", "evening", "morning", "next day"])
  }

  @Test func `an evicted item stays away when it changes, and returns when there is space`()
    async throws
  {
    let source = Self.shelf(1...4)
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      _ = try await bench.run()
      source.change("b1") { $0.revision = "2" }
      let asked = source.itemRequests.count
      #expect(try await bench.run().archived == 0)
      #expect(source.itemRequests.count == asked)
      #expect(try bench.status("b1") == .notCached)
      bench.limit(to: 10 * Self.roomForThree)
      #expect(try await bench.run().archived == 1)
      #expect(try bench.status("b1") == .complete)
    }
  }

  @Test func `pinned items stay, come first and evict others`() async throws {
    let source = Self.shelf(1...6)
    source.change("b2") { $0.isPinned = true }
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      try bench.archive.catalog.setPinned(true, Self.key("b1"))
      _ = try await bench.run()
      #expect(try bench.ids().isSuperset(of: ["b1", "b2"]))
      bench.limit(to: Self.roomForThree / 2)
      _ = try await bench.run()
      #expect(try bench.ids() == ["b1", "b2"], "too large, and pinned all the same")
      let cleanup = Retention(RetentionPolicy(keep: 0, includesProtected: true))
      #expect(try cleanup.plan(bench.archive.catalog).items.isEmpty)
      try bench.archive.catalog.setPinned(false, Self.key("b1"))
      _ = try await bench.run()
      #expect(try bench.ids() == ["b2"])
    }
  }

  @Test func `pinning an item without space archives it`() async throws {
    try await Bench.with(Self.shelf(1...6)) { bench in
      bench.limit(to: Self.roomForThree)
      _ = try await bench.run()
      try bench.archive.catalog.setPinned(true, Self.key("b1"))
      #expect(try bench.status("b1") == .queued)
      let run = try await bench.run()
      #expect(run.archived == 1)
      #expect(run.left.count == 1)
      #expect(try bench.ids().contains("b1"))
    }
  }

  @Test func `a book that is larger than the whole budget is left alone`() async throws {
    let source = Self.shelf(1...2)
    try await Bench.with(source) { bench in
      bench.limit(to: Self.roomForThree)
      _ = try await bench.run()
      source.set(Self.book(9, size: 2 * Self.roomForThree, source: source))
      let run = try await bench.run()
      #expect(run.held.map(\.id) == ["b9"])
      #expect(run.left.isEmpty)
      #expect(bench.requests("/file/9.pdf") == 0)
    }
  }

  @Test func `a smaller budget takes effect at once`() async throws {
    try await Bench.with(Self.shelf(1...6)) { bench in
      _ = try await bench.run()
      bench.limit(to: Self.roomForThree)
      let run = try await bench.run()
      #expect(run.left.count == 3)
      #expect(try bench.ids() == ["b4", "b5", "b6"], "the newest, though archived first")
      #expect(run.archived == 0)
      #expect(try await bench.verify() == [])
    }
  }

  @Test func `a dry run does not list items that do not fit`() async throws {
    try await Bench.with(Self.shelf(1...6)) { bench in
      bench.limit(to: Self.roomForThree)
      _ = try await bench.run()
      let report = await bench.dryRun { _ in }
      #expect(report.sources.first?.wouldFetch.isEmpty == true)
    }
  }

  @Test func `statuses reflect the progress of an item`() async throws {
    let source = Self.shelf(1...4)
    try await Bench.with(source) { bench in
      source.change("b1") { $0.error = AdapterError(.malformed, "It cannot be read") }
      _ = try await bench.run { $0.maxItems = 2 }
      #expect(try bench.status("b4") == .complete)
      #expect(try bench.status("b2") == .queued)
      source.change("b4") { $0.revision = "2" }
      source.change("b3") { $0.revision = "2" }
      _ = try await bench.run { $0.only = ["b1", "b2"] }
      #expect(try bench.status("b4") == .outdated)
      #expect(try bench.status("b1") == .failed)
      #expect(try bench.status("unknown") == .notCached)
      try bench.archive.catalog.markFetching(Self.key("b3"))
      #expect(try bench.status("b3") == .downloading)
      _ = try await bench.run()
      #expect(try bench.status("b3") == .complete)
    }
  }

  @Test func `an item that is gone when it is fetched ends nothing`() async throws {
    let source = ScriptedSource(count: 3)
    source.change("item1") { $0.error = AdapterError(.notFound, "There is no item1") }
    try await Bench.with(source) { bench in
      let run = try await bench.run()
      #expect(run.archived == 2)
      #expect(run.deferred.map(\.id) == ["item1"])
    }
  }
}
