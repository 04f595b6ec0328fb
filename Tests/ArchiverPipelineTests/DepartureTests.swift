import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// A dry run lists the items that a run would remove as deleted at the source.
@Suite struct DepartureTests {
  @Test(arguments: [true, false])
  func `a dry run lists what the run removes`(isComplete: Bool) async throws {
    let source = ScriptedSource(count: 6)
    source.state.withLock { $0.isComplete = isComplete }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock {
        $0.items["item1"] = nil
        $0.items["item2"] = nil
        $0.standings = ["item1": .gone, "item2": .withheld]
      }
      func removes(_ options: inout RunOptions) {
        options.onDeleted = .remove
        options.fullListing = true
      }
      let expected = isComplete ? ["item1", "item2"] : ["item1"]
      let trial = await bench.dryRun(removes)
      #expect(trial.sources.first?.wouldRemove.map(\.id) == expected)
      #expect(try bench.bundles().count == 6)
      let marking = await bench.dryRun { $0.fullListing = true }
      #expect(marking.sources.first?.wouldRemove == [])
      let report = try await bench.run(removes)
      #expect(report.removed == trial.sources.first?.wouldRemove)
      #expect(try bench.bundles().count == 6 - expected.count)
    }
  }

  @Test func `items deleted earlier are removed, unless they are back`() async throws {
    let source = ScriptedSource(count: 4)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for number in 1...2 { source.state.withLock { $0.items["item\(number)"] = nil } }
      _ = try await bench.run { $0.fullListing = true }
      source.set(ScriptedSource.article(1))
      let trial = await bench.dryRun { $0.onDeleted = .remove }
      #expect(trial.sources.first?.wouldRemove.map(\.id) == ["item2"])
    }
  }

  @Test func `a dry run lists no removal that the run would refuse`() async throws {
    let source = ScriptedSource(count: 12)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.state.withLock { $0.items = [:] }
      let trial = await bench.dryRun {
        $0.onDeleted = .remove
        $0.fullListing = true
      }
      #expect(trial.sources.first?.wouldRemove == [])
    }
  }

  @Test(
    arguments: [DeletionPolicy.mark, .remove],
    [(total: 20, gone: 10, isSudden: true), (21, 10, false), (18, 9, false)])
  func `a loss is sudden from ten items and half of the source on`(
    policy: DeletionPolicy, loss: (total: Int, gone: Int, isSudden: Bool)
  ) async throws {
    let source = ScriptedSource(count: loss.total)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for number in 0..<loss.gone { source.state.withLock { $0.items["item\(number)"] = nil } }
      let report = try await bench.run {
        $0.onDeleted = policy
        $0.fullListing = true
      }
      let refuses = policy == .remove
      let expected = SourceReport.Vanished(count: loss.gone, total: loss.total, wasRefused: refuses)
      #expect(report.vanished == (loss.isSudden ? expected : nil))
      #expect(report.removed.count == (refuses && !loss.isSudden ? loss.gone : 0))
    }
  }
}
