import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

/// A high-latency disk, such as a network share or an SD card.
@Suite struct SlowDiskTests {
  /// Its first flush after the source was asked lasts until the source has been asked for two batches,
  /// for which there is half a minute, and then not for half a second.
  private final class SlowDisk: FaultInjector {
    private let source: ScriptedSource
    private let hasFlushed = Mutex(false)
    /// The number of items requested by then.
    let asked = Mutex(0)

    init(_ source: ScriptedSource) { self.source = source }

    func fault(before operation: FileOperation, path: String) -> Int32? {
      guard operation == .synchronise, !source.itemRequests.isEmpty, isFirst() else { return nil }
      var (last, turns) = (0, 0)
      while source.itemRequests.count > last || last < 128 && turns < 300 {
        last = source.itemRequests.count
        turns += 1
        usleep(500_000)
      }
      asked.withLock { $0 = last }
      return nil
    }

    private func isFirst() -> Bool {
      hasFlushed.withLock { hasFlushed in
        defer { hasFlushed = true }
        return !hasFlushed
      }
    }
  }

  @Test func `no more is fetched than a few batches ahead of the disk`() async throws {
    let source = ScriptedSource()
    for number in 0..<1_000 { source.set(ScriptedSource.article(number, pictures: 0)) }
    let disk = SlowDisk(source)
    try await Bench.with(source, faults: disk) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1_000)
      let asked = disk.asked.withLock { $0 }
      #expect((128...300).contains(asked), "\(asked) were fetched during the first flush")
      #expect(try await bench.verify().isEmpty)
    }
  }
}
