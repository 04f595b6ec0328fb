import ArchiverCore
import Testing

@testable import ArchiverStorage

/// A worse copy beside the better one that it does not replace.
struct HeldBackTests {
  private let folder: ScratchFolder
  private let archive: Archive
  private let key = Sample.item("a").key

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    for (number, page) in ["<p>first</p>", "<p>second</p>"].enumerated() {
      let item = Sample.item("a", archived: Double(number) * 86_400)
      let image = try archive.objects.store(Array("picture".utf8))
      let draft = try Sample.draft(item, page: page, images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
  }

  private func item() throws -> CatalogItem { try #require(try archive.catalog.item(key)) }

  private func text(_ path: String) throws -> String? {
    folder.text(of: "archive/\(try item().folder)/\(path)")
  }

  /// Holds a copy with this page back, or none.
  private func hold(_ page: String?, at time: Date = Sample.now) throws {
    let item = try item()
    let draft = try page.map {
      try Sample.draft(item, page: $0, images: [archive.objects.store(Array("other".utf8))])
    }
    let staged = try archive.bundles.stage(heldBack: draft.map { ($0, time) }, of: item) {
      (versions) throws(StorageError) in Array("<p>second, \(versions.count)</p>".utf8)
    }
    try archive.mend([#require(staged)])
  }

  @Test func `a copy held back is a version of its own until another or none replaces it`()
    async throws
  {
    let own = try item().versions
    #expect(own.count == 1)
    #expect(try item().heldBack == nil)
    let before = try item().byteCount
    try hold("<p>worse</p>")
    let name = try #require(try item().heldBack)
    #expect(name == "20250615T150640Z-held")
    #expect(try item().versions == [name] + own)
    #expect(try text("index.html") == "<p>second, 2</p>")
    #expect(try text("versions/\(name)/index.html") == "<p>worse</p>")
    #expect(try text("versions/\(own[0])/index.html") == "<p>first</p>")
    // The page replaces one that is three bytes shorter.
    #expect(try item().byteCount == before + 3)
    #expect(try await archive.verify().problems == [])

    try hold("<p>worse again</p>", at: Sample.now + 60)
    let later = "20250615T150740Z-held"
    #expect(try item().versions == [later] + own)
    #expect(try text("versions/\(name)/index.html") == nil)
    #expect(try text("versions/\(later)/index.html") == "<p>worse again</p>")

    try hold(nil)
    #expect(try item().versions == own)
    #expect(try item().heldBack == nil)
    #expect(try text("index.html") == "<p>second, 1</p>")
    #expect(try text("versions/\(own[0])/index.html") == "<p>first</p>")
    #expect(try await archive.verify().problems.filter(\.isDamage) == [])
  }

  @Test func `a better copy drops the one held back, and it does not count as a version`() throws {
    try hold("<p>worse</p>")
    let own = try item().versions.filter { !HeldBack.isName($0) }
    var changed = try item()
    changed.lastArchived += 86_400
    let draft = try Sample.draft(changed, page: "<p>third</p>")
    try archive.publish([archive.bundles.stage(draft)])
    #expect(try item().heldBack == nil)
    #expect(try item().versions.count == 2)
    #expect(try item().versions.last == own[0])
  }

  @Test func `nothing is held back where the bundle is not the catalog's`() throws {
    let item = try item()
    func stage() throws -> StagedBundle? {
      try archive.bundles.stage(heldBack: nil, of: item) { (_) throws(StorageError) in [] }
    }
    #expect(try stage() != nil)
    let sums = "archive/\(item.folder)/SHA256SUMS"
    let list = try #require(folder.text(of: sums))
    try folder.write(list + "\n", to: sums)
    #expect(try stage() == nil)
    try FileManager.default.removeItem(atPath: folder.at(sums))
    #expect(try stage() == nil)
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)"))
    #expect(try stage() == nil)
  }

  @Test func `a copy that does not fit the disk is not held back and leaves nothing`() throws {
    let path = archive.path
    let item = try item()
    let small = try Archive(
      path: path, root: Folder.open(path: path), isReadOnly: false, lock: nil,
      options: ArchiveOptions(reserve: .max / 2))
    let error = #expect(throws: StorageError.self) {
      try small.bundles.stage(heldBack: (Sample.draft(item), Sample.now), of: item) {
        (_) throws(StorageError) in Array("page".utf8)
      }
    }
    #expect(error?.code == .full)
    #expect(try archive.staging.folder.entries().isEmpty)
  }
}
