import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverStorage

/// The journal of a target that the archive is published to.
@Suite struct PublishJournalTests {
  /// The form of a journal without change times.
  private static let oldSchema = """
    CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE object (
      key TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, sha256 TEXT NOT NULL,
      md5 TEXT NOT NULL, headers TEXT NOT NULL, etag TEXT NOT NULL, state INTEGER NOT NULL
    ) WITHOUT ROWID;
    INSERT INTO mark VALUES ('format', '1'), ('audited', '5');
    INSERT INTO object VALUES ('index.html', 3, 7, 'aa', 'bb', 'text', 'cc', 1);
    """

  @Test func `a journal without change times keeps its records`() throws {
    let folder = try TemporaryFolder.make("journal")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/\(Digest.sha256Hex("s3://bucket").prefix(16)).sqlite"
    try Connection(path: path, mode: .readWrite).execute(Self.oldSchema)
    var record = PublishJournal.Record(
      key: "index.html", byteCount: 3, modified: 7, sha256: "aa", md5: "bb", headers: "text",
      etag: "cc", state: .published)
    do {
      let journal = try PublishJournal(folder: folder, target: "s3://bucket")
      #expect(try journal.record("index.html") == record)
      #expect(try journal.mark(.audited) == "5" && journal.mark(.format) == "2")
      record.changed = 9
      try journal.save([record])
    }
    let again = try PublishJournal(folder: folder, target: "s3://bucket")
    #expect(try again.record("index.html") == record)
  }

  @Test func `a mark is replaced by another and removed by none`() throws {
    let folder = try TemporaryFolder.make("journal")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let journal = try PublishJournal(folder: folder, target: "s3://bucket")
    for value in ["1", "2", nil] {
      try journal.set(.audited, value)
      #expect(try journal.mark(.audited) == value)
    }
    #expect(try journal.mark(.format) == "2")
  }

  private func keys(_ journal: PublishJournal) throws -> [String] {
    var keys: [String] = []
    try journal.forEach { keys.append($0.key) }
    return keys
  }

  @Test func `objects come in the order of their keys, with the state set last`() throws {
    let journal = try PublishJournal(inMemoryFor: "s3://bucket")
    #expect(try journal.isEmpty() && journal.record("a") == nil)
    let records = ["b", "a", "ä", "B"].map {
      PublishJournal.Record(key: $0, byteCount: 1, modified: 2, state: .published)
    }
    try journal.save(records)
    #expect(try keys(journal) == ["B", "a", "b", "ä"])
    #expect(try !journal.isEmpty())
    try journal.set(.pending, ["a", "new"])
    try journal.set(.leaving, ["b", "unknown"])
    #expect(try keys(journal) == ["B", "a", "b", "new", "ä"])
    #expect(try journal.record("a") == .init(key: "a", byteCount: 1, modified: 2))
    #expect(try journal.record("new") == .init(key: "new", byteCount: 0, modified: 0))
    #expect(try journal.record("b")?.state == .leaving)
    #expect(try journal.record("B")?.state == .published)
    try journal.remove(["a", "b", "unknown"])
    #expect(try keys(journal) == ["B", "new", "ä"])
  }

  @Test func `an upload is known with its parts until it ends or begins again`() throws {
    let journal = try PublishJournal(inMemoryFor: "s3://bucket")
    func upload(_ key: String, _ id: String) -> PublishJournal.Upload {
      .init(
        key: key, id: id, sha256: "aa", byteCount: 9, partSize: 5,
        begun: Date(timeIntervalSince1970: 7))
    }
    for key in ["b", "a"] {
      try journal.begin(upload(key, "1"))
      try journal.save(part: 1, of: key, etag: "\(key)1")
      try journal.save(part: 2, of: key, etag: "x")
      try journal.save(part: 2, of: key, etag: "\(key)2")
    }
    #expect(try journal.uploads() == [upload("a", "1"), upload("b", "1")])
    #expect(try journal.parts(of: "a") == [1: "a1", 2: "a2"])
    try journal.begin(upload("a", "2"))
    #expect(try journal.uploads() == [upload("a", "2"), upload("b", "1")])
    #expect(try journal.parts(of: "a") == [:])
    try journal.end(uploadOf: "b")
    #expect(try journal.uploads() == [upload("a", "2")])
    #expect(try journal.parts(of: "b") == [:])
  }

  @Test func `a journal that is damaged or of another format begins anew, under another name`()
    throws
  {
    let folder = try TemporaryFolder.make("journal")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(!PublishJournal.exists(in: folder, target: "s3://bucket"))
    func open() throws -> PublishJournal {
      try PublishJournal(folder: folder, target: "s3://bucket")
    }
    var writers: [String?] = []
    func fill() throws -> String {
      let journal = try open()
      #expect(try journal.isEmpty())
      #expect(try journal.mark(.target) == "s3://bucket")
      writers.append(try journal.mark(.writer))
      try journal.save([.init(key: "a", byteCount: 1, modified: 2)])
      return journal.path
    }
    let path = try fill()
    #expect(PublishJournal.exists(in: folder, target: "s3://bucket"))
    #expect(!PublishJournal.exists(in: folder, target: "s3://other"))
    #expect(try open().mark(.writer) == writers[0], "its name stays")
    try open().set(.format, "99")
    _ = try fill()
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
    try Data("rubbish".utf8).write(to: URL(filePath: path))
    _ = try fill()
    #expect(Set(writers).count == 3 && !writers.contains(nil))
  }
}
