import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What the catalog and the page of an archived item say.
struct ComposedItemTests {
  @Test(
    arguments: [(0, nil), (1, 1), (329, 1), (330, 2), (549, 2), (550, 3)] as [(Int, Int?)])
  func `the reading time is rounded, a minute at least`(words: Int, minutes: Int?) async throws {
    let source = ScriptedSource(count: 1)
    let text = Array(repeating: "word", count: words).joined(separator: " ")
    source.change("item0") { $0.html = "<p>\(text)</p>" }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.item("item0").metadata.readingTime == minutes)
    }
  }

  @Test func `highlights that are marked and not listed are those of the item`() async throws {
    let source = ScriptedSource(count: 1)
    source.change("item0") {
      $0.html =
        "<p>One <mark data-hl=\"A\">quick</mark> and <mark data-hl=\"B\">brown</mark> fox.</p>"
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let found = try bench.item("item0").annotations
      #expect(found.map(\.id) == ["A", "B"] && found.map(\.text) == ["quick", "brown"])
    }
  }

  @Test(arguments: [(1, nil), (2, 1), (3, 1)] as [(Int, Double?)])
  func `what is missing is asked for after an hour, if another attempt is left`(
    attempts: Int, hours: Double?
  ) async throws {
    let source = ScriptedSource(count: 1)
    source.picture("/pic/0-0.gif", ServerResponse(503))
    try await Bench.with(source) { bench in
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      bench.stopClock(at: now)
      _ = try await bench.run { $0.limits[.attempts] = attempts }
      let state = try #require(try bench.archive.catalog.queueState(bench.item("item0").key))
      #expect(state.nextAttempt == hours.map { now.addingTimeInterval($0 * 3_600) })
    }
  }

  @Test func `without images none is asked for later`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item0") {
      $0.missing = [
        MissingPart(.picture, name: "a", reason: "503", isPermanent: false, isEssential: false)
      ]
    }
    source.change("item1") {
      $0.missing = [
        MissingPart(.comments, name: "", reason: "503", isPermanent: false, isEssential: false)
      ]
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run { $0.fetchImages = false }
      #expect(try bench.archive.catalog.queueState(bench.item("item0").key) == nil)
      #expect(try bench.archive.catalog.queueState(bench.item("item1").key) != nil)
    }
  }

  private static func cover(_ path: String, _ role: ArchiverCore.Attachment.Role) throws
    -> ArchiverCore.Attachment
  {
    let url = try #require(WebURL(ScriptedSource.origin + path))
    return Attachment(role, .remote(url), name: "c.gif", caption: "Caption of \(path)")
  }

  @Test(
    arguments: [
      (.article, false, true), (.article, true, false), (.page, true, true),
      (.database, true, true), (.book, true, false), (.book, false, true),
    ] as [(ItemMetadata.Kind, Bool, Bool)])
  func `the cover is shown above a text without images, and above a page of a workspace`(
    kind: ItemMetadata.Kind, hasImages: Bool, isShown: Bool
  ) async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: hasImages ? 1 : 0)
    item.kind = kind
    item.attachments = [try Self.cover("/cover.gif", .cover)]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      #expect(page.contains("<figure class=\"cover\">") == isShown)
      #expect(page.contains("alt=\"Caption of /cover.gif\"") == isShown)
      let name = Digest.sha256Hex(ScriptedSource.gif("/cover.gif")).prefix(16)
      #expect(try bench.item("item0").thumbnail?.path == "assets/\(name).gif")
    }
  }

  @Test func `an attached image that is the item is shown rather than its cover`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .photo
    item.attachments = [
      try Self.cover("/icon.gif", .icon), try Self.cover("/cover.gif", .cover),
      try Self.cover("/photo.gif", .image), try Self.cover("/other.gif", .image),
    ]
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      func name(_ path: String) -> String {
        "assets/\(Digest.sha256Hex(ScriptedSource.gif(path)).prefix(16)).gif"
      }
      let start = try #require(page.firstRange(of: "<figure class=\"cover\">")).upperBound
      let figure = page[start...].prefix(300)
      #expect(figure.contains(name("/photo.gif")) && !figure.contains(name("/cover.gif")))
      #expect(figure.contains("alt=\"Caption of /photo.gif\""))
      // The second is among the files, the first is not there twice.
      #expect(page.contains("href=\"\(name("/other.gif"))\""))
      #expect(page.contains("Caption of /other.gif"))
    }
  }

  @Test func `an image that is its cover too keeps its own caption`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .photo
    item.attachments = try [(.cover, "Cover"), (.image, "Photo")].map { role, caption in
      let url = try #require(WebURL(ScriptedSource.origin + "/photo.gif"))
      return ArchiverCore.Attachment(role, .remote(url), name: "c.gif", caption: caption)
    }
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      let start = try #require(page.firstRange(of: "<figure class=\"cover\">")).upperBound
      #expect(page[start...].prefix(300).contains("alt=\"Photo\""))
    }
  }

  @Test func `an item whose own image is gone shows its cover`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.kind = .photo
    item.attachments = [
      try Self.cover("/photo.gif", .image), try Self.cover("/cover.gif", .cover),
    ]
    source.set(item)
    source.picture("/photo.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.failed.first?.message.contains("the file is missing") == true)
      let name = Digest.sha256Hex(ScriptedSource.gif("/cover.gif")).prefix(16)
      #expect(try bench.page("item0").contains("<img src=\"assets/\(name).gif\""))
    }
  }

  @Test func `an error of one item that ends the run leaves the others for the next`() async throws
  {
    for code in [AdapterError.Code.cancelled, .unauthorized] {
      let source = ScriptedSource(count: 3)
      source.change("item2") { $0.error = AdapterError(code, "no more") }
      try await Bench.with(source) { bench in
        let report = try await bench.run()
        #expect(report.failed.isEmpty && report.deferred.isEmpty)
        #expect(report.failure?.message == (code == .unauthorized ? "no more" : nil))
        #expect(report.archived + report.waiting == 3 && report.waiting >= 1)
        source.change("item2") { $0.error = nil }
        #expect(try await bench.run().archived == report.waiting)
        #expect(try bench.ids().count == 3)
      }
    }
  }

  /// Records what a run lists and plans.
  private final class Plans: EventSink {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func send(_ event: Event) {
      let line: String
      switch event {
      case .listed(_, let count, let total): line = "listed \(count) of \(total ?? -1)"
      case .planned(_, let plan): line = "planned \(plan.new), selected \(plan.selected)"
      case .sourceFinished(let source, let failure): line = "\(source) \(failure ?? "finished")"
      default: return
      }
      lines.withLock { $0.append(line) }
    }
  }

  @Test func `a run tells what it listed, planned and finished`() async throws {
    try await Bench.with(ScriptedSource(count: 12)) { bench in
      let plans = Plans()
      _ = try await bench.report(events: plans) { $0.maxItems = 1 }
      #expect(
        plans.all == [
          "listed 10 of 12", "listed 12 of 12", "planned 12, selected 1", "scripted finished",
        ])
      bench.source.state.withLock { $0.listingError = AdapterError(.unauthorized, "refused") }
      let refused = Plans()
      _ = try await bench.report(events: refused)
      #expect(refused.all == ["scripted refused"])
    }
  }
}
