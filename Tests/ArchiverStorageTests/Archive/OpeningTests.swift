import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverStorage

/// How an archive is opened beside other processes and other files.
struct OpeningTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private var path: String { folder.at("archive") }

  private func open() throws -> Archive {
    try Archive.open(path: path, mode: .readWrite(holder: "run"))
  }

  /// A clock that passes when it is slept on, and is cancelled at once if asked.
  private final class Clock: Sendable {
    let sleeps = Mutex<[Duration]>([])
    private let isCancelled: Bool

    init(isCancelled: Bool) { self.isCancelled = isCancelled }

    private var slept: Duration { sleeps.withLock { $0.reduce(Duration.zero, +) } }

    var clock: ArchiverClock {
      ArchiverClock(
        now: { Sample.now + self.slept / .seconds(1) },
        sleep: { duration in
          self.sleeps.withLock { $0.append(duration) }
          if self.isCancelled { throw CancellationError() }
        })
    }
  }

  @Test(arguments: [(false, 4), (true, 1)])
  func `a locked archive is tried four times a second, until the time is up or the wait cancelled`(
    isCancelled: Bool, sleeps: Int
  ) async throws {
    let holder = try open()
    let time = Clock(isCancelled: isCancelled)
    let error = await #expect(throws: StorageError.self) {
      try await Archive.open(path: path, holder: "run", waiting: .seconds(1), clock: time.clock)
    }
    #expect(error?.code == .locked)
    #expect(
      time.sleeps.withLock { $0 } == Array(repeating: Duration.milliseconds(250), count: sleeps))
    withExtendedLifetime(holder) {}
  }

  @Test func `an error other than a lock is not waited for`() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    for name in ["letter.txt", "zoo.txt"] { try folder.write("", to: "archive/\(name)") }
    let time = Clock(isCancelled: false)
    let error = await #expect(throws: StorageError.self) {
      try await Archive.open(path: path, holder: "run", waiting: .seconds(1), clock: time.clock)
    }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("\"letter.txt\"") == true, "the first is named")
    #expect(time.sleeps.withLock { $0.isEmpty })
  }

  @Test func `the folder of a new disk is empty`() throws {
    try FileManager.default.createDirectory(
      atPath: path + "/lost+found", withIntermediateDirectories: true)
    #expect(try open().catalog.itemCount(source: nil) == 0)
  }

  @Test func `an archive that is open for reading is not changed`() throws {
    _ = try open()
    let archive = try Archive.open(path: path, mode: .readOnly)
    #expect(archive.isReadOnly)
    let error = #expect(throws: StorageError.self) {
      try archive.catalog.removeWork(Sample.item("a").key)
    }
    #expect(error?.code == .notWritable)
  }

  @Test func `a format that is no number is damaged, one left in staging is replaced`() throws {
    _ = try open()
    let format = "archive/.archiver/format"
    try folder.write("one\n", to: format)
    #expect(throws: StorageError.self) { try open() }
    try folder.write("", to: format)
    try folder.write("left", to: "archive/.archiver/staging/format")
    _ = try open()
    #expect(folder.text(of: format) == "1\n")
  }

  @Test func `the label of a lock replaces a longer one`() throws {
    _ = try open()
    let lock = "archive/.archiver/lock"
    try folder.write(String(repeating: "a long line\n", count: 50), to: lock)
    let archive = try open()
    let label = try #require(folder.text(of: lock))
    #expect(label.split(separator: "\n").count == 4 && label.hasPrefix("run\n"))
    withExtendedLifetime(archive) {}
  }

  @Test(arguments: [
    ("", "another process holds"), ("run\n5\nelsewhere\n", "another process holds"),
    (
      "run\n5\nelsewhere\n2026-01-31T02:30:00Z\n",
      "another run (pid 5 on elsewhere, since 2026-01-31T02:30:00Z) holds"
    ),
  ])
  func `a lock tells what its label says of the holder`(label: String, message: String) throws {
    _ = try open()
    let lock = "archive/.archiver/lock"
    try folder.write(label, to: lock)
    let descriptor = openPath(folder.at(lock), O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.code == .locked)
    #expect(error?.message == "\(message) \(path)")
  }

  @Test func `an entry is being fetched only while a process is at work`() throws {
    let key = Sample.item("a").key
    do {
      let archive = try open()
      try CatalogConformance.enqueue(archive.catalog, Sample.reference("a"))
      #expect(try archive.catalog.queueState(key)?.isFetching == false)
      try archive.catalog.markFetching(key)
      #expect(try archive.catalog.queueState(key)?.isFetching == true)
      try archive.catalog.endFetching(source: "other")
      #expect(try archive.catalog.queueState(key)?.isFetching == true)
      try archive.catalog.endFetching(source: "readeck")
      #expect(try archive.catalog.queueState(key)?.isFetching == false)
      try archive.catalog.markFetching(key)
    }
    let lock = "archive/.archiver/lock"
    let lines = try #require(folder.text(of: lock)).split(separator: "\n")
    // No process has so high a number.
    try folder.write("run\n99999999\n\(lines[2])\n\(lines[3])\n", to: lock)
    let reader = try Archive.open(path: path, mode: .readOnly)
    #expect(try reader.catalog.queueState(key)?.isFetching == false)
  }

  @Test(arguments: [(4_000_000, 1), (4_000_001, 0)])
  func `a journal of items in work that is too large counts as empty`(size: Int, count: Int) throws
  {
    let archive = try open()
    let line = "[\"readeck\",\"a\"]\n"
    let rest = String(repeating: " ", count: size - line.utf8.count)
    try folder.write(line + rest, to: "archive/.archiver/working")
    #expect(WorkJournal(archive).left.count == count)
  }

  @Test func `a line of another number of parts names no item in work`() throws {
    let archive = try open()
    try folder.write(
      "[\"readeck\"]\n[\"readeck\",\"a\"]\n[\"readeck\",\"a\",\"b\"]\n",
      to: "archive/.archiver/working")
    #expect(WorkJournal(archive).left == [Sample.item("a").key])
  }
}
