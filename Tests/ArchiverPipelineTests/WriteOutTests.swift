import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

/// A full batch that waits for the last few items is on its way to the disk meanwhile.
@Suite struct WriteOutTests {
  /// Counts flushes of the whole archive and sees what was visible at the first.
  private final class Flushes: FaultInjector {
    let count = Mutex(0)
    let visible = Mutex<[String]>([])
    private let root: String

    init(root: String) { self.root = root }

    func fault(before operation: FileOperation, path: String) -> Int32? {
      guard operation == .synchronise, path.hasSuffix("/.archiver/staging") else { return nil }
      if count.withLock({
        $0 += 1; return $0
      }) == 1 {
        // Before the first bundle there is no folder of the source.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/scripted")) ?? []
        visible.withLock { $0 = names }
      }
      return nil
    }
  }

  @Test func `what is staged is written out while the last item is waited for`() async throws {
    let source = ScriptedSource()
    for number in 0..<65 {
      source.set(ScriptedSource.article(number, pictures: number == 0 ? 1 : 0))
    }
    source.state.withLock { $0.preparing = ["/pic/0-0.gif": 1_000_000] }
    try await TemporaryFolder.with("pipeline") { folder in
      let path = folder + "/archive"
      let flushes = Flushes(root: path)
      let archive = try Archive.open(
        path: path, mode: .readWrite(holder: "test"), options: ArchiveOptions(faults: flushes))
      let before = flushes.count.withLock { $0 }
      let wasWrittenOut = Mutex(false)
      // Time stands still, so that no batch goes out because it waited.
      let clock = ArchiverClock(
        now: { Date(timeIntervalSince1970: 1_800_000_000) },
        sleep: { _ in
          let end = ContinuousClock.now + .seconds(30)
          while flushes.count.withLock({ $0 }) == before, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
          }
          wasWrittenOut.withLock { $0 = flushes.count.withLock { $0 } > before }
          source.state.withLock { $0.preparing = [:] }
        })
      let origin = try #require(WebURL(ScriptedSource.origin))
      let run = ArchiveRun(
        archive: archive,
        sources: [
          RunSource(
            name: "scripted", adapter: ScriptedAdapter(source: source),
            client: HandlerHTTPClient(baseURL: origin, handler: source.serve),
            origin: origin.origin)
        ], options: RunOptions(), clock: clock)
      let report = await run.run()
      #expect(report.sources.first?.archived == 65)
      #expect(wasWrittenOut.withLock { $0 })
      #expect(flushes.visible.withLock { $0 } == [])
      // Written out once, then published as one batch.
      #expect(flushes.count.withLock { $0 } - before >= 2)
      #expect(try await archive.verify().problems.filter(\.isDamage) == [])
    }
  }
}
