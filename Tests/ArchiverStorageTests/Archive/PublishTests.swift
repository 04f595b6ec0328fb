import ArchiverCore
import Testing

@testable import ArchiverStorage

struct PublishTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func open(_ options: ArchiveOptions = ArchiveOptions()) throws -> Archive {
    try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"), options: options)
  }

  @Test func `a published bundle is visible, catalogued and passes sha256sum`() throws {
    let archive = try open()
    let image = try archive.objects.store(Array("picture".utf8))
    let staged = try archive.bundles.stage(Sample.draft(Sample.item("a"), images: [image]))
    try archive.publish([staged])

    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    #expect(item == staged.item)
    #expect(try archive.bundles.read("index.html", of: item.folder) == Array("<p>page</p>".utf8))
    #expect(item.byteCount > 7)
    #expect(try archive.staging.folder.entries().isEmpty)
    let asset = "assets/\(image.sha256.prefix(16)).png"
    let path = "\(archive.path)/\(item.folder)/\(asset)"
    #expect(FileManager.default.contents(atPath: path) == Data("picture".utf8))
    #expect(try archive.catalog.asset(url: "https://example.org/\(image.sha256)") != nil)
  }

  @Test func `a changed bundle keeps the earlier ones as versions`() throws {
    let archive = try open()
    let image = try archive.objects.store(Array("picture".utf8))
    for number in 0..<6 {
      let item = Sample.item("a", revision: "r\(number)", archived: Double(number))
      let draft = Sample.draft(item, page: "page \(number)", images: [image], keepVersions: 3)
      let planned = try archive.bundles.plannedVersions(
        for: item.key, folder: item.folder, keepVersions: 3, makesVersion: true)
      let staged = try archive.bundles.stage(draft)
      #expect(staged.item.versions == planned)
      try archive.publish([staged])
    }
    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    #expect(item.versions == ["20250615T150644Z", "20250615T150643Z", "20250615T150642Z"])
    for (index, version) in item.versions.enumerated() {
      let page = try archive.bundles.read("versions/\(version)/index.html", of: item.folder)
      #expect(page == Array("page \(4 - index)".utf8))
    }
  }
}
