import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

struct ObjectPoolTests {
  let folder: ScratchFolder
  let archive: Archive
  let failing = FailingStep()

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(
      path: folder.at("archive"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(faults: failing))
  }

  private var pool: ObjectPool { archive.objects }

  private func head(_ status: Int = 200, _ headers: HTTPHeaders = [:]) throws -> HTTPResponseHead {
    HTTPResponseHead(
      status: status, headers: headers, url: try #require(WebURL("https://example.org/")))
  }

  private func send(_ bytes: [UInt8], to sink: ObjectSink) throws {
    try bytes.withUnsafeBytes { try sink.receive($0) }
  }

  private func stagedCount() throws -> Int { try archive.staging.folder.entries().count }

  @Test(arguments: [0, 1, 65_536, 131_072, 131_073, 1_000_000], [1000, 16_384, 200_000])
  func `a streamed body is stored under its digest`(_ size: Int, _ piece: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let sink = pool.makeSink()
    try sink.begin(head())
    var start = 0
    while start < size {
      try send(Array(bytes[start..<min(start + piece, size)]), to: sink)
      start += piece
    }
    #expect(bytes.starts(with: sink.prefix()))
    #expect(sink.prefix().count >= min(size, ObjectSink.prefixLimit))
    #expect(sink.prefix(100) == Array(bytes.prefix(100)))
    #expect(sink.byteCount == size)
    let object = try sink.finish()
    #expect(object == StoredObject(sha256: Digest.sha256Hex(bytes), byteCount: size))
    #expect(try pool.read(object) == bytes)
    #expect(FileManager.default.contents(atPath: pool.path(of: object)) == Data(bytes))
    #expect(try stagedCount() == 0)
  }

  @Test func `digests match the standard's test vectors`() {
    #expect(
      Digest.sha256Hex("abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hex(Digest.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Digest.md5(Array("abc".utf8)).map(hex) == "900150983cd24fb0d6963f7d28e17f72")
    // RFC 4231, test case 2.
    #expect(
      hex(Digest.hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let both = ContentDigest()
    for piece in ["a", "bc"] { Array(piece.utf8).withUnsafeBytes { both.update($0) } }
    let sums = both.finish()
    #expect(sums.sha256 == Digest.sha256Hex("abc"))
    #expect(sums.md5 == Digest.md5(Array("abc".utf8)))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  @Test func `a digest is 64 digits in lower case`() {
    let digest = Digest.sha256Hex("abc")
    #expect(Digest.isSHA256(digest))
    #expect(Digest.isSHA256("x\(digest)".dropFirst()))
    for other in ["", String(digest.dropLast()), digest + "0", digest.uppercased()] {
      #expect(!Digest.isSHA256(other))
    }
    for letter in ["/", ":", "`", "g", "é"] {
      let text = digest.prefix(64 - letter.utf8.count) + letter
      #expect(!Digest.isSHA256(text), "\(letter)")
    }
    for letter in ["0", "9", "a", "f"] { #expect(Digest.isSHA256(digest.dropLast() + letter)) }
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 bytes"), (999, "999 bytes"), (1000, "1 kB"), (1049, "1 kB"),
    (1050, "1.1 kB"), (999_900, "999.9 kB"), (1_500_000, "1.5 MB"), (2_000_000_000, "2 GB"),
    (3_100_000_000_000, "3.1 TB"), (4_000_000_000_000_000, "4000 TB"),
  ])
  func `a size is told in the largest unit that it fills`(byteCount: Int, text: String) {
    #expect(FreeSpace.text(byteCount) == text)
  }

  @Test func `space that downloads in flight have claimed is not given twice`() throws {
    let space = FreeSpace(of: folder.path, reserve: 0)
    let place = archive.staging.folder
    let free = try #require(FreeSpace.free(in: place))
    try space.claim(free / 2, in: place)
    #expect(throws: StorageError.self) { try space.claim(free / 4 * 3, in: place) }
    #expect(space.claimedByteCount == free / 2, "what was refused is not claimed")
    space.release(free / 2)
    #expect(space.claimedByteCount == 0)
    try space.claim(free / 4 * 3, in: place)
  }

  @Test func `a new attempt starts over, a resumed one continues`() throws {
    let sink = pool.makeSink()
    let big = [UInt8](repeating: 1, count: 300_000)
    try sink.begin(head(200, ["ETag": "\"v1\""]))
    try send(big, to: sink)
    #expect(sink.attemptHeaders()["Range"] == "bytes=300000-")
    #expect(sink.attemptHeaders()["If-Range"] == "\"v1\"")
    try sink.begin(head(206, ["Content-Range": "bytes 300000-300001/300002"]))
    try send([2, 2], to: sink)
    #expect(sink.byteCount == 300_002)
    #expect(throws: ObjectSink.UnaskedPart.self) {
      try sink.begin(head(206, ["Content-Range": "bytes 7-9/300002"]))
    }
    try sink.begin(head(200, ["ETag": "W/\"v2\""]))
    try send([3], to: sink)
    #expect(sink.attemptHeaders().fields.isEmpty)
    #expect(try sink.finish().sha256 == Digest.sha256Hex([3]))
    #expect(try stagedCount() == 0)
  }

  @Test func `a body with a content coding is not resumed`() throws {
    let sink = pool.makeSink()
    try sink.begin(head(200, ["ETag": "\"v1\"", "Content-Encoding": "gzip"]))
    try send([1], to: sink)
    #expect(sink.attemptHeaders().fields.isEmpty)
  }

  @Test func `an unfinished download leaves no file`() throws {
    var sink: ObjectSink? = pool.makeSink()
    try sink?.begin(head())
    try send([UInt8](repeating: 0, count: 400_000), to: try #require(sink))
    #expect(try stagedCount() == 1)
    sink = nil
    #expect(try stagedCount() == 0)
    let other = pool.makeSink()
    try other.begin(head())
    try send([UInt8](repeating: 0, count: 400_000), to: other)
    other.discard()
    #expect(try stagedCount() == 0)
  }

  @Test func `storing the same twice writes once`() throws {
    let first = try pool.store([1, 2, 3])
    let writes = FailingStep { operation, _ in operation == .write ? 5 : nil }
    failing.set { writes.fault(before: $0, path: $1) }
    #expect(try pool.store([1, 2, 3]) == first)
    #expect(throws: StorageError.self) { try pool.store([4]) }
  }

  @Test func `an object without a committed reference is not trusted after a restart`() throws {
    let object = try pool.store(Array("picture".utf8))
    #expect(try pool.contains(object))
    try Data("PICTURE".utf8).write(to: URL(filePath: pool.path(of: object)))
    let restarted = ObjectPool(
      objects: try archive.control.folder("objects"), staging: archive.staging,
      fileSystem: archive.fileSystem, space: FreeSpace(of: "archive", reserve: 0),
      isVouchedFor: { _ in false })
    #expect(try !restarted.contains(object))
    _ = try restarted.store(Array("picture".utf8))
    #expect(try restarted.read(object) == Array("picture".utf8))
  }

  private func stored(_ bytes: [UInt8]) throws -> StoredObject {
    let sink = pool.makeSink()
    try sink.begin(head())
    try send(bytes, to: sink)
    return try sink.finish()
  }

  @Test func `a small body is written under its name at once, a large one is moved there`() throws {
    let steps = Mutex<[FileOperation]>([])
    failing.set { operation, path in
      steps.withLock { $0.append(operation) }
      return nil
    }
    _ = try stored([1, 2, 3])
    #expect(steps.withLock { $0 } == [.makeFolder, .create, .write])
    steps.withLock { $0 = [] }
    _ = try stored([UInt8](repeating: 7, count: 300_000))
    #expect(steps.withLock { $0.last } == .rename)
  }

  @Test(arguments: ["PICTURE", "pic", "something longer", ""])
  func `a file left by a power cut is replaced`(left: String) throws {
    let object = StoredObject(sha256: Digest.sha256Hex("picture"), byteCount: 7)
    let path = pool.path(of: object)
    try FileManager.default.createDirectory(
      atPath: String(path.dropLast(65)), withIntermediateDirectories: true)
    try Data(left.utf8).write(to: URL(filePath: path))
    #expect(try stored(Array("picture".utf8)) == object)
    #expect(FileManager.default.contents(atPath: path) == Data("picture".utf8))
    #expect(try stagedCount() == 0)
  }

  @Test func `a small body that cannot be written leaves nothing`() throws {
    failing.set { operation, _ in operation == .write ? 28 : nil }
    let error = #expect(throws: StorageError.self) { try stored([1, 2, 3]) }
    #expect(error?.code == .full)
    failing.set { _, _ in nil }
    let object = StoredObject(sha256: Digest.sha256Hex([1, 2, 3]), byteCount: 3)
    #expect(FileManager.default.contents(atPath: pool.path(of: object)) == nil)
    #expect(try stored([1, 2, 3]) == object)
    #expect(try pool.read(object) == [1, 2, 3])
  }

  @Test func `the same content from many downloads at once is stored completely`() async throws {
    let bodies = (0..<40).map { [UInt8](repeating: UInt8($0 % 4), count: 50_000) }
    let objects = try await withThrowingTaskGroup(of: StoredObject.self) { group in
      for body in bodies { group.addTask { try stored(body) } }
      return try await group.reduce(into: Set<StoredObject>()) { $0.insert($1) }
    }
    #expect(objects.count == 4)
    for object in objects {
      #expect(try pool.contains(object))
      #expect(Digest.sha256Hex(try pool.read(object)) == object.sha256)
    }
    #expect(try stagedCount() == 0)
  }

  /// The second of two downloads of the same content completes while the first is being written;
  /// the first then continues or fails.
  @Test(arguments: [nil, 28])
  func `a download stays stored whatever happens to another of the same content`(
    code: Int32?
  ) throws {
    let bytes = [UInt8](repeating: 9, count: 5_000)
    let overtaking = pool.makeSink()
    try overtaking.begin(head())
    try send(bytes, to: overtaking)
    let isFirst = Mutex(true)
    failing.set { operation, _ in
      guard operation == .write, isFirst.withLock({ $0 }) else { return nil }
      isFirst.withLock { $0 = false }
      #expect(throws: Never.self) { try overtaking.finish() }
      return code
    }
    let object = StoredObject(sha256: Digest.sha256Hex(bytes), byteCount: 5_000)
    if code == nil {
      #expect(try stored(bytes) == object)
    } else {
      #expect(throws: StorageError.self) { try stored(bytes) }
    }
    #expect(try !isFirst.withLock { $0 } && pool.contains(object))
    #expect(try pool.read(object) == bytes)
    #expect(try stagedCount() == 0)
  }

  @Test func `a missing or truncated object is reported as damaged`() throws {
    let object = try pool.store([1, 2, 3])
    try Data([1]).write(to: URL(filePath: pool.path(of: object)))
    for broken in [
      object, StoredObject(sha256: String(repeating: "0", count: 64), byteCount: 1),
      StoredObject(sha256: "../../../etc/passwd", byteCount: 1),
    ] {
      let error = #expect(throws: StorageError.self) { try pool.read(broken) }
      #expect(error?.code == .damaged)
    }
  }

  @Test func `the minimum free space is not used`() throws {
    let archive = try Archive.open(
      path: folder.at("other"), mode: .readWrite(holder: "test"),
      options: ArchiveOptions(reserve: .max / 2))
    let sink = archive.objects.makeSink()
    for action in [
      { _ = try archive.objects.store([1]) },
      { _ = try archive.bundles.stage(Sample.draft(Sample.item("a"))) },
      { try sink.begin(self.head(200, ["Content-Length": "5000000"])) },
    ] {
      let error = #expect(throws: StorageError.self) { try action() }
      #expect(error?.code == .full)
      #expect(error?.message.hasPrefix("archive is full: \(folder.at("other")) needs ") == true)
    }
  }

  @Test func `a declared size is claimed until it is written or discarded`() throws {
    let sink = pool.makeSink()
    try sink.begin(head(200, ["Content-Length": "1000000"]))
    #expect(pool.space.claimedByteCount == 1_000_000)
    try send([UInt8](repeating: 0, count: 300_000), to: sink)
    #expect(pool.space.claimedByteCount == 1_000_000 - 2 * ObjectSink.bufferSize)
    sink.discard()
    #expect(pool.space.claimedByteCount == 0)
  }

  @Test func `a disk that fills during a download says what was needed`() throws {
    let sink = pool.makeSink()
    try sink.begin(head(200, ["Content-Length": "900000"]))
    failing.set { operation, _ in operation == .write ? 122 : nil }
    let error = #expect(throws: StorageError.self) {
      try send([UInt8](repeating: 0, count: 300_000), to: sink)
    }
    #expect(error?.code == .full)
    #expect(error?.message.contains("needs 900 kB") == true)
  }
}
