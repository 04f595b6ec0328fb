import ArchiverCore
import Testing

@testable import ArchiverStorage

/// System calls on files, and what their failures become.
struct FileFailureTests {
  private let scratch: ScratchFolder
  private let folder: Folder
  private let files = FileSystem(faults: nil)

  init() throws {
    scratch = try ScratchFolder()
    folder = try Folder.open(path: scratch.path)
  }

  /// Calls `body` with the file at a path, which errors call `name`.
  private func use(
    _ path: String, _ flags: Int32, _ body: (borrowing OpenFile) throws -> Void
  ) throws {
    let descriptor = openPath(path, flags | O_CLOEXEC)
    try #require(descriptor >= 0)
    let file = OpenFile(owning: descriptor, "name", in: folder)
    try body(file)
  }

  @Test func `a file that is not open for reading fails each read`() throws {
    try scratch.write("text", to: "file")
    let ranged = #expect(throws: StorageError.self) {
      try use(scratch.at("file"), O_WRONLY) { (file: borrowing OpenFile) in
        _ = try file.read(0..<4)
      }
    }
    let streamed = #expect(throws: StorageError.self) {
      try use(scratch.at("file"), O_WRONLY) { (file: borrowing OpenFile) in
        var buffer = [UInt8](repeating: 0, count: 4)
        _ = try file.read(into: &buffer)
      }
    }
    for error in [ranged, streamed] {
      #expect(error?.errorNumber == EBADF)
      #expect(error?.message.contains("could not read \(scratch.path)/name") == true)
    }
  }

  @Test func `a file that is not open for writing fails a write`() throws {
    try scratch.write("text", to: "file")
    let error = #expect(throws: StorageError.self) {
      try use(scratch.at("file"), O_RDONLY) { (file: borrowing OpenFile) in
        try file.write([1])
      }
    }
    #expect(error?.errorNumber == EBADF)
    #expect(scratch.text(of: "file") == "text")
  }

  @Test func `the end of a file is no failure after a call that failed`() throws {
    try scratch.write("text", to: "file")
    try use(scratch.at("file"), O_RDONLY) { (file: borrowing OpenFile) in
      // Sets errno.
      let failed = close(-1)
      let found = try file.read(2..<9)
      #expect(failed == -1)
      #expect(found == Array("xt".utf8))
    }
  }

  @Test func `a folder cannot be exchanged with an entry inside it`() throws {
    try files.makeFolder("a", in: folder)
    let inner = try folder.folder("a")
    try files.makeFolder("b", in: inner)
    let isExchanged = try files.exchange("a", in: folder, with: "b", in: inner)
    #expect(!isExchanged)
    #expect(try folder.entries().map(\.name) == ["a"])
    #expect(try inner.entries().map(\.name) == ["b"])
  }

  #if os(Linux)
    @Test func `a disk that is full fails a write`() throws {
      let error = #expect(throws: StorageError.self) {
        try use("/dev/full", O_WRONLY) { (file: borrowing OpenFile) in try file.write([1]) }
      }
      #expect(error?.code == .full)
      #expect(error?.errorNumber == ENOSPC)
    }

    @Test func `an empty file and a missing one need no prefetching`() throws {
      try scratch.write("x", to: "full")
      try scratch.write("", to: "empty")
      #expect(!ArchiveFile("none", in: scratch.path).readAhead())
      // Not every file system reports whether a file is in the page cache.
      let isReported = try OpenFile.reading("full", in: folder).isInMemory
      guard isReported else { return }
      let isEmptyInMemory = try OpenFile.reading("empty", in: folder).isInMemory
      #expect(isEmptyInMemory)
      #expect(!ArchiveFile("empty", in: scratch.path).readAhead())
    }
  #endif
}
