import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Bodies that are streamed into the pool, by servers of all kinds and onto disks that fill.
struct ObjectSinkTests {
  let folder: ScratchFolder
  let archive: Archive
  let failing = FailingStep()

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: failing))
  }

  var pool: ObjectPool { archive.objects }

  func begin(
    _ sink: ObjectSink, _ status: Int = 200, _ headers: HTTPHeaders = [:]
  ) throws {
    try sink.begin(
      HTTPResponseHead(
        status: status, headers: headers, url: try #require(WebURL("https://example.org/"))))
  }

  func send(_ bytes: [UInt8], to sink: ObjectSink) throws {
    try bytes.withUnsafeBytes { try sink.receive($0) }
  }

  func isStagingEmpty() throws -> Bool { try archive.staging.folder.entries().isEmpty }

  @Test func `a body of any size takes less than 256 KiB of memory`() {
    #expect(ObjectSink.bufferSize + ObjectSink.prefixLimit < 256 << 10)
    #expect(ObjectSink.prefixLimit <= ObjectSink.bufferSize)
  }

  @Test(
    arguments: [
      (["Content-Length": "7000"], 7_000), ([:], 0), (["Content-Length": "-5"], 0),
      (["Content-Length": "many"], 0),
      (["Content-Length": "7000", "Content-Encoding": "gzip"], 0),
      (["Content-Length": "7000", "Transfer-Encoding": "chunked"], 0),
    ] as [(HTTPHeaders, Int)])
  func `only the size of what arrives is claimed`(headers: HTTPHeaders, size: Int) throws {
    let sink = pool.makeSink()
    try begin(sink, 200, headers)
    #expect(pool.space.claimedByteCount == size)
    try begin(sink)
    #expect(pool.space.claimedByteCount == 0, "another attempt")
    try begin(sink, 200, headers)
    try send([1, 2, 3], to: sink)
    _ = try sink.finish()
    #expect(pool.space.claimedByteCount == 0)
  }

  @Test(
    arguments: [
      (["ETag": "\"v1\""], "\"v1\""), (["ETag": "W/\"v1\""], nil),
      (["Last-Modified": "yesterday"], "yesterday"),
      (["ETag": "\"v1\"", "Last-Modified": "yesterday"], "\"v1\""),
      (["ETag": "W/\"v1\"", "Last-Modified": "yesterday"], nil), ([:], nil),
    ] as [(HTTPHeaders, String?)])
  func `a body is resumed by its strong tag, or by its date without a tag`(
    headers: HTTPHeaders, validator: String?
  ) throws {
    let sink = pool.makeSink()
    try begin(sink, 200, headers)
    #expect(sink.attemptHeaders().fields.isEmpty, "nothing was received")
    try send([1, 2, 3], to: sink)
    #expect(sink.attemptHeaders()["If-Range"] == validator)
    #expect(sink.attemptHeaders()["Range"] == validator.map { _ in "bytes=3-" })
  }

  @Test(
    arguments: [
      ["Content-Range": "bytes 3-5/6", "Content-Encoding": "gzip"],
      ["Content-Range": "bytes 4-5/6"], [:],
    ] as [HTTPHeaders])
  func `a part that continues nothing is refused`(headers: HTTPHeaders) throws {
    let sink = pool.makeSink()
    #expect(throws: ObjectSink.UnaskedPart.self) {
      try begin(sink, 206, ["Content-Range": "bytes 0-5/6"])
    }
    try begin(sink, 200, ["ETag": "\"v1\""])
    try send([1, 2, 3], to: sink)
    #expect(throws: ObjectSink.UnaskedPart.self) { try begin(sink, 206, headers) }
    #expect(sink.attemptHeaders().fields.isEmpty, "the next attempt asks for all of it")
  }

  @Test func `a body that the rest of the disk does not hold is refused when it is written`() throws
  {
    let sink = pool.makeSink()
    try begin(sink)
    // Other downloads have claimed the disk.
    pool.space.release(-(1 << 60))
    let error = #expect(throws: StorageError.self) {
      try send([UInt8](repeating: 0, count: 300_000), to: sink)
    }
    #expect(error?.code == .full)
    #expect(try isStagingEmpty())
    #expect(throws: StorageError.self) { try pool.store([1]) }
    pool.space.release(1 << 60)
    _ = try pool.store([1])
  }

  @Test func `the space for a long body is looked at again every 16 MiB`() throws {
    let sink = pool.makeSink()
    try begin(sink)
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<15 { try send(piece, to: sink) }
    pool.space.release(-(1 << 60))
    let error = #expect(throws: StorageError.self) {
      for _ in 0..<2 { try send(piece, to: sink) }
    }
    #expect(error?.code == .full)
    pool.space.release(1 << 60)
    sink.discard()
    #expect(try isStagingEmpty())
  }

  @Test func `a large body that cannot take its name leaves nothing`() throws {
    let sink = pool.makeSink()
    try begin(sink)
    try send([UInt8](repeating: 7, count: 300_000), to: sink)
    failing.set { operation, _ in operation == .rename ? EIO : nil }
    #expect(throws: StorageError.self) { try sink.finish() }
    failing.set { _, _ in nil }
    #expect(try isStagingEmpty())
    #expect(sink.byteCount == 0)
  }

  @Test func `a large body that the pool has already leaves nothing in staging`() throws {
    for _ in 0..<2 {
      let sink = pool.makeSink()
      try begin(sink)
      try send([UInt8](repeating: 7, count: 300_000), to: sink)
      #expect(try sink.finish().byteCount == 300_000)
    }
    #expect(try isStagingEmpty())
  }

  @Test func `a file left by a power cut that cannot be replaced leaves nothing else`() throws {
    let object = try pool.store(Array("picture".utf8))
    pool.vouched(for: [object.sha256])
    failing.set { operation, path in
      operation == .write && path.contains("/staging/") ? ENOSPC : nil
    }
    let error = #expect(throws: StorageError.self) { try pool.store(Array("picture".utf8)) }
    #expect(error?.code == .full)
    #expect(error?.message.contains("needs 7 bytes") == true)
    failing.set { _, _ in nil }
    #expect(try isStagingEmpty())
  }

  @Test func `a part of an object is read, and an object that is missing is damaged`() throws {
    let object = try pool.store([1, 2, 3, 4])
    #expect(try pool.read(object, 1..<3) == [2, 3])
    #expect(try pool.read(object, 3..<9) == [4])
    // Missing in a folder that is there.
    let end = object.sha256.hasSuffix("0") ? "1" : "0"
    let other = StoredObject(sha256: object.sha256.dropLast() + end, byteCount: 4)
    let error = #expect(throws: StorageError.self) { try pool.read(other) }
    #expect(error?.code == .damaged)
    #expect(try pool.linkCount(of: object.sha256) == 1)
    #expect(try pool.linkCount(of: other.sha256) == 0)
  }

  @Test func `a bundle's file is taken as the object that it is said to be by its size`() throws {
    try folder.write("picture", to: "file")
    let place = try Folder.open(path: folder.path)
    let object = StoredObject(sha256: Digest.sha256Hex("picture"), byteCount: 7)
    try pool.adopt("file", in: place, as: StoredObject(sha256: object.sha256, byteCount: 8))
    try pool.adopt("archive", in: place, as: object)
    try pool.adopt("none", in: place, as: object)
    #expect(try pool.linkCount(of: object.sha256) == 0)
    try pool.adopt("file", in: place, as: object)
    #expect(try pool.linkCount(of: object.sha256) == 2)
    try folder.write("another", to: "other")
    try pool.adopt("other", in: place, as: object)
    #expect(try pool.read(object) == Array("picture".utf8), "the first stays")
  }
}
