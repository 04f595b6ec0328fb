import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The rules by which a bundle is another one than the catalog records.
struct StrangerRuleTests {
  private let folder: ScratchFolder
  private let archive: Archive
  /// The only item, as the catalog records it.
  private let item: CatalogItem

  init() throws {
    let folder = try ScratchFolder()
    let archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    item = try #require(try archive.catalog.item(Sample.item("a").key))
    self.folder = folder
    self.archive = archive
  }

  private func isStranger(_ known: CatalogItem?) throws -> Bool {
    let bundle = try #require(try archive.root.descend(item.folder))
    return try archive.bundles.isStranger(bundle, at: item.folder, to: known)
  }

  private func write(_ text: String, to name: String) throws {
    try folder.write(text, to: "archive/\(item.folder)/\(name)")
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)/\(name)"))
  }

  @Test func `a bundle is another one if its item is unknown or recorded elsewhere`() throws {
    #expect(try !isStranger(item))
    #expect(try isStranger(nil))
    var known = item
    known.folder = "readeck/elsewhere"
    #expect(try isStranger(known))
    let other = ItemKey(source: "readeck", id: "z")
    #expect(try archive.bundles.isStranger(other, folder: item.folder))
    #expect(try !archive.bundles.isStranger(item.key, folder: item.folder))
  }

  @Test func `a folder that does not exist is not another bundle`() throws {
    #expect(try !archive.bundles.isStranger(item.key, folder: "readeck/none"))
    let other = ItemKey(source: "readeck", id: "z")
    #expect(try !archive.bundles.isStranger(other, folder: "readeck/none"))
  }

  @Test func `a bundle has the manifest of its list of checksums, and none without a list`() throws
  {
    let manifest = try #require(item.manifest)
    #expect(archive.bundles.hasManifest(manifest, folder: item.folder))
    #expect(!archive.bundles.hasManifest("", folder: item.folder))
    #expect(!archive.bundles.hasManifest(manifest, folder: "readeck/none"))
    try remove(ChecksumList.fileName)
    #expect(!archive.bundles.hasManifest(manifest, folder: item.folder))
  }

  @Test func `a readable list other than the recorded one is of another bundle`() throws {
    var known = item
    known.manifest = String(repeating: "0", count: 64)
    #expect(try isStranger(known))
    try write("not a list", to: ChecksumList.fileName)
    #expect(try !isStranger(known), "it is damaged")
    #expect(try !isStranger(item))
    try remove(ChecksumList.fileName)
    #expect(try !isStranger(item))
  }

  @Test(
    arguments: [(0, false), (0.75, false), (-0.75, false), (1, true), (-1, true)]
      as [(Double, Bool)])
  func `without a recorded manifest, times that differ by a second are of another bundle`(
    seconds: Double, expected: Bool
  ) throws {
    var known = item
    known.manifest = nil
    known.lastArchived += seconds
    #expect(try isStranger(known) == expected)
  }

  @Test func `without a recorded manifest, a record of another item is of another bundle`() throws {
    var known = item
    known.manifest = nil
    known.key = ItemKey(source: "readeck", id: "z")
    #expect(try isStranger(known))
    try write("{}", to: ItemRecord.fileName)
    #expect(try !isStranger(known), "it is damaged")
    try remove(ItemRecord.fileName)
    #expect(try !isStranger(known))
  }

  @Test func `of an unknown bundle that repeats its only version one copy is kept`() throws {
    let again = Sample.item("a", archived: 60)
    try archive.publish([archive.bundles.stage(Sample.draft(again))])
    try archive.catalog.record([.remove(item.key, folder: item.folder)])
    let planned = try archive.bundles.plannedVersions(
      for: item.key, folder: item.folder, keepVersions: 0, makesVersion: false)
    #expect(planned == ["20250615T150640Z"])
  }
}
