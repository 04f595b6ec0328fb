import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// What a verification reads and counts, and what it finds in odd places.
struct VerificationCountTests {
  private let folder: ScratchFolder
  private let archive: Archive
  private let image: StoredObject
  private let item = Sample.item("a")

  /// An archive of a file system without hard links: an item with a version, and another one.
  init() throws {
    folder = try ScratchFolder()
    let faults = FailingStep { operation, _ in operation == .link ? EXDEV : nil }
    archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
    image = try archive.objects.store(Array("picture".utf8))
    for number in 0..<2 {
      let item = Sample.item("a", archived: Double(number))
      let draft = try Sample.draft(item, page: "page \(number)", images: [image])
      try archive.publish([archive.bundles.stage(draft)])
    }
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("b")))])
  }

  private var bundle: String { "archive/\(item.folder)" }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder.at(name))
  }

  @Test func `the files of bundles and versions and objects without links are read`() async throws {
    let report = try await archive.verify()
    #expect(report.problems == [])
    #expect((report.bundles, report.objects, report.files, report.filesRead) == (2, 1, 8, 9))
    var sum = 7
    for place in [item.folder, Sample.item("b").folder] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.at("archive/\(place)"))
      where !path.hasSuffix(ChecksumList.fileName) {
        sum += folder.bytes(of: "archive/\(place)/\(path)")?.count ?? 0
      }
    }
    #expect(report.bytesRead == sum)
  }

  @Test func `with a part of the bytes all names are checked`() async throws {
    let none = try await archive.verify(readData: 0)
    #expect((none.files, none.filesRead, none.bytesRead) == (8, 0, 0))
    #expect(try await archive.verify(readData: 99).filesRead > 0)
  }

  @Test func `progress tells how many of the bundles are done`() async throws {
    let seen = Mutex<[[Int]]>([])
    _ = try await archive.verify { number, count in seen.withLock { $0.append([number, count]) } }
    #expect(Set(seen.withLock { $0 }) == [[1, 2], [2, 2]])
    #expect(seen.withLock { $0.count } == 2)
  }

  @Test func `a damaged object that no bundle links to is found and discarded`() async throws {
    let path = archive.objects.path(of: image)
    try Data("PICTURE".utf8).write(to: URL(filePath: path))
    let place = ".archiver/objects/\(image.sha256.prefix(2))"
    let problems = try await archive.verify().problems
    #expect(problems == [.init(.objectDamaged, folder: place, file: image.sha256)])
    #expect(try archive.discardDamage(problems) == 1)
    #expect(FileManager.default.contents(atPath: path) == nil)
    #expect(try !archive.catalog.isCommitted(image.sha256))
  }

  @Test func `an object that is missing is discarded, and what names no file is not`() throws {
    try FileManager.default.removeItem(atPath: archive.objects.path(of: image))
    let problems: [VerificationProblem] = [
      .init(.objectMissing, folder: "", file: image.sha256),
      .init(.hashMismatch, folder: "readeck/none", file: "index.html"),
      .init(.objectMissing, folder: "", file: "no digest"), .init(.noRecord, folder: item.folder),
    ]
    #expect(try archive.discardDamage(problems) == 1)
    #expect(try !archive.catalog.isCommitted(image.sha256))
  }

  @Test func `a bundle is verified alone, and one that is not there is missing`() throws {
    #expect(try archive.verify(bundle: item.folder) == [])
    #expect(
      try archive.verify(bundle: "readeck/none") == [.init(.bundleMissing, folder: "readeck/none")])
  }

  @Test func `a file in the place of versions is one too many`() throws {
    try remove("\(bundle)/versions")
    try folder.write("", to: "\(bundle)/versions")
    #expect(
      try archive.verify(bundle: item.folder)
        == [.init(.extra, folder: item.folder, file: "versions")])
  }

  @Test func `what is no regular file is not read and has the wrong sum`() async throws {
    let before = try await archive.verify().bytesRead
    let page = "\(bundle)/index.html"
    try remove(page)
    try #require(mkfifo(folder.at(page), 0o644) == 0)
    let report = try await archive.verify()
    #expect(report.problems == [.init(.hashMismatch, folder: item.folder, file: "index.html")])
    #expect(report.bytesRead == before - "page 1".utf8.count)
  }

  @Test func `a bundle without its record is known by the catalog, other folders are the user's`()
    async throws
  {
    let other = Sample.item("b").folder
    try remove("archive/\(other)/item.json")
    for place in ["readeck/notes", "readeck/.hidden", ".trash/a", "library/a"] {
      try FileManager.default.createDirectory(
        atPath: folder.at("archive/\(place)"), withIntermediateDirectories: true)
      if place != "readeck/notes" { try folder.write("{}", to: "archive/\(place)/item.json") }
    }
    try folder.write("mine", to: "archive/note.txt")
    try folder.write("mine", to: "archive/readeck/note.txt")
    #expect(try archive.bundleFolders() == [item.folder, other].sorted())
    #expect(
      try await Set(archive.verify().problems) == [
        .init(.missing, folder: other, file: "item.json"), .init(.noRecord, folder: other),
      ])
  }

  @Test func `hidden folders and the library hold no bundle that a catalog could lack`() throws {
    for place in [".trash/a", "readeck/.a", "library/a", "none"] {
      let root = "other \(place.count)"
      let path = "\(root)/\(place)"
      try FileManager.default.createDirectory(
        atPath: folder.at(path), withIntermediateDirectories: true)
      for name in [ItemRecord.fileName, ChecksumList.fileName] {
        try folder.write("", to: "\(path)/\(name)")
      }
      #expect(throws: Never.self) { try Archive.requireCatalog(path: folder.at(root)) }
    }
    try FileManager.default.createDirectory(
      atPath: folder.at("last/readeck/a"), withIntermediateDirectories: true)
    for name in [ItemRecord.fileName, ChecksumList.fileName] {
      #expect(throws: Never.self) { try Archive.requireCatalog(path: folder.at("last")) }
      try folder.write("", to: "last/readeck/a/\(name)")
    }
    #expect(throws: StorageError.self) { try Archive.requireCatalog(path: folder.at("last")) }
  }

  @Test(arguments: ["/.archiver/staging", "/readeck"])
  func `a copy of a bundle that a power cut could undo is reported as failed`(
    place: String
  ) throws {
    let faults = FailingStep()
    let archive = try Archive.open(
      path: folder.at("copied"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: faults))
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    faults.set { operation, path in
      operation == .synchronise && path.hasSuffix(place) ? EIO : nil
    }
    #expect(throws: StorageError.self) { try archive.copyAside(item.folder, now: Sample.now) }
  }
}
