import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Directories with entries of another writer, on faulty disks.
struct FolderTests {
  private let scratch: ScratchFolder
  private let folder: Folder

  init() throws {
    scratch = try ScratchFolder()
    folder = try Folder.open(path: scratch.path)
  }

  /// Creates an empty file with a Latin-1 name, or a folder that contains one.
  private func makeLatin(_ name: String, isFolder: Bool, in path: String) throws {
    let place = Array("\(path)/\(name)".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let inner = place.dropLast() + "/file".utf8CString
    if isFolder { try #require(mkdir(place, 0o755) == 0) }
    let descriptor = creat(isFolder ? Array(inner) : place, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  @Test func `a file is found at any depth, the archive's own folder included`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.at("a/b"), withIntermediateDirectories: true)
    for path in ["top", "a/middle", "a/b/low"] {
      try scratch.write(path, to: path)
      let file = ArchiveFile(path, in: scratch.path)
      #expect(file.bytes == Array(path.utf8) && file.byteCount == path.utf8.count)
    }
    #expect(ArchiveFile("a/none/low", in: scratch.path).bytes == nil)
    #expect(
      ArchiveFile("../\(scratch.path.split(separator: "/").last ?? "")/top", in: scratch.path).bytes
        == nil)
  }

  @Test func `a listing that is aborted is an error, not a shorter list`() throws {
    try scratch.write("text", to: "file")
    let stream = try #require(opendir(scratch.path))
    let copy = dup(dirfd(stream))
    defer {
      dup2(copy, dirfd(stream))
      close(copy)
      closedir(stream)
    }
    // From now on, reading the directory fails.
    let null = open("/dev/null", O_RDONLY)
    dup2(null, dirfd(stream))
    close(null)
    #expect(throws: StorageError.self) { try folder.entries(of: stream) }
  }

  @Test func `names that are no UTF-8 are distinguished and removed with the rest`() throws {
    let files = FileSystem(faults: nil)
    try files.makeFolder("tree", in: folder)
    try makeLatin("caf", isFolder: false, in: scratch.at("tree"))
    try makeLatin("dossier", isFolder: true, in: scratch.at("tree"))
    try scratch.write("text", to: "tree/plain")
    let entries = try folder.folder("tree").entries()
    #expect(entries.map { $0.rawName != nil } == [true, true, false])
    #expect(entries.map(\.kind) == [.other, .other, .file])
    try files.removeTree("tree", in: folder)
    #expect(try folder.status("tree") == nil)
  }

  @Test func `what another process removed first counts as removed`() throws {
    let path = scratch.path
    let files = FileSystem(
      faults: FailingStep { operation, place in
        if operation == .remove { _ = remove(place) }
        return nil
      })
    try files.makeFolder("tree", in: folder)
    try scratch.write("text", to: "tree/plain")
    try makeLatin("caf", isFolder: false, in: scratch.at("tree"))
    try files.removeTree("tree", in: folder)
    try files.removeTree("tree", in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
  }

  @Test(arguments: [[0x65], [0xE9]] as [[UInt8]])
  func `a folder that another process fills meanwhile is an error, not a removal`(
    letter: [UInt8]
  ) throws {
    let inner = Array(scratch.at("tree/caf").utf8) + letter
    let late = (inner + Array("/late".utf8) + [0]).map { CChar(bitPattern: $0) }
    let files = FileSystem(
      faults: FailingStep { operation, place in
        if operation == .remove, place.hasSuffix("/file") { close(creat(late, 0o644)) }
        return nil
      })
    try files.makeFolder("tree", in: folder)
    try #require(mkdir((inner + [0]).map { CChar(bitPattern: $0) }, 0o755) == 0)
    close(creat((inner + Array("/file".utf8) + [0]).map { CChar(bitPattern: $0) }, 0o644))
    let error = #expect(throws: StorageError.self) { try files.removeTree("tree", in: folder) }
    #expect(error?.errorNumber == ENOTEMPTY)
    #expect(error?.message.contains("/tree/caf") == true)
    #expect(access(late, F_OK) == 0)
  }

  @Test func `an archive opens although a replaced bundle had such a file`() throws {
    let path = scratch.at("archive")
    let item = Sample.item("a")
    do {
      let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
      for page in ["one", "two"] {
        let draft = try Sample.draft(item, page: page, keepVersions: 0)
        try archive.publish([archive.bundles.stage(draft)])
        try makeLatin(page, isFolder: false, in: "\(path)/\(item.folder)")
      }
    }
    _ = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    let staging = try FileManager.default.contentsOfDirectory(atPath: path + "/.archiver/staging")
    #expect(staging == [])
  }

  @Test(arguments: [EXDEV, EMLINK, EPERM, ENOTSUP, ENOSYS])
  func `a file that cannot be linked is copied`(code: Int32) throws {
    try scratch.write("text", to: "file")
    let files = FileSystem(faults: FailingStep { operation, _ in operation == .link ? code : nil })
    try files.link("file", of: folder, to: "copy", in: folder)
    #expect(scratch.text(of: "copy") == "text")
    #expect(try folder.status("file")?.linkCount == 1)
  }

  @Test func `a link that the disk refuses is an error`() throws {
    try scratch.write("text", to: "file")
    let files = FileSystem(faults: FailingStep { operation, _ in operation == .link ? EIO : nil })
    let error = #expect(throws: StorageError.self) {
      try files.link("file", of: folder, to: "copy", in: folder)
    }
    #expect(error?.errorNumber == EIO)
    #expect(try folder.status("copy") == nil)
  }
}
