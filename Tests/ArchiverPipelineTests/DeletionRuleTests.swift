import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Which deletions at the source are carried out, and which are held back.
struct DeletionRuleTests {
  @Test(
    arguments: [
      // Nothing was held back before: ten items and half of the source, or all of at least two.
      (0, 1, 1, false), (0, 2, 2, true), (0, 2, 3, false), (0, 9, 10, false), (0, 10, 20, true),
      (0, 10, 21, false), (0, 0, 3, false),
      // Then it stays so while half of them, or ten, are still deleted.
      (4, 2, 20, true), (4, 1, 20, false), (5, 2, 20, false), (1, 1, 5, true),
      (100, 10, 50, true), (100, 9, 50, false), (4, 0, 20, false),
    ])
  func `deletions are held back when many items are gone at once`(
    held: Int, gone: Int, total: Int, isRefused: Bool
  ) async throws {
    try await Bench.with(ScriptedSource()) { bench in
      let catalog = bench.archive.catalog
      let ids = (0..<total).map { "item\($0)" }
      try bench.record(ids)
      let deleted = Array(ids.prefix(gone))
      _ = try catalog.enqueue(
        ListingPage(deleted: deleted), source: "scripted",
        listing: try catalog.beginListing(source: "scripted"), force: false)
      try catalog.noteHeldDeletions(held, source: "scripted")
      let found = try Deletion.removable(of: "scripted", in: catalog)
      let refusal = SourceReport.Vanished(count: gone, total: total, wasRefused: true)
      #expect(found.refusal == (isRefused ? refusal : nil))
      #expect(found.keys.map(\.id) == (isRefused ? [] : deleted.sorted()))
      #expect(found.notes.map(\.id) == found.keys.map(\.id))
      #expect(found.notes.allSatisfy { $0.message == "deleted at the source" })
    }
  }

  @Test(arguments: [(1, false), (2, true)])
  func `all items of a source vanish suddenly if they are more than one`(
    count: Int, isSudden: Bool
  ) async throws {
    let source = ScriptedSource(count: count)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { $0.items = [:] }
      let report = try await bench.run { $0.fullListing = true }
      let vanished = SourceReport.Vanished(count: count, total: count, wasRefused: false)
      #expect(report.plan.deleted == count)
      #expect(report.vanished == (isSudden ? vanished : nil))
    }
  }

  /// Two articles, of which the first links to the second.
  private static func linked() -> ScriptedSource {
    let source = ScriptedSource(count: 2)
    source.change("item0") {
      $0.html = ($0.html ?? "") + "<p><a href=\"https://site.example/item1\">there</a></p>"
    }
    return source
  }

  @Test func `accepting one deletion updates pages, the library and the pool`() async throws {
    let source = Self.linked()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.page("item0").contains("class=\"origin\""))
      let size = try bench.poolSize()
      source.state.withLock { $0.items["item1"] = nil }
      _ = try await bench.run { $0.fullListing = true }
      try bench.archive.catalog.noteHeldDeletions(1, source: "scripted")
      let library = LibraryBuilder(root: bench.archive.path, catalog: bench.archive.catalog)
      let accepted = try Deletion.acceptHeld(of: ["scripted"], in: bench.archive, library: library)
      #expect(accepted.map(\.source) == ["scripted"] && accepted.map(\.count) == [1])
      #expect(try bench.ids() == ["item0"])
      #expect(try !bench.page("item0").contains("class=\"origin\""))
      #expect(try !bench.library("../index.html").contains("Article 1"))
      #expect(try bench.poolSize() < size)
      #expect(try await bench.verify() == [])
    }
  }

  @Test func `a run that removes an item takes it from the library too`() async throws {
    let source = Self.linked()
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.library("../index.html").contains("Article 1"))
      source.state.withLock { $0.items["item1"] = nil }
      let report = try await bench.run {
        $0.fullListing = true
        $0.onDeleted = .remove
      }
      #expect(report.removed.map(\.id) == ["item1"] && report.removed.map(\.title) == ["Article 1"])
      #expect(try !bench.library("../index.html").contains("Article 1"))
      #expect(try !bench.page("item0").contains("class=\"origin\""))
    }
  }

  @Test func `nothing is removed after a listing that failed`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { $0.items["item1"] = nil }
      _ = try await bench.run { $0.fullListing = true }
      // Items that cannot be fetched end the source's run.
      source.set(ScriptedSource.article(7))
      source.change("item7") { $0.error = AdapterError(.unauthorized, "refused") }
      let report = try await bench.run { $0.onDeleted = .remove }
      #expect(report.failure?.message == "refused" && report.removed.isEmpty)
      #expect(report.failed.isEmpty)
      #expect(try bench.ids() == ["item0", "item1", "item2"])
      source.change("item7") { $0.error = nil }
      #expect(try await bench.run { $0.onDeleted = .remove }.removed.map(\.id) == ["item1"])
    }
  }

  @Test func `a deleted and a withheld item are both shown by the library at once`() async throws {
    let source = ScriptedSource(count: 4)
    source.state.withLock { $0.isComplete = false }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock {
        $0.items["item1"] = nil
        $0.items["item2"] = nil
        $0.standings = ["item1": .withheld, "item2": .gone]
      }
      let report = try await bench.run { $0.fullListing = true }
      #expect((report.plan.withheld, report.plan.deleted, report.archived) == (1, 1, 0))
      let page = try bench.library("problems.html")
      #expect(page.contains("withheldItems") && page.contains("goneItems"))
    }
  }
}
