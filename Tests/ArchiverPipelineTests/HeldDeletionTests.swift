import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Sudden deletions are held back until a person accepts them or the items are back.
@Suite struct HeldDeletionTests {
  private func remove(_ options: inout RunOptions) {
    options.onDeleted = .remove
    options.fullListing = true
  }

  private func keep(_ options: inout RunOptions) {
    options.onDeleted = DeletionPolicy.keep
    options.fullListing = true
  }

  /// Calls `body` after a run that held back the deletion of the first `gone` of `count` items.
  private func withHeld(
    _ gone: Int, of count: Int, _ body: (Bench, ScriptedSource) async throws -> Void
  ) async throws {
    let source = ScriptedSource(count: count)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      take(0..<gone, from: source)
      let report = try await bench.run(remove)
      #expect(
        report.vanished == SourceReport.Vanished(count: gone, total: count, wasRefused: true))
      #expect(report.needsDecision && report.removed.isEmpty)
      #expect(try held(bench) == gone)
      try await body(bench, source)
    }
  }

  private func take(_ numbers: Range<Int>, from source: ScriptedSource) {
    source.state.withLock { state in
      for number in numbers { state.items["item\(number)"] = nil }
    }
  }

  private func held(_ bench: Bench) throws -> Int {
    try bench.archive.catalog.discovery(source: "scripted").deletionsHeld
  }

  private func accept(_ bench: Bench, _ sources: Set<String> = []) throws -> [Int] {
    try Deletion.acceptHeld(
      of: sources, in: bench.archive,
      library: LibraryBuilder(root: bench.archive.path, catalog: bench.archive.catalog)
    ).map(\.count)
  }

  @Test func `deletions stay held back however many items are added`() async throws {
    try await withHeld(12, of: 20) { bench, source in
      for number in 100..<130 { source.set(ScriptedSource.article(number)) }
      take(12..<13, from: source)
      for _ in 1...2 {
        let report = try await bench.run(remove)
        #expect(report.vanished == nil && report.removed.isEmpty)
      }
      #expect(try bench.archive.catalog.itemCount(source: nil) == 50)
      let trial = await bench.dryRun(remove)
      #expect(trial.sources.first?.wouldRemove == [])
    }
  }

  @Test func `a source of few items that lists none is held back`() async throws {
    try await withHeld(3, of: 3) { bench, source in
      source.set(ScriptedSource.article(100))
      let night1 = try await bench.run(remove)
      #expect(night1.removed.isEmpty)
      #expect(try bench.bundles().count == 4)
    }
  }

  @Test func `accepting removes what is held back, and later deletions are carried out`()
    async throws
  {
    try await withHeld(12, of: 20) { bench, source in
      #expect(try accept(bench, ["other"]) == [])
      #expect(try accept(bench) == [12])
      #expect(try bench.bundles().count == 8)
      #expect(try held(bench) == 0)
      #expect(try accept(bench) == [])
      take(12..<14, from: source)
      let report = try await bench.run(remove)
      #expect(report.removed.count == 2 && report.vanished == nil)
      source.state.withLock { $0.items = [:] }
      let night2 = try await bench.run(remove)
      #expect(night2.vanished?.count == 6)
    }
  }

  @Test func `deletions are held back no longer when most items are back`() async throws {
    try await withHeld(12, of: 20) { bench, source in
      for number in 0..<11 { source.set(ScriptedSource.article(number)) }
      let night3 = try await bench.run(remove)
      #expect(night3.removed.map(\.id) == ["item11"])
      #expect(try held(bench) == 0)
      take(0..<12, from: source)
      let night4 = try await bench.run(remove)
      #expect(night4.vanished?.wasRefused == true)
    }
  }

  @Test func `deletions that were marked are held back when they are first to be removed`()
    async throws
  {
    let source = ScriptedSource(count: 12)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      take(0..<12, from: source)
      #expect(try await bench.run { $0.fullListing = true }.vanished?.wasRefused == false)
      #expect(try held(bench) == 0)
      let night5 = try await bench.run(remove)
      #expect(night5.vanished?.wasRefused == true)
      let kept = try await bench.run(keep)
      #expect(kept.vanished == nil)
      #expect(try bench.archive.catalog.deletedItems(source: "scripted") == [])
      #expect(try held(bench) == 0)
    }
  }
}
