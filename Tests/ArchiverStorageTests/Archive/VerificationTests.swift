import ArchiverCore
import Testing

@testable import ArchiverStorage

struct VerificationTests {
  let folder: ScratchFolder
  let archive: Archive
  let image: StoredObject
  let item = Sample.item("a", archived: 60)

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    image = try archive.objects.store(Array("picture".utf8))
    for number in 0..<2 {
      let draft = try Sample.draft(
        Sample.item("a", archived: Double(number) * 60), page: "page \(number)", images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("b")))])
  }

  private func problems() async throws -> [VerificationProblem] {
    try await archive.verify().problems
  }

  private func place(_ path: String) -> URL { URL(filePath: "\(archive.path)/\(path)") }

  @Test func `an intact archive has no problems and is read completely`() async throws {
    let report = try await archive.verify()
    #expect(report.problems == [])
    #expect(report.isClean && report.isComplete)
    #expect((report.bundles, report.files, report.filesRead) == (2, 8, 8))
    #expect(report.objects == 1)
    #expect(try await archive.verify(readData: 1).files == 8)
  }

  @Test func `a check that is cancelled says that it is not complete`() async throws {
    let archive = archive
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await archive.verify()
    }
    let report = try await task.value
    #expect(!report.isComplete)
    #expect(report.bundles == 0)
  }

  @Test func `changed, missing and extra files are found, in versions too`() async throws {
    let version = "\(item.folder)/versions/20250615T150640Z"
    try Data("edited".utf8).write(to: place("\(item.folder)/index.html"))
    try FileManager.default.removeItem(at: place("\(version)/item.json"))
    try Data().write(to: place("\(version)/assets/more.txt"))
    #expect(
      try await problems() == [
        .init(.hashMismatch, folder: item.folder, file: "index.html"),
        .init(.extra, folder: version, file: "assets/more.txt"),
        .init(.missing, folder: version, file: "item.json"),
      ])
  }

  @Test func `a damaged image is found wherever it is linked`() async throws {
    try Data("PICTURE".utf8).write(to: URL(filePath: archive.objects.path(of: image)))
    let found = try await problems()
    #expect(found.map(\.kind) == [.hashMismatch, .hashMismatch])
  }

  @Test func `a link in place of a file or a bundle is a problem`() async throws {
    let page = place("\(item.folder)/index.html")
    try FileManager.default.removeItem(at: page)
    try FileManager.default.createSymbolicLink(
      atPath: page.path, withDestinationPath: "/etc/hostname")
    let other = Sample.item("b").folder
    try FileManager.default.removeItem(at: place(other))
    try FileManager.default.createSymbolicLink(
      atPath: place(other).path, withDestinationPath: place(item.folder).path)
    #expect(
      try await Set(problems()) == [
        .init(.hashMismatch, folder: item.folder, file: "index.html"),
        .init(.bundleMissing, folder: other),
      ])
  }

  @Test func `catalog and bundles are compared both ways`() async throws {
    let other = Sample.item("b")
    try FileManager.default.removeItem(at: place(other.folder))
    let copy = "readeck/copied"
    try FileManager.default.copyItem(at: place(item.folder), to: place(copy))
    var changed = item
    changed.contentHash = "different"
    changed.versions = ["20250615T150640Z"]
    try archive.catalog.record([.publish(Sample.publication(changed))])
    #expect(
      try await Set(problems()) == [
        .init(.bundleMissing, folder: other.folder), .init(.notInCatalog, folder: copy),
        .init(.catalogMismatch, folder: item.folder),
      ])
  }

  @Test func `lost checksums and records are found`() async throws {
    try FileManager.default.removeItem(at: place("\(item.folder)/SHA256SUMS"))
    let other = Sample.item("b").folder
    try Data("{}".utf8).write(to: place("\(other)/item.json"))
    #expect(
      try await Set(problems()) == [
        .init(.noChecksums, folder: item.folder),
        .init(.hashMismatch, folder: other, file: "item.json"),
        .init(.noRecord, folder: other, file: "item.json"),
      ])
  }

  @Test func `objects are compared with what the catalog remembers`() async throws {
    let unused = try archive.objects.store(Array("unused".utf8))
    try FileManager.default.removeItem(atPath: archive.objects.path(of: image))
    let report = try await archive.verify()
    let place = { (digest: String) in ".archiver/objects/\(digest.prefix(2))" }
    #expect(
      Set(report.problems) == [
        .init(.objectUnused, folder: place(unused.sha256), file: unused.sha256),
        .init(.objectMissing, folder: place(image.sha256), file: image.sha256),
      ])
    #expect(!report.isClean)
  }

  @Test func `a damaged object leaves the pool and a whole one stays`() async throws {
    let whole = try archive.objects.store(Array("whole".utf8))
    let none = try await problems()
    #expect(try archive.discardDamage(none) == 0)
    try Data("PICTURE".utf8).write(to: URL(filePath: archive.objects.path(of: image)))
    let found = try await problems()
    #expect(try archive.catalog.isCommitted(image.sha256))
    #expect(try archive.discardDamage(found) == 1)
    #expect(try !archive.objects.contains(image))
    #expect(try !archive.catalog.isCommitted(image.sha256), "no bundle vouches for a new one")
    #expect(try archive.objects.contains(whole))
  }

  @Test func `garbage is every unused object`() throws {
    let fresh = try archive.objects.store(Array("fresh".utf8))
    let unused = try archive.objects.store(Array("unused".utf8))
    archive.objects.vouched(for: [unused.sha256])
    let report = try archive.collectGarbage()
    #expect((report.objects, report.byteCount) == (1, 6))
    #expect(try archive.objects.read(image) == Array("picture".utf8))
    #expect(try archive.objects.read(fresh) == Array("fresh".utf8))
    #expect(throws: StorageError.self) { try archive.objects.read(unused) }
    #expect(try archive.collectGarbage().objects == 0)
  }

  @Test func `a catalog is rebuilt from the bundles alone`() async throws {
    let before = try archive.catalog.item(item.key)
    let asset = try archive.catalog.asset(url: "https://example.org/\(image.sha256)")
    let path = folder.at("copy")
    try FileManager.default.copyItem(atPath: archive.path, toPath: path)
    for suffix in ["-wal", "-shm"] {
      // They belong to the open connection of the original.
      try? FileManager.default.removeItem(atPath: "\(path)/.archiver/catalog.sqlite\(suffix)")
    }
    try Data("rubbish rubbish rubbish".utf8).write(
      to: URL(filePath: "\(path)/.archiver/catalog.sqlite"))
    try Data("{}".utf8).write(to: URL(filePath: "\(path)/\(Sample.item("b").folder)/item.json"))
    let error = #expect(throws: StorageError.self) {
      try Archive.open(path: path, mode: .readWrite(holder: "test"))
    }
    #expect(error?.code == .damaged)
    let found = try Archive.rebuildCatalog(path: path)
    #expect(found.items == 1)
    #expect(found.unreadable == [Sample.item("b").folder])
    let rebuilt = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(try rebuilt.catalog.item(item.key) == before)
    #expect(try rebuilt.catalog.asset(url: "https://example.org/\(image.sha256)") == asset)
  }

  @Test func `a catalog that was set aside outlives the next one`() throws {
    let path = folder.at("twice")
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.publish([archive.bundles.stage(Sample.draft(item))])
    }
    let catalog = "\(path)/.archiver/catalog.sqlite"
    for suffix in ["-wal", "-shm"] {
      // Not all of them are there.
      try? FileManager.default.removeItem(atPath: catalog + suffix)
    }
    for (name, content) in [("old", "first"), ("old2", "second")] {
      try Data(content.utf8).write(to: URL(filePath: catalog))
      #expect(try Archive.rebuildCatalog(path: path).items == 1)
      #expect(FileManager.default.contents(atPath: "\(catalog).\(name)") == Data(content.utf8))
    }
    #expect(FileManager.default.contents(atPath: catalog + ".old") == Data("first".utf8))
    // A power cut between deleting the catalog and its WAL leaves only the WAL.
    try FileManager.default.removeItem(atPath: catalog)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: catalog + suffix) }
    try Data("log".utf8).write(to: URL(filePath: catalog + "-wal"))
    #expect(try Archive.rebuildCatalog(path: path).items == 1)
    #expect(FileManager.default.contents(atPath: catalog + ".old2-wal") == Data("log".utf8))
  }

  @Test func `pins outlive a catalog that is lost`() throws {
    let path = folder.at("pinned")
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.publish([archive.bundles.stage(Sample.draft(item))])
      try archive.setPinned(true, item.key)
      try archive.setPinned(true, ItemKey(source: "books", id: "not \"here\" yet"))
      try archive.setPinned(true, Sample.item("b").key)
      try archive.setPinned(false, Sample.item("b").key)
    }
    for suffix in ["", "-wal", "-shm"] {
      // Not all of them are there.
      try? FileManager.default.removeItem(atPath: "\(path)/.archiver/catalog.sqlite\(suffix)")
    }
    try Data("rubbish".utf8).write(to: URL(filePath: path + "/.archiver/catalog.sqlite"))
    _ = try Archive.rebuildCatalog(path: path)
    let rebuilt = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    #expect(
      try rebuilt.catalog.pins(source: nil)
        == [item.key, ItemKey(source: "books", id: "not \"here\" yet")])
    #expect(try rebuilt.staging.folder.entries().isEmpty)
  }

  @Test(arguments: ["", "{", "[{\"source\":1}]"])
  func `a list of pins that cannot be read pins nothing`(list: String) throws {
    let path = folder.at("unreadable")
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.setPinned(true, item.key)
    }
    try Data(list.utf8).write(to: URL(filePath: path + "/.archiver/pins.json"))
    _ = try Archive.rebuildCatalog(path: path)
    #expect(
      try Archive.open(path: path, mode: .readOnly).catalog.pins(source: nil).isEmpty)
  }

  @Test func `pins of before there was a list come from the old catalog`() throws {
    let path = folder.at("older")
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      try archive.catalog.setPinned(true, item.key)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/.archiver/pins.json"))
    _ = try Archive.rebuildCatalog(path: path)
    #expect(
      try Archive.open(path: path, mode: .readOnly).catalog.pins(source: nil) == [item.key])
  }
}
