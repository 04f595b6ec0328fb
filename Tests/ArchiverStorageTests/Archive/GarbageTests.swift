import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Which objects of the pool are unused.
struct GarbageTests {
  private let folder: ScratchFolder
  private let archive: Archive

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
  }

  /// Stores an object that no bundle uses, with one hard link or with two.
  private func store(_ text: String, isLinked: Bool = false) throws -> StoredObject {
    let object = try archive.objects.store(Array(text.utf8))
    archive.objects.vouched(for: [object.sha256])
    if isLinked { try #require(link(archive.objects.path(of: object), folder.at(text)) == 0) }
    return object
  }

  /// Returns when an object was changed last, in seconds since 1970.
  private func changed(_ object: StoredObject) throws -> Double {
    let shard = try archive.objects.shard(String(object.sha256.prefix(2)))
    return Double(try #require(try shard.status(object.sha256)).changed)
  }

  @Test(arguments: [(0, 0, false), (1, 0, true), (1, 1, false), (2, 1, true), (1, 2, false)])
  func `a single link says that an object is unused if more than half of them have several`(
    linked: Int, single: Int, tells: Bool
  ) throws {
    for number in 0..<linked { _ = try store("linked \(number)", isLinked: true) }
    for number in 0..<single { _ = try store("single \(number)") }
    #expect(try archive.linksTell() == tells)
  }

  @Test func `an object is unused since a date that is later than its last change`() throws {
    let object = try store("unused")
    let shard = try archive.objects.shard(String(object.sha256.prefix(2)))
    func found(since seconds: Double) throws -> [String] {
      let date = Date(timeIntervalSince1970: seconds)
      return try archive.garbage(of: shard, shard.entries(), unusedSince: date, linksTell: true)
        .map(\.name)
    }
    #expect(try found(since: changed(object)) == [])
    #expect(try found(since: changed(object) + 1) == [object.sha256])
  }

  @Test(arguments: [(0.0, 0), (1.0, 1)])
  func `an unused object stays for three days`(seconds: Double, removed: Int) throws {
    let now = Date(timeIntervalSince1970: try changed(store("unused")) + 3 * 86_400 + seconds)
    let report = try archive.housekeeping(now: now, limit: .seconds(5))
    #expect(report.garbage.objects == removed)
  }

  @Test func `a removed object is committed no more, and no address gives it`() throws {
    for number in 0..<2 { _ = try store("linked \(number)", isLinked: true) }
    let object = try store("old")
    let asset = CachedAsset(
      url: "https://example.org/a.png", object: object, mediaType: "image/png")
    try archive.catalog.record([
      .publish(Sample.publication(Sample.item("a"), assets: [asset]))
    ])
    #expect(try archive.catalog.isCommitted(object.sha256))
    let report = try archive.collectGarbage()
    #expect((report.objects, report.byteCount) == (1, 3))
    #expect(try !archive.catalog.isCommitted(object.sha256))
    #expect(try !archive.catalog.remembers(object: object.sha256))
  }

  @Test func `what is no shard in the pool is left alone`() async throws {
    try folder.write("mine", to: "archive/.archiver/objects/note")
    #expect(try archive.objects.shardNames() == [])
    #expect(try archive.collectGarbage().objects == 0)
    #expect(try await archive.verify().problems == [])
    #expect(folder.text(of: "archive/.archiver/objects/note") == "mine")
  }

  @Test(arguments: [false, true])
  func `the address of a removed item's image is forgotten unless another bundle has the image`(
    isShared: Bool
  ) throws {
    let image = try archive.objects.store(Array("picture".utf8))
    for id in isShared ? ["a", "b"] : ["a"] {
      try archive.publish([
        archive.bundles.stage(Sample.draft(Sample.item(id), images: [image]))
      ])
    }
    try archive.remove(Sample.item("a").key)
    #expect(try archive.catalog.remembers(object: image.sha256) == isShared)
  }

  @Test func `an object counts as new until a bundle with it is published`() throws {
    let image = try archive.objects.store(Array("picture".utf8))
    let file = try archive.objects.store(Array("file".utf8))
    var draft = try Sample.draft(Sample.item("a"), images: [image])
    draft.files.append(.init(path: "files/a.txt", content: .object(file)))
    let staged = try archive.bundles.stage(draft)
    for object in [image, file] { #expect(archive.objects.isFresh(object.sha256)) }
    try archive.publish([staged])
    for object in [image, file] {
      #expect(!archive.objects.isFresh(object.sha256))
      #expect(try archive.catalog.isCommitted(object.sha256))
    }
  }
}
