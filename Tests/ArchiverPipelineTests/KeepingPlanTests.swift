import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Which items a retention policy removes, and which new ones it keeps from being downloaded.
struct KeepingPlanTests {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private static func day(_ number: Double) -> Date { start.addingTimeInterval(number * 86_400) }

  /// An item that was added to its source and archived on these days.
  private static func item(
    _ id: String, added: Double?, archived: Double = 0, byteCount: Int = 100,
    source: String = "scripted", _ change: (inout CatalogItem) -> Void = { _ in }
  ) -> CatalogItem {
    var metadata = ItemMetadata(kind: .article, title: "Title of \(id)")
    metadata.added = added.map { day($0) }
    var item = CatalogItem(
      key: ItemKey(source: source, id: id), revision: "1", folder: "\(source)/\(id)",
      metadata: metadata, firstArchived: day(0), lastArchived: day(archived), contentHash: "",
      byteCount: byteCount)
    change(&item)
    return item
  }

  private func with(_ items: [CatalogItem], _ body: (SQLiteCatalog) throws -> Void) async throws {
    try await withRecorded(items) { archive in try body(archive.catalog) }
  }

  private func plan(_ policy: RetentionPolicy, _ catalog: SQLiteCatalog) throws -> Retention.Plan {
    try Retention(policy).plan(catalog)
  }

  @Test(
    arguments: [
      (600, []), (599, ["old"]), (400, ["old"]), (399, ["middle"]), (300, ["middle"]),
      (299, ["old", "middle"]), (100, ["old", "middle"]), (99, ["old", "middle", "new"]),
    ] as [(Int, [String])])
  func `of the items that exceed a size limit the oldest leave, and smaller ones use the room`(
    limit: Int, removed: [String]
  ) async throws {
    let sizes = ["new": 100, "middle": 300, "old": 200]
    let items = [
      Self.item("old", added: 1, byteCount: 200), Self.item("middle", added: 2, byteCount: 300),
      Self.item("new", added: 3, byteCount: 100),
    ]
    try await with(items) { catalog in
      let found = try plan(RetentionPolicy(maxBytes: limit), catalog)
      #expect(found.items.map(\.key.id) == removed)
      #expect(found.byteCount == removed.reduce(0) { $0 + (sizes[$1] ?? 0) })
    }
  }

  @Test(
    arguments: [(0, ["a", "b", "c"]), (1, ["a", "b"]), (2, ["a"]), (3, []), (4, [])]
      as [(Int, [String])])
  func `a number of items keeps those that were added last, whenever they were archived`(
    count: Int, removed: [String]
  ) async throws {
    let items = [
      Self.item("b", added: 2, archived: 9), Self.item("c", added: 3, archived: 7),
      Self.item("a", added: 1, archived: 8),
    ]
    try await with(items) { catalog in
      let found = try plan(RetentionPolicy(keep: count), catalog)
      #expect(found.items.map(\.key.id) == removed)
      let dates = zip(removed, [1.0, 2, 3]).map { Self.day($0.1) }
      #expect(found.items.map(\.date) == dates)
    }
  }

  @Test func `items archived before a time leave, one archived at that time stays`() async throws {
    let items = [
      Self.item("before", added: 9, archived: 4), Self.item("at", added: 8, archived: 5),
      Self.item("after", added: 7, archived: 6),
    ]
    try await with(items) { catalog in
      let found = try plan(RetentionPolicy(archivedBefore: Self.day(5)), catalog)
      #expect(found.items.map(\.key.id) == ["before"])
      #expect(found.items.map(\.date) == [Self.day(4)], "only the age in the archive counts")
    }
  }

