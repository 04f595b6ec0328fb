import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Files, and names exchanged between them.
struct OpenFileTests {
  private let scratch: ScratchFolder
  private let folder: Folder
  private let files = FileSystem(faults: nil)

  init() throws {
    scratch = try ScratchFolder()
    folder = try Folder.open(path: scratch.path)
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

  @Test(arguments: [0, 1, 70_000, 300_000])
  func `a file is read whole, in part and in pieces`(count: Int) throws {
    let content = bytes(count)
    try files.writeFile("file", in: folder, content)
    #expect(try OpenFile.reading("file", in: folder).readAll() == content)
    let file = try OpenFile.reading("file", in: folder)
    #expect(try file.status().byteCount == count)
    for range in [0..<count, 0..<0, count / 3..<count / 2, 0..<count + 9, count..<count + 9] {
      let part = try file.read(range)
      #expect(part == Array(content[range.clamped(to: 0..<count)]), "\(range)")
    }
    #expect(try file.read(count + 5..<count + 9) == [])
    let object = try OpenFile.reading("file", in: folder).digest()
    #expect(object == StoredObject(sha256: Digest.sha256Hex(content), byteCount: count))
  }

  @Test func `a file whose size the system does not tell is read whole`() throws {
    let processes = try Folder.open(path: "/proc/self")
    let found = try OpenFile.reading("status", in: processes).readAll()
    #expect(String(decoding: found, as: UTF8.self).hasPrefix("Name:"))
    #expect(found.last == UInt8(ascii: "\n"))
  }

  @Test func `a file is created once and written in pieces`() throws {
    do {
      let file = try files.create("file", in: folder)
      try file.write(bytes(10)[...])
      try file.write(bytes(10)[5...])
    }
    #expect(scratch.bytes(of: "file") == bytes(10) + bytes(10)[5...])
    let error = #expect(throws: StorageError.self) { _ = try files.create("file", in: folder) }
    #expect(error?.errorNumber == EEXIST)
    #expect(error?.message.contains("\(scratch.path)/file") == true)
    #expect(scratch.bytes(of: "file")?.count == 15)
  }

  @Test func `what is no file is not read as one`() throws {
    try files.makeFolder("folder", in: folder)
    try files.makeFolder("folder", in: folder)
    try scratch.write("text", to: "file")
    symlink("file", scratch.at("link"))
    mkfifo(scratch.at("pipe"), 0o644)
    for (name, code) in [
      ("folder", StorageError.Code.damaged), ("pipe", .damaged), ("link", .io), ("none", .io),
    ] {
      let error = #expect(throws: StorageError.self) { _ = try OpenFile.reading(name, in: folder) }
      #expect(error?.code == code, "\(name)")
    }
    let entries = try folder.entries()
    #expect(entries.map(\.name) == ["file", "folder", "link", "pipe"])
    #expect(entries.map(\.kind) == [.file, .folder, .link, .other])
    #expect(try entries.map { try folder.status($0.name)?.kind } == entries.map(\.kind))
  }

  @Test func `two names are exchanged, and a file takes another's name`() throws {
    try files.makeFolder("a", in: folder)
    try files.makeFolder("b", in: folder)
    try scratch.write("1", to: "a/one")
    try scratch.write("2", to: "b/two")
    #expect(try files.exchange("a", in: folder, with: "b", in: folder))
    #expect(scratch.text(of: "b/one") == "1" && scratch.text(of: "a/two") == "2")
    let error = #expect(throws: StorageError.self) {
      try files.exchange("a", in: folder, with: "none", in: folder)
    }
    #expect(error?.errorNumber == ENOENT)
    try files.rename("one", in: folder.folder("b"), to: "two", in: folder.folder("a"))
    #expect(scratch.text(of: "a/two") == "1" && scratch.text(of: "b/one") == nil)
    #expect(throws: StorageError.self) {
      try files.rename("none", in: folder, to: "two", in: folder)
    }
    #expect(throws: StorageError.self) { try files.makeFolder("x", in: folder.folder("none")) }
  }

  @Test(arguments: [(ENOSYS, false), (EIO, nil)] as [(Int32, Bool?)])
  func `a file system without exchange says so, a failing one fails`(
    code: Int32, result: Bool?
  ) throws {
    let files = FileSystem(
      faults: FailingStep { operation, _ in operation == .exchange ? code : nil })
    let found = try? files.exchange("a", in: folder, with: "b", in: folder)
    #expect(found == result)
  }

  @Test func `a path leads through folders alone`() throws {
    try files.makeFolder("a", in: folder)
    try files.makeFolder("b", in: folder.folder("a"))
    symlink("a", scratch.at("link"))
    try scratch.write("text", to: "file")
    #expect(try folder.descend("a/b")?.path == "\(scratch.path)/a/b")
    #expect(try folder.descend("a/none/b") == nil)
    for (path, code) in [("link/b", ELOOP), ("file/b", ENOTDIR)] {
      let error = #expect(throws: StorageError.self) { try folder.descend(path) }
      #expect(error?.errorNumber == code)
    }
  }

  @Test(arguments: [
    (ENOSPC, StorageError.Code.full), (EDQUOT, .full), (EROFS, .notWritable),
    (EACCES, .notWritable), (EPERM, .notWritable), (ELOOP, .io), (EIO, .io), (ENOENT, .io),
  ])
  func `an error of the system names its path and what can be done`(
    code: Int32, expected: StorageError.Code
  ) {
    let error = StorageError.file(code, "write", "/archive/file")
    #expect(error.code == expected && error.errorNumber == code)
    #expect(error.message.contains("could not write /archive/file"))
    #expect(error.message.contains("permissions") == (expected == .notWritable))
    #expect(error.isOfOneBundle == (expected == .io))
  }
}
