import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// What counts as missing, and what a worse copy of an item is good for.
@Suite struct ItemPartTests {
  private static func article(_ html: String) -> ScriptedSource {
    let source = ScriptedSource(count: 1)
    source.change("item0") { $0.html = "<p>Words.</p>" + html }
    return source
  }

  private static let elsewhere = "http://elsewhere.example"

  @Test(
    arguments: [
      (404, true, false), (410, true, false), (403, true, true), (503, true, false),
      (200, true, false), (404, false, true), (410, false, true), (403, false, true),
      (503, false, false), (200, false, true),
    ] as [(Int, Bool, Bool)])
  func `what the source's own server says is gone may come later, of other hosts it is gone`(
    status: Int, isOwn: Bool, isPermanent: Bool
  ) async throws {
    let origin = isOwn ? ScriptedSource.origin : Self.elsewhere
    let source = Self.article("<img src=\"\(origin)/a.gif\" alt=\"a\">")
    source.picture(
      "/a.gif", status == 200 ? .text("<html>", type: "text/html") : ServerResponse(status))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let entries = try bench.item("item0").losses?.entries ?? []
      #expect(entries.map(\.kind) == [.picture])
      #expect(entries.map(\.isPermanent) == [isPermanent])
      #expect(entries.map(\.isEssential) == [isOwn])
    }
  }

  @Test func `images that were not requested leave an item complete`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      #expect(try await bench.run { $0.fetchImages = false }.isWhole)
      let item = try bench.item("item0")
      #expect(item.losses?.entries.map(\.isPermanent) == [true])
      #expect(item.losses?.entries.map(\.isEssential) == [false])
      #expect(item.completeness == .complete)
    }
  }

  @Test func `a retry for a missing part revalidates the files of the source's own server`()
    async throws
  {
    let source = Self.article(
      "<img src=\"/own.gif\"><img src=\"\(Self.elsewhere)/other.gif\"><img src=\"/late.gif\">")
    for path in ["/own.gif", "/other.gif"] {
      source.picture(
        path,
        .data(
          ScriptedSource.gif(path), type: "image/gif",
          headers: ["Cache-Control": "max-age=9999999"]))
    }
    source.picture("/late.gif", ServerResponse(503))
    try await Bench.with(source) { (bench) async throws in
      #expect(try await bench.run().failed.count == 1)
      source.picture("/late.gif", nil)
      bench.advance(hours: 2)
      #expect(try await bench.run().isWhole)
      #expect(bench.requests("/late.gif") == 2)
      #expect(bench.requests("/own.gif") == 2)
      #expect(bench.requests("/other.gif") == 1)
    }
  }

  @Test func `bytes that came with an item are recorded under no URL`() async throws {
    let source = Self.article("<img src=\"/y.gif\">")
    let address = try #require(WebURL(ScriptedSource.origin + "/y.gif"))
    source.change("item0") {
      var picture = Attachment(
        .file, .inline(ScriptedSource.gif("/y")), name: "y.gif", mediaType: "image/gif")
      picture.address = address
      $0.attachments = [
        picture, Attachment(.file, .inline([1, 2, 3]), name: "z.bin", mediaType: "x/y"),
      ]
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.isWhole && report.imagesMissing == 0)
      #expect(try bench.archive.catalog.asset(url: "") == nil)
      #expect(try bench.archive.catalog.asset(url: address.absoluteString) == nil)
      #expect(try bench.files("item0").count == 2)
    }
  }

  @Test(arguments: ["text/csv", "application/json"])
  func `a table or record names the images of the text`(type: String) async throws {
    let source = Self.article("<img src=\"/y.gif\" alt=\"y\">")
    let name = type == "text/csv" ? "table.csv" : "table.json"
    source.change("item0") {
      let text = "archived-file:\(ScriptedSource.origin)/y.gif"
      $0.attachments = [
        Attachment(.file, .inline(Array(text.utf8)), name: name, mediaType: type)
      ]
    }
    try await Bench.with(source) { (bench) async throws in
      #expect(try await bench.run().isWhole)
      let digest = Digest.sha256Hex(ScriptedSource.gif("/y.gif")).prefix(16)
      #expect(try bench.text("item0", "assets/\(name)") == "assets/\(digest).gif")
    }
  }

  @Test(
    arguments: [
      (.file, 200, true), (.image, 200, true), (.cover, 200, false), (.file, 404, false),
      (.image, 404, false),
    ] as [(ArchiverCore.Attachment.Role, Int, Bool)])
  func `a copy that lost its text is held back if it has a file or an image`(
    role: ArchiverCore.Attachment.Role, status: Int, isHeld: Bool
  ) async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0, pictures: 0))
    let url = try #require(WebURL(ScriptedSource.origin + "/f.gif"))
    if status != 200 { source.picture("/f.gif", ServerResponse(status)) }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.change("item0") {
        $0.revision = "2"
        $0.html = nil
        $0.attachments = [Attachment(role, .remote(url), name: "f.gif")]
      }
      let report = try await bench.run()
      #expect(report.kept.map(\.message) == ["the source no longer delivers its text"])
      let held = try bench.item("item0").heldBack
      #expect((held != nil) == isHeld)
      #expect(try bench.page("item0").contains("word0x79"))
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a worse copy is held back if versions are kept, and reported once`(
    versions: Int
  ) async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0, pictures: 0))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for revision in ["2", "3"] {
        source.change("item0") {
          $0.revision = revision
          $0.html = "<p>Log in</p>"
        }
        let report = try await bench.run { $0.keepVersions = versions }
        let message = try #require(report.kept.first).message
        #expect(message.hasPrefix("the source now delivers 2 words of "))
        if revision == "2" { #expect(report.heldBack.map(\.id) == ["item0"]) }
        if revision == "3", versions > 0 { #expect(report.heldBack.isEmpty) }
        let held = try bench.item("item0").heldBack
        #expect((held != nil) == (versions > 0))
      }
    }
  }

  @Test func `a short text that is no longer delivered stays`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.html = "<p>Only five words of it.</p>"
    source.set(item)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      source.change("item0") {
        $0.revision = "2"
        $0.html = nil
      }
      let report = try await bench.run()
      #expect(report.kept.map(\.message) == ["the source no longer delivers its text"])
      #expect(try bench.page("item0").contains("Only five words of it."))
    }
  }

  @Test func `an item beyond a limit is given up after three attempts`() async throws {
    try await Bench.with(ScriptedSource(count: 1)) { bench in
      for number in 1...3 {
        let report = try await bench.run { $0.limits[.htmlSize] = 3 }
        let message = try #require(report.failed.first).message
        #expect(message.contains("it is given up") == (number == 3), "\(message)")
        bench.advance(hours: 8)
      }
    }
  }

  @Test func `a rebuilt page has what its bundle has, and the reasons for the rest`() async throws {
    let source = Self.article(
      "<img src=\"/found.gif\"><img src=\"/gone.gif\" alt=\"a\">"
        + "<img src=\"\(Self.elsewhere)/gone.gif\" alt=\"b\">")
    source.picture("/gone.gif", ServerResponse(404))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let kept = try #require(try KeptBundle(bench.item("item0"), in: bench.archive))
      func outcome(_ address: String) throws -> AssetOutcome {
        let url = try #require(WebURL(address))
        return kept.outcome(AssetRequest(url: url, content: .image, limits: Limits()))
      }
      guard case .stored = try outcome(ScriptedSource.origin + "/found.gif") else {
        Issue.record("the image of the bundle is missing")
        return
      }
      let own = try FetchBench.failure(try outcome(ScriptedSource.origin + "/gone.gif"))
      #expect(own.reason == "the server answered 404 Not Found")
      #expect(own.isTransient && own.cause == .other)
      let other = try FetchBench.failure(try outcome(Self.elsewhere + "/gone.gif"))
      #expect(!other.isTransient && other.cause == .leftOut)
      let unknown = try FetchBench.failure(try outcome(ScriptedSource.origin + "/new.gif"))
      #expect(unknown.reason == "it is not among the files of the bundle")
      #expect(unknown.isTransient && unknown.cause == .leftOut)
    }
  }
}
