import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverExport

/// What a file that restores a server is made of.
@Suite struct RestoreExportTests {
  /// Remembers the items that it is given.
  private final class Restorer: SourceRestorer {
    let items = Mutex<[KeptItem]>([])
    let ids = Mutex<[String]>([])
    let advice = ""

    func files(of item: KeptItem) -> RestoredItem {
      items.withLock { $0.append(item) }
      return RestoredItem(files: [RestoredFile("items/\(item.id)", .bytes([]))])
    }

    func index(of ids: [String], owner: RestoredOwner) -> RestoredItem {
      self.ids.withLock { $0 = ids }
      return RestoredItem()
    }
  }

  private func write(
    _ shelf: Shelf, _ restorer: Restorer
  ) throws -> RestoreExport.Outcome {
    try RestoreExport.write(
      shelf.items, root: shelf.root, kind: "readeck", restorer: restorer,
      owner: RestoredOwner(name: "anna"), to: nil)
  }

  @Test func `of two items with one id the second is reported, not lost`() throws {
    let shelf = try Shelf()
    for source in ["one", "two"] {
      try shelf.put(source, title: source, html: "<p>x</p>") {
        $0.key = ItemKey(source: source, id: "Same")
        $0.folder = "\(source)/same"
      }
    }
    let restorer = Restorer()
    let outcome = try write(shelf, restorer)
    #expect(outcome.items == 1 && outcome.files == 1)
    #expect(outcome.failed.map(\.folder) == ["two/same"])
    #expect(outcome.failed.first?.reason.contains("the same id") == true)
    #expect(restorer.ids.withLock { $0 } == ["Same"])
  }

  @Test func `two items with one address are two`() throws {
    let shelf = try Shelf()
    for id in ["A", "B"] {
      try shelf.put(id, title: id, html: "<p>x</p>") {
        $0.metadata.url = "https://example.org/same"
      }
    }
    let restorer = Restorer()
    let outcome = try write(shelf, restorer)
    #expect(outcome.items == 2 && outcome.failed.isEmpty)
    #expect(restorer.ids.withLock { $0 } == ["A", "B"])
  }

  @Test func `a file is given once for each of its URLs, and files that are not there are counted`()
    throws
  {
    let shelf = try Shelf()
    let item = try shelf.put("A", title: "A", html: "<p>x</p>", assets: ["1.png": "one"])
    let path = "\(shelf.root)/\(item.folder)/item.json"
    var record = try ItemRecord(
      json: Array(FileManager.default.contents(atPath: path) ?? Data()), path: path)
    record.assets[0].urls = ["https://example.org/cover.png"]
    var cover = Attachment(
      .cover, .remote(try #require(WebURL("https://example.org/cover.png"))), name: nil,
      mediaType: "image/png")
    cover.width = 3
    record.delivered = DeliveredContent(
      base: nil, noText: nil,
      files: [
        DeliveredContent.File(cover, url: "https://example.org/cover.png", sha256: nil),
        DeliveredContent.File(cover, url: "https://example.org/gone.png", sha256: nil),
      ], metadata: nil, annotations: nil, notes: [], missing: [], origin: nil)
    try Data(try record.json()).write(to: URL(filePath: path))
    let restorer = Restorer()
    _ = try write(shelf, restorer)
    let kept = try #require(restorer.items.withLock { $0.first })
    #expect(
      kept.files.map(\.url) == ["https://example.org/1.png", "https://example.org/cover.png"])
    #expect(kept.files.map(\.role) == [nil, .cover])
    #expect(Set(kept.files.map(\.path)).count == 1)
    #expect(kept.absent == 1)
  }
}
