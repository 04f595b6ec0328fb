import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What a person must hear of a night: each bad thing in one report, and not in the next.
@Suite struct NightReportTests {
  private func record(_ bench: Bench) throws -> RunRecord {
    try #require(try bench.archive.catalog.runs(source: "scripted", limit: 1).first)
  }

  private func status(_ bench: Bench) throws -> SourceStatus {
    try #require(try bench.archive.catalog.sources().first)
  }

  @Test func `a copy is reported as held back once, and again if it changes`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for (revision, html, isNew) in [
        ("2", "<p>Please log in.</p>", true), ("3", "<p>Please log in.</p>", false),
        ("4", "<p>Please pay.</p>", true),
      ] {
        source.change("item0") {
          $0.revision = revision
          $0.html = html
        }
        let report = try await bench.run()
        #expect(report.kept.map(\.id) == ["item0"])
        #expect(report.heldBack.map(\.id) == (isNew ? ["item0"] : []), "\(revision)")
        #expect(report.needsDecision == isNew)
      }
      #expect(try bench.archive.catalog.heldBackCount(source: "scripted") == 1)
      #expect(try record(bench).outcome == .ok)
    }
  }

  @Test(arguments: [(12, 12, true), (12, 9, false), (30, 12, false), (20, 10, true)])
  func `many deletions at once are reported once`(
    count: Int, deleted: Int, isSudden: Bool
  ) async throws {
    let source = ScriptedSource(count: count)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { state in
        for number in 0..<deleted { state.items["item\(number)"] = nil }
      }
      let report = try await bench.run { $0.fullListing = true }
      let expected = SourceReport.Vanished(count: deleted, total: count, wasRefused: false)
      #expect(report.vanished == (isSudden ? expected : nil))
      #expect(!report.needsDecision && report.isWhole)
      #expect(try await bench.run { $0.fullListing = true }.vanished == nil)
      #expect(try status(bench).deleted == deleted)
    }
  }

  @Test func `removals that are refused are reported once`() async throws {
    let source = ScriptedSource(count: 12)
    try await Bench.with(source) { bench in
      func remove(_ options: inout RunOptions) {
        options.onDeleted = .remove
        options.fullListing = true
      }
      _ = try await bench.run()
      source.state.withLock { $0.items = [:] }
      let report = try await bench.run(remove)
      #expect(report.vanished == SourceReport.Vanished(count: 12, total: 12, wasRefused: true))
      #expect(report.needsDecision && report.removed.isEmpty)
      let next = try await bench.run(remove)
      #expect(next.vanished == nil && next.removed.isEmpty)
      #expect(try bench.archive.catalog.itemCount(source: nil) == 12)
    }
  }

  @Test func `a run without a report is named by the next one`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      let start = Date(timeIntervalSince1970: 1_700_000_000)
      _ = try bench.archive.catalog.beginRun(
        RunRecord(source: "scripted", kind: "scripted", started: start))
      #expect(try await bench.run().diedBefore == start)
      #expect(try await bench.run().diedBefore == nil)
    }
  }

  @Test func `a run is at work only while a run holds the archive`() async throws {
    try await TemporaryFolder.with("lock") { folder in
      let path = folder + "/archive"
      #expect(!Archive.isRunAtWork(path: path))
      for (holder, isRun) in [("run", true), ("cleanup", false)] {
        let archive = try Archive.open(path: path, mode: .readWrite(holder: holder))
        #expect(Archive.isRunAtWork(path: path) == isRun, "\(holder)")
        withExtendedLifetime(archive) {}
      }
      // The file still names the last holder.
      #expect(!Archive.isRunAtWork(path: path))
      _ = try Archive.open(path: path, mode: .readWrite(holder: "run"))
      #expect(!Archive.isRunAtWork(path: path))
    }
  }

  @Test func `items that fail and are not tried are counted`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item1") { $0.error = AdapterError(.malformed, "field title is no text") }
    try await Bench.with(source) { bench in
      let first = try await bench.run()
      #expect((first.failed.count, first.stillFailing) == (1, 0))
      let second = try await bench.run()
      #expect((second.failed.count, second.stillFailing) == (0, 1))
    }
  }

  @Test func `an item that is given up says how to request it again`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") { $0.error = AdapterError(.malformed, "field title is no text") }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.limits[.attempts] = 1 }
      let message = try #require(report.failed.first?.message)
      #expect(message.contains("given up until it changes or 'archiver retry' requeues it"))
    }
  }

  @Test func `a part that stays missing is said to be still missing`() {
    #expect("an image is missing (404)".stillMissing == "an image is still missing (404)")
    #expect("2 images are missing".stillMissing == "2 images are still missing")
  }

  @Test func `a run that its time limit ended has reached the source`() async throws {
    let source = ScriptedSource(count: 500)
    try await Bench.with(source) { bench in
      let limit = TimeLimit(.seconds(1), lateListing: "late")
      let run = Task { try await bench.run { $0.timeLimit = limit } }
      while source.itemRequests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      limit.end()
      run.cancel()
      let report = try await run.value
      #expect(report.waiting > 0)
      let record = try record(bench)
      #expect(record.outcome == .ok && record.failure == nil)
      #expect(try status(bench).lastSuccess != nil)
    }
  }

  /// A disk without room for bundles.
  private final class FullDisk: FaultInjector {
    let isFull = Mutex(false)

    func fault(before operation: FileOperation, path: String) -> Int32? {
      operation == .write && isFull.withLock { $0 } ? ENOSPC : nil
    }
  }

  @Test func `a run that could not write the archive is no success`() async throws {
    let source = ScriptedSource(count: 1)
    let disk = FullDisk()
    try await Bench.with(source, faults: disk) { bench in
      _ = try await bench.run()
      let success = try status(bench).lastSuccess
      source.set(ScriptedSource.article(7))
      bench.advance(hours: 1)
      disk.isFull.withLock { $0 = true }
      await #expect(throws: StorageError.self) { try await bench.run() }
      disk.isFull.withLock { $0 = false }
      let record = try record(bench)
      #expect(record.outcome == .interrupted && record.failure != nil)
      #expect(try status(bench).lastSuccess == success)
    }
  }

  @Test func `a full listing records how many items it named`() async throws {
    try await Bench.with(ScriptedSource(count: 3)) { bench in
      for _ in 0..<2 {
        _ = try await bench.run { $0.fullListing = true }
        #expect(try bench.archive.catalog.discovery(source: "scripted").wholeFound == 3)
      }
    }
  }
}
