import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverPipeline

/// What one page makes of its links, and what an update of pages counts.
@Suite struct LinkRecordTests {
  private static let address = "https://site.example/item1"

  private static func text(_ bytes: [UInt8]?) -> String {
    String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// The links of a page in whose archive only `item1` is, with its id as its title.
  private static func links(_ bench: Bench) throws -> BundleLinks {
    let url = try #require(WebURL(address))
    try bench.record(
      ["item1"], links: LinkRecord(addresses: [LinkAddress(url).text], targets: [:]))
    return BundleLinks(
      key: ItemKey(source: "scripted", id: "item0"), folder: "scripted/item0", addresses: [],
      archive: bench.archive)
  }

  @Test func `a page that was just fetched keeps the titles of its links`() async throws {
    try await Bench.with(ScriptedSource()) { bench in
      let links = try Self.links(bench)
      let body = Array("<p><a class=\"title\" href=\"\(Self.address)\">Newer</a></p>".utf8)
      let fetched = try links.localised(body, links: [])
      #expect(Self.text(fetched.body).contains("../../scripted/item1/index.html"))
      #expect(Self.text(fetched.body).contains(">Newer</a>"))
      #expect(!fetched.isRetitled)
      let updated = try links.localised(body, links: [], renames: true)
      #expect(Self.text(updated.body).contains(">item1</a>"))
      #expect(!Self.text(updated.body).contains("Newer"))
      #expect(updated.isRetitled)
    }
  }

  @Test(
    arguments: [
      "<p>Words</p>", "<p><a class=\"title\" href=\"https://site.example/item7\">7</a></p>",
      "<p><a href=\"https://site.example/item1\">these words</a></p>",
      "<p><a class=\"title\" href=\"https://site.example/item1\">item1</a></p>", nil,
    ] as [String?])
  func `a page without a link to rename is not renamed`(html: String?) async throws {
    try await Bench.with(ScriptedSource()) { bench in
      let found = try Self.links(bench).localised(
        html.map { Array($0.utf8) }, links: [], renames: true)
      #expect(!found.isRetitled)
      #expect((found.body == nil) == (html == nil))
    }
  }

  @Test func `a link and its place on the page are read by the first form that knows them`()
    async throws
  {
    let forms: [AdapterProperties.LinkForm] = [
      { $0.host == "one.example" ? WebURL("https://number.example/1#first") : nil },
      { _ in WebURL("https://number.example/1#second") },
    ]
    try await TemporaryFolder.with("forms") { folder in
      let archive = try Archive.open(
        path: folder + "/archive", mode: .readWrite(holder: "test"),
        options: ArchiveOptions(linkForms: forms))
      let item = CatalogItem(
        key: ItemKey(source: "scripted", id: "item1"), revision: "1", folder: "scripted/item1",
        metadata: ItemMetadata(kind: .article, title: "One"), firstArchived: .distantPast,
        lastArchived: .distantPast, contentHash: "")
      let record = LinkRecord(addresses: ["//number.example/1"], targets: [:])
      try archive.catalog.record([
        .publish(
          Publication(
            item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: "",
            links: record))
      ])
      let links = BundleLinks(
        key: ItemKey(source: "scripted", id: "item0"), folder: "scripted/item0", addresses: [],
        archive: archive)
      for (host, place) in [("one.example", "first"), ("two.example", "second")] {
        let body = Array("<p><a href=\"https://\(host)/a\">a</a></p>".utf8)
        let page = Self.text(try links.localised(body, links: []).body)
        #expect(page.contains("href=\"../../scripted/item1/index.html#c-\(place)\""))
      }
    }
  }

  @Test func `an update of pages counts those that it writes`() async throws {
    let source = ScriptedSource(count: 3)
    for number in 1...2 {
      source.change("item\(number)") {
        $0.html = ($0.html ?? "") + "<p><a href=\"https://site.example/item0\">there</a></p>"
      }
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      let mender = LinkMender(archive: bench.archive)
      #expect(try mender.mend() == 0)
      try bench.archive.remove(bench.item("item0").key)
      #expect(try mender.mend() == 2)
      #expect(try mender.mend() == 0)
    }
  }

  @Test func `each update that renames links of a page is counted`() async throws {
    let source = ScriptedSource(count: 2)
    source.change("item0") {
      $0.html =
        ($0.html ?? "")
        + "<p><a class=\"title\" href=\"https://site.example/item1\">Article 1</a></p>"
    }
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.item("item0").titleUpdates == nil)
      for (number, title) in ["Kingfisher", "Heron"].enumerated() {
        source.change("item1") {
          $0.title = title
          $0.revision = "\(number + 2)"
        }
        _ = try await bench.run()
        #expect(try bench.page("item0").contains(">\(title)</a>"))
        #expect(try bench.item("item0").titleUpdates == number + 1)
      }
    }
  }
}
