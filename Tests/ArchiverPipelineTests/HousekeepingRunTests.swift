import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

struct HousekeepingRunTests {
  @Test func `a run keeps house, once a day`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0))
    try await Bench.with(source) { bench in
      #expect(bench.archive.lastUsage() == nil)
      _ = try await bench.run()
      let first = try #require(bench.archive.lastUsage())
      #expect(first.items > 0 && first.library > 0)
      _ = try await bench.run()
      #expect(bench.archive.lastUsage() == first)
      bench.advance(hours: 24)
      _ = try await bench.run()
      #expect(try #require(bench.archive.lastUsage()).measured > first.measured)
    }
  }

  @Test func `a run does its work where SQLite has no shared memory`() async throws {
    try await TemporaryFolder.with("pipeline") { path in
      do { _ = try Archive.open(path: path + "/archive", mode: .readWrite(holder: "test")) }
      // Nothing can be mapped in its place.
      try FileManager.default.createDirectory(
        atPath: path + "/archive/.archiver/catalog.sqlite-shm", withIntermediateDirectories: false)
      let source = ScriptedSource()
      for number in 0..<12 { source.set(ScriptedSource.article(number)) }
      let bench = try Bench(source, path: path + "/archive")
      let report = try await bench.run()
      #expect(report.archived == 12)
      let again = try await bench.run()
      #expect(again.archived == 0)
      let problems = try await bench.verify()
      #expect(problems == [])
    }
  }
}
