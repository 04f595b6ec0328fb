import ArchiverCore
import ArchiverStorage
import Synchronization
import Testing

@testable import ArchiverExport

/// A target whose records have other times than the files, which cannot be read.
private actor UnreadableTarget: PublishTarget {
  nonisolated let name = "unreadable"
  nonisolated let width = 1
  let records: [String: PublishedFile]

  init(_ records: [PublishedFile]) {
    self.records = Dictionary(uniqueKeysWithValues: records.map { ($0.key, $0) })
  }

  func known() -> [String: PublishedFile] { records }

  nonisolated func isSame(_ file: PublishedFile, as known: PublishedFile) throws -> Bool {
    throw PublishError(.file, "\(file.key): input/output error")
  }

  func begin(_ files: [PublishedFile], isSmall: Bool, audits: Bool) -> PublishAudit? { nil }
  func announce(_ files: [PublishedFile]) {}
  func put(_ file: PublishedFile) {}
  func commit(leaving: [PublishedFile], deleting: [PublishedFile]) {}
  func remove(_ files: [PublishedFile]) {}
  func finish(isComplete: Bool) {}
}

/// Which files a publication reads or sends by what the file system says of them.
@Suite struct PublishTimesTests {
  /// Replaces a file and gives it the modification time of the earlier one.
  private func replace(_ stage: S3Stage, _ path: String, _ text: String) throws {
    let place = "\(stage.root)/\(path)"
    var status = stat()
    try #require(stat(place, &status) == 0)
    #expect(Int(status.st_size) == text.utf8.count)
    try stage.write(path, text)
    #if canImport(Glibc)
      let times = [status.st_mtim, status.st_mtim]
    #else
      let times = [status.st_mtimespec, status.st_mtimespec]
    #endif
    try #require(utimensat(AT_FDCWD, place, times, 0) == 0)
  }

  /// Replaces the archive by a copy with the same modification times, as a backup restores it.
  private func restore(_ stage: S3Stage) throws {
    for file in try PublishPlan.files(stage.root, leavingOut: []) {
      let text = try String(contentsOfFile: "\(stage.root)/\(file.key)", encoding: .utf8)
      try replace(stage, file.key, text)
    }
  }

  private func folder(_ stage: S3Stage) -> Publisher {
    Publisher(
      root: stage.root, target: FolderTarget(root: stage.root, target: stage.home + "/out"))
  }

  private func out(_ stage: S3Stage, _ path: String) throws -> String {
    try String(contentsOfFile: "\(stage.home)/out/\(path)", encoding: .utf8)
  }

