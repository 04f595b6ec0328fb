import ArchiverCore
import Testing

@testable import ArchiverStorage

struct WorkJournalTests {
  private let folder: ScratchFolder
  private let archive: Archive
  private let keys = ["a", "b"].map { ItemKey(source: "readeck", id: $0) }
  private let other = ItemKey(source: "notion", id: "a\n\"é")

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
  }

  @Test func `what was in work when a process died is known to the next`() {
    do {
      let journal = WorkJournal(archive)
      #expect(journal.left.isEmpty && journal.death == nil && !journal.wasReported)
      journal.begin(keys)
      journal.begin([other])
    }
    let next = WorkJournal(archive)
    #expect(Set(next.left) == Set(keys + [other]))
    #expect(next.death == .killed)
    #expect(!next.wasReported)
    next.restart()
    let last = WorkJournal(archive)
    #expect(last.left.isEmpty && last.death == nil)
  }

  @Test func `what has ended is not suspected`() {
    let journal = WorkJournal(archive)
    journal.begin(keys)
    journal.end(keys[0])
    journal.begin([other])
    #expect(Set(WorkJournal(archive).left) == [keys[1], other])
    journal.finish(source: "readeck")
    #expect(WorkJournal(archive).left == [other])
    journal.finish(source: "notion")
    #expect(WorkJournal(archive).left.isEmpty)
    #expect(WorkJournal(archive).death == nil)
  }

  @Test func `a crash and its report are told apart from a kill`() throws {
    let file = "archive/.archiver/working"
    try folder.write("[\"readeck\",\"a\"]\n\"crash\"\n[\"cut", to: file)
    let crashed = WorkJournal(archive)
    #expect(crashed.left == [keys[0]])
    #expect(crashed.death == .crash && !crashed.wasReported)
    WorkJournal.noteReport(archive: archive.path)
    let reported = WorkJournal(archive)
    #expect(reported.left == [keys[0]])
    #expect(reported.death == .crash && reported.wasReported)
    WorkJournal.noteReport(archive: folder.at("none"))
    #expect(folder.bytes(of: "none") == nil)
  }
}
