import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

struct HousekeepingRunTests {
  @Test func `a run does its housekeeping once a day`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0))
    try await Bench.with(source) { bench in
      #expect(bench.archive.lastUsage() == nil)
      _ = try await bench.run()
      let first = try #require(bench.archive.lastUsage())
      #expect(first.items > 0 && first.library > 0)
      _ = try await bench.run()
      #expect(bench.archive.lastUsage() == first)
      // Nothing changed: measurements stay valid for four weeks.
      for _ in 0..<2 {
        bench.advance(hours: 24)
        _ = try await bench.run()
        #expect(bench.archive.lastUsage() == first)
      }
      source.set(ScriptedSource.article(1))
      _ = try await bench.run()
      bench.advance(hours: 24)
      _ = try await bench.run()
      let second = try #require(bench.archive.lastUsage())
      #expect(second.measured > first.measured && second.items > first.items)
    }
  }

  @Test func `the usage of the disk is measured every four weeks, whatever else`() async throws {
    let source = ScriptedSource(count: 1)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let first = try #require(bench.archive.lastUsage())
      for _ in 0..<3 {
        bench.advance(hours: 24 * 8)
        _ = try await bench.run()
        #expect(bench.archive.lastUsage() == first)
      }
      bench.advance(hours: 24 * 8)
      _ = try await bench.run()
      #expect(try #require(bench.archive.lastUsage()).measured > first.measured)
    }
  }

  @Test func `a source that is back at what a restored catalog knows is fetched again`()
    async throws
  {
    try await TemporaryFolder.with("pipeline") { path in
      let place = path + "/archive"
      let source = ScriptedSource(count: 1)
      let first = ScriptedSource.article(0)
      _ = try await Bench(source, path: place).run()
      try FileManager.default.copyItem(atPath: place + "/.archiver", toPath: path + "/copy")
      source.change("item0") {
        $0.revision = "2"
        $0.html = ScriptedSource.article(5).html
      }
      _ = try await Bench(source, path: place).run()
      source.set(first)
      try FileManager.default.removeItem(atPath: place + "/.archiver")
      try FileManager.default.moveItem(atPath: path + "/copy", toPath: place + "/.archiver")
      let bench = try Bench(source, path: place)
      bench.advance(hours: 24 * 7)
      _ = try await bench.run()
      let report = try await bench.run()
      #expect(report.archived == 1)
      let item = try bench.item("item0")
      func page(_ folder: String) throws -> String {
        String(
          decoding: try bench.archive.bundles.read("index.html", of: folder) ?? [], as: UTF8.self)
      }
      #expect(try page(item.folder).contains("word0x1 "))
      let version = try #require(item.versions.first)
      #expect(try page("\(item.folder)/versions/\(version)").contains("word5x1 "))
      let again = try await bench.run()
      #expect(again.archived == 0)
    }
  }

  @Test func `a run does its work where SQLite has no shared memory`() async throws {
    try await TemporaryFolder.with("pipeline") { path in
      do { _ = try Archive.open(path: path + "/archive", mode: .readWrite(holder: "test")) }
      // The path is occupied, so that no shared memory can be mapped.
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
