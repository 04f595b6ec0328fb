#if os(Linux)
  import ArchiverCore
  import Glibc
  import Synchronization
  import Testing

  @testable import ArchiverStorage

  /// A thread-safe counter.
  private final class Count: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  /// In a file system without direct I/O, files are written with buffered I/O, with the same
  /// content.
  @Suite struct DirectWriterTests {
    private let scratch: ScratchFolder
    private let folder: Folder
    private let back = Count()

    init() throws {
      scratch = try ScratchFolder()
      folder = try Folder.open(path: scratch.path)
    }

    private static let smallest = DirectWriter.smallest

    @Test(
      "a file is what the buffer held, whether or not it ends with a block",
      arguments: [smallest, smallest + 1, smallest + 4_095, smallest + 4_096, 101_000, 128 << 10])
    func content(size: Int) throws {
      let writer = DirectWriter()
      let bytes = made(size)
      try write(bytes, to: "file", with: writer)
      try writer.finish()
      #expect(scratch.bytes(of: "file") == bytes)
      #expect(back.value == 1)
      if DirectWriter(for: folder) != nil { #expect(writer.submittedCount == 1) }
    }

    @Test("a small file is left to whoever writes it")
    func small() throws {
      let writer = DirectWriter()
      let buffer = try filled(made(DirectWriter.smallest - 1))
      #expect(!writer.shouldWriteDirectly(buffer.count))
      #expect(try !writer.write(buffer, to: created("file"), at: 0) { _ in })
      #expect(scratch.bytes(of: "file") == [])
      #expect(writer.submittedCount == 0)
    }

    @Test("what begins within a block is left to whoever writes it")
    func unaligned() throws {
      let writer = DirectWriter()
      let file = try created("file")
      #expect(try file.file.reserve(200_000))
      #expect(try !writer.write(filled(made(101_000)), to: file, at: 100) { _ in })
      #expect(writer.shouldWriteDirectly(101_000))
    }

    @Test("what is set aside on the disk is not kept free as well")
    func claims() throws {
      let archive = try Archive.open(path: scratch.at("a"), mode: .readWrite(holder: "test"))
      guard archive.fileSystem.directWriter != nil else { return }
      let sink = archive.objects.makeSink()
      try sink.begin(
        HTTPResponseHead(
          status: 200, headers: ["Content-Length": "1000000"],
          url: try #require(WebURL("https://example.org/"))))
      #expect(archive.objects.space.claimedByteCount == 1_000_000)
      try made(200_000).withUnsafeBytes { try sink.receive($0) }
      #expect(archive.objects.space.claimedByteCount == 0)
      sink.discard()
      #expect(archive.objects.space.claimedByteCount == 0)
    }

    @Test("more than can be in flight, from several tasks, of which some wait in between")
    func many() async throws {
      let writer = DirectWriter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for number in 0..<100 {
              try write(made(100_000 + number), to: "\(task)-\(number)", with: writer)
              if number % 17 == task { try writer.finish() }
            }
          }
        }
        try await group.waitForAll()
      }
      try writer.finish()
      #expect(back.value == 400)
      for task in 0..<4 {
        for number in 0..<100 {
          let name = "\(task)-\(number)"
          if scratch.bytes(of: name) != made(100_000 + number) {
            Issue.record("\(name) is not what was written")
          }
        }
      }
    }

    @Test("what the disk cuts short is written as usual, and so is all that follows")
    func cutShort() throws {
      guard DirectWriter(for: folder) != nil else { return }
      let writer = DirectWriter { _ in 4_096 }
      let bytes = made(101_000)
      let file = try created("file")
      #expect(try file.file.reserve(bytes.count))
      #expect(try writer.write(filled(bytes), to: file, at: 0) { _ in })
      // The kernel had written everything; the content below was rewritten.
      #expect(pwrite(file.file.descriptor, made(50_000), 50_000, 4_096) == 50_000)
      try writer.finish()
      #expect(scratch.bytes(of: "file") == bytes)
      #expect(!writer.shouldWriteDirectly(bytes.count))
      #expect(try !writer.write(filled(bytes), to: created("next"), at: 0) { _ in })
    }

    @Test("a failure is told by whoever waits, each time")
    func failure() throws {
      guard DirectWriter(for: folder) != nil else { return }
      let writer = DirectWriter { _ in Int(-EIO) }
      let file = try created("file")
      #expect(try file.file.reserve(101_000))
      #expect(try writer.write(filled(made(101_000)), to: file, at: 0) { _ in })
      // Buffered writes fail too.
      let readOnly = open("/dev/null", O_RDONLY)
      defer { close(readOnly) }
      #expect(dup2(readOnly, file.file.descriptor) >= 0)
      for _ in 0..<2 {
        let error = #expect(throws: StorageError.self) { try writer.finish() }
        #expect(error?.message == "could not write \(scratch.path)/file: Bad file descriptor")
      }
    }

    @Test("a file that cannot be written is told of at once")
    func unwritable() throws {
      let writer = DirectWriter()
      let file = try readOnly()
      #expect(throws: StorageError.self) { try file.file.reserve(101_000) }
      #expect(throws: StorageError.self) {
        try writer.write(filled(made(101_000)), to: file, at: 0) { _ in }
      }
      try writer.finish()
      #expect(writer.submittedCount == 0)
      #expect(writer.shouldWriteDirectly(101_000))
    }

    @Test("what the kernel does not take is written as usual, and so is all that follows")
    func refused() throws {
      let writer = DirectWriter()
      // Whole blocks, without a buffered part.
      #expect(try !writer.write(filled(made(64 << 10)), to: readOnly(), at: 0) { _ in })
      #expect(!writer.shouldWriteDirectly(101_000))
      #expect(try !writer.write(filled(made(101_000)), to: created("next"), at: 0) { _ in })
      try writer.finish()
      #expect(writer.submittedCount == 0)
    }

    @Test("a file system that sets no room aside says so")
    func roomless() throws {
      let folder = try Folder.open(path: "/proc/self")
      let file = OpenFile(owning: open("/proc/self/comm", O_WRONLY), "comm", in: folder)
      #expect(file.path == "/proc/self/comm")
      let isReserved = try file.reserve(101_000)
      #expect(!isReserved)
    }

    @Test(
      "a large body goes piece by piece, whatever was announced", arguments: [0, 1, 300_000, -1])
    func large(_ error: Int) throws {
      let archive = try Archive.open(path: scratch.at("a"), mode: .readWrite(holder: "test"))
      let bytes = made(1_000_003)
      let sink = archive.objects.makeSink()
      // Less than arrives, as for a compressed body; or more, as for a truncated one.
      let announced = error < 0 ? nil : bytes.count - 150_000 + error
      try sink.begin(
        HTTPResponseHead(
          status: 200, headers: announced.map { ["Content-Length": "\($0)"] } ?? [:],
          url: try #require(WebURL("https://example.org/"))))
      var rest = bytes[...]
      while !rest.isEmpty {
        try Array(rest.prefix(17_000)).withUnsafeBytes { try sink.receive($0) }
        rest = rest.dropFirst(17_000)
      }
      let object = try sink.finish()
      #expect(object.byteCount == bytes.count)
      let isSame = try archive.objects.read(object) == bytes
      #expect(isSame)
      if let writer = archive.fileSystem.directWriter {
        #expect((writer.submittedCount > 0) == (announced != nil))
      }
    }

    @Test("who is to make files durable or to copy them waits for them")
    func waits() throws {
      let files = FileSystem(faults: nil, writingDirectlyTo: folder)
      guard let writer = files.directWriter else { return }
      let bytes = made(128 << 10)
      try files.writeFile("a", in: folder, filled(bytes)) { _ in }
      #expect(writer.inFlightCount == 1)
      try files.copy("a", of: folder, to: "copy", in: folder)
      #expect(writer.inFlightCount == 0)
      #expect(scratch.bytes(of: "copy") == bytes)
      try files.writeFile("b", in: folder, filled(bytes)) { _ in }
      #expect(writer.inFlightCount == 1)
      try files.synchroniseAll(folder, trees: [])
      #expect(writer.inFlightCount == 0)
    }

    @Test("after a rest writing continues, and one in the middle of it does no harm")
    func rests() throws {
      let writer = DirectWriter()
      for number in 0..<6 {
        try write(made(100_000 + number), to: "\(number)", with: writer)
        writer.rest()
        if number.isMultiple(of: 2) {
          try writer.finish()
          writer.rest()
        }
      }
      try writer.finish()
      #expect(back.value == 6)
      if DirectWriter(for: folder) != nil { #expect(writer.submittedCount == 6) }
      for number in 0..<6 {
        let isSame = scratch.bytes(of: "\(number)") == made(100_000 + number)
        #expect(isSame)
      }
    }

    @Test("who reads an object of the pool waits for it")
    func pool() throws {
      let archive = try Archive.open(path: scratch.at("a"), mode: .readWrite(holder: "test"))
      guard let writer = archive.fileSystem.directWriter else { return }
      let bytes = made(100_000)
      let reads: [(StoredObject) throws -> Void] = [
        {
          let isSame = try archive.objects.read($0) == bytes
          #expect(isSame)
        },
        { _ = try archive.objects.readablePath(of: $0) },
      ]
      for (number, read) in reads.enumerated() {
        let sink = archive.objects.makeSink()
        try bytes.withUnsafeBytes { try sink.receive($0) }
        let object = try sink.finish()
        #expect(writer.submittedCount == number + 1)
        #expect(writer.inFlightCount == 1)
        try read(object)
        #expect(writer.inFlightCount == 0)
        try FileManager.default.removeItem(atPath: archive.objects.path(of: object))
      }
    }

    private func made(_ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ size) }
    }

    private func filled(_ bytes: [UInt8]) throws -> WriteBuffer {
      let buffer = try WriteBuffer()
      bytes.withUnsafeBytes { buffer.append($0) }
      return buffer
    }

    private func readOnly() throws -> SharedFile {
      _ = try created("file")
      return SharedFile(try OpenFile.reading("file", in: folder))
    }

    private func created(_ name: String) throws -> SharedFile {
      SharedFile(try FileSystem(faults: nil).create(name, in: folder))
    }

    private func write(_ bytes: [UInt8], to name: String, with writer: DirectWriter) throws {
      let file = try created(name)
      let buffer = try filled(bytes)
      let isReserved = try file.file.reserve(bytes.count)
      if isReserved, try writer.write(buffer, to: file, at: 0, done: { [back] _ in back.add() }) {
        return
      }
      try file.file.write(buffer.bytes, at: 0)
      back.add()
    }
  }
#endif
