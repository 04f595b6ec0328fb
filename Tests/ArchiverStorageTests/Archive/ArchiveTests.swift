import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverStorage

struct ArchiveTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ path: String = "archive", _ mode: ArchiveMode = .readWrite(holder: "run"))
    throws -> Archive
  {
    try Archive.open(path: folder.at(path), mode: mode)
  }

  @Test func `a new archive has its layout and permissions`() throws {
    let archive = try open("deep/er/archive")
    let control = archive.control
    #expect(
      try control.entries().map(\.name).filter { !$0.hasPrefix("catalog.sqlite-") }
        == ["catalog.sqlite", "format", "lock", "objects", "staging"])
    let attributes = try FileManager.default.attributesOfItem(atPath: control.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(folder.text(of: "deep/er/archive/.archiver/format") == "1\n")
  }

  @Test func `a first run killed before its catalog had tables left no archive to read`() throws {
    do { _ = try open() }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.at("archive/.archiver"))
    where name.hasPrefix("catalog.sqlite") {
      try FileManager.default.removeItem(atPath: folder.at("archive/.archiver/\(name)"))
    }
    try folder.write("", to: "archive/.archiver/catalog.sqlite")
    let error = #expect(throws: StorageError.self) { try open("archive", .readOnly) }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("no archive") == true)
    _ = try open()
    _ = try open("archive", .readOnly)
  }

  @Test func `a folder with other things is refused, one with hidden files is taken`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.at("photos"), withIntermediateDirectories: true)
    try folder.write("", to: "photos/.DS_Store")
    _ = try open("photos")
    try FileManager.default.createDirectory(
      atPath: folder.at("files"), withIntermediateDirectories: true)
    try folder.write("", to: "files/letter.txt")
    let error = #expect(throws: StorageError.self) { try open("files") }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("letter.txt") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.at("files")).count == 1)
  }

  @Test func `an archive is read only where there is one`() throws {
    for path in ["none", ""] {
      let error = #expect(throws: StorageError.self) { try open(path, .readOnly) }
      #expect(error?.code == .notFound)
    }
    let writer = try open()
    try writer.publish([writer.bundles.stage(Sample.draft(Sample.item("a")))])
    let reader = try open("archive", .readOnly)
    #expect(try reader.catalog.itemCount(source: nil) == 1)
    withExtendedLifetime(writer) {}
  }

  @Test func `a second process learns which process holds the lock`() throws {
    let first = try open()
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.code == .locked)
    let pid = ProcessInfo.processInfo.processIdentifier
    #expect(error?.message.hasPrefix("another run (pid \(pid), since 20") == true)
    #expect(error?.message.hasSuffix(") holds \(folder.at("archive"))") == true)
    _ = consume first
    _ = try open()
  }

  @Test(arguments: ["run", "repair"])
  func `a run is at work while it holds the lock, another holder is no run`(
    holder: String
  ) throws {
    let path = folder.at("archive")
    #expect(!Archive.isRunAtWork(path: path))
    let archive = try Archive.open(path: path, mode: .readWrite(holder: holder))
    let catalog = path + "/.archiver/catalog.sqlite"
    #expect(Archive.isRunAtWork(path: path) == (holder == "run"))
    #expect(ArchiveLock.isHeld(besides: catalog))
    _ = consume archive
    #expect(!Archive.isRunAtWork(path: path))
  }

  @Test func `a lock whose holder died is not held, one of another host may be`() throws {
    _ = try open()
    let (lock, catalog) = ("archive/.archiver/lock", folder.at("archive/.archiver/catalog.sqlite"))
    let lines = try #require(folder.text(of: lock)).split(separator: "\n")
    try #require(lines.count == 4)
    #expect(lines[0] == "run" && lines[1] == "\(ProcessInfo.processInfo.processIdentifier)")
    // No process has so high a number.
    for (pid, host, isHeld) in [
      (lines[1], lines[2], true), ("99999999", lines[2], false), ("99999999", "elsewhere", true),
      ("none", lines[2], false),
    ] {
      try folder.write("run\n\(pid)\n\(host)\n\(lines[3])\n", to: lock)
      #expect(ArchiveLock.isHeld(besides: catalog) == isHeld, "\(pid) \(host)")
    }
    try folder.write("run\n\(lines[1])\n", to: lock)
    #expect(!ArchiveLock.isHeld(besides: catalog), "its label was cut short")
    #expect(!ArchiveLock.isHeld(besides: folder.at("none/catalog.sqlite")))
  }

  @Test func `a refused lock closes its file once, and no other thread's`() async throws {
    let holder = try open()
    let refusing = Task.detached { [folder] in
      for _ in 0..<3000 {
        let error = #expect(throws: StorageError.self) {
          try ArchiveLock(
            in: Folder.open(path: folder.at("archive/.archiver")), of: "archive", holder: "run",
            now: Sample.now)
        }
        #expect(error?.code == .locked)
      }
    }
    for _ in 0..<100_000 {
      let file = openPath("/dev/null", O_RDONLY | O_CLOEXEC)
      try #require(file >= 0)
      try #require(close(file) == 0, "someone else closed it")
    }
    await refusing.value
    withExtendedLifetime(holder) {}
  }

  @Test func `a released lock is free although a child is being spawned`() async throws {
    _ = try open()
    let starting = Task.detached {
      while !Task.isCancelled {
        let pid = try ChildProgram.start("/bin/true", environment: [:])
        waitpid(pid, nil, 0)
      }
    }
    let control = folder.at("archive/.archiver")
    let end = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < end {
      _ = try ArchiveLock(
        in: Folder.open(path: control), of: "archive", holder: "run", now: Sample.now)
    }
    starting.cancel()
    try await starting.value
  }

  @Test func `another process holds the lock until it dies`() async throws {
    _ = try open()
    let program = try #require(ChildProcess.find("flock"))
    let holder = try ChildProcess(
      program, ["-o", folder.at("archive/.archiver/lock"), "-c", "echo held; exec cat"],
      environment: ["PATH": "/usr/bin:/bin"], keepsInputOpen: true)
    #expect(try await holder.firstLine() == "held")
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.code == .locked)
    holder.end()
    _ = try open()
  }

  @Test func `a waiting process gets a released lock, or gives up in time`() async throws {
    var holder: Archive? = try open()
    let path = folder.at("archive")
    await #expect(throws: StorageError.self) {
      try await Archive.open(path: path, holder: "run", waiting: .milliseconds(50))
    }
    let waiting = Task { try await Archive.open(path: path, holder: "run", waiting: .seconds(20)) }
    try await Task.sleep(for: .milliseconds(50))
    withExtendedLifetime(holder) {}
    holder = nil
    #expect(try await waiting.value.isReadOnly == false)
  }

  @Test(arguments: ["", "\0\0"])
  func `a format file emptied by a power cut is rewritten`(left: String) throws {
    do { _ = try open() }
    try folder.write(left, to: "archive/.archiver/format")
    _ = try Archive.open(path: folder.at("archive"), mode: .readOnly)
    #expect(folder.text(of: "archive/.archiver/format") == left)
    do { _ = try open() }
    #expect(folder.text(of: "archive/.archiver/format") == "1\n")
  }

  @Test func `an archive of a later version is refused`() throws {
    _ = try open()
    try folder.write("2\n", to: "archive/.archiver/format")
    for mode in [ArchiveMode.readOnly, .readWrite(holder: "run")] {
      let error = #expect(throws: StorageError.self) { try open("archive", mode) }
      #expect(error?.code == .tooNew)
    }
  }

  @Test func `an unwritable path is named`() {
    let error = #expect(throws: StorageError.self) {
      try Archive.open(path: "/proc/archive", mode: .readWrite(holder: "run"))
    }
    #expect(error?.message.contains("/proc/archive") == true)
    let readOnly = FailingStep { operation, _ in operation == .makeFolder ? 30 : nil }
    let denied = #expect(throws: StorageError.self) {
      try Archive.open(
        path: folder.at("a"), mode: .readWrite(holder: "run"),
        options: ArchiveOptions(faults: readOnly))
    }
    #expect(denied?.code == .notWritable)
  }

  @Test func `removing takes bundle and record away, twice without harm`() async throws {
    let archive = try open()
    let item = Sample.item("a")
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    try archive.remove(item.key)
    #expect(try archive.staging.folder.entries().isEmpty)
    try archive.remove(item.key)
    #expect(try archive.catalog.item(item.key) == nil)
    #expect(try archive.bundles.read("index.html", of: item.folder) == nil)
    #expect(try await archive.verify().problems == [])
  }
}
