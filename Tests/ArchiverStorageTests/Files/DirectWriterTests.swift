#if os(Linux)
  import ArchiverCore
  import Glibc
  import Synchronization
  import Testing

  @testable import ArchiverStorage

  /// Counts from any thread.
  private final class Count: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  /// In a file system that takes no direct writes, files are written as usual, and have to be the same.
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
      if DirectWriter(for: folder) != nil { #expect(writer.begunCount == 1) }
    }

    @Test("a small file is left to whoever writes it")
    func small() throws {
      let writer = DirectWriter()
      let buffer = filled(made(DirectWriter.smallest - 1))
      #expect(try !writer.write(buffer, to: created("file")) { _ in })
      #expect(scratch.bytes(of: "file") == [])
      #expect(writer.begunCount == 0)
    }

    @Test("more than can be under way, from several tasks, of which some wait in between")
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
      #expect(try writer.write(filled(bytes), to: file) { _ in })
      // The kernel wrote all of it in truth; what is seen below was written again.
      #expect(ftruncate(file.file.descriptor, 4_096) == 0)
      try writer.finish()
      #expect(scratch.bytes(of: "file") == bytes)
      #expect(try !writer.write(filled(bytes), to: created("next")) { _ in })
    }

    @Test("a failure is told by whoever waits, each time")
    func failure() throws {
      guard DirectWriter(for: folder) != nil else { return }
      let writer = DirectWriter { _ in Int(-EIO) }
      let file = try created("file")
      #expect(try writer.write(filled(made(101_000)), to: file) { _ in })
      // Neither can it be written as usual.
      let readOnly = open("/dev/null", O_RDONLY)
      defer { close(readOnly) }
      #expect(dup2(readOnly, file.file.descriptor) >= 0)
      for _ in 0..<2 {
        let error = #expect(throws: StorageError.self) { try writer.finish() }
        #expect(error?.message == "could not write \(scratch.path)/file: Bad file descriptor")
      }
    }

    @Test("a file that cannot be written is refused at once")
    func unwritable() throws {
      let writer = DirectWriter()
      _ = try created("file")
      let file = SharedFile(try OpenFile.reading("file", in: folder))
      #expect(throws: StorageError.self) {
        try writer.write(filled(made(101_000)), to: file) { _ in }
      }
      try writer.finish()
      #expect(writer.begunCount == 0)
    }

    @Test("a file system that sets no room aside is not asked again, and all goes as usual")
    func refused() throws {
      let writer = DirectWriter()
      let place = "/proc/self/comm"
      let file = SharedFile(OpenFile(owning: open(place, O_WRONLY), path: place))
      #expect(try !writer.write(filled(made(101_000)), to: file) { _ in })
      #expect(try !writer.write(filled(made(101_000)), to: created("file")) { _ in })
      try writer.finish()
      #expect(writer.begunCount == 0)
    }

    @Test("who is to make files durable or to copy them waits for them")
    func waits() throws {
      let files = FileSystem(faults: nil, writingDirectlyTo: folder)
      guard let writer = files.directWriter else { return }
      let bytes = made(128 << 10)
      try files.writeFile("a", in: folder, filled(bytes)) { _ in }
      #expect(writer.underWayCount == 1)
      try files.copy("a", of: folder, to: "copy", in: folder)
      #expect(writer.underWayCount == 0)
      #expect(scratch.bytes(of: "copy") == bytes)
      try files.writeFile("b", in: folder, filled(bytes)) { _ in }
      #expect(writer.underWayCount == 1)
      try files.synchroniseAll(folder, trees: [])
      #expect(writer.underWayCount == 0)
    }

    @Test("after a rest writing goes on, and one in the middle of it does no harm")
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
        #expect(writer.begunCount == number + 1)
        #expect(writer.underWayCount == 1)
        try read(object)
        #expect(writer.underWayCount == 0)
        try FileManager.default.removeItem(atPath: archive.objects.path(of: object))
      }
    }

    private func made(_ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ size) }
    }

    private func filled(_ bytes: [UInt8]) -> WriteBuffer {
      let buffer = WriteBuffer()
      bytes.withUnsafeBytes { buffer.append($0) }
      return buffer
    }

    private func created(_ name: String) throws -> SharedFile {
      SharedFile(try FileSystem(faults: nil).create(name, in: folder))
    }

    private func write(_ bytes: [UInt8], to name: String, with writer: DirectWriter) throws {
      let file = try created(name)
      let buffer = filled(bytes)
      let isTaken = try writer.write(buffer, to: file) { [back] _ in back.add() }
      if isTaken { return }
      try file.file.write(buffer.bytes)
      back.add()
    }
  }
#endif
