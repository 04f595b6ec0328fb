import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Images that several URLs return.
@Suite struct SameBytesTests {
  private static let bytes = ScriptedSource.gif("/same")

  private static func source() -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0, pictures: 0)
    item.html =
      "<p>words</p><img src=\"/c.gif\" alt=\"\"><p>more</p><img src=\"/a.gif\" alt=\"\">"
      + "<img src=\"/b.gif\" alt=\"\">"
    source.set(item)
    for path in ["/a.gif", "/b.gif", "/c.gif"] {
      source.picture(path, .data(bytes, type: "image/gif"))
    }
    return source
  }

  private static func pictures(_ page: String) -> Int { page.split(separator: "<img ").count - 1 }

  @Test func `a record has every URL of a file, in an order of its own`() async throws {
    try await Bench.with(Self.source()) { bench in
      _ = try await bench.run()
      let json = Array(try bench.text("item0", "item.json").utf8)
      let record = try ItemRecord(json: json, path: "")
      let origin = ScriptedSource.origin
      #expect(record.assets.map(\.url) == [origin + "/c.gif"])
      #expect(record.assets.first?.urls == [origin + "/a.gif", origin + "/b.gif"])
      #expect(try record.json() == json)
      #expect(record.cachedAssets.map(\.url) == ["/c.gif", "/a.gif", "/b.gif"].map { origin + $0 })
    }
  }

  @Test func `a page that is rebuilt has the image at each place`() async throws {
    try await Bench.with(Self.source()) { bench in
      _ = try await bench.run()
      let page = try bench.page("item0")
      #expect(Self.pictures(page) == 3)
      try bench.makeOlder("item0") { $0.replacing("more", with: "") }
      #expect(try await bench.render().written == 1)
      #expect(try bench.page("item0") == page)
    }
  }

  @Test func `the catalog knows the further URLs that records of earlier versions lack`()
    async throws
  {
    try await Bench.with(Self.source()) { bench in
      _ = try await bench.run()
      var record = try ItemRecord(json: Array(bench.text("item0", "item.json").utf8), path: "")
      record.assets[0].urls = nil
      let files = EarlierFiles(record, in: bench.archive)
      for path in ["/a.gif", "/b.gif", "/c.gif"] {
        let file = files.file(for: ScriptedSource.origin + path)
        #expect(file?.url == ScriptedSource.origin + path)
      }
      #expect(files.file(for: ScriptedSource.origin + "/d.gif") == nil)
    }
  }

  @Test func `a path of one character is the same at another host, an empty one is not`()
    async throws
  {
    try await Bench.with(Self.source()) { bench in
      _ = try await bench.run()
      var record = try ItemRecord(json: Array(bench.text("item0", "item.json").utf8), path: "")
      record.assets[0].urls = nil
      for (path, isSame) in [("/d", true), ("/", false)] {
        let address = ScriptedSource.origin + path
        record.assets[0].url = address
        let file = EarlierFiles(record, in: bench.archive)
          .file(for: "http://elsewhere.example" + path)
        #expect(file?.url == (isSame ? address : nil))
      }
    }
  }
}