  @Test func `a file replaced by one of the same size and modification time is sent to a bucket`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    try replace(stage, "library/app.js", "two")
    #expect(try await stage.publish().put == 1)
    #expect(try stage.published() == stage.wanted())
    #expect(try await stage.publish().put == 0)
  }

  @Test func `a file replaced by one of the same size and modification time is copied to a folder`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    _ = try await folder(stage).publish()
    try replace(stage, "library/app.js", "two")
    #expect(try await folder(stage).publish().put == 1)
    #expect(try out(stage, "library/app.js") == "two")
    #expect(try await folder(stage).publish().put == 0)
  }

  @Test func `a restored archive is read once and nothing of it is sent`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    _ = try await folder(stage).publish()
    try restore(stage)
    _ = stage.requests()
    #expect(try await stage.publish().put == 0 && stage.requests() == 0)
    #expect(try await folder(stage).publish().put == 0)
    // The next publications need not read: the records have the times of the restored files.
    let files = try PublishPlan.files(stage.root, leavingOut: Publisher.unreferenced)
    let bucket = try stage.target().known()
    let there = try await FolderTarget(root: stage.root, target: stage.home + "/out").known()
    for file in files {
      #expect(bucket[file.key] == file && there[file.key] == file)
    }
  }

  @Test func `a folder's file that was written again with the same content is not copied`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    _ = try await folder(stage).publish()
    try stage.write("library/app.js", "one")
    #expect(try await folder(stage).publish().put == 0)
    // Unless it is damaged there.
    try Data("uno".utf8).write(to: URL(filePath: stage.home + "/out/library/app.js"))
    #expect(try await folder(stage).publish(audits: true).put == 1)
    #expect(try out(stage, "library/app.js") == "one")
  }

  @Test func `a file that became a folder, and a folder that became a file, are published`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    try stage.write("notes", "one")
    try stage.write("drafts/a/b.txt", "two")
    _ = try await folder(stage).publish()
    try stage.remove("notes")
    try stage.remove("drafts")
    try stage.write("notes/a.txt", "three")
    try stage.write("drafts", "four")
    #expect(try await folder(stage).publish().put == 2)
    #expect(try out(stage, "notes/a.txt") == "three" && out(stage, "drafts") == "four")
    #expect(try await folder(stage).publish().put == 0)
    // Another program's file is no obstacle that may be removed.
    try stage.write("drafts2", "five")
    try FileManager.default.createDirectory(
      atPath: stage.home + "/out/drafts2", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: stage.home + "/out/drafts2/mine.txt"))
    await #expect(throws: PublishError.self) { try await folder(stage).publish() }
    #expect(try out(stage, "drafts2/mine.txt") == "mine")
  }

  @Test func `a published file that cannot be read stops no other, and is told`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    var records = try PublishPlan.files(stage.root, leavingOut: Publisher.unreferenced)
    for place in records.indices where records[place].key.hasPrefix("readeck/") {
      records[place].changed = 1
    }
    try stage.write("library/new.js", "new")
    let publisher = Publisher(root: stage.root, target: UnreadableTarget(records))
    let outcome = try await publisher.publish()
    #expect(outcome.put == 1 && outcome.unchanged == 9 && outcome.warnings.count == 1)
    let line = "readeck/a-1/assets/0123456789abcdef.png: input/output error, and 2 more"
    #expect(outcome.warnings.first == line + "; treated as unchanged")
    #expect(try await publisher.preview().warnings == outcome.warnings)
    // With another modification time it may be another file.
    records[0].modified += 1
    let other = Publisher(root: stage.root, target: UnreadableTarget(records))
    let failure = await #expect(throws: PublishError.self) { try await other.publish() }
    #expect(failure?.code == .file)
  }

  @Test func `a folder is unlocked although a copy of the lock's descriptor is open`() async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    let target = FolderTarget(root: stage.root, target: stage.home + "/out")
    _ = try await target.begin([], isSmall: false, audits: false)
    // As a child process has one until it runs its program.
    let lock = stage.home + "/out/_archiver/lock"
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap {
      name -> Int32? in
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/dev/fd/\(name)")
      return place == lock ? Int32(name).map { dup($0) } : nil
    }
    defer { for copy in copies { close(copy) } }
    #expect(!copies.isEmpty)
    try await target.finish(isComplete: true)
    #expect(try await folder(stage).publish().put == 9)
  }

  @Test(arguments: [String(repeating: "longer", count: 100), "x"])
  func `a file that changes its size while it is published is not sent in part`(
    text: String
  ) async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    stage.before.withLock {
      $0 = { _, number in
        // The files are listed before the first request.
        if number == 1 {
          #expect(throws: Never.self) { try stage.write("library/dates.html", text) }
        }
        return nil
      }
    }
    let failure = await #expect(throws: PublishError.self) { try await stage.publish() }
    #expect(failure?.code == .file && stage.published()["library/dates.html"] == nil)
    #expect(stage.published()["index.html"] == nil)
    _ = try await stage.publish()
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a preview of a restored archive records nothing`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let known = try stage.target().known()
    try restore(stage)
    let preview = Publisher(root: stage.root, target: try stage.target(isPreview: true))
    #expect(try await preview.preview().put == 0)
    #expect(try stage.target().known() == known)
  }

  @Test func `records of an earlier version get the change times without a file being sent`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    let journal = try stage.target().journal
    var records: [PublishJournal.Record] = []
    try journal.forEach { records.append($0) }
    #expect(records.count == 9 && records.allSatisfy { $0.changed != nil })
    for place in records.indices { records[place].changed = nil }
    try journal.save(records)
    #expect(try await stage.publish().put == 0)
    let known = try stage.target().known()
    for file in try PublishPlan.files(stage.root, leavingOut: Publisher.unreferenced) {
      #expect(known[file.key] == file)
    }
    // The manifest of a folder.
    _ = try await folder(stage).publish()
    let manifest = try out(stage, "_archiver/manifest")
    let old = manifest.replacing(#/"changed":\d+,/#, with: "")
    #expect(old != manifest)
    try Data(old.utf8).write(to: URL(filePath: stage.home + "/out/_archiver/manifest"))
    #expect(try await folder(stage).publish().put == 0)
    #expect(try out(stage, "_archiver/manifest") == manifest)
  }

  @Test func `a file whose time is far in the future or the past is published once`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    for (path, year) in [("library/app.js", 2_400.0), ("library/dates.html", 1_905.0)] {
      let second = Int((year - 1_970) * 31_556_952)
      let times = [timespec(tv_sec: second, tv_nsec: 5), timespec(tv_sec: second, tv_nsec: 5)]
      try #require(utimensat(AT_FDCWD, "\(stage.root)/\(path)", times, 0) == 0)
    }
    #expect(try await stage.publish().put == 9)
    #expect(try await stage.publish().put == 0)
  }
}
