import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

@Suite struct RetentionTests {
  @Test func `a backlog worked off over several nights ends with its newest items`() async throws {
    try await Bench.with(ScriptedSource(count: 9)) { bench in
      bench.keep(4)
      _ = try await bench.run { $0.maxItems = 3 }
      #expect(try bench.ids() == ["item8", "item7", "item6"])
      let second = try await bench.run { $0.maxItems = 3 }
      #expect(try bench.ids() == ["item8", "item7", "item6", "item5"])
      #expect(second.expired.isEmpty)
      let third = try await bench.run { $0.maxItems = 3 }
      #expect(third.archived == 0 && third.expired.isEmpty)
      #expect((0...4).allSatisfy { bench.requests("/pic/\($0)-0.gif") == 0 })
      #expect(try bench.ids() == ["item8", "item7", "item6", "item5"])
      let asked = bench.source.itemRequests.count
      let fourth = try await bench.run()
      #expect(fourth.waiting == 0 && fourth.archived == 0)
      #expect(bench.source.itemRequests.count == asked, "nothing is asked for twice")
    }
  }

  @Test func `an item that would be evicted at once is never downloaded`() async throws {
    let source = ScriptedSource(count: 60)
    try await Bench.with(source) { bench in
      bench.keep(5)
      let report = try await bench.run()
      #expect(report.archived == 5)
      #expect((report.plan.selected, report.leftOut, report.deferred.count) == (5, 55, 0))
      #expect(report.expired.isEmpty)
      #expect(try bench.ids() == Set((55..<60).map { "item\($0)" }))
      let downloads = (0..<60).count { bench.requests("/pic/\($0)-0.gif") > 0 }
      #expect(downloads == 5)
    }
  }

  @Test(arguments: [nil, 3, 30])
  func `a dry run names what a run would archive under a retention policy`(most: Int?) async throws
  {
    let source = ScriptedSource(count: 40)
    try await Bench.with(source) { bench in
      bench.keep(5)
      for _ in 0..<2 {
        let plan = await bench.dryRun { $0.maxItems = most }.sources[0]
        let report = try await bench.run { $0.maxItems = most }
        #expect(plan.wouldFetch.count == report.archived)
        #expect(Set(plan.wouldFetch.map(\.id)).isSubset(of: try bench.ids()))
        #expect(plan.waiting == 0 || most == 3)
      }
      // A newer item takes the place of the oldest.
      source.set(ScriptedSource.article(40))
      let plan = await bench.dryRun { $0.maxItems = most }.sources[0]
      #expect(plan.wouldFetch.map(\.id) == ["item40"])
      #expect(try await bench.run { $0.maxItems = most }.archived == 1)
    }
  }

  @Test func `a failed item leaves its space to the next`() async throws {
    let source = ScriptedSource(count: 20)
    for number in [19, 18] {
      source.change("item\(number)") { $0.error = AdapterError(.malformed, "it is broken") }
    }
    try await Bench.with(source) { bench in
      bench.keep(5)
      _ = try await bench.run()
      #expect(try bench.ids() == Set((13..<18).map { "item\($0)" }))
    }
  }

  @Test func `older items come where something keeps them`() async throws {
    let source = ScriptedSource(count: 8)
    source.change("item1") { $0.isPinned = true }
    // A label is not a command.
    source.change("item3") { $0.labels = ["pinned"] }
    source.change("item2") { $0.annotations = [Annotation(id: "h", text: "word2x1")] }
    try await Bench.with(source) { bench in
      bench.keep(3)
      _ = try await bench.run { $0.maxItems = 3 }
      try bench.archive.catalog.setPinned(true, Self.key("item0"))
      _ = try await bench.run()
      #expect(try bench.ids().isSuperset(of: ["item7", "item0", "item1", "item2"]))
      #expect(try !bench.ids().contains("item3"))
      _ = try await bench.run {
        $0.only = ["item3"]
        $0.force = true
      }
      #expect(bench.requests("/pic/3-0.gif") == 1, "who asks for one by its id gets it")
      source.change("item7") {
        $0.revision = "2"
        $0.html = $0.html.map { $0 + "<p>Rewritten.</p>" }
      }
      let changed = try await bench.run()
      #expect(changed.archived == 1)
    }
  }

  @Test func `a newer item takes the place of the oldest`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      bench.keep(3)
      _ = try await bench.run()
      source.set(ScriptedSource.article(3))
      #expect(try await bench.run().expired.map(\.id) == ["item0"])
      #expect(try bench.ids() == ["item3", "item2", "item1"])
    }
  }

  @Test func `an item too old to stay evicts no other`() async throws {
    try await Bench.with(ScriptedSource(count: 8)) { bench in
      bench.keep(3)
      _ = try await bench.run { $0.maxItems = 3 }
      bench.advance(hours: 48)
      bench.keep(3, archivedSince: Date(timeIntervalSinceNow: 24 * 3_600))
      let second = try await bench.run { $0.maxItems = 3 }
      #expect(second.expired.map(\.id) == ["item5", "item6", "item7"])
      #expect(try bench.ids() == ["item4", "item3", "item2"])
    }
  }

  @Test func `age counts from the day of archiving`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      _ = try await bench.run { $0.only = ["item0"] }
      bench.advance(hours: 48)
      _ = try await bench.run()
      let policy = RetentionPolicy(archivedBefore: Date(timeIntervalSinceNow: 24 * 3_600))
      let plan = try Retention(policy).plan(bench.archive.catalog)
      #expect(plan.items.map(\.key.id) == ["item0"])
      #expect(abs((plan.items.first?.date ?? .distantPast).timeIntervalSinceNow) < 600)
    }
  }

  @Test func `a size limit removes the oldest items first`() async throws {
    try await Bench.with(ScriptedSource(count: 4)) { bench in
      _ = try await bench.run()
      let size = try bench.item("item3").byteCount
      let plan = try Retention(RetentionPolicy(maxBytes: size * 5 / 2)).plan(bench.archive.catalog)
      #expect(plan.items.map(\.key.id) == ["item0", "item1"])
    }
  }

  @Test func `a plan counts what stays only because it is protected or pinned`() async throws {
    let source = ScriptedSource(count: 5)
    source.change("item1") { $0.annotations = [Annotation(id: "h", text: "word1x1")] }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      try bench.archive.catalog.setPinned(true, Self.key("item0"))
      let plan = try Retention(RetentionPolicy(keep: 2)).plan(bench.archive.catalog)
      #expect(plan.items.map(\.key.id) == ["item2"])
      #expect((plan.treasured, plan.pinned) == (1, 1))
    }
  }

  private static func key(_ id: String) -> ItemKey { ItemKey(source: "scripted", id: id) }
}
