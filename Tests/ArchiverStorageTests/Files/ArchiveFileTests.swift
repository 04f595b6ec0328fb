import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Files by their paths in an archive, and folders that are made.
struct ArchiveFileTests {
  private let scratch: ScratchFolder
  private let files = FileSystem(faults: nil)

  /// Makes `a/b/file`, and the links `a/link` to the folder and `a/b/link` to the file.
  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.at("a/b"), withIntermediateDirectories: true)
    try scratch.write("text", to: "a/b/file")
    for (target, link) in [("b", "a/link"), ("file", "a/b/link")] {
      try #require(symlink(target, scratch.at(link)) == 0)
    }
  }

  private func file(_ path: String) -> ArchiveFile { ArchiveFile(path, in: scratch.path) }

  @Test(arguments: ["a", "a/b", "a/b/file", "a/b/none", "none/b", "a/b/file/none"])
  func `a path without a symbolic link may be written`(path: String) {
    #expect(throws: Never.self) { try file(path).requireNoLink() }
  }

  @Test(arguments: ["a/link", "a/link/file", "a/b/link", "a/b/link/none"])
  func `a symbolic link at any depth of a path is refused by its name`(path: String) {
    let error = #expect(throws: StorageError.self) { try file(path).requireNoLink() }
    #expect(error?.code == .notWritable)
    #expect(error?.message.contains("/link is a symbolic link") == true)
  }

  @Test(arguments: ["a/link/file", "a/b/link", "a/b", "a/../a/b/file", "none/file"])
  func `what is behind a link or no file counts as missing`(path: String) {
    #expect(file(path).bytes == nil && file(path).byteCount == nil)
  }

  @Test func `the names in a folder are told, and none of what is no folder`() {
    #expect(file("a/b").names == ["file", "link"])
    #expect(file("a").names == ["b", "link"])
    for path in ["a/link", "a/b/file", "none", "a/none"] { #expect(file(path).names == []) }
  }

  @Test func `a folder is made with its parents, and one that is there stays as it is`() throws {
    try FolderPath.make(scratch.at("a/x//y/"), mode: 0o700)
    #expect(file("a/x").names == ["y"])
    try FolderPath.make(scratch.at("a/b"))
    #expect(file("a/b").names == ["file", "link"])
    let error = #expect(throws: StorageError.self) {
      try FolderPath.make(scratch.at("a/b/file/c"))
    }
    #expect(error?.errorNumber == ENOTDIR)
    #expect(error?.message.contains("/a/b/file/c") == true)
  }

  @Test func `a file is removed, twice without harm, and a folder is none`() throws {
    let folder = try Folder.open(path: scratch.at("a/b"))
    for _ in 0..<2 { try files.removeFile("file", in: folder) }
    #expect(file("a/b").names == ["link"])
    let parent = try Folder.open(path: scratch.at("a"))
    #expect(throws: StorageError.self) { try files.removeFile("b", in: parent) }
    try files.removeTree("link", in: parent)
    #expect(file("a").names == ["b"], "a link is removed, not followed")
    #expect(file("a/b").names == ["link"])
  }

  @Test(arguments: [0, 1, 262_144, 262_145])
  func `a file is copied whole, and to no name that is taken`(count: Int) throws {
    let folder = try Folder.open(path: scratch.path)
    let content = (0..<count).map { UInt8($0 % 251) }
    try files.writeFile("one", in: folder, content)
    try files.copy("one", of: folder, to: "two", in: folder)
    #expect(scratch.bytes(of: "two") == content)
    let error = #expect(throws: StorageError.self) {
      try files.copy("one", of: folder, to: "two", in: folder)
    }
    #expect(error?.errorNumber == EEXIST)
  }

  @Test func `the file system of a folder is flushed, and of what is no folder is not`() {
    #expect(ArchiveFile.flushFileSystem(of: scratch.path))
    #expect(!ArchiveFile.flushFileSystem(of: scratch.at("none")))
  }

  @Test func `a file system that cannot exchange folders is named`() {
    let faults = FailingStep { operation, _ in operation == .exchange ? ENOSYS : nil }
    let failures = FileSystemTrial(in: scratch.path, faults: faults).failures()
    #expect(failures == [.init(step: .exchange, reason: String(cString: strerror(ENOTSUP)))])
  }
}
