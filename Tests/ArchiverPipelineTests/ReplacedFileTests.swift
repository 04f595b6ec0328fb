import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

/// Files that were replaced without a sign in the listing.
@Suite struct ReplacedFileTests {
  private static let path = "/book.bin"

  /// A source of one book that its listings report as to be looked at again.
  private func source(_ content: String, count: Int? = nil) throws -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .book
    item.attachments = [try file(content, count)]
    source.set(item)
    serve(content, of: source)
    return source
  }

  private func file(_ content: String, _ count: Int?) throws -> ArchiverCore.Attachment {
    let url = try #require(WebURL(ScriptedSource.origin + ReplacedFileTests.path))
    var file = ArchiverCore.Attachment(
      .file, .remote(url), name: "book.bin", mediaType: "application/x-book")
    file.servedByteCount = count
    return file
  }

  private func serve(_ content: String, of source: ScriptedSource) {
    source.picture(
      ReplacedFileTests.path, .data(Array(content.utf8), type: "application/x-book"))
  }

  private func revisit(_ source: ScriptedSource, size: Int?) throws {
    let file = try file("", size)
    source.change("item0") { $0.attachments = [file] }
    source.state.withLock { $0.revisited = ["item0"] }
  }

  @Test func `a file of another size than the archived one is downloaded again`()
    async throws
  {
    let source = try source("first")
    try await Bench.with(source) { (bench: Bench) async throws in
      #expect(try await bench.run().archived == 1)
      serve("second file", of: source)
      #expect(try await bench.run().unchanged == 1)
      #expect(source.itemRequests.count == 1, "the listing has no sign of it")
      try revisit(source, size: 11)
      let report = try await bench.run()
      #expect(report.archived == 1 && report.unchanged == 0)
      let record = try ItemRecord(json: Array(bench.text("item0", "item.json").utf8), path: "")
      let sizes = record.assets.map(\.byteCount)
      #expect(sizes == [11])
      #expect(bench.requests(ReplacedFileTests.path) == 2)
      // The next one finds it as it is.
      #expect(try await bench.run().unchanged == 1)
      #expect(bench.requests(ReplacedFileTests.path) == 2)
    }
  }

  @Test(arguments: [5, nil])
  func `of a file of the same or of unknown size no byte is downloaded`(size: Int?) async throws {
    let source = try source("first")
    try await Bench.with(source) { (bench: Bench) async throws in
      _ = try await bench.run()
      try revisit(source, size: size)
      let report = try await bench.run()
      #expect(report.archived == 0 && report.unchanged == 1 && report.failed.isEmpty)
      #expect(source.itemRequests.count == 2 && bench.requests(ReplacedFileTests.path) == 1)
    }
  }

  @Test func `a dry run takes no turn: the next run looks at the file`() async throws {
    let source = try source("first")
    try await Bench.with(source) { (bench: Bench) async throws in
      _ = try await bench.run()
      let catalog = bench.archive.catalog
      let before = try catalog.checkpoint(source: "scripted")
      serve("second file", of: source)
      try revisit(source, size: 11)
      // With one more book the listing ends with another checkpoint.
      source.set(ScriptedSource.article(1, pictures: 0))
      let trial = await bench.dryRun { _ in }
      #expect(trial.sources.first?.wouldFetch.map(\.id) == ["item1"])
      #expect(try catalog.checkpoint(source: "scripted") == before && before != nil)
      let all = WorkSelection(now: .distantFuture, force: true)
      #expect(try catalog.work(source: "scripted", all).isEmpty)
      #expect(bench.requests(ReplacedFileTests.path) == 1)
      #expect(try await bench.run().archived == 2)
      #expect(bench.requests(ReplacedFileTests.path) == 2)
      #expect(try catalog.checkpoint(source: "scripted") != before)
    }
  }

  @Test func `a run of named items looks at no others again`() async throws {
    let source = try source("first", count: 9)
    source.set(ScriptedSource.article(1, pictures: 0))
    try await Bench.with(source) { (bench: Bench) async throws in
      _ = try await bench.run()
      source.state.withLock { $0.revisited = ["item0"] }
      let report = try await bench.run { $0.only = ["item1"] }
      #expect(report.unchanged > 0 && source.itemRequests.count == 2)
      let all = WorkSelection(now: .distantFuture, force: true)
      #expect(try bench.archive.catalog.work(source: "scripted", all).isEmpty)
    }
  }
}
