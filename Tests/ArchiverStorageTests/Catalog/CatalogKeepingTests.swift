import ArchiverCore
import Testing

@testable import ArchiverStorage

/// What a catalog remembers of its sources and entries between runs.
struct CatalogKeepingTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog
  private let now = Sample.now

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func key(_ id: String, source: String = "readeck") -> ItemKey {
    ItemKey(source: source, id: id)
  }

  private func archive(_ items: CatalogItem...) throws {
    try catalog.record(items.map { .publish(Sample.publication($0)) })
  }

  @discardableResult
  private func enqueue(_ references: ItemReference..., force: Bool = false) throws -> PlanSummary {
    let listing = try catalog.beginListing(source: "readeck")
    return try catalog.enqueue(
      ListingPage(references: references), source: "readeck", listing: listing, force: force)
  }

  private func work(_ blame: WorkSelection.Blame = .any, after: Double = 0) throws -> [String] {
    var selection = WorkSelection(now: now + after)
    selection.blame = blame
    return try catalog.work(source: "readeck", selection).map(\.reference.id)
  }

  @Test func `how a source was listed is remembered part by part`() throws {
    #expect(try catalog.discovery(source: "readeck") == Discovery())
    #expect(try catalog.askedPlace(source: "readeck") == nil)
    for (day, count) in [(0.0, 5), (1, 0)] {
      let account = SourceAccount(id: "u\(count)", name: "User \(count)")
      try catalog.noteWholeListing(source: "readeck", at: now + day, found: count)
      try catalog.noteAccount(account, credential: "c\(count)", source: "readeck")
      try catalog.noteHeldDeletions(count, source: "readeck")
      try catalog.noteAskedPlace(count == 0 ? nil : "a", source: "readeck")
      let found = try catalog.discovery(source: "readeck")
      #expect((found.wholeListed, found.wholeFound) == (now + day, count))
      #expect((found.account, found.credential) == (account, "c\(count)"))
      #expect(found.deletionsHeld == count)
      #expect(try catalog.askedPlace(source: "readeck") == (count == 0 ? nil : "a"))
    }
    try catalog.noteAccount(nil, credential: nil, source: "readeck")
    #expect(try catalog.discovery(source: "readeck").account == nil)
    #expect(try catalog.discovery(source: "readeck").wholeListed == now + 1)
    #expect(try catalog.discovery(source: "other") == Discovery())
  }

  @Test func `items are counted by source, and by what the source still has`() throws {
    var held = Sample.item("c")
    held.versions = ["20260131T023000Z-held", "20250131T023000Z"]
    held.byteCount = 20
    var other = Sample.item("a", source: "other")
    other.byteCount = 7
    try archive(Sample.item("a"), Sample.item("b"), held, other)
    _ = try catalog.note(["a": .gone, "b": .withheld], source: "readeck")
    #expect(try catalog.presentCount(source: "readeck") == 1)
    #expect(try catalog.heldBackCount(source: "readeck") == 1)
    #expect(try catalog.heldBackCount(source: "other") == 0)
    #expect(try catalog.byteCount(source: "readeck") == 20)
    #expect(try catalog.byteCount(source: "none") == 0)
    #expect(try catalog.deletedItems(source: "readeck") == [key("a")])
    try catalog.unmarkDeleted(source: "readeck")
    #expect(try catalog.deletedItems(source: "readeck") == [])
    #expect(try catalog.item(key("a"))?.state == .archived)
    #expect(try catalog.item(key("b"))?.state == .withheld)
  }

  @Test func `pins are of one source or of all, and are taken off`() throws {
    let keys = [key("a"), key("b"), key("a", source: "other")]
    for key in keys { try catalog.setPinned(true, key) }
    #expect(try catalog.pins(source: nil) == Set(keys))
    #expect(try catalog.pins(source: "readeck") == Set(keys.prefix(2)))
    try catalog.setPinned(false, keys[0])
    #expect(try catalog.pins(source: nil) == Set(keys.dropFirst()))
  }

  @Test func `an item that was removed on purpose comes back with another revision`() throws {
    var item = Sample.item("a", revision: "r1")
    item.metadata.title = "Old"
    try catalog.retire(item)
    try catalog.leaveOut(key("b"), title: "B", revision: "r1", reason: "too old")
    #expect(try enqueue(Sample.reference("a"), Sample.reference("b")).unchanged == 2)
    #expect(try work() == [])
    let state = try #require(try catalog.queueState(key("b")))
    #expect((state.isLeftOut, state.message) == (true, "too old"))
    #expect(try enqueue(Sample.reference("a", revision: "r2")).new == 1)
    #expect(try work() == ["a"])
    #expect(try enqueue(Sample.reference("b"), force: true).new == 1)
    #expect(try catalog.failures(source: nil).isEmpty)
  }

  @Test func `an item that did not fit stays deferred whatever its revision`() throws {
    try catalog.hold(key("a"), title: "A", revision: "r1", needed: 10, message: "no space")
    #expect(try enqueue(Sample.reference("a", revision: "r2")).unchanged == 1)
    #expect(try work() == [])
    #expect(try catalog.queueState(key("a"))?.message == "no space")
    // It fits to the byte, beside what its archived copy takes.
    #expect(try catalog.releaseHeld(source: "readeck", room: 9) == 0)
    #expect(try catalog.releaseHeld(source: "readeck", room: 10) == 1)
    #expect(try catalog.queueState(key("a"))?.message == nil)
    var copy = Sample.item("b")
    copy.byteCount = 6
    try archive(copy)
    try catalog.hold(key("b"), title: "B", revision: "r2", needed: 10, message: "no space")
    #expect(try catalog.releaseHeld(source: "readeck", room: 3) == 0)
    try catalog.setPinned(true, key("b"))
    #expect(try work() == ["a", "b"], "pinned")
  }

  @Test func `what is distrusted is fetched again when it is listed`() throws {
    try archive(Sample.item("a"), Sample.item("b"))
    try catalog.distrust(key("a"))
    let summary = try enqueue(Sample.reference("a"), Sample.reference("b"))
    #expect((summary.changed, summary.unchanged) == (1, 1))
    let folders = try catalog.folders(after: "", limit: 9)
    #expect(folders.map(\.key) == [key("a"), key("b")])
    let first = try #require(folders.first)
    #expect(try catalog.folders(after: first.folder, limit: 9).map(\.key) == [key("b")])
    #expect(try catalog.folders(after: "", limit: 1).map(\.key) == [key("a")])
    #expect(try catalog.item(inOrBelow: "\(first.folder)/versions/x")?.key == key("a"))
    #expect(try catalog.item(inOrBelow: first.folder)?.key == key("a"))
    #expect(try catalog.item(inOrBelow: "readeck") == nil)
  }

  @Test func `only an incomplete item is asked for again, and reported if it is given up`() throws {
    let losses = [
      "whole": Losses(), "image": Losses(pictures: 1),
      "text": Losses([MissingPart(.text, name: "", reason: "503")]),
    ]
    for (id, losses) in losses {
      var item = Sample.item(id)
      item.losses = losses
      try archive(item)
      try catalog.requeueIncomplete(key(id), attempts: 2, nextAttempt: nil)
    }
    try catalog.requeueIncomplete(key("none"), attempts: 2, nextAttempt: now)
    #expect(try catalog.failures(source: nil).map(\.key.id) == ["text"])
    let given = try #require(try catalog.failures(source: nil).first?.work)
    #expect((given.attempts, given.gaveUp, given.nextAttempt) == (2, true, nil))
    #expect(given.failure == "the text is missing (503)")
    #expect(try catalog.queueState(key("image")) == nil)
    for id in losses.keys {
      try catalog.requeueIncomplete(key(id), attempts: 1, nextAttempt: now + 60)
    }
    #expect(try work() == [])
    #expect(try work(after: 60) == ["image", "text"])
    #expect(try catalog.queueState(key("image"))?.message == nil)
    try catalog.recordIncomplete(key("image"), nextAttempt: now + 120)
    #expect(try catalog.queueState(key("image"))?.attempts == 2)
    #expect(try work(after: 119) == ["text"])
    try catalog.recordIncomplete(key("image"), nextAttempt: nil)
    #expect(try catalog.queueState(key("image")) == nil)
  }

  @Test func `abandoned entries are released, and waiting or incomplete ones if asked`() throws {
    try enqueue(Sample.reference("gone"), Sample.reference("waits"), Sample.reference("new"))
    try catalog.recordFailure(key("gone"), message: "m", nextAttempt: nil, gaveUp: true)
    try catalog.recordFailure(key("waits"), message: "m", nextAttempt: now + 60, gaveUp: false)
    var item = Sample.item("image")
    item.losses = Losses(pictures: 1)
    try catalog.record([.publish(Sample.publication(item, retryImagesAt: now + 60))])
    func release(_ ids: [String] = [], waiting: Bool = false, incomplete: Bool = false) throws
      -> Int
    { try catalog.release(source: nil, ids: ids, waiting: waiting, incomplete: incomplete) }
    #expect(try work() == ["new"])
    #expect(try release(["waits"]) == 0)
    #expect(try catalog.release(source: "other", ids: [], waiting: true) == 0)
    #expect(try release() == 1)
    #expect(try work() == ["gone", "new"])
    #expect(try release(["waits"], waiting: true) == 1)
    #expect(try release(["image"], incomplete: true) == 1)
    #expect(try work() == ["gone", "image", "new", "waits"])
    try catalog.recordFailure(key("gone"), message: "m", nextAttempt: now + 60, gaveUp: false)
    try catalog.recordFailure(key("new"), message: "m", nextAttempt: nil, gaveUp: true)
    try catalog.makeDue([])
    try catalog.makeDue([key("gone"), key("new")])
    #expect(try work() == ["gone", "image", "waits"])
  }

  @Test func `what a process died with is blamed, and postponed after many deaths`() throws {
    try enqueue(Sample.reference("a"), Sample.reference("b"), Sample.reference("c"))
    try catalog.noteDeath(.killed, [key("a")], now: now)
    #expect(try work(.none) == ["b", "c"])
    #expect(try work(.some) == ["a"])
    try catalog.noteDeath(.crash, [key("a"), key("b")], now: now)
    #expect(try work(.failed) == [])
    #expect(try catalog.failures(source: nil).isEmpty)
    try catalog.noteDeath(.crash, [key("b")], now: now)
    #expect(try work(.failed) == ["b"])
    #expect(try work(.some) == ["a"])
    try catalog.recordFailure(key("c"), message: "m", nextAttempt: nil, gaveUp: false)
    #expect(try catalog.failures(source: nil).map(\.key.id) == ["c", "b"])
    #expect(try catalog.failuresBesidesDeaths() == [key("c")])
    for _ in 0..<3 { try catalog.noteDeath(.crash, [key("b")], now: now) }
    #expect(try work() == ["a", "c"], "postponed")
    try catalog.recordFailure(key("b"), message: "m", nextAttempt: nil, gaveUp: false)
    #expect(try work(.none) == ["b", "c"], "no longer blamed")
  }

  @Test func `pages count as of a revision once that is noted`() throws {
    for (id, revision) in [("a", 1), ("b", 1), ("c", 2)] {
      var item = Sample.item(id)
      item.pageRevision = revision
      try archive(item)
    }
    #expect(try catalog.itemsWithPages(not: [2], limit: 9) == [key("a"), key("b")])
    #expect(try catalog.itemsWithPages(not: [2], limit: 1) == [key("a")])
    #expect(try catalog.itemsWithPages(not: [2], after: key("a"), limit: 9) == [key("b")])
    try catalog.notePages([], revision: 2)
    try catalog.notePages([key("b")], revision: 2)
    #expect(try catalog.itemsWithPages(not: [2], limit: 9) == [key("a")])
    #expect(try catalog.itemsWithPages(not: [1, 2], limit: 9) == [])
    try archive(Sample.item("d"))
    #expect(
      try catalog.itemsWithPages(not: [1, 2], limit: 9) == [key("d")], "of an unknown revision")
  }

  @Test func `absent items and keys are found by source, until told to stop`() throws {
    try archive(Sample.item("a"), Sample.item("a", source: "other"))
    try enqueue(Sample.reference("a", revision: "r2"), Sample.reference("b"), Sample.reference("c"))
    var seen: [String] = []
    try catalog.forEachAbsent(source: "readeck") {
      seen.append($0.key.id)
      return false
    }
    #expect(seen == ["b"])
    try catalog.forEachAbsent(source: "other") { _ in
      Issue.record("an item of another source")
      return true
    }
    #expect(try catalog.keys(named: "c", source: nil) == [key("c")])
    #expect(try catalog.keys(named: "a", source: nil).count == 2)
    #expect(try catalog.keys(named: "a", source: "other") == [key("a", source: "other")])
    #expect(try catalog.keys(named: Sample.item("a").folder, source: nil) == [key("a")])
    #expect(try catalog.keys(named: "none", source: nil) == [])
  }
}
