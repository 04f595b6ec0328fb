import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// Files of an item that are unusual: drawings, files that came with it, files of several items.
struct DeliveredFileTests {
  private static let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">"

  private static func article(_ number: Int, _ html: String = "") -> ScriptedSource.Item {
    var item = ScriptedSource.article(number, pictures: 0)
    item.html = (item.html ?? "") + html
    return item
  }

  private static func remote(_ path: String) throws -> WebURL {
    try #require(WebURL(ScriptedSource.origin + path))
  }

  @Test func `a drawing is stored without what could act in it`() async throws {
    let source = ScriptedSource()
    source.set(Self.article(0, "<img src=\"/a.svg\" alt=\"x\">"))
    source.picture(
      "/a.svg",
      .text(
        Self.drawing + "<script>x()</script><rect width=\"9\" height=\"9\"/></svg>",
        type: "image/svg+xml"))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().imagesMissing == 0)
      let file = try #require(try bench.files("item0").first)
      #expect(file.hasSuffix(".svg"))
      let text = try bench.text("item0", file)
      #expect(text.contains("<rect") && !text.contains("script"))
      #expect(try bench.page("item0").contains("<img src=\"\(file)\""))
    }
  }

  @Test func `a drawing that is broken is missing for good`() async throws {
    let source = ScriptedSource()
    source.set(Self.article(0, "<img src=\"/a.svg\" alt=\"x\">"))
    source.picture("/a.svg", .text(Self.drawing + "<rect", type: "image/svg+xml"))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().imagesMissing == 1)
      let losses = try #require(try bench.item("item0").losses)
      #expect(losses.entries.map(\.reason) == ["the SVG image could not be sanitised"])
      #expect(losses.entries.map(\.isPermanent) == [true])
    }
  }

  @Test func `files that came broken with an item are missing for good, an icon is not missed`()
    async throws
  {
    let source = ScriptedSource()
    var item = Self.article(0)
    let words = Array("words".utf8)
    item.attachments = [
      Attachment(
        .file, .inline(Array((Self.drawing + "<rect").utf8)), name: "a.svg",
        mediaType: "image/svg+xml"),
      Attachment(.cover, .inline(words), name: "cover.png"),
      Attachment(.icon, .inline(words), name: "icon.png"),
      Attachment(.icon, .remote(try Self.remote("/icon.png")), name: "other.png"),
      Attachment(.file, .inline(words), name: "b.png", mediaType: "image/png"),
    ]
    source.set(item)
    source.picture("/icon.png", ServerResponse(404))
    try await Bench.with(source) { (bench) async throws in
      let report = try await bench.run()
      #expect((report.archived, report.byteCount) == (1, 0))
      let json = Array(try bench.text("item0", ItemRecord.fileName).utf8)
      let missing = try #require(try ItemRecord(json: json, path: "").missing)
      let data = "its data is not an image"
      #expect(missing.map(\.name) == ["a.svg", "b.png", "cover.png"])
      #expect(missing.map(\.reason) == ["the SVG image could not be sanitised", data, data])
      #expect(missing.map(\.kind) == [.file, .file, .picture])
      #expect(missing.map(\.isEssential) == [true, true, false])
      #expect(missing.map(\.isPermanent) == [true, true, true])
    }
  }

  @Test func `an image that came with its item is not requested`() async throws {
    let source = ScriptedSource()
    var item = Self.article(0, "<img src=\"/x.gif\" alt=\"x\"><img src=\"/y.gif\" alt=\"y\">")
    let pictures = ["/first", "/second"].map { ScriptedSource.gif($0) }
    let address = try Self.remote("/x.gif")
    item.attachments = pictures.map { bytes in
      var file = Attachment(.file, .inline(bytes), name: "x.gif", mediaType: "image/gif")
      file.address = address
      return file
    }
    source.set(item)
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.imagesMissing == 0)
      #expect(report.byteCount == ScriptedSource.gif("/y.gif").count)
      #expect(bench.requests("/x.gif") == 0 && bench.requests("/y.gif") == 1)
      let names = pictures.map { "assets/\(Digest.sha256Hex($0).prefix(16)).gif" }
      let page = try bench.page("item0")
      #expect(
        page.contains("<img src=\"\(names[0])\"") && !page.contains("<img src=\"\(names[1])\""))
      #expect(Set(try bench.files("item0")).isSuperset(of: names))
    }
  }

  @Test func `only a table of a unique name that came with its item keeps it`() async throws {
    let source = ScriptedSource()
    var item = Self.article(0)
    let tables = ["a,b", "c,d", "e,f", "g,h"].map { Array($0.utf8) }
    item.attachments = [
      Attachment(.file, .inline(tables[0]), name: "database.csv", mediaType: "text/csv"),
      Attachment(.file, .inline(tables[1]), name: "twice.csv", mediaType: "text/csv"),
      Attachment(.file, .inline(tables[2]), name: "twice.csv", mediaType: "text/csv"),
      Attachment(
        .file, .remote(try Self.remote("/remote.csv")), name: "remote.csv", mediaType: "text/csv"),
    ]
    source.set(item)
    source.picture("/remote.csv", .data(tables[3], type: "text/csv"))
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole && report.byteCount == 3)
      let others = tables.dropFirst().map { "assets/\(Digest.sha256Hex($0).prefix(16)).csv" }
      #expect(try bench.files("item0") == (others + ["assets/database.csv"]).sorted())
    }
  }

  @Test(arguments: [(0.5, 1), (1, 2)])
  func `a file is requested again when its time is over`(hours: Double, requests: Int) async throws
  {
    let source = ScriptedSource()
    let file = Attachment(.file, .remote(try Self.remote("/f.bin")), name: "f.bin")
    let headers: HTTPHeaders = ["Cache-Control": "max-age=3600"]
    source.picture(
      "/p.gif", .data(ScriptedSource.gif("/p.gif"), type: "image/gif", headers: headers))
    source.picture("/f.bin", .data([1, 2, 3], headers: headers))
    try await Bench.with(source) { (bench) async throws in
      bench.stopClock(at: Date(timeIntervalSince1970: 1_800_000_000))
      for number in 0..<2 {
        var item = Self.article(number, "<img src=\"/p.gif\" alt=\"p\">")
        item.attachments = [file]
        source.set(item)
        #expect(try await bench.run().archived == 1)
        bench.advance(hours: hours)
      }
      #expect(bench.requests("/p.gif") == requests)
      #expect(bench.requests("/f.bin") == requests)
    }
  }

  @Test func `an answer that nothing changed is good for as long as it says`() async throws {
    let source = ScriptedSource()
    source.picture(
      "/p.gif",
      .data(
        ScriptedSource.gif("/p.gif"), type: "image/gif",
        headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\""]))
    try await Bench.with(source) { bench in
      bench.stopClock(at: Date(timeIntervalSince1970: 1_800_000_000))
      for number in 0..<3 {
        source.set(Self.article(number, "<img src=\"/p.gif\" alt=\"p\">"))
        let report = try await bench.run()
        #expect(report.archived == 1 && report.imagesMissing == 0)
        #expect(report.byteCount == (number == 0 ? ScriptedSource.gif("/p.gif").count : 0))
        source.picture("/p.gif", ServerResponse(304, headers: ["Cache-Control": "max-age=36000"]))
        bench.advance(hours: 2)
      }
      #expect(bench.fields("/p.gif").etags == [nil, "\"1\""])
    }
  }

  /// Records the outcomes of downloads.
  private final class Downloads: EventSink {
    private let lines = Mutex<Set<String>>([])

    var all: Set<String> { lines.withLock { $0 } }

    func send(_ event: Event) {
      guard case .assetFinished(_, let url, let bytes, let failure) = event else { return }
      lines.withLock { _ = $0.insert("\(url) \(bytes) \(failure ?? "")") }
    }
  }

  @Test func `the outcome of each download is told`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0, pictures: 2))
    source.picture("/pic/0-1.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      let downloads = Downloads()
      let report = try await bench.report(events: downloads)
      let size = ScriptedSource.gif("/pic/0-0.gif").count
      let address = ScriptedSource.origin + "/pic/0-"
      #expect(
        downloads.all == [
          "\(address)0.gif \(size) ", "\(address)1.gif 0 the server answered 404 Not Found",
        ])
      #expect(report.sources.map(\.byteCount) == [size])
    }
  }

  @Test func `what several items show is counted once as received`() async throws {
    let source = ScriptedSource()
    for number in 0..<3 { source.set(Self.article(number, "<img src=\"/p.gif\" alt=\"p\">")) }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 3 && report.images == 3)
      #expect(report.byteCount == ScriptedSource.gif("/p.gif").count)
    }
  }
}
