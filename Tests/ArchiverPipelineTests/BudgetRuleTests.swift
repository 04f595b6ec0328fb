import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What a storage budget admits and evicts, to the byte.
struct BudgetRuleTests {
  private static func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + number * 86_400)
  }

  private static func key(_ id: String) -> ItemKey { ItemKey(source: "scripted", id: id) }

  private static func item(
    _ id: String, added: Double, byteCount: Int = 100,
    _ change: (inout CatalogItem) -> Void = { _ in }
  ) -> CatalogItem {
    var metadata = ItemMetadata(kind: .book, title: id)
    metadata.added = day(added)
    var item = CatalogItem(
      key: key(id), revision: "1", folder: "scripted/\(id)", metadata: metadata,
      firstArchived: day(0), lastArchived: day(0), contentHash: "", byteCount: byteCount)
    change(&item)
    return item
  }

  /// A claim of a new item, which may evict older ones only, or of one that is wanted.
  private static func claim(
    _ id: String, _ announced: Int, isWanted: Bool = true, added: Double? = 50
  ) -> StorageBudget.Claim {
    StorageBudget.Claim(
      key: key(id), date: added.map { day($0) }, isWanted: isWanted, announced: announced)
  }

  private func budget(_ archive: Archive, _ limit: Int?, _ room: DiskRoom? = nil) throws
    -> StorageBudget
  {
    try StorageBudget(limit: limit, room: room, source: "scripted", archive: archive)
  }

  private func evicted(_ found: [StorageBudget.EvictionCandidate]?) -> [String]? {
    found.map { $0.map(\.item.key.id) }
  }

  @Test(
    arguments: [
      (1_000, nil, 1_000), (1_000, 500, 480), (400, 500, 400), (nil, 500, 480), (nil, 100, 80),
      (nil, 20, 0), (nil, 19, 0), (nil, -5, 0), (nil, nil, .max),
    ] as [(Int?, Int?, Int)])
  func `the free space of the disk limits the bundles too`(
    limit: Int?, free: Int?, expected: Int
  ) async throws {
    // 80 bytes are used; 100 must stay free.
    try await withRecorded([Self.item("a", added: 1, byteCount: 80)]) { (archive) throws in
      let room = DiskRoom(minFree: 100) { free }
      #expect(try budget(archive, limit, room).limit == expected)
    }
  }

  @Test func `items that are expected take the space that is left`() async throws {
    try await withRecorded([Self.item("a", added: 99, byteCount: 100)]) { archive in
      let budget = try budget(archive, 1_000)
      // 900 bytes are left, and what is archived is newer than what asks for space.
      func refusal(_ id: String, _ announced: Int) throws -> Int? {
        try budget.refusal(Self.claim(id, announced, isWanted: false))
      }
      #expect(try refusal("x", 901) == 901)
      #expect(try refusal("x", 900) == nil)
      #expect(try refusal("x", 900) == nil, "its own expected size does not count")
      #expect(try refusal("y", 0) == 1, "a bundle without files has a byte at least")
      budget.notStaged(Self.key("x"))
      #expect(try refusal("y", 899) == nil)
      #expect(try refusal("z", 0) == nil)
      #expect(try refusal("w", 0) == nil, "of unknown size")
      #expect(try refusal("v", 2) == 2)
      #expect(try refusal("v", 1) == nil)
    }
  }

  @Test func `what is wanted does not yield to what is not`() async throws {
    try await withRecorded([]) { archive in
      let budget = try budget(archive, 1_000)
      #expect(try budget.refusal(Self.claim("new", 600, isWanted: false)) == nil)
      #expect(try budget.refusal(Self.claim("wanted", 600)) == nil)
      #expect(try budget.refusal(Self.claim("later", 401)) == 401)
      #expect(try budget.refusal(Self.claim("next", 1, isWanted: false)) == 1)
    }
  }

  @Test(
    arguments: [
      // Bundles, by declared bytes and size, and what the next is expected to need for 100 bytes.
      ([], 100), ([(100, 300)], 300), ([(100, 300), (100, 100)], 200), ([(100, 20)], 100),
      ([(100, 1_000)], 1_000), ([(100, 1_001)], 1_000), ([(0, 5_000), (100, 100)], 100),
    ] as [([(Int, Int)], Int)])
  func `a bundle is expected to grow as those before it, by ten at most`(
    bundles: [(Int, Int)], expected: Int
  ) async throws {
    try await withRecorded([]) { archive in
      for (limit, refusal) in [(expected, nil), (expected - 1, expected)] as [(Int, Int?)] {
        let budget = try budget(archive, limit)
        for (announced, size) in bundles {
          budget.staged(Self.claim("before", announced), byteCount: size)
        }
        #expect(try budget.refusal(Self.claim("next", 100)) == refusal)
      }
    }
  }

  @Test func `once it is staged an item needs what it has`() async throws {
    try await withRecorded([]) { archive in
      let budget = try budget(archive, 1_000)
      let first = Self.claim("first", 0)
      #expect(try budget.refusal(first) == nil)
      budget.staged(first, byteCount: 700)
      #expect(try budget.refusal(Self.claim("second", 301)) == 301)
      #expect(try budget.refusal(Self.claim("second", 300)) == nil)
    }
  }

  @Test(
    arguments: [(300, []), (299, ["a"]), (200, ["a"]), (199, ["a", "b"]), (0, ["a", "b", "c"])]
      as [(Int, [String])])
  func `a smaller budget evicts as many as necessary`(
    limit: Int, expected: [String]
  ) async throws {
    let items = [
      Self.item("c", added: 3), Self.item("a", added: 1), Self.item("b", added: 2),
    ]
    try await withRecorded(items) { archive in
      let found = try budget(archive, limit).evictionsOverLimit()
      #expect(evicted(found) == expected)
    }
  }

  @Test func `what is pinned or protected is not evicted`() async throws {
    let items = [
      Self.item("pinned", added: 1), Self.item("kept", added: 2) { $0.metadata.isPinned = true },
      Self.item("favourite", added: 3) { $0.metadata.isFavourite = true },
      Self.item("plain", added: 4),
    ]
    try await withRecorded(items) { archive in
      try archive.catalog.setPinned(true, Self.key("pinned"))
      let budget = try budget(archive, 0)
      #expect(evicted(try budget.evictionsOverLimit()) == ["plain"])
      // Nor are those that are published later.
      for item in items { budget.settled(item, isArchived: true) }
      #expect(evicted(try budget.evictionsOverLimit()) == ["plain"])
      budget.settled(items[3], isArchived: false)
      #expect(evicted(try budget.evictionsOverLimit()) == [])
    }
  }

  @Test func `an item that was published is evicted in its turn`() async throws {
    let items = [Self.item("a", added: 1), Self.item("c", added: 3)]
    try await withRecorded(items) { archive in
      let budget = try budget(archive, 0)
      #expect(evicted(try budget.evictionsOverLimit()) == ["a", "c"])
      budget.settled(Self.item("b", added: 2, byteCount: 1), isArchived: true)
      budget.settled(Self.item("d", added: 4, byteCount: 1), isArchived: true)
      // The catalog knows of 200 bytes, and two more come.
      let found = try budget.leaving(for: Self.claim("x", 0), 2)
      #expect(evicted(found) == ["a", "b", "c", "d"])
    }
  }

  @Test func `a new copy counts in place of the one that it replaces, which is not evicted`()
    async throws
  {
    let items = [Self.item("a", added: 1), Self.item("b", added: 2), Self.item("c", added: 3)]
    try await withRecorded(items) { archive in
      let budget = try budget(archive, 300)
      let claim = Self.claim("a", 0)
      for (size, expected) in [
        (100, []), (101, ["b"]), (200, ["b"]), (201, ["b", "c"]), (300, ["b", "c"]), (301, nil),
      ] as [(Int, [String]?)] {
        #expect(evicted(try budget.leaving(for: claim, size)) == expected, "\(size)")
      }
    }
  }

  @Test(
    arguments: [(2.0, ["a"]), (1, nil), (3, ["a"]), (3.5, ["a"]), (nil, nil)]
      as [(Double?, [String]?)])
  func `a new item evicts only what was added before it`(
    added: Double?, expected: [String]?
  ) async throws {
    try await withRecorded([Self.item("a", added: 1), Self.item("b", added: 3)]) { archive in
      let budget = try budget(archive, 200)
      let claim = Self.claim("x", 0, isWanted: false, added: added)
      #expect(evicted(try budget.leaving(for: claim, 100)) == expected)
      #expect(evicted(try budget.leaving(for: Self.claim("x", 0), 100)) == ["a"])
    }
  }

  @Test func `the free space is measured again before each bundle is published`() async throws {
    let items = (1...4).map { Self.item("i\($0)", added: Double($0), byteCount: 30) }
    try await withRecorded(items) { archive in
      let free = Mutex<Int?>(10_000)
      let room = DiskRoom(minFree: 100) { free.withLock { $0 } }
      let budget = try budget(archive, nil, room)
      func leaving() throws -> [StorageBudget.EvictionCandidate] {
        try budget.leaving(for: Self.claim("x", 0), 10) ?? []
      }
      for (left, count) in [(100, 0), (99, 1), (70, 1), (69, 2), (nil, 0)] as [(Int?, Int)] {
        free.withLock { $0 = left }
        #expect(try leaving().count == count, "\(left ?? -1) bytes are free")
      }
      // What was evicted is free at the end of the run at the latest.
      free.withLock { $0 = 69 }
      for item in try leaving().prefix(1) { try budget.leave(item) }
      #expect(try leaving().map(\.item.key.id) == ["i2"])
      for item in try leaving() { try budget.leave(item) }
      #expect(try leaving().isEmpty)
      #expect(try archive.catalog.itemCount(source: "scripted") == 2)
    }
  }

  @Test func `what causes evictions is asked for, pinned, or a new copy`() async throws {
    try await withRecorded([]) { archive in
      try archive.catalog.setPinned(true, Self.key("pinned"))
      let budget = try budget(archive, 1_000)
      func isWanted(
        _ id: String = "x", _ reason: WorkReason = .new, isAskedFor: Bool = false,
        isPinned: Bool? = nil
      ) -> Bool {
        let reference = ItemReference(id: id, revision: "1")
        var item = SourceItem(
          reference: reference, metadata: ItemMetadata(kind: .book, title: ""),
          body: .none(reason: ""))
        item.metadata.isPinned = isPinned
        let work = WorkItem(reference: reference, reason: reason)
        return budget.claim(work, item, isAskedFor: isAskedFor).isWanted
      }
      #expect(!isWanted())
      #expect(isWanted("pinned") && isWanted(isAskedFor: true) && isWanted(isPinned: true))
      #expect(isWanted("x", .changed) && isWanted("x", .incomplete))
      #expect(!isWanted(isPinned: false))
    }
  }

  @Test func `the declared sizes of all files are added, wrong ones count as nothing`() async throws
  {
    try await withRecorded([]) { archive in
      let url = try #require(WebURL(ScriptedSource.origin + "/a"))
      let reference = ItemReference(id: "x", revision: "1")
      var item = SourceItem(
        reference: reference, metadata: ItemMetadata(kind: .book, title: ""),
        body: .none(reason: ""))
      item.attachments = [200, nil, -7, 30].map { (count: Int?) in
        var file = Attachment(.file, .remote(url))
        file.byteCount = count
        return file
      }
      let work = WorkItem(reference: reference, reason: .new)
      #expect(try budget(archive, 1).claim(work, item, isAskedFor: false).announced == 230)
    }
  }

  @Test func `of items opened and added alike the one archived first leaves first`() {
    func candidate(_ id: String, archived: Double) -> StorageBudget.EvictionCandidate {
      .init(item: Self.item(id, added: 1) { $0.lastArchived = Self.day(archived) }, opened: nil)
    }
    let candidates = [
      candidate("d", archived: 2), candidate("b", archived: 3), candidate("a", archived: 3),
      candidate("c", archived: 1),
    ]
    let order = candidates.sorted(by: StorageBudget.leavesEarlier).map(\.item.key.id)
    #expect(order == ["c", "d", "a", "b"])
  }

  @Test(
    arguments: [
      (.book, ["Pinned"], nil, true), (.comic, ["a", "PINNED"], nil, true),
      (.periodical, ["pinned"], nil, true), (.article, ["pinned"], nil, false),
      (.book, ["pinned"], false, false), (.book, ["unpinned"], nil, false),
      (.article, [], true, true), (.book, [], nil, false),
    ] as [(ItemMetadata.Kind, [String], Bool?, Bool)])
  func `a source pins an item, or the label of a book archived by an earlier version`(
    kind: ItemMetadata.Kind, labels: [String], isPinned: Bool?, stays: Bool
  ) {
    var metadata = ItemMetadata(kind: kind, title: "")
    metadata.labels = labels
    metadata.isPinned = isPinned
    #expect(metadata.staysBySource == stays)
  }
}