  @Test(arguments: [false, true])
  func `what is pinned stays, and what is protected unless it is included`(
    isIncluded: Bool
  ) async throws {
    let items = [
      Self.item("plain", added: 1),
      Self.item("favourite", added: 2) { $0.metadata.isFavourite = true },
      Self.item("marked", added: 3) { $0.annotations = [Annotation(id: "h", text: "words")] },
      Self.item("pinned there", added: 4) { $0.metadata.isPinned = true },
      Self.item("pinned here", added: 5),
      Self.item("pinned favourite", added: 6) {
        $0.metadata.isFavourite = true
        $0.metadata.isPinned = true
      },
    ]
    try await with(items) { catalog in
      try catalog.setPinned(true, items[4].key)
      let policy = RetentionPolicy(keep: 0, includesProtected: isIncluded)
      let found = try plan(policy, catalog)
      #expect(
        found.items.map(\.key.id)
          == (isIncluded ? ["plain", "favourite", "marked"] : ["plain"]))
      #expect((found.pinned, found.treasured) == (3, isIncluded ? 0 : 2))
    }
  }

  @Test func `a policy for one source leaves the others alone`() async throws {
    let items = [
      Self.item("a", added: 1), Self.item("b", added: 2, source: "other"),
      Self.item("c", added: 3),
    ]
    try await with(items) { catalog in
      let one = try plan(RetentionPolicy(keep: 1, sources: ["scripted"]), catalog)
      #expect(one.items.map(\.key.id) == ["a"])
      let all = try plan(RetentionPolicy(keep: 1), catalog)
      #expect(all.items.map(\.key.id) == ["a", "b"])
    }
  }

  @Test func `an item without a date of its source is older than all others`() async throws {
    let items = [
      Self.item("added", added: 5), Self.item("unknown", added: nil, archived: 30),
      Self.item("changed", added: nil) { $0.metadata.modified = Self.day(6) },
    ]
    try await with(items) { catalog in
      let found = try plan(RetentionPolicy(keep: 3), catalog)
      #expect(found.arrivals == [Self.day(6), Self.day(5), .distantPast])
      let one = try plan(RetentionPolicy(keep: 1), catalog)
      #expect(one.items.map(\.key.id) == ["unknown", "added"])
      #expect(one.arrivals == [Self.day(6)])
      #expect(one.items.first?.date == Self.day(30))
      #expect(try plan(RetentionPolicy(maxBytes: 1_000), catalog).arrivals == [])
    }
  }
}

