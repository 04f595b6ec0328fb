import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// The order of the steps that make bundles visible, and what is left after them.
struct PublishStepsTests {
  let folder: ScratchFolder
  let faults = FailingStep()
  let archive: Archive
  let item = Sample.item("a")

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
  }

  func stage(_ page: String) throws -> StagedBundle {
    try archive.bundles.stage(Sample.draft(item, page: page))
  }

  var page: String? { folder.text(of: "archive/\(item.folder)/index.html") }

  @Test func `a bundle is flushed before it is seen, and its name before it is recorded`() throws {
    let steps = Mutex<[String]>([])
    for (number, expected) in [
      [
        "commit announce", "synchronise staging", "makeFolder readeck", "synchronise archive",
        "rename", "synchronise readeck", "synchronise staging", "commit record",
      ],
      [
        "commit announce", "synchronise staging", "exchange", "synchronise readeck",
        "synchronise staging", "commit record",
      ],
    ].enumerated() {
      let staged = try stage("page \(number)")
      steps.withLock { $0 = [] }
      faults.set { operation, path in
        let name = path.split(separator: "/").last ?? ""
        let isNamed = ![.rename, .exchange].contains(operation)
        if operation != .remove {
          steps.withLock { $0.append(operation.rawValue + (isNamed ? " \(name)" : "")) }
        }
        return nil
      }
      try archive.publish([staged])
      faults.set { _, _ in nil }
      #expect(steps.withLock { $0 } == expected)
      #expect(page == "page \(number)")
    }
  }

  @Test func `where folders cannot be exchanged, the replaced bundle leaves staging too`() throws {
    faults.set { operation, _ in operation == .exchange ? ENOSYS : nil }
    for page in ["old", "new"] { try archive.publish([stage(page)]) }
    #expect(page == "new")
    #expect(try archive.staging.folder.entries().isEmpty)
  }

  @Test func `a bundle that was taken away and not replaced is put back durably`() throws {
    try archive.publish([stage("old")])
    let staged = try stage("new")
    try archive.catalog.announce([.publish(staged.publication)])
    try FileManager.default.moveItem(
      atPath: folder.at("archive/\(item.folder)"),
      toPath: folder.at("archive/.archiver/staging/\(staged.publication.replacedName)"))
    faults.set { operation, path in
      operation == .synchronise && path.hasSuffix("/readeck") ? EIO : nil
    }
    #expect(throws: StorageError.self) { try archive.settle() }
    #expect(try archive.catalog.intents().count == 1)
    faults.set { _, _ in nil }
    try archive.settle()
    #expect(page == "old")
    #expect(try archive.catalog.intents().isEmpty)
  }

  @Test func `nothing is to be settled in an archive that was opened`() {
    #expect(!archive.settling.isNeeded)
    #expect(!RecoveryFlag().isNeeded)
  }

  @Test func `an item whose bundle is gone is removed`() throws {
    try archive.publish([stage("page")])
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)"))
    try archive.remove(item.key)
    #expect(try archive.catalog.item(item.key) == nil)
    #expect(try archive.catalog.intents().isEmpty)
  }

  @Test func `a bundle's size is that of its files without its versions`() throws {
    for page in ["old", "new"] { try archive.publish([stage(page)]) }
    let names = ["index.html", "item.json", "SHA256SUMS"]
    let sizes = names.map { folder.bytes(of: "archive/\(item.folder)/\($0)")?.count ?? 0 }
    let archived = try #require(try archive.catalog.item(item.key))
    #expect(archived.byteCount == sizes.reduce(0, +))
    #expect(archived.versions.count == 1)
  }

  @Test func `the bytes of a draft and its other objects are told apart`() {
    let objects = ["1", "2", "3"].map {
      StoredObject(sha256: Digest.sha256Hex($0), byteCount: 1_000)
    }
    let asset = CachedAsset(
      url: "https://example.org/a", object: objects[0], mediaType: "image/png")
    let draft = BundleDraft(
      item: item,
      files: [
        .init(path: "a", content: .bytes([1, 2])), .init(path: "b", content: .object(objects[0])),
        .init(path: "c", content: .object(objects[1])), .init(path: "d", content: .bytes([3])),
        .init(path: "e", content: .object(objects[2])),
      ], assets: [asset], keepVersions: 3, makesVersion: true)
    #expect(draft.inlineByteCount == 3)
    #expect(draft.furtherObjects == Array(objects.dropFirst()))
  }

  @Test func `a value that cannot take its name leaves nothing in staging`() throws {
    faults.set { operation, _ in operation == .rename ? EIO : nil }
    #expect(throws: StorageError.self) { try archive.setPinned(true, item.key) }
    faults.set { _, _ in nil }
    #expect(try archive.staging.folder.entries().isEmpty)
  }

  @Test func `a page may be missing, or larger than the catalog says of its bundle`() throws {
    try archive.publish([stage("<p>page</p>")])
    var known = try #require(try archive.catalog.item(item.key))
    let before = known.byteCount
    #expect(try archive.bundles.stage(page: [1], of: known)?.item.byteCount == before - 10)
    known.byteCount = 0
    #expect(try archive.bundles.stage(page: [1], of: known)?.item.byteCount == 0)
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)/index.html"))
    #expect(try archive.bundles.stage(page: [1, 2], of: known)?.item.byteCount == 2)
  }
}
