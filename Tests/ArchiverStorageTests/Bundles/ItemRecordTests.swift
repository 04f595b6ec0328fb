import ArchiverCore
import Testing

@testable import ArchiverStorage

struct ItemRecordTests {
  @Test func `a record comes back from its JSON, and the same record gives the same bytes`() throws
  {
    var item = Sample.item("a", archived: 0.25)
    item.thumbnail = .init(path: "assets/x.png", width: 10)
    item.imageCount = 3
    item.missingImages = 1
    let asset = CachedAsset(
      url: "https://example.org/a.png",
      object: StoredObject(sha256: String(repeating: "a", count: 64), byteCount: 5),
      mediaType: "image/png", width: 1, height: 2)
    let record = ItemRecord(
      item, kind: "readeck", missing: [.init(url: "https://example.org/b", reason: "gone")],
      assets: [.init(path: "assets/x.png", asset: asset)], links: [ItemLink(.parent, target: "p")],
      notes: ["A note."], generator: "archiver 1")
    let json = try record.json()
    #expect(try ItemRecord(json: json, path: "item.json") == record)
    #expect(try record.json() == json)
    #expect(record.cachedAssets == [asset])
    #expect(record.catalogItem(folder: item.folder, byteCount: 0, versions: []) == item)
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains("\"firstArchived\" : \"2025-06-15T15:06:40Z\""))
    #expect(text.contains("\"lastArchived\" : \"2025-06-15T15:06:40.250Z\""))
    #expect(text.hasSuffix("}\n"))
  }

  @Test func `what was left out is in a record only if there is something`() throws {
    let item = Sample.item("a")
    let record = ItemRecord(item, kind: "readeck", leftOut: ["script": 2], generator: "archiver 1")
    #expect(record.leftOut == ["script": 2])
    let json = try ItemRecord(item, kind: "readeck", generator: "archiver 1").json()
    #expect(!String(decoding: json, as: UTF8.self).contains("leftOut"))
  }

  @Test(arguments: [
    (-14_826_628_800.0, "1500-03-01T12:00:00Z"), (-12_219_724_800.5, "1582-10-09T23:59:59.500Z"),
    (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_214_400, "9999-12-31T00:00:00Z"),
    (9_256_914_305.5, "2263-05-05T05:05:05.500Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
  ])
  func `dates are those of the Gregorian calendar in every century`(
    seconds: Double, text: String
  ) throws {
    var item = Sample.item("a", archived: 0.25)
    item.metadata.published = Date(timeIntervalSince1970: seconds)
    let json = try ItemRecord(item, kind: "readeck", generator: "archiver 1").json()
    #expect(String(decoding: json, as: UTF8.self).contains("\"published\" : \"\(text)\""))
    let read = try ItemRecord(json: json, path: "item.json")
    #expect(read.metadata.published == item.metadata.published)
  }

  @Test func `a record that is read and written again has the same dates`() throws {
    for millisecond in -2_000..<2_000 {
      var item = Sample.item("a", archived: Double(millisecond * 7_919) / 1000)
      item.metadata.published = Date(timeIntervalSinceReferenceDate: Double(millisecond) / 1000)
      let json = try ItemRecord(item, kind: "readeck", generator: "archiver 1").json()
      let read = try ItemRecord(json: json, path: "item.json")
      #expect(try read.json() == json)
      #expect(abs(read.lastArchived.timeIntervalSince(item.lastArchived)) < 0.0001)
    }
  }

  @Test func `every member of a record is in the documentation of the format`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let page = root + "/Sources/ArchiverCLI/ArchiverCLI.docc/Formats.md"
    let text = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
    let start = try #require(text.firstRange(of: "### item.json")).upperBound
    let table = text[start..<(try #require(text.firstRange(of: "### The library")).lowerBound)]
    let item = Sample.item("a")
    let record = ItemRecord(item, kind: "readeck", generator: "archiver 1")
    let delivered = DeliveredContent(
      base: nil, noText: nil, files: [], metadata: nil, annotations: nil, notes: [], missing: [],
      origin: nil)
    for value: Any in [record, item.metadata, delivered, CatalogItem.Thumbnail(path: "")] {
      let members = Mirror(reflecting: value).children.compactMap(\.label)
      #expect(members.count > 2)
      for member in members {
        let name = member.hasPrefix("_") ? String(member.dropFirst()) : member
        #expect(table.contains("`\(name)`"), "\(type(of: value)).\(name)")
      }
    }
  }

  @Test func `a record of a later format is refused as such, and garbage as damaged`() throws {
    let later = #expect(throws: StorageError.self) {
      try ItemRecord(json: Array("{\"format\": 2}".utf8), path: "item.json")
    }
    #expect(later?.code == .tooNew)
    for rubbish in ["", "{}", "[]", "{\"format\": 1}", "\u{0}"] {
      let error = #expect(throws: StorageError.self) {
        try ItemRecord(json: Array(rubbish.utf8), path: "item.json")
      }
      #expect(error?.code == .damaged)
    }
  }
}
