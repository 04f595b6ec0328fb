import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// An outage is one event of the source, not one failure for each item.
@Suite struct OutageTests {
  @Test(arguments: [500, 502, 503, 504])
  func `images lost while the whole server failed are due at the next run`(
    status: Int
  ) async throws {
    let source = ScriptedSource(count: 3)
    for number in 0..<3 { source.picture("/pic/\(number)-0.gif", ServerResponse(status)) }
    source.answersHead.withLock { $0 = false }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.archived, report.unreached, report.failed.count) == (3, 3, 0))
      #expect(!report.isWhole)
      #expect(try bench.item("item0").completeness == .failed)
      for number in 0..<3 { source.picture("/pic/\(number)-0.gif", nil) }
      source.answersHead.withLock { $0 = true }
      let next = try await bench.run()
      #expect(next.archived == 3 && next.isWhole)
      #expect(try bench.item("item0").completeness == .complete)
    }
  }

  @Test func `images that a responding server refuses are due after a delay`() async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect((report.unreached, report.failed.map(\.id)) == (0, ["item0"]))
      source.picture("/pic/0-0.gif", nil)
      #expect(try await bench.run().archived == 0)
    }
  }

  @Test(arguments: [false, true])
  func `failures of the last items are the source's if it does not respond`(
    responds: Bool
  ) async throws {
    let source = ScriptedSource(count: 6)
    for number in 0..<2 {
      source.change("item\(number)") { $0.error = AdapterError(.unavailable, "out of order") }
    }
    source.answersHead.withLock { $0 = responds }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 4)
      #expect((report.failure == nil) == responds)
      #expect(report.failed.count == (responds ? 2 : 0))
      for number in 0..<2 { source.change("item\(number)") { $0.error = nil } }
      source.answersHead.withLock { $0 = true }
      #expect(try await bench.run().archived == (responds ? 0 : 2))
    }
  }
}
