import ArchiverCore
import Testing

@testable import ArchiverStorage

/// A bundle at the path of an item to publish that differs from the catalog's record.
struct StrangerTests {
  let folder: ScratchFolder
  private let item = Sample.item("a")

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { folder.at("archive") }
  private var page: String { "archive/\(item.folder)/index.html" }

  private func open() throws -> Archive {
    try Archive.open(path: path, mode: .readWrite(holder: "test"))
  }

  private func publish(
    _ revision: String, archived: Double, keepVersions: Int = 3, makesVersion: Bool = false
  ) throws -> CatalogItem {
    let archive = try open()
    var item = Sample.item("a", revision: revision, archived: archived)
    item.contentHash = revision
    let staged = try archive.bundles.stage(
      Sample.draft(
        item, page: "page of \(revision)", keepVersions: keepVersions, makesVersion: makesVersion))
    try archive.publish([staged])
    return staged.item
  }

  /// Restores the catalog from before a body, whose bundles stay.
  private func withRestoredCatalog(_ body: () throws -> Void) throws {
    let copy = folder.at("copy")
    try FileManager.default.copyItem(atPath: "\(path)/.archiver", toPath: copy)
    try body()
    try FileManager.default.removeItem(atPath: "\(path)/.archiver")
    try FileManager.default.moveItem(atPath: copy, toPath: "\(path)/.archiver")
  }

  /// Expects a version with this page, and no problems in the archive.
  private func expectVersion(_ text: String, of published: CatalogItem) async throws {
    let archive = try open()
    let pages = try published.versions.map { version in
      try archive.bundles.read("versions/\(version)/index.html", of: published.folder)
    }
    #expect(pages.contains(Array(text.utf8)))
    #expect(try await archive.verify().problems.filter(\.isDamage) == [])
    #expect(try archive.catalog.item(item.key)?.versions == published.versions)
  }

  @Test func `an item whose bundle is newer than a restored catalog is fetched again`() throws {
    _ = try publish("r1", archived: 0)
    try withRestoredCatalog { _ = try publish("r2", archived: 86_400) }
    let archive = try open()
    #expect(try archive.catalog.item(item.key)?.revision == "r1")
    #expect(try archive.housekeeping(now: Date(), limit: .seconds(5)).distrusted == 1)
    #expect(try archive.catalog.item(item.key)?.revision != "r1")
    // Once a week.
    let later = Date() + 86_400
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).distrusted == 0)
  }

  @Test(arguments: [(6.4, 0), (6.6, 1)])
  func `bundles are compared with the catalog once a week`(days: Double, distrusted: Int) throws {
    _ = try publish("r1", archived: 0)
    let now = Date()
    #expect(try open().housekeeping(now: now, limit: .seconds(5)).distrusted == 0)
    try withRestoredCatalog { _ = try publish("r2", archived: 86_400) }
    let later = now + days * 86_400
    #expect(try open().housekeeping(now: later, limit: .seconds(5)).distrusted == distrusted)
  }

  @Test(arguments: [ItemStanding.gone, .withheld])
  func `a newer bundle of an item that the source no longer delivers is recorded`(
    standing: ItemStanding
  ) async throws {
    _ = try publish("r1", archived: 0)
    try mark(standing)
    try withRestoredCatalog {
      _ = try publish("r2", archived: 86_400)
      try mark(standing)
    }
    let archive = try open()
    let before = try #require(try archive.catalog.item(item.key))
    #expect(before.state == (standing == .gone ? .deleted : .withheld))
    #expect(try archive.housekeeping(now: Date(), limit: .seconds(5)).distrusted == 1)
    let after = try #require(try archive.catalog.item(item.key))
    #expect((after.state, after.revision, after.contentHash) == (before.state, "r2", "r2"))
    #expect(try await archive.verify().problems.filter(\.isDamage) == [])
    let later = Date() + 8 * 86_400
    #expect(try archive.housekeeping(now: later, limit: .seconds(5)).distrusted == 0)
  }

  private func mark(_ standing: ItemStanding) throws {
    _ = try open().catalog.note([item.key.id: standing], source: item.key.source)
  }

  @Test(arguments: [0, 1, 3])
  func `a bundle that the catalog does not know becomes a version, whatever is kept`(
    keepVersions: Int
  ) async throws {
    _ = try publish("r1", archived: 0)
    try folder.write("edited by hand", to: page)
    do {
      // A catalog of an archive that has nothing.
      let archive = try open()
      try archive.catalog.record([.remove(item.key, folder: item.folder)])
    }
    let new = try publish("r1", archived: 60, keepVersions: keepVersions)
    #expect(folder.text(of: page) == "page of r1")
    try await expectVersion("edited by hand", of: new)
  }

  @Test func `a bundle that a week-old catalog does not know as it is becomes a version`()
    async throws
  {
    _ = try publish("r1", archived: 0)
    try withRestoredCatalog {
      _ = try publish("r2", archived: 60, makesVersion: true)
      try folder.write("edited by hand", to: page)
    }
    let new = try publish("r3", archived: 120)
    try await expectVersion("edited by hand", of: new)
    try await expectVersion("page of r1", of: new)
  }

  @Test func `a bundle recorded by an earlier version is identified by its record`() throws {
    _ = try publish("r1", archived: 0)
    let archive = try open()
    var known = try #require(try archive.catalog.item(item.key))
    known.manifest = nil
    #expect(
      try !archive.bundles.isStranger(archive.root.folderOf(known), at: known.folder, to: known))
    known.lastArchived += 86_400
    #expect(
      try archive.bundles.isStranger(archive.root.folderOf(known), at: known.folder, to: known))
    known.lastArchived -= 86_400
    known.contentHash = "other"
    #expect(
      try archive.bundles.isStranger(archive.root.folderOf(known), at: known.folder, to: known))
  }

  @Test func `a folder without checksums that the catalog does not know becomes a version`()
    async throws
  {
    let place = "\(path)/\(item.folder)"
    _ = try open()
    try FileManager.default.createDirectory(
      atPath: place + "/notes", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: place + "/notes/mine.txt"))
    let new = try publish("r1", archived: 0)
    let version = try #require(new.versions.first)
    #expect(
      folder.text(of: "archive/\(item.folder)/versions/\(version)/notes/mine.txt") == "mine")
    #expect(try await open().verify().problems == [])
  }

  @Test func `a bundle in the catalog makes no version`() throws {
    _ = try publish("r1", archived: 0)
    #expect(try publish("r2", archived: 60).versions == [])
  }

  @Test func `a page is not updated in a bundle that the catalog does not know`() throws {
    _ = try publish("r1", archived: 0)
    let archive = try open()
    var known = try #require(try archive.catalog.item(item.key))
    #expect(try archive.bundles.stage(page: [1], of: known) != nil)
    known.manifest = String(repeating: "0", count: 64)
    #expect(try archive.bundles.stage(page: [1], of: known) == nil)
  }

  @Test func `an updated bundle is known afterwards`() throws {
    _ = try publish("r1", archived: 0)
    do {
      let archive = try open()
      let known = try #require(try archive.catalog.item(item.key))
      let staged = try #require(try archive.bundles.stage(page: [1], of: known))
      try archive.mend([staged])
    }
    #expect(try publish("r2", archived: 60).versions == [])
  }
}

extension Folder {
  fileprivate func folderOf(_ item: CatalogItem) throws -> Folder {
    try #require(try descend(item.folder))
  }
}
