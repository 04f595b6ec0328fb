import ArchiverCore
import Testing

@testable import ArchiverStorage

extension CatalogConformance {
  static let standings = [
    CatalogConformance("what a listing has not named comes by id, in parts") { catalog in
      try archive(
        catalog, Sample.item("a"), Sample.item("b"), Sample.item("c"), Sample.item("d"),
        Sample.item("gone"), Sample.item("x", source: "other"))
      try enqueue(catalog, deleted: ["gone"])
      let listing = try catalog.beginListing(source: source)
      try enqueueIn(listing, catalog, Sample.reference("b"))
      func unnamed(_ last: String?) throws -> [String] {
        try catalog.unnamed(listing, source: source, after: last, limit: 2)
      }
      #expect(try unnamed(nil) == ["a", "c"])
      #expect(try unnamed("c") == ["d"])
      #expect(try unnamed("d") == [])
    },
    CatalogConformance("the state of a queue entry is the same wherever it is asked for") {
      catalog in
      try archive(catalog, Sample.item("a"))
      try enqueue(catalog, Sample.reference("a", revision: "r2"), Sample.reference("b", date: 7))
      let later = Sample.now + 60
      for id in ["a", "b", "b"] {
        try catalog.recordFailure(
          key(id), message: "no \(id)", nextAttempt: id == "b" ? later : nil, gaveUp: false)
      }
      let old = QueueState(reason: .changed, attempts: 1, message: "no a")
      let new = QueueState(reason: .new, attempts: 2, message: "no b", nextAttempt: later)
      #expect(try catalog.queueState(key("a")) == old)
      #expect(try catalog.queueState(key("b")) == new)
      #expect(try catalog.queueState(key("c")) == nil)
      #expect(try catalog.statesOfArchived() == [key("a"): old])
      var absent: [AbsentItem] = []
      try catalog.forEachAbsent(source: nil) {
        absent.append($0)
        return true
      }
      #expect(absent.map(\.key) == [key("b")])
      #expect(absent.first?.title == "Title of b")
      #expect(absent.first?.date == Date(timeIntervalSince1970: 7))
      #expect(absent.first?.state == new)
    },
    CatalogConformance("what is withheld or gone is marked and leaves the queue") {
      try archive($0, Sample.item("a"), Sample.item("b"), Sample.item("c"))
      try enqueue($0, Sample.reference("a", revision: "r2"), Sample.reference("b", revision: "r2"))
      let standings: [String: ItemStanding] = [
        "a": .withheld, "b": .gone, "c": .available, "never seen": .withheld,
      ]
      let summary = try $0.note(standings, source: source)
      #expect((summary.withheld, summary.deleted) == (1, 1))
      #expect(try $0.item(key("a"))?.state == .withheld)
      #expect(try $0.item(key("b"))?.state == .deleted)
      #expect(try $0.item(key("c"))?.state == .archived)
      #expect(try work($0).isEmpty)
      #expect(try $0.note(["a": .withheld, "b": .withheld], source: source) == PlanSummary())
      #expect(try $0.item(key("b"))?.state == .deleted)
    },
    CatalogConformance("a withheld item may be deleted later, and comes back when it is named") {
      try archive($0, Sample.item("a"), Sample.item("b"))
      _ = try $0.note(["a": .withheld, "b": .withheld], source: source)
      #expect(try enqueue($0, deleted: ["a"]).deleted == 1)
      #expect(try $0.item(key("a"))?.state == .deleted)
      let summary = try enqueue($0, Sample.reference("b", revision: "r2"))
      #expect((summary.returned, summary.changed) == (1, 1))
      #expect(try $0.item(key("b"))?.state == .archived)
    },
  ]

  static let deferring = [
    CatalogConformance("deferred items that fit come back, newest first, pinned ones in any case") {
      try $0.setPinned(true, key("0"))
      for number in 0..<4 {
        try enqueue($0, Sample.reference("\(number)", date: Double(number)))
        try $0.hold(
          key("\(number)"), title: "", revision: "r1", needed: 10, message: "no space")
      }
      #expect(try work($0).isEmpty)
      #expect(try $0.releaseHeld(source: source, room: 25) == 3)
      #expect(try work($0).map(\.reference.id) == ["3", "2", "0"])
      #expect(try $0.releaseHeld(source: source, room: nil) == 1)
      #expect(try work($0).map(\.reference.id) == ["3", "2", "1", "0"])
    }
  ]

  static let mending = [
    CatalogConformance("a recorded mending changes the item alone, its queue entry stays") {
      try archive($0, Sample.item("a"))
      try enqueue($0, Sample.reference("a", revision: "r2"), Sample.reference("b"))
      try $0.recordFailure(key("a"), message: "no", nextAttempt: Sample.now, gaveUp: false)
      var item = Sample.item("a")
      item.byteCount += 17
      let mended = Intent.mend(Sample.publication(item))
      try $0.announce([mended])
      #expect(try $0.intents() == [mended])
      #expect(try $0.item(key("a"))?.byteCount == Sample.item("a").byteCount)
      try $0.record([mended])
      #expect(try $0.intents().isEmpty)
      #expect(try $0.item(key("a")) == item)
      let found = try work($0)
      #expect(found.map(\.reference.id) == ["a", "b"])
      #expect(found.map(\.reference.revision) == ["r2", "r1"])
      #expect(found.map(\.attempts) == [1, 0])
      #expect(found.first?.failure == "no")
    },
    CatalogConformance("a mending that was abandoned changes nothing") {
      try archive($0, Sample.item("a"))
      var item = Sample.item("a")
      item.byteCount += 17
      try $0.announce([.mend(Sample.publication(item))])
      try $0.abandon([key("a")])
      #expect(try $0.intents().isEmpty)
      #expect(try $0.item(key("a")) == Sample.item("a"))
    },
    CatalogConformance("an incomplete entry is still incomplete after a mending") {
      try enqueue($0, Sample.reference("a", payload: "note"))
      try archive($0, Sample.item("a"), retryImagesAt: Sample.now)
      let before = try work($0)
      #expect(before.map(\.reason) == [.incomplete])
      try $0.record([.mend(Sample.publication(Sample.item("a")))])
      #expect(try work($0) == before)
    },
  ]
}