/// Which new items a retention policy keeps from being downloaded.
struct RetentionBoundTests {
  private static func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_700_000_000 + number * 86_400)
  }

  private static func archived(_ id: String, added: Double) -> CatalogItem {
    var metadata = ItemMetadata(kind: .article, title: id)
    metadata.added = day(added)
    return CatalogItem(
      key: ItemKey(source: "scripted", id: id), revision: "1", folder: "scripted/\(id)",
      metadata: metadata, firstArchived: day(0), lastArchived: day(0), contentHash: "")
  }

  private static func delivered(added: Double?) -> SourceItem {
    var metadata = ItemMetadata(kind: .article, title: "")
    metadata.added = added.map { day($0) }
    return SourceItem(
      reference: ItemReference(id: "x", revision: "1"), metadata: metadata, body: .none(reason: ""))
  }

  private static func work(
    _ reason: WorkReason = .new, date: Double? = nil, id: String = "x"
  ) -> WorkItem {
    let reference = ItemReference(id: id, revision: "1", date: date.map { day($0) })
    return WorkItem(reference: reference, reason: reason)
  }

  /// Calls `body` with the catalog of an archive whose items were added on the days 10 and 20, which
  /// fill a policy of two items.
  private func withTwo(_ body: (SQLiteCatalog, RetentionBound) throws -> Void) async throws {
    try await TemporaryFolder.with("bound") { folder in
      let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
      let items = [Self.archived("old", added: 10), Self.archived("new", added: 20)]
      try archive.catalog.record(
        items.map {
          .publish(
            Publication(
              item: $0, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: ""))
        })
      let bound = try RetentionBound(
        RetentionPolicy(keep: 2), source: "scripted", catalog: archive.catalog)
      try body(archive.catalog, try #require(bound))
    }
  }

  @Test func `only a number of items excludes new ones`() throws {
    #expect(try RetentionBound(nil, source: "scripted", catalog: nil) == nil)
    let size = RetentionPolicy(maxBytes: 1)
    #expect(try RetentionBound(size, source: "scripted", catalog: nil) == nil)
  }

  @Test func `an item older than all that are kept is left out, one of the same date is not`()
    async throws
  {
    try await withTwo { _, bound in
      var bound = bound
      for (added, processing, expected) in [
        (9, 0, .leaveOut), (9, 5, .leaveOut), (10, 0, .take), (10, 1, .wait), (15, 0, .take),
        (15, 1, .wait), (20, 1, .take), (20, 2, .wait), (25, 1, .take), (25, 2, .wait),
      ] as [(Double, Int, RetentionBound.Verdict)] {
        let found = try bound.verdict(
          Self.work(), Self.delivered(added: added), processing: processing)
        #expect(found == expected, "added on day \(added), \(processing) in work")
      }
    }
  }

  @Test func `what a policy never removes is never left out`() async throws {
    try await withTwo { catalog, bound in
      var bound = bound
      var items = [Self.delivered(added: nil)]
      for change: (inout SourceItem) -> Void in [
        { $0.metadata.isFavourite = true }, { $0.metadata.isPinned = true },
        { $0.annotations = [Annotation(id: "h", text: "words")] },
      ] {
        var item = Self.delivered(added: 1)
        change(&item)
        items.append(item)
      }
      for (number, item) in items.enumerated() {
        let found = try bound.verdict(Self.work(), item, processing: 9)
        #expect(found == .take, "item \(number)")
      }
      for reason in [WorkReason.changed, .incomplete] {
        let found = try bound.verdict(Self.work(reason), Self.delivered(added: 1), processing: 9)
        #expect(found == .take, "\(reason)")
      }
      try catalog.setPinned(true, ItemKey(source: "scripted", id: "x"))
      let policy = RetentionPolicy(keep: 2)
      var later = try #require(
        try RetentionBound(policy, source: "scripted", catalog: catalog))
      let pinned = try later.verdict(Self.work(), Self.delivered(added: 1), processing: 9)
      #expect(pinned == .take)
    }
  }

  @Test func `an item that was archived meanwhile takes the place of the oldest`() async throws {
    try await withTwo { _, bound in
      var bound = bound
      // Counted by the catalog, which is read for the first verdict.
      bound.add(Self.archived("early", added: 30))
      let first = try bound.verdict(Self.work(), Self.delivered(added: 12), processing: 0)
      #expect(first == .take)
      bound.add(Self.archived("between", added: 15))
      let older = try bound.verdict(Self.work(), Self.delivered(added: 14), processing: 0)
      #expect(older == .leaveOut)
      let same = try bound.verdict(Self.work(), Self.delivered(added: 15), processing: 0)
      #expect(same == .take)
      bound.add(Self.archived("newest", added: 40))
      bound.add(Self.archived("too old", added: 1))
      let late = try bound.verdict(Self.work(), Self.delivered(added: 19), processing: 0)
      #expect(late == .leaveOut)
    }
  }

  @Test func `without an archive a dry run leaves out by the dates of the listing`() throws {
    var bound = try #require(
      try RetentionBound(RetentionPolicy(keep: 2), source: "scripted", catalog: nil))
    for (reason, date, isLeftOut) in [
      (.new, 20, false), (.changed, 99, false), (.new, nil, false), (.new, 10, false),
      (.new, 9, true), (.changed, 1, false), (.new, 15, false), (.new, 10, true),
      (.new, 15, false), (.new, 14, true),
    ] as [(WorkReason, Double?, Bool)] {
      let found = try bound.leavesOut(Self.work(reason, date: date))
      #expect(found == isLeftOut, "\(reason), day \(date ?? -1)")
    }
  }

  @Test func `a dry run leaves out no pinned item`() async throws {
    try await withTwo { catalog, _ in
      try catalog.setPinned(true, ItemKey(source: "scripted", id: "x"))
      var bound = try #require(
        try RetentionBound(RetentionPolicy(keep: 2), source: "scripted", catalog: catalog))
      let pinned = try bound.leavesOut(Self.work(date: 1))
      #expect(!pinned)
      let other = try bound.leavesOut(Self.work(date: 1, id: "y"))
      #expect(other)
    }
  }
}
