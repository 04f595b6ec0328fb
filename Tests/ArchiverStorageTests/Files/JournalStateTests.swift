import ArchiverCore
import Testing

@testable import ArchiverStorage

/// The file of a publishing journal.
struct JournalStateTests {
  private let folder: ScratchFolder
  private let target = "s3://bucket"

  init() throws {
    folder = try ScratchFolder()
  }

  private func open() throws -> PublishJournal {
    try PublishJournal(folder: folder.at("publish"), target: target)
  }

  @Test(arguments: [(PublishJournal.State.pending, 0), (.published, 1), (.leaving, 2)])
  func `the states of a key are numbers that journals hold`(
    state: PublishJournal.State, number: Int
  ) throws {
    let journal = try open()
    try journal.save([.init(key: "a", byteCount: 1, modified: 2)])
    try journal.set(state, ["a"])
    let connection = try Connection(path: journal.path, mode: .readWrite)
    #expect(try connection.number("SELECT state FROM object") == number)
    try connection.execute("UPDATE object SET state = 9")
    #expect(try journal.record("a")?.state == .pending, "an unknown state")
  }

  @Test func `a journal appends its changes to a log`() throws {
    let journal = try open()
    let connection = try Connection(path: journal.path, mode: .readWrite)
    #expect(try connection.first("PRAGMA journal_mode", []) { $0.text(0) } == "wal")
    withExtendedLifetime(journal) {}
  }

  @Test func `what cannot be opened as a journal is not removed`() throws {
    let name = "\(Digest.sha256Hex(target).prefix(16)).sqlite"
    try FileManager.default.createDirectory(
      atPath: folder.at("publish/\(name)"), withIntermediateDirectories: true)
    try folder.write("mine", to: "publish/\(name)/note")
    let error = #expect(throws: StorageError.self) { try open() }
    #expect(error?.code == .notWritable)
    #expect(folder.text(of: "publish/\(name)/note") == "mine")
  }
}
