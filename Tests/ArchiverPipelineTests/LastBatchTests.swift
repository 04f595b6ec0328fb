import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

/// Batches are small near the end, so that little is left to do after the last item.
@Suite struct LastBatchTests {
  @Test func `most bundles are there while the last item is waited for`() async throws {
    let source = ScriptedSource()
    for number in 0..<65 {
      source.set(ScriptedSource.article(number, pictures: number == 0 ? 1 : 0))
    }
    source.state.withLock { $0.preparing = ["/pic/0-0.gif": 1_000_000] }
    try await TemporaryFolder.with("pipeline") { folder in
      let archive = try Archive.open(
        path: folder + "/archive", mode: .readWrite(holder: "test"))
      let most = Mutex(0)
      // The clock does not advance, so that no batch is sent because of its age.
      let clock = ArchiverClock(
        now: { Date(timeIntervalSince1970: 1_800_000_000) },
        sleep: { _ in
          _ = try await Condition.value(every: .milliseconds(5), limit: .seconds(30)) {
            let count = try archive.catalog.itemCount(source: nil)
            most.withLock { $0 = count }
            return count < 40 ? nil : count
          }
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
      #expect((40..<65).contains(most.withLock { $0 }))
      // Nothing is left that would delay closing the catalog.
      let log = try FileManager.default.attributesOfItem(
        atPath: folder + "/archive/.archiver/catalog.sqlite-wal")
      #expect(log[.size] as? Int == 0)
      #expect(try await archive.verify().problems.filter(\.isDamage) == [])
    }
  }
}
