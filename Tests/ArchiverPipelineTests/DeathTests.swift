import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Items are recorded in a journal before they are processed, so that an item that crashes the
/// program affects only itself.
@Suite struct DeathTests {
  /// Leaves the archive in the state after a crash while these items were processed.
  private func die(at ids: [String], _ bench: Bench) {
    let journal = WorkJournal(bench.archive)
    journal.begin(ids.map { ItemKey(source: "scripted", id: $0) })
  }

  @Test func `items in work at a crash are tried last`() async throws {
    let source = ScriptedSource(count: 6)
    try await Bench.with(source) { bench in
      // The first run archives one item only, so that the others are queued.
      _ = try await bench.run { $0.maxItems = 1 }
      die(at: ["item4", "item3"], bench)
      let before = source.itemRequests.count
      let report = try await bench.run()
      #expect(report.archived == 5)
      #expect(Set(source.itemRequests.dropFirst(before).suffix(2)) == ["item4", "item3"])
      #expect(source.state.withLock { $0.batches }.suffix(2) == [1, 1])
      #expect(WorkJournal(bench.archive).left.isEmpty)
    }
  }

  @Test func `at the second crash an item has failed, and is tried when the library stands`()
    async throws
  {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      let key = ItemKey(source: "scripted", id: "item0")
      for _ in 0..<2 { try bench.archive.catalog.noteDeath(.crash, [key], now: Date()) }
      let failures = try bench.archive.catalog.failures(source: nil)
      #expect(failures.map(\.key) == [key])
      #expect(failures.first?.work.failure?.contains("died") == true)
      #expect(try bench.archive.catalog.sources().first?.failing == 1)
      let report = try await bench.run()
      #expect(report.archived == 2)
      #expect(source.itemRequests.last == "item0")
      #expect(try bench.library("../index.html").contains("Article 0"))
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
      #expect(try bench.ids() == ["item0", "item1", "item2"])
    }
  }

  @Test func `from the fifth crash on an item waits`() async throws {
    try await Bench.with(ScriptedSource(count: 2)) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      let key = ItemKey(source: "scripted", id: "item0")
      for _ in 0..<5 { try bench.archive.catalog.noteDeath(.crash, [key], now: Date()) }
      #expect(try await bench.run().archived == 0)
      bench.advance(hours: 40)
      #expect(try await bench.run().archived == 1)
    }
  }

  @Test func `a program that is killed ten times fails no item`() async throws {
    let source = ScriptedSource(count: 4)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      for _ in 0..<10 {
        die(at: ["item0", "item1", "item2"], bench)
        let journal = WorkJournal(bench.archive)
        #expect(journal.death == .killed)
        try bench.archive.catalog.noteDeath(.killed, journal.left, now: Date())
      }
      let report = try await bench.run()
      #expect(report.failed.isEmpty)
      #expect(report.archived == 3)
      #expect(try bench.archive.catalog.failures(source: nil).isEmpty)
    }
  }

  @Test func `a damaged journal is read as far as possible`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      die(at: ["item0", "a\n\"b\u{0}"], bench)
      let left = WorkJournal(bench.archive).left
      #expect(Set(left.map(\.id)) == ["item0", "a\n\"b\u{0}"])
    }
  }
}
