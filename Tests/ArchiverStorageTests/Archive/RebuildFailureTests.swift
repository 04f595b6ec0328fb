import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Old catalogs that stop a rebuild or are left as they are, and objects that repair leaves.
struct RebuildFailureTests {
  private let scratch: ScratchFolder
  private let item = Sample.item("a")
  private let catalog = "archive/.archiver/catalog.sqlite"

  /// Makes an archive with an intent of a bundle that was never installed.
  init() throws {
    scratch = try ScratchFolder()
    let archive = try Archive.open(path: scratch.at("archive"), mode: .readWrite(holder: "test"))
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    try archive.catalog.announce([.publish(Sample.publication(item))])
  }

  @Test(arguments: [(ENOSPC, StorageError.Code.full), (EIO, nil)] as [(Int32, StorageError.Code?)])
  func `a full disk stops a rebuild, another error of the old catalog does not`(
    code: Int32, expected: StorageError.Code?
  ) throws {
    let faults = FailingStep { operation, name in
      operation == .commit && name == "abandon" ? code : nil
    }
    var found: StorageError.Code?
    do throws(StorageError) {
      let items = try Archive.rebuildCatalog(
        path: scratch.at("archive"), options: ArchiveOptions(faults: faults)
      ).items
      #expect(items == 1)
    } catch {
      found = error.code
    }
    #expect(found == expected)
    #expect((scratch.bytes(of: catalog + ".old") == nil) == (expected != nil))
  }

  @Test func `the WAL of an empty catalog is kept with it`() throws {
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: scratch.at(catalog + ending))  // may not exist
    }
    try scratch.write("", to: catalog)
    try scratch.write("log", to: catalog + "-wal")
    #expect(try Archive.rebuildCatalog(path: scratch.at("archive")).items == 1)
    #expect(scratch.text(of: catalog + ".old") == "")
    #expect(scratch.text(of: catalog + ".old-wal") == "log")
  }

  @Test func `an object is kept if only a bundle's copy of it is damaged`() throws {
    let faults = FailingStep { operation, _ in operation == .link ? EXDEV : nil }
    let archive = try Archive.open(
      path: scratch.at("copies"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
    let image = try archive.objects.store(Array("picture".utf8))
    try archive.publish([archive.bundles.stage(Sample.draft(item, images: [image]))])
    let name = "assets/\(image.sha256.prefix(16)).png"
    try scratch.write("PICTURE", to: "copies/\(item.folder)/\(name)")
    let problems = try archive.verify(bundle: item.folder)
    #expect(problems == [.init(.hashMismatch, folder: item.folder, file: name)])
    #expect(try archive.discardDamage(problems) == 0)
    #expect(try archive.objects.contains(image))
    #expect(try archive.catalog.isCommitted(image.sha256))
  }
}
