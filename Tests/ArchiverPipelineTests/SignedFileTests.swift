import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Files with expiring URLs, and files that are not ready yet.
@Suite struct SignedFileTests {
  /// An item whose picture and file have addresses signed with `signature`.
  private static func item(_ signature: String) -> ScriptedSource.Item {
    var item = ScriptedSource.article(1, pictures: 0)
    let query = "?X-Amz-Expires=3600&X-Amz-Signature=\(signature)"
    let film = ScriptedSource.origin + "/film.mp4" + query
    item.html =
      (item.html ?? "") + "<p><img src=\"/pic/one.gif\(query.replacing("&", with: "&amp;"))\"></p>"
      + "<video src=\"\(film.replacing("&", with: "&amp;"))\"></video>"
    item.attachments = WebURL(film).map { [Attachment(.file, .remote($0), name: "film.mp4")] } ?? []
    return item
  }

  private static func source(_ signature: String) -> ScriptedSource {
    let source = ScriptedSource()
    source.set(item(signature))
    source.picture(
      "/film.mp4", .data([0, 0, 0, 24] + Array("ftypmp42 film".utf8), type: "video/mp4"))
    source.state.withLock { $0.signature = "good" }
    return source
  }

  @Test func `an address that expired is requested again, once`() async throws {
    let source = Self.source("old")
    // The first URLs are refused; when requested again, the source returns valid ones.
    source.state.withLock { state in
      state.later["item1"] = Self.item("good")
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(source.itemRequests == ["item1", "item1"])
      let page = try bench.page("item1")
      #expect(page.contains("<video src=\"assets/") && page.contains("<img src=\"assets/"))
      #expect(!page.contains("Signature"))
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `an address that stays refused is missing after one more try`() async throws {
    let source = Self.source("old")
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.losses.total == 2)
      #expect(source.itemRequests == ["item1", "item1"])
      #expect(try !bench.page("item1").contains("=old"))
    }
  }

  @Test(arguments: ["token=a", "Expires=9&amp;Signature=b&amp;Key-Pair-Id=c", "sig=d"])
  func `images whose addresses differ in more than the signature are requested each`(
    signature: String
  ) async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.html =
        "<p>Words.</p><img src=\"/show?id=1&amp;\(signature)\"><img src=\"/show?id=2&amp;\(signature)\">"
    }
    try await Bench.with(source) { bench in
      #expect(try await bench.run().imagesMissing == 0)
      #expect(bench.requests("/show") == 2)
      let record = try bench.text("item0", "item.json")
      #expect(record.contains("show?id=1\"") && record.contains("show?id=2\""))
      let page = try bench.page("item0")
      try bench.makeOlder("item0") { $0.replacing("Words.", with: "") }
      #expect(try await bench.render(["item0"]).written == 1)
      #expect(try bench.page("item0") == page)
    }
  }

  @Test func `a file that is not ready is waited for`() async throws {
    let source = Self.source("good")
    source.state.withLock { $0.preparing = ["/film.mp4": 2] }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(bench.requests("/film.mp4") == 3)
      #expect(try bench.page("item1").contains("<video src=\"assets/"))
    }
  }

  @Test func `a file that never gets ready is left for a later run`() async throws {
    let source = Self.source("good")
    source.state.withLock { $0.preparing = ["/film.mp4": 1_000] }
    try await Bench.with(source) { bench in
      bench.whenAsleep { _ in }
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.losses.sentence?.contains("still preparing") == true)
      #expect(try bench.text("item1", "item.json").contains("still preparing"))
      source.state.withLock { $0.preparing = [:] }
      bench.advance(hours: 2)
      #expect(try await bench.run().imagesMissing == 0)
    }
  }

  @Test func `an archived image replaces one whose address expired, without another request`()
    async throws
  {
    let source = Self.source("good")
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      var other = ScriptedSource.article(2, pictures: 0)
      let query = "?X-Amz-Expires=3600&amp;X-Amz-Signature=old"
      other.html = (other.html ?? "") + "<p><img src=\"/pic/one.gif\(query)\"></p>"
      source.set(other)
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 0)
      #expect(bench.requests("/pic/one.gif") == 2)
      #expect(source.itemRequests == ["item1", "item2"])
      #expect(try bench.page("item2").contains("<img src=\"assets/"))
    }
  }
}
