import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Deletions that an earlier run found, and the journal of a run that does not get to its items.
@Suite struct DeletionOrderTests {
  private static func key(_ id: String) -> ItemKey { ItemKey(source: "scripted", id: id) }

  /// Calls `body` after a run that marked the second of three items as deleted.
  private func withMarked(_ body: (Bench) async throws -> Void) async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { $0.items["item1"] = nil }
      #expect(try await bench.run { $0.fullListing = true }.plan.deleted == 1)
      try await body(bench)
    }
  }

  @Test func `an item that was marked before is removed from the library too`() async throws {
    try await withMarked { bench in
      let report = try await bench.run { $0.onDeleted = .remove }
      #expect(report.plan.deleted == 0)
      #expect(report.removed.map(\.id) == ["item1"])
      #expect(try !bench.library("../index.html").contains("Article 1"))
    }
  }

  @Test func `a single deletion that is held back is reported once`() async throws {
    try await withMarked { bench in
      try bench.archive.catalog.noteHeldDeletions(1, source: "scripted")
      let report = try await bench.run { $0.onDeleted = .remove }
      #expect(report.vanished == nil && report.removed.isEmpty)
      #expect(try bench.ids() == ["item0", "item1", "item2"])
      #expect(try bench.archive.catalog.discovery(source: "scripted").deletionsHeld == 1)
    }
  }

  @Test(arguments: [(.mark, true), (.keep, false)] as [(DeletionPolicy, Bool)])
  func `a deletion stays marked unless deletions are to be forgotten`(
    policy: DeletionPolicy, isMarked: Bool
  ) async throws {
    try await withMarked { bench in
      let report = try await bench.run { $0.onDeleted = policy }
      #expect(report.removed.isEmpty && !report.hasChanged)
      let deleted = try bench.archive.catalog.deletedItems(source: "scripted")
      #expect(deleted == (isMarked ? [Self.key("item1")] : []))
    }
  }

  private static func journal(_ bench: Bench) -> String {
    let data = FileManager.default.contents(atPath: bench.path + "/.archiver/working")
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// Leaves the archive as after a crash while an item was processed.
  private func die(at id: String, _ bench: Bench) {
    let journal = WorkJournal(bench.archive)
    journal.begin([Self.key(id)])
  }

  @Test func `a crash is counted once although the next run cannot list its source`()
    async throws
  {
    let source = ScriptedSource(count: 2)
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.maxItems = 1 }
      die(at: "item0", bench)
      #expect(Self.journal(bench).contains("item0"))
      source.state.withLock { $0.listingError = AdapterError(.unauthorized, "refused") }
      #expect(try await bench.run().failure?.message == "refused")
      #expect(Self.journal(bench) == "")
    }
  }

  @Test func `an item in work is in the journal and downloads, until its run is cancelled`()
    async throws
  {
    let source = ScriptedSource(count: 1)
    let url = try #require(WebURL(ScriptedSource.origin + "/file.pdf"))
    source.change("item0") {
      $0.attachments = [
        Attachment(.file, .remote(url), name: "file.pdf", mediaType: "application/pdf")
      ]
    }
    source.state.withLock { $0.preparing = ["/file.pdf": 1_000_000] }
    try await Bench.with(source) { bench in
      let task = Task { try await bench.run() }
      try await Condition.wait { bench.requests("/file.pdf") > 0 }
      #expect(Self.journal(bench).contains("item0"))
      #expect(try bench.status("item0") == .downloading)
      task.cancel()
      #expect(try await task.value.archived == 0)
      #expect(Self.journal(bench) == "")
      #expect(try bench.status("item0") == .queued)
    }
  }
}
