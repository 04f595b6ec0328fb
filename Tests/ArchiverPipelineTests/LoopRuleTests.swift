import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What the loop of a run makes of failures, and which entries use up its number of items.
@Suite struct LoopRuleTests {
  private static func fail(
    _ source: ScriptedSource, _ numbers: Range<Int>, _ code: AdapterError.Code, _ message: String
  ) {
    for number in numbers {
      source.change("item\(number)") { $0.error = AdapterError(code, message) }
    }
  }

  @Test(
    arguments: [(.cancelled, nil), (.unauthorized, "stopped")] as [(AdapterError.Code, String?)])
  func `after an item that ends the run no other one is archived`(
    code: AdapterError.Code, failure: String?
  ) async throws {
    let source = ScriptedSource(count: 4)
    Self.fail(source, 3..<4, code, "stopped")
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 0 && report.failed.isEmpty)
      #expect(report.failure?.message == failure)
      source.change("item3") { $0.error = nil }
      #expect(try await bench.run().archived == 4)
    }
  }

  @Test func `batches whose items fail by themselves are no outage`() async throws {
    let source = ScriptedSource(count: 9)
    Self.fail(source, 0..<8, .malformed, "broken")
    Self.fail(source, 8..<9, .unavailable, "503")
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failure == nil)
      #expect(report.failed.count == 9)
      #expect(source.itemRequests.count == 9)
    }
  }

  @Test func `the last failure of the last items explains that the source was out`() async throws {
    let source = ScriptedSource(count: 2)
    for number in 0..<2 {
      Self.fail(source, number..<number + 1, .unavailable, "no answer for \(number)")
    }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      // The newest item comes first.
      let report = try await bench.run()
      #expect(report.failure?.message == "no answer for 0")
    }
  }

  @Test func `an item for which a responding source fails is retried like other failures`()
    async throws
  {
    let source = ScriptedSource(count: 1)
    Self.fail(source, 0..<1, .unavailable, "503")
    try await Bench.with(source) { bench in
      for attempts in 1...3 {
        #expect(try await bench.run().failed.map(\.message) == ["503"])
        let failures = try bench.archive.catalog.failures(source: nil)
        #expect(failures.map(\.work.attempts) == [attempts])
        #expect(failures.map(\.work.gaveUp) == [false])
        bench.advance(hours: 24)
      }
    }
  }

  @Test func `a source that stays away is not asked again for what it did not deliver`()
    async throws
  {
    let source = ScriptedSource(count: 30)
    Self.fail(source, 0..<20, .unavailable, "refused")
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      bench.whenAsleep { _ in }
      let report = try await bench.run { $0.patience = .seconds(20) }
      #expect(report.failure?.code == .unavailable)
      let asked = source.itemRequests
      #expect(Set(asked).count == asked.count)
    }
  }

  /// A disk without room for bundles.
  private final class FullDisk: FaultInjector {
    let isFull = Mutex(false)

    func fault(before operation: FileOperation, path: String) -> Int32? {
      operation == .write && isFull.withLock { $0 } ? ENOSPC : nil
    }
  }

  @Test func `a full disk ends the run before all items are requested`() async throws {
    let source = ScriptedSource()
    for number in 0..<100 { source.set(ScriptedSource.article(number, pictures: 0)) }
    let disk = FullDisk()
    try await Bench.with(source, faults: disk) { (bench) async throws in
      disk.isFull.withLock { $0 = true }
      await #expect(throws: StorageError.self) { try await bench.run() }
      disk.isFull.withLock { $0 = false }
      #expect(source.itemRequests.count < 50)
      #expect(try bench.ids().isEmpty)
    }
  }

  @Test func `an item that still lacks a part leaves its place to the next`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(1, pictures: 0)
    item.html? += "<img src=\"http://elsewhere.example/a.gif\" alt=\"a\">"
    source.set(item)
    source.picture("/a.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      source.set(ScriptedSource.article(0, pictures: 0))
      bench.advance(hours: 3)
      let report = try await bench.run { $0.maxItems = 1 }
      #expect((report.archived, report.unchanged) == (1, 1))
      #expect(try bench.ids() == ["item0", "item1"])
    }
  }

  @Test(arguments: [["item0"], ["item2", "item0"]])
  func `an item that the retention policy leaves out leaves its place to the next`(
    changed: [String]
  ) async throws {
    let source = ScriptedSource()
    for number in [0, 2] { source.set(ScriptedSource.article(number, pictures: 0)) }
    source.change("item0") { $0.isPinned = true }
    try await Bench.with(source) { bench in
      bench.keep(1)
      #expect(try await bench.run().archived == 2)
      source.set(ScriptedSource.article(1, pictures: 0))
      for id in changed {
        source.change(id) {
          $0.revision = "2"
          $0.labels = ["new"]
        }
      }
      let trial = await bench.dryRun { $0.maxItems = changed.count }
      #expect(trial.sources.first?.wouldFetch.map(\.id) == changed)
      let report = try await bench.run { $0.maxItems = changed.count }
      #expect((report.archived, report.leftOut) == (changed.count, 1))
    }
  }

  @Test func `an item for which there is no space leaves its place to the next`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(2, pictures: 0))
    try await Bench.with(source) { bench in
      bench.limit(to: 1_000_000)
      #expect(try await bench.run().archived == 1)
      source.change("item2") {
        $0.revision = "2"
        $0.labels = ["new"]
      }
      source.set(ScriptedSource.article(0, pictures: 0))
      var large = ScriptedSource.article(1, pictures: 0)
      let url = try #require(WebURL(ScriptedSource.origin + "/large.pdf"))
      var file = Attachment(.file, .remote(url), name: "large.pdf", mediaType: "application/pdf")
      file.byteCount = 10_000_000
      large.attachments = [file]
      source.set(large)
      let report = try await bench.run { $0.maxItems = 2 }
      #expect(report.archived == 2)
      #expect(report.held.map(\.id) == ["item1"])
      #expect(bench.requests("/large.pdf") == 0)
      #expect(try bench.ids() == ["item0", "item2"])
    }
  }

  @Test func `bundles that turn out too large leave nothing in staging`() async throws {
    let source = ScriptedSource(count: 3)
    try await Bench.with(source) { bench in
      bench.limit(to: 10)
      let report = try await bench.run()
      #expect(report.archived == 0)
      #expect(Set(report.held.map(\.id)) == ["item0", "item1", "item2"])
      let staging = bench.path + "/.archiver/staging"
      #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == [])
    }
  }

  @Test func `an item that was given up is a known one`() async throws {
    let source = ScriptedSource(count: 2)
    Self.fail(source, 1..<2, .malformed, "broken")
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.limits[.attempts] = 1 }
      #expect(try bench.archive.catalog.failures(source: nil).map(\.work.gaveUp) == [true])
      let report = try await bench.run { $0.only = ["item1", "nosuch"] }
      #expect(report.unknown == ["nosuch"])
      let trial = await bench.dryRun { $0.only = ["item1", "nosuch"] }
      #expect(trial.unknownIDs == ["nosuch"])
    }
  }
}
