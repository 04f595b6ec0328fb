import ArchiverCore
import Testing

@testable import ArchiverStorage

// The buffer of a download, and the objects that downloads leave in the pool.
extension ObjectSinkTests {
  private func stagedCount() throws -> Int { try archive.staging.folder.entries().count }

  @Test func `a download that received nothing has nothing to resume`() throws {
    let sink = pool.makeSink()
    #expect(sink.byteCount == 0)
    #expect(sink.prefix() == [])
    #expect(sink.attemptHeaders().fields.isEmpty)
    #expect(throws: ObjectSink.UnaskedPart.self) {
      try begin(sink, 206, ["Content-Range": "bytes 1-5/6"])
    }
  }

  @Test func `a download of a single byte is resumed after it`() throws {
    let sink = pool.makeSink()
    try begin(sink, 200, ["ETag": "\"v1\""])
    try send([7], to: sink)
    #expect(sink.attemptHeaders()["Range"] == "bytes=1-")
    #expect(sink.attemptHeaders()["If-Range"] == "\"v1\"")
    try begin(sink, 206, ["Content-Range": "bytes 1-1/2"])
    try send([8], to: sink)
    let object = try sink.finish()
    #expect(object == StoredObject(sha256: Digest.sha256Hex([7, 8]), byteCount: 2))
    #expect(try pool.read(object) == [7, 8])
  }

  @Test func `a full buffer is written when more arrives`() throws {
    let sink = pool.makeSink()
    try begin(sink)
    try send([UInt8](repeating: 1, count: ObjectSink.bufferSize), to: sink)
    #expect(try stagedCount() == 0)
    try send([1], to: sink)
    #expect(try stagedCount() == 1)
  }

  @Test func `a large body from small pieces is trusted as long as it is new`() throws {
    let sink = pool.makeSink()
    try begin(sink, 200, ["Content-Length": "200000"])
    let piece = [UInt8](repeating: 3, count: 1000)
    for _ in 0..<200 { try send(piece, to: sink) }
    #expect(try stagedCount() == 1)
    #expect(pool.space.claimedByteCount == 200_000 - ObjectSink.bufferSize)
    let object = try sink.finish()
    #expect(pool.space.claimedByteCount == 0)
    #expect(try stagedCount() == 0)
    #expect(object.byteCount == 200_000)
    #expect(pool.isFresh(object.sha256))
    #expect(try pool.contains(object))
    pool.vouched(for: [object.sha256])
    #expect(!pool.isFresh(object.sha256))
    #expect(try !pool.contains(object), "no bundle has it")
  }

  @Test func `an object that vanished is stored again`() throws {
    let object = try pool.store([1, 2, 3])
    let asset = CachedAsset(
      url: "https://example.org/a.png", object: object, mediaType: "image/png")
    try archive.catalog.record([
      .publish(Sample.publication(Sample.item("a"), assets: [asset]))
    ])
    pool.vouched(for: [object.sha256])
    #expect(try pool.contains(object))
    try FileManager.default.removeItem(atPath: pool.path(of: object))
    #expect(try !pool.contains(object))
    #expect(try pool.store([1, 2, 3]) == object)
    #expect(try pool.read(object) == [1, 2, 3])
  }

  @Test func `an object of the wrong size is not linked`() throws {
    let object = try pool.store(Array("picture".utf8))
    pool.vouched(for: [object.sha256])
    let place = try Folder.open(path: folder.path)
    try pool.link(object, to: "copy", in: place)
    #expect(try pool.linkCount(of: object.sha256) == 2)
    try Data("pic".utf8).write(to: URL(filePath: pool.path(of: object)))
    let error = #expect(throws: StorageError.self) {
      try pool.link(object, to: "other", in: place)
    }
    #expect(error?.code == .damaged)
    #expect(try place.status("other") == nil)
  }

  @Test func `the shards of the pool are its folders alone`() throws {
    let bytes: [UInt8] = [0, 1, 2, 3, 4]
    let digests = try bytes.map { try pool.store([$0]).sha256 }
    let shards = Set(digests.map { String($0.prefix(2)) })
    try folder.write("mine", to: "archive/.archiver/objects/note")
    #expect(try pool.shardNames() == shards.sorted())
    var found: [String] = []
    try pool.forEachShard { _, entries in found += entries.map(\.name) }
    #expect(found == digests.sorted())
  }
}
