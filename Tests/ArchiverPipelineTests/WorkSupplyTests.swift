import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// The order and number of the entries that a run takes from its queue.
struct WorkSupplyTests {
  /// Calls `body` with a catalog in whose queue are `count` items, `item0` first.
  private func withQueue(_ count: Int, _ body: (SQLiteCatalog) throws -> Void) async throws {
    try await TemporaryFolder.with("supply") { folder in
      let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
      let listing = try archive.catalog.beginListing(source: "scripted")
      let references = (0..<count).map {
        ItemReference(
          id: "item\($0)", revision: "1", date: Date(timeIntervalSince1970: 2e9 - Double($0)))
      }
      _ = try archive.catalog.enqueue(
        ListingPage(references: references), source: "scripted", listing: listing, force: false)
      try body(archive.catalog)
    }
  }

  /// A reference, so that an expectation may change it.
  private final class Subject {
    private var supply: WorkSupply

    init(
      _ catalog: SQLiteCatalog, budget: Int? = nil, only: [String] = [], pinned: Set<String> = []
    ) {
      supply = WorkSupply(
        catalog: catalog, source: "scripted", budget: budget,
        selection: WorkSelection(only: only, now: Date(timeIntervalSince1970: 2e9)), pinned: pinned)
    }

    var isUsedUp: Bool { supply.isUsedUp }
    func next(_ count: Int) throws -> [String] { try works(count).map(\.reference.id) }
    /// Returns all entries that are left, a hundred at a time.
    func rest() throws -> [String] {
      var found = try next(100)
      var isOver = found.isEmpty
      while !isOver {
        let more = try next(100)
        found += more
        isOver = more.isEmpty
      }
      return found
    }
    func works(_ count: Int) throws -> [WorkItem] { try supply.next(count) }
    func refund() { supply.refundBudget() }
    func putBack(_ works: [WorkItem]) { supply.putBack(works) }
  }

  private static func ids(_ numbers: Range<Int>) -> [String] { numbers.map { "item\($0)" } }

  @Test(arguments: [0, 1, 255, 256, 257, 512, 600])
  func `every entry of a long queue is returned once, in order`(count: Int) async throws {
    try await withQueue(count) { catalog in
      let supply = Subject(catalog)
      let found = try supply.rest()
      #expect(found == Self.ids(0..<count))
      #expect(supply.isUsedUp)
    }
  }

  @Test(
    arguments: [
      (20, 20, 20), (21, 20, 5), (256, 100, 25), (9, 8, 2), (5, 4, 1), (4, 3, 1), (3, 2, 1),
      (2, 1, 1),
    ])
  func `the first call returns a quarter if more are known to wait`(
    count: Int, asked: Int, first: Int
  ) async throws {
    try await withQueue(count) { (catalog) throws in
      let supply = Subject(catalog)
      #expect(try supply.next(asked) == Self.ids(0..<first))
      let rest = min(asked, count - first)
      #expect(try supply.next(asked) == Self.ids(first..<first + rest))
    }
  }

  @Test func `a budget ends the queue, and what is refunded is returned`() async throws {
    try await withQueue(10) { (catalog) throws in
      let supply = Subject(catalog, budget: 3)
      #expect(!supply.isUsedUp)
      #expect(try supply.next(4) == Self.ids(0..<3))
      #expect(supply.isUsedUp)
      #expect(try supply.next(4) == [])
      supply.refund()
      #expect(!supply.isUsedUp)
      #expect(try supply.next(4) == ["item3"])
      #expect(try supply.next(4) == [])
      let none = Subject(catalog, budget: 0)
      #expect(none.isUsedUp)
      #expect(try none.next(4) == [])
    }
  }

  @Test func `of more than the budget a first call returns a quarter too`() async throws {
    try await withQueue(10) { (catalog) throws in
      let supply = Subject(catalog, budget: 5)
      #expect(try supply.next(4) == ["item0"])
      #expect(try supply.next(4) == Self.ids(1..<5))
      #expect(supply.isUsedUp)
    }
  }

  @Test func `what is put back comes first, and costs no budget`() async throws {
    try await withQueue(10) { catalog in
      let supply = Subject(catalog, budget: 4)
      let taken = try supply.works(4)
      supply.putBack(Array(taken[1...2]))
      #expect(!supply.isUsedUp)
      #expect(try supply.next(9) == ["item1", "item2"])
      #expect(supply.isUsedUp)
      let other = Subject(catalog)
      let first = try other.works(8)
      #expect(first.map(\.reference.id) == Self.ids(0..<2))
      other.putBack(first)
      #expect(try other.next(8) == Self.ids(0..<8))
      other.refund()
      #expect(try other.next(8) == Self.ids(8..<10))
      #expect(other.isUsedUp)
    }
  }

  @Test func `pinned entries come first, and once`() async throws {
    try await withQueue(300) { catalog in
      let supply = Subject(catalog, pinned: ["item7", "item299", "unknown"])
      let found = try supply.rest()
      let others = Self.ids(0..<300).filter { $0 != "item7" && $0 != "item299" }
      #expect(found == ["item7", "item299"] + others)
    }
  }

  @Test func `of pinned entries only those that are asked for come`() async throws {
    try await withQueue(10) { (catalog) throws in
      let supply = Subject(catalog, only: ["item2", "item5"], pinned: ["item5", "item7"])
      #expect(try supply.next(9) == ["item5", "item2"])
      #expect(try supply.next(9) == [])
    }
  }
}

/// Items whose files could not be reached.
struct StrandedItemTests {
  private static func work(_ number: Int) -> WorkItem {
    WorkItem(reference: ItemReference(id: "item\(number)", revision: "1"), reason: .new)
  }

  private static func stranded(_ count: Int) -> StrandedItems {
    var items = StrandedItems()
    for number in 0..<count { _ = items.take(work(number), .unreached(Losses())) }
    return items
  }

  @Test func `only what could not be reached is taken`() {
    var items = StrandedItems()
    for outcome in [
      ItemProcessor.Outcome.interrupted, .unchanged(revision: "1"), .stillMissing(Losses()),
      .failed(reason: "no", isRetryable: true),
    ] {
      let isTaken = items.take(Self.work(0), outcome)
      #expect(!isTaken && items.isEmpty)
    }
    let isTaken = items.take(Self.work(0), .unreached(Losses()))
    #expect(isTaken && !items.isEmpty)
  }

  @Test(arguments: [(63, false), (64, true)])
  func `at most 64 are kept until the end of the run`(count: Int, isFull: Bool) {
    #expect(Self.stranded(count).isFull == isFull)
  }

  @Test func `each is fetched again once`() {
    var items = Self.stranded(2)
    let first = items.takeFirst()
    #expect(first.map(\.work.reference.id) == ["item0", "item1"])
    #expect(first.allSatisfy { $0.work.isAgain } && items.isEmpty)
    for number in [1, 2] { _ = items.take(Self.work(number), .unreached(Losses())) }
    let second = items.takeFirst()
    #expect(second.map(\.work.reference.id) == ["item2"])
    let rest = items.release()
    #expect(rest.map(\.work.reference.id) == ["item1"])
    #expect(items.isEmpty)
  }
}
