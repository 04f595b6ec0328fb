import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverStorage

struct PublishTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
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

  /// Leaves an archive in the state of a process killed between the renames and the record.
  private func killed(
    change: (inout BundleDraft) -> Void = { _ in }
  ) throws -> (item: CatalogItem, object: StoredObject, assets: [CachedAsset]) {
    let archive = try open()
    let object = try archive.objects.store([1, 2, 3])
    var draft = try Sample.draft(Sample.item("a"), images: [object])
    change(&draft)
    let staged = try archive.bundles.stage(draft)
    try archive.catalog.announce([.publish(staged.publication)])
    try archive.bundles.synchronise([staged])
    try archive.bundles.install([staged])
    return (staged.item, object, draft.assets)
  }

  @Test func `what was visible when the process was killed is recorded with all of its images`()
    throws
  {
    let before = try killed()
    let next = try open()
    #expect(try next.catalog.intents().isEmpty)
    #expect(try next.catalog.item(before.item.key) == before.item)
    #expect(try next.objects.contains(before.object))
    #expect(!before.assets.isEmpty)
    for asset in before.assets { #expect(try next.catalog.asset(url: asset.url) == asset) }
  }

  @Test func `a record that cannot be read costs an interrupted bundle its addresses alone`() throws
  {
    let before = try killed { draft in
      draft.files.removeAll { $0.path == ItemRecord.fileName }
      draft.files.append(.init(path: ItemRecord.fileName, content: .bytes([0x7B])))
    }
    let next = try open()
    #expect(try next.catalog.intents().isEmpty)
    #expect(try next.catalog.item(before.item.key) == before.item)
    for asset in before.assets { #expect(try next.catalog.asset(url: asset.url) == nil) }
  }

  @Test func `sha256sum accepts a bundle and each of its versions`() async throws {
    let program = try #require(ChildProcess.find("sha256sum"))
    let archive = try open()
    let image = try archive.objects.store(Array("picture".utf8))
    for number in 0..<3 {
      let item = Sample.item("a", archived: Double(number))
      let draft = try Sample.draft(item, page: "page \(number)", images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    let shell = try #require(ChildProcess.find("sh"))
    for folder in [""] + item.versions.map({ "/versions/\($0)" }) {
      let bundle = "\(archive.path)/\(item.folder)\(folder)"
      let script = "cd '\(bundle)' && '\(program)' --strict -c SHA256SUMS"
      let check = try ChildProcess(shell, ["-c", script], environment: [:])
      #expect(try await check.wait() == 0, "\(check.errorOutput)")
      #expect(check.output.split(separator: "\n").count == 3)
    }
  }

  @Test func `a bundle whose page was edited by hand becomes a version as it is`() throws {
    let archive = try open()
    let image = try archive.objects.store(Array("picture".utf8))
    let old = Sample.item("a")
    try archive.publish([
      archive.bundles.stage(Sample.draft(old, page: "ours", images: [image]))
    ])
    let place = "\(archive.path)/\(old.folder)"
    try Data("edited".utf8).write(to: URL(filePath: "\(place)/index.html"))
    try Data("mine".utf8).write(to: URL(filePath: "\(place)/notes.txt"))
    #expect(
      try archive.verify(bundle: old.folder).map(\.kind).sorted { $0.rawValue < $1.rawValue }
        == [.extra, .hashMismatch])

    let new = Sample.item("a", archived: 5)
    let staged = try archive.bundles.stage(Sample.draft(new, page: "newer", images: [image]))
    try archive.publish([staged])
    let version = "versions/\(staged.item.versions[0])"
    let page = try archive.bundles.read("\(version)/index.html", of: old.folder)
    #expect(page == Array("edited".utf8))
    #expect(try archive.bundles.read("\(version)/notes.txt", of: old.folder) != nil)
    #expect(try archive.verify(bundle: old.folder) == [])
  }

  @Test func `versions are carried on when the change makes none, and none are kept at 0`() throws {
    let archive = try open()
    for (number, keep, makes) in [(0, 3, true), (1, 3, true), (2, 3, false), (3, 0, true)] {
      let draft = try Sample.draft(
        Sample.item("a", archived: Double(number)), page: "page \(number)", keepVersions: keep,
        makesVersion: makes)
      let staged = try archive.bundles.stage(draft)
      try archive.publish([staged])
      let expected = [[], ["20250615T150640Z"], ["20250615T150640Z"], []][number]
      #expect(staged.item.versions == expected)
    }
    #expect(try archive.bundles.read("index.html", of: Sample.item("a").folder) != nil)
  }

  @Test func `the same item twice in a batch ends as the later one`() throws {
    let archive = try open()
    let staged = try (0..<2).map {
      try archive.bundles.stage(
        Sample.draft(Sample.item("a", revision: "r\($0)"), page: "page \($0)"))
    }
    try archive.publish(staged)
    #expect(try archive.catalog.item(Sample.item("a").key)?.revision == "r1")
    let page = try archive.bundles.read("index.html", of: Sample.item("a").folder)
    #expect(page == Array("page 1".utf8))
  }

  @Test func `each file is in the folder that its path names`() throws {
    let archive = try open()
    var draft = try Sample.draft(Sample.item("a"))
    let paths = ["text/one.html", "files/one.html", "files/inner/one.html", "one.html"]
    for (number, path) in paths.enumerated() {
      draft.files.append(.init(path: path, content: .bytes([UInt8(number)])))
    }
    try archive.publish([try archive.bundles.stage(draft)])
    for (number, path) in paths.enumerated() {
      #expect(try archive.bundles.read(path, of: Sample.item("a").folder) == [UInt8(number)])
    }
  }

  @Test(arguments: [
    "../x", "/x", "a//b", ".hidden", "a/.b", "SHA256SUMS", "versions/x", "a b", "ä", "", "x/..",
    "a\\b", "a\u{0}",
  ])
  func `a path that leads elsewhere is refused`(_ path: String) throws {
    let archive = try open()
    var draft = try Sample.draft(Sample.item("a"))
    draft.files.append(.init(path: path, content: .bytes([1])))
    #expect(throws: StorageError.self) { try archive.bundles.stage(draft) }
    #expect(try archive.staging.folder.entries().isEmpty)
  }

  @Test(arguments: ["../x/y", "readeck", "readeck/../x", ".archiver/x", "/readeck/x", "a/b/c"])
  func `a bundle's folder that leads elsewhere is refused`(_ path: String) throws {
    var item = Sample.item("a")
    item.folder = path
    #expect(throws: StorageError.self) { try open().bundles.stage(Sample.draft(item)) }
  }

  @Test func `a link in place of a source's folder is not followed`() throws {
    let archive = try open()
    let outside = folder.at("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(archive.path)/readeck", withDestinationPath: outside)
    let error = #expect(throws: StorageError.self) {
      try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    }
    #expect(error?.message.contains("symbolic link") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
  }

  @Test func `where links fail bundles get copies`() throws {
    let archive = try open(
      ArchiveOptions(faults: FailingStep { operation, _ in operation == .link ? 18 : nil }))
    let image = try archive.objects.store(Array("picture".utf8))
    let item = Sample.item("a")
    for number in 0..<2 {
      let draft = try Sample.draft(
        Sample.item("a", archived: Double(number)), page: "page \(number)", images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
    let assets = try #require(try archive.root.descend("\(item.folder)/assets"))
    let status = try #require(try assets.status("\(image.sha256.prefix(16)).png"))
    #expect(status.linkCount == 1)
    #expect(try archive.verify(bundle: item.folder) == [])
  }

  @Test func `a full disk fails the item, says so and leaves the old bundle`() async throws {
    let full = FailingStep()
    let archive = try open(ArchiveOptions(faults: full))
    let item = Sample.item("a")
    try archive.publish([archive.bundles.stage(Sample.draft(item, page: "old"))])
    full.set { operation, _ in operation == .write ? 28 : nil }
    let error = #expect(throws: StorageError.self) {
      try archive.bundles.stage(Sample.draft(item, page: "new"))
    }
    #expect(error?.code == .full)
    #expect(error?.message.hasPrefix("archive is full: \(archive.path) needs ") == true)
    #expect(error?.message.hasSuffix(" are free") == true)
    #expect(try archive.bundles.read("index.html", of: item.folder) == Array("old".utf8))
    full.set { _, _ in nil }
    #expect(try archive.staging.folder.entries().isEmpty)
    #expect(try await archive.verify().problems == [])
  }

  @Test func `a batch that fails half-way is recorded as far as it came`() async throws {
    let failing = FailingStep()
    let archive = try open(ArchiveOptions(faults: failing))
    let staged = try ["a", "b", "c"].map {
      try archive.bundles.stage(Sample.draft(Sample.item($0)))
    }
    failing.set { operation, path in
      operation == .rename && path.contains(Sample.item("b").folder) ? 5 : nil
    }
    #expect(throws: StorageError.self) { try archive.publish(staged) }
    #expect(try archive.catalog.itemCount(source: nil) == 1)
    #expect(try archive.catalog.intents().isEmpty)
    failing.set { _, _ in nil }
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("b")))])
    #expect(try await archive.verify().problems == [])
    #expect(try archive.catalog.itemCount(source: nil) == 2)
  }

  @Test func `nothing is recorded whose name a power cut could take back`() async throws {
    let failing = FailingStep()
    let archive = try open(ArchiveOptions(faults: failing))
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    let changed = try archive.bundles.stage(Sample.draft(Sample.item("a", revision: "r2")))
    let added = try archive.bundles.stage(Sample.draft(Sample.item("b")))
    // The bundles' directory entries are in this directory, which cannot be flushed.
    failing.set { operation, path in
      operation == .synchronise && path.hasSuffix("/readeck") ? 5 : nil
    }
    #expect(throws: StorageError.self) { try archive.publish([changed, added]) }
    #expect(try archive.catalog.item(Sample.item("a").key)?.revision != "r2")
    #expect(try archive.catalog.itemCount(source: nil) == 1)
    #expect(try archive.catalog.intents().count == 2)
    #expect(throws: StorageError.self) { try archive.remove(Sample.item("a").key) }
    #expect(try archive.catalog.itemCount(source: nil) == 1)
    // Once it can, the intents are recorded.
    failing.set { _, _ in nil }
    try archive.settle()
    #expect(try archive.catalog.item(Sample.item("a").key)?.revision == "r2")
    #expect(try archive.catalog.itemCount(source: nil) == 2)
    #expect(try await archive.verify().problems == [])
  }

  @Test func `a changed bundle keeps the earlier ones as versions`() throws {
    let archive = try open()
    let image = try archive.objects.store(Array("picture".utf8))
    for number in 0..<6 {
      let item = Sample.item("a", revision: "r\(number)", archived: Double(number))
      let draft = try Sample.draft(item, page: "page \(number)", images: [image], keepVersions: 3)
      let planned = try archive.bundles.plannedVersions(
        for: item.key, folder: item.folder, keepVersions: 3, makesVersion: true)
      let staged = try archive.bundles.stage(draft)
      #expect(staged.item.versions == planned)
      try archive.publish([staged])
    }
    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    #expect(item.versions.count == 3)
    for version in item.versions {
      let page = try archive.bundles.read("versions/\(version)/index.html", of: item.folder)
      #expect(page == Array("page \(try #require(version.dropLast().last))".utf8))
    }
  }

  @Test func `a removal that a power cut could undo is reported as failed`() throws {
    let failing = FailingStep()
    let archive = try open(ArchiveOptions(faults: failing))
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
    failing.set { operation, path in
      operation == .synchronise && path.hasSuffix("/readeck") ? 5 : nil
    }
    #expect(throws: StorageError.self) { try archive.remove(Sample.item("a").key) }
  }
}
