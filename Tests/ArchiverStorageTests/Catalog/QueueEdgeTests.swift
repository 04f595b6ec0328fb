import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Listings that overlap, and entries at the edge of what fits.
struct QueueEdgeTests {
  private let folder: ScratchFolder
  private let catalog: SQLiteCatalog

  init() throws {
    folder = try ScratchFolder()
    catalog = try SQLiteCatalog(path: folder.at("catalog.sqlite"))
  }

  private func key(_ id: String) -> ItemKey { ItemKey(source: "readeck", id: id) }

  private func hold(_ id: String, needed: Int) throws {
    try catalog.hold(key(id), title: "", revision: "r1", needed: needed, message: "no space")
  }

  @Test func `a listing ends when the next one of its source begins`() throws {
    let first = try catalog.beginListing(source: "readeck")
    let other = try catalog.beginListing(source: "notion")
    let second = try catalog.beginListing(source: "readeck")
    #expect(Set([first, other, second]).count == 3)
    let page = Sample.page(Sample.reference("a"))
    #expect(throws: StorageError.self) {
      try catalog.enqueue(page, source: "readeck", listing: first, force: false)
    }
    for (source, listing) in [("notion", other), ("readeck", second)] {
      let summary = try catalog.enqueue(page, source: source, listing: listing, force: false)
      #expect(summary.new == 1)
    }
  }

  @Test func `a pinned item that does not fit leaves no room, and others may need none`() throws {
    try catalog.setPinned(true, key("a"))
    var copy = Sample.item("b")
    copy.byteCount = 6
    try catalog.record([.publish(Sample.publication(copy))])
    for (id, needed) in [("a", 10), ("b", 6), ("c", 1)] { try hold(id, needed: needed) }
    #expect(try catalog.releaseHeld(source: "readeck", room: 5) == 2)
    #expect(try CatalogConformance.work(catalog).map(\.reference.id) == ["a", "b"])
    #expect(try catalog.releaseHeld(source: "readeck", room: 1) == 1)
    #expect(try CatalogConformance.work(catalog).map(\.reference.id) == ["a", "b", "c"])
  }

  @Test func `the space that one item takes is missing for the next`() throws {
    for id in ["a", "b", "c"] { try hold(id, needed: 4) }
    #expect(try catalog.releaseHeld(source: "readeck", room: 7) == 1)
    #expect(try catalog.releaseHeld(source: "readeck", room: 8) == 2)
    #expect(try catalog.releaseHeld(source: "readeck", room: nil) == 0)
  }

  @Test func `recording nothing is possible in a catalog that is open for reading`() throws {
    let reader = try SQLiteCatalog(path: folder.at("catalog.sqlite"), isReadOnly: true)
    try reader.makeDue([])
    try reader.settleMendings([])
    try reader.notePages([], revision: 1)
    #expect(throws: StorageError.self) { try reader.makeDue([key("a")]) }
    #expect(throws: StorageError.self) { try reader.settleMendings([key("a")]) }
    #expect(throws: StorageError.self) { try reader.notePages([key("a")], revision: 1) }
  }

  @Test func `an entry that is gone is put off since now`() throws {
    let since = try catalog.putOff(key("a"), until: nil, message: "m", now: Sample.now)
    #expect(since == Sample.now)
    #expect(try catalog.queueState(key("a")) == nil)
  }
}
