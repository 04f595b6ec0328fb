import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverEPUB
@testable import ArchiverExport

@Suite struct WebArchiveTests {
  private struct Exported {
    var outcome: WebArchiveExport.Outcome
    /// The content of each file in the ZIP file.
    var files: [String: [UInt8]] = [:]
    var bytes: [UInt8]

    func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }
  }

  private func export(_ shelf: Shelf, _ items: [CatalogItem]? = nil) throws -> Exported {
    let path = shelf.home + "/a.wacz"
    let outcome = try WebArchiveExport.write(
      items ?? shelf.items, root: shelf.root, title: "All", software: "archiver tests", to: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var exported = Exported(outcome: outcome, bytes: bytes)
    let zip = try ZipArchive(path: path, limits: EPUBLimits())
    for name in zip.names { exported.files[name] = try zip.text(name) }
    return exported
  }

  private struct Place: Decodable {
    let url: String
    let mime: String
    let digest: String
    let length: String
    let offset: String
  }

  /// The records that the index lists: their keys, addresses, headers and contents.
  private func records(
    _ exported: Exported
  ) throws -> [(key: String, place: Place, headers: String, content: String)] {
    let index = try GZip.expanded(exported.files["indexes/index.cdx.gz"] ?? [], limit: 1 << 20)
    let warc = exported.files["archive/data.warc.gz"] ?? []
    return try String(decoding: index, as: UTF8.self).split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 2)
      let place = try JSONDecoder().decode(Place.self, from: Data(parts[2].utf8))
      let start = try #require(Int(place.offset))
      let member = Array(warc[start..<(start + (try #require(Int(place.length))))])
      let record = String(
        decoding: try GZip.expanded(member, limit: 1 << 20), as: UTF8.self)
      let end = try #require(record.firstRange(of: "\r\n\r\n"))
      #expect(record.hasSuffix("\r\n\r\n"))
      return (
        String(parts[0]), place, String(record[..<end.lowerBound]),
        String(record[end.upperBound...].dropLast(2))
      )
    }
  }

  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.put(
      "a", title: "Maps", html: "<p>First <img src=\"assets/x.png\" alt=\"\"></p>",
      assets: ["x.png": "pixels"])
    return shelf
  }

  @Test func `pages and images are found under their web addresses`() throws {
    let exported = try export(try shelf())
    #expect(exported.outcome.pages == 1)
    #expect(exported.outcome.files == 1)
    let records = try records(exported)
    #expect(records.map(\.key) == ["org,example)/a", "org,example)/x.png"])
    let page = try #require(records.first)
    #expect(page.place.mime == "text/html")
    #expect(page.headers.contains("WARC-Target-URI: https://example.org/a\r\n"))
    #expect(page.headers.contains("WARC-Date: 2023-11-14T22:13:20Z\r\n"))
    #expect(page.content.contains("<img src=\"https://example.org/x.png\""))
    #expect(page.content.contains("img-src * data:"))
    #expect(!page.content.contains("../../index.html"))
    let image = try #require(records.last)
    #expect(image.content == "pixels")
    #expect(image.place.digest == "sha256:" + Digest.sha256Hex("pixels"))
  }

  @Test func `the package lists every file with its size and digest`() throws {
    struct Package: Decodable {
      struct Resource: Decodable {
        let path: String
        let hash: String
        let bytes: Int
      }
      let resources: [Resource]
    }
    let exported = try export(try shelf())
    let json = exported.files["datapackage.json"] ?? []
    let package = try JSONDecoder().decode(Package.self, from: Data(json))
    for resource in package.resources {
      let bytes = try #require(exported.files[resource.path])
      #expect(resource.bytes == bytes.count)
      #expect(resource.hash == "sha256:" + Digest.sha256Hex(bytes))
    }
    let listed = Set(package.resources.map(\.path))
    #expect(
      Set(exported.files.keys) == listed.union(["datapackage.json", "datapackage-digest.json"]))
    #expect(exported.text("datapackage-digest.json").contains(Digest.sha256Hex(json)))
    #expect(exported.text("pages/pages.jsonl").contains("\"text\":\"First\""))
  }

  @Test func `equal items give equal bytes`() throws {
    let shelf = try shelf()
    #expect(try export(shelf).bytes == export(shelf).bytes)
  }

  @Test func `an image without a web address is part of the page, a file is reported`() throws {
    let shelf = try shelf()
    let item = try #require(shelf.items.first)
    let folder = "\(shelf.root)/\(item.folder)"
    var record = try ItemRecord(
      json: [UInt8](try Data(contentsOf: URL(filePath: folder + "/item.json"))), path: "item.json")
    record.assets[0].url = "item:readeck/a/x.png"
    try Data(try record.json()).write(to: URL(filePath: folder + "/item.json"))
    let page = try String(
      decoding: Data(contentsOf: URL(filePath: folder + "/index.html")), as: UTF8.self)
    try Data("report".utf8).write(to: URL(filePath: folder + "/assets/r.pdf"))
    try Data(
      page.replacing("<p>First", with: "<p><a href=\"assets/r.pdf\">Report</a> First").utf8
    ).write(to: URL(filePath: folder + "/index.html"))
    let exported = try export(shelf)
    let records = try records(exported)
    #expect(records.map(\.key) == ["org,example)/a"])
    #expect(records.first?.content.contains("src=\"data:image/png;base64,cGl4ZWxz\"") == true)
    #expect(exported.outcome.left.map(\.path) == ["\(item.folder)/assets/r.pdf"])
    #expect(records.first?.content.contains("<a>Report</a>") == true)
  }

  @Test func `items without a web address and unreadable ones are reported, the others written`()
    throws
  {
    let shelf = try shelf()
    try shelf.put("b", title: "Boats", html: "<p>Second</p>") { $0.metadata.url = nil }
    let lost = try shelf.put("c", title: "Lost", html: "<p>Third</p>")
    try FileManager.default.removeItem(atPath: "\(shelf.root)/\(lost.folder)/index.html")
    let outcome = try export(shelf).outcome
    #expect(outcome.pages == 1)
    #expect(outcome.withoutAddress == ["Boats"])
    #expect(outcome.failed.map(\.folder) == [lost.folder])
  }

  @Test func `a file that the page does not name and an unreadable record are reported`() throws {
    let shelf = try shelf()
    let item = try #require(shelf.items.first)
    let path = "\(shelf.root)/\(item.folder)/item.json"
    var record = try ItemRecord(
      json: [UInt8](try Data(contentsOf: URL(filePath: path))), path: "item.json")
    var other = record.assets[0]
    other.url = "item:readeck/a/y.bin"
    other.path = "assets/y.bin"
    record.assets.append(other)
    try Data(try record.json()).write(to: URL(filePath: path))
    #expect(try export(shelf).outcome.left.map(\.path) == ["\(item.folder)/assets/y.bin"])
    try Data("damaged".utf8).write(to: URL(filePath: path))
    let outcome = try export(shelf).outcome
    #expect(outcome.failed.map(\.folder) == [item.folder])
    #expect(outcome.pages == 1)
  }

  @Test func `no item gives an empty web archive`() throws {
    let exported = try export(try shelf(), [])
    #expect(exported.outcome.pages == 0)
    #expect(try records(exported).isEmpty)
  }

  @Test(arguments: [
    ("https://example.org/", "org,example)/"), ("http://www.example.org", "org,example)/"),
    ("https://www2.example.org/A/B/", "org,example)/a/b"),
    ("https://EXAMPLE.org:8443/a?b=2&A=1", "org,example:8443)/a?a=1&b=2"),
    ("https://www.org/x", "org,www)/x"), ("https://example.org/a%20b", "org,example)/a%20b"),
    ("https://www.example.org/Caf%C3%A9?q=B%2FC&a", "org,example)/caf%c3%a9?a&q=b/c"),
    ("https://example.org/a//b", "org,example)/a/b"), ("https://example.org/a/?", "org,example)/a"),
    ("https://example.org/a?b&&c", "org,example)/a?&b&c"),
    ("https://192.168.1.2/x", "2,1,168,192)/x"),
    ("https://user@example.org/a", "org,example)/a"),
    ("https://a.b.example.org/?", "org,example,b,a)/"),
  ])
  func `keys of addresses sort by host`(address: String, key: String) {
    #expect(CDXJLine.key(address) == key)
  }
}
