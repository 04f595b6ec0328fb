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
}
