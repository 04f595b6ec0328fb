import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverExport

/// What a run leaves of its lock and of the library's old files.
@Suite struct S3LockTests {
  private static let manifest = "site/_archiver/manifest"

  private func stage(_ conditions: FakeS3.Conditions) async throws -> S3Stage {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    try await stage.publish("one")
    return stage
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a run that ended with its manifest leaves no lock in force`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    for (number, name) in ["two", "one", "two"].enumerated() {
      try stage.write("library/app.js", "change \(number)")
      #expect(try await stage.publish(name).put == 1)
      #expect(try stage.published() == stage.wanted())
    }
    // Without a change in between, the lock of another archiver shows that it has published.
    try stage.write("library/app.js", "change 9")
    #expect(try await stage.publish("one").audit != nil)
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a lock is in force if the manifest does not name its run`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    // As a server does that forgets metadata.
    stage.bucket.objects[Self.manifest]?.headers["x-amz-meta-run"] = nil
    try stage.write("library/app.js", "two")
    let refusal = await #expect(throws: PublishError.self) { try await stage.publish("two") }
    #expect(refusal?.code == .locked)
    #expect(try await stage.publish("one").put == 1, "its own lock does not stop it")
    stage.bucket.objects[Self.manifest]?.headers["x-amz-meta-run"] = "another"
    stage.pass(1_900)
    try stage.write("library/app.js", "three")
    #expect(try await stage.publish("two").put == 1)
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a run that deletes after its manifest releases the lock`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    try stage.remove("readeck/b-1")
    try stage.write("index.html", "<p></p>")
    try stage.write("library/2026-01.html", "<p></p>")
    try await stage.publish("one")
    #expect(try await stage.publish("one").deleted == 1)
    let run = stage.bucket.objects[Self.manifest]?.headers["x-amz-meta-run"]
    #expect(run == nil, "another archiver would take the lock before the deletions")
    try stage.write("library/app.js", "two")
    #expect(try await stage.publish("two").put == 1)
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a changed article takes a request a file and two more, or three with the weak lock`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    let isWeak = conditions == .ignored || conditions == .refused
    for number in 0...3 {
      try stage.write("readeck/a-1/index.html", "<p>change \(number)</p>")
      try stage.write("readeck/a-1/item.json", "{\"change\": \(number)}")
      try stage.write("readeck/a-1/SHA256SUMS", "change \(number)")
      try stage.write("library/search/\(number)23456789.js", "shard")
      if number > 0 { try stage.remove("library/search/\(number - 1)23456789.js") }
      _ = stage.requests()
      let outcome = try await stage.publish("one")
      #expect(outcome.put == 2 && outcome.deleted == 0)
      // The first run finds out what the server makes of quotes.
      if number > 0 { #expect(stage.requests() == 2 + (isWeak ? 3 : 2)) }
    }
  }

  // MARK: The library's old files

  /// Publishes until the library's old files are due.
  private func stageWithOldFiles(_ count: Int) async throws -> S3Stage {
    let stage = try S3Stage()
    try stage.writeFirst()
    for number in 0..<count { try stage.write("library/search/old-\(number).js", "xxxxxxxxxx") }
    try await stage.publish()
    for number in 0..<count { try stage.remove("library/search/old-\(number).js") }
    #expect(try await stage.publish().leaving == count)
    return stage
  }

  @Test func `a few old files of the library wait, at most a week`() async throws {
    let stage = try await stageWithOldFiles(3)
    try stage.write("library/app.js", "two")
    #expect(try await stage.publish().deleted == 0)
    #expect(try await stage.publish().requests == 0, "they are no reason for a request")
    stage.pass(7 * 86_400 + 1)
    #expect(try await stage.publish().deleted == 3)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `many old files of the library do not wait`() async throws {
    let stage = try await stageWithOldFiles(PublishPlan.sweepSize)
    #expect(try await stage.publish().deleted == PublishPlan.sweepSize)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `old files of the library go with the files of an item`() async throws {
    let stage = try await stageWithOldFiles(3)
    try stage.remove("readeck/b-1")
    #expect(try await stage.publish().deleted == 0)
    #expect(try await stage.publish().deleted == 4)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a full bucket is rid of the library's old files`() async throws {
    let stage = try await stageWithOldFiles(200)
    stage.bucket.behaviour.capacity = stage.bucket.objects.values.reduce(0) { $0 + $1.bytes.count }
    try stage.write("library/new.js", "a new file of the library")
    let outcome = try await stage.publish()
    #expect(outcome.deleted == 200 && outcome.put == 1)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `a file that comes back while it waits is kept`() async throws {
    let stage = try await stageWithOldFiles(3)
    try stage.write("library/search/old-1.js", "xxxxxxxxxx")
    #expect(try await stage.publish().put == 0)
    stage.pass(7 * 86_400 + 1)
    #expect(try await stage.publish().deleted == 2)
    #expect(try stage.published() == stage.wanted())
  }

  // MARK: What is left out

  @Test func `files that are no longer to be published do not count as gone`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    for number in 0..<60 {
      try stage.write("readeck/x-\(number)/index.html", "x")
      try stage.write("readeck/x-\(number)/item.json", "{}")
    }
    func publish(_ leavesOut: Set<String>) async throws -> Publisher.Outcome {
      try await Publisher(root: stage.root, target: stage.target(), leavesOut: leavesOut).publish()
    }
    #expect(try await publish(["source.json"]).put == 129)
    #expect(try await publish(Publisher.unreferenced).leaving == 60)
    #expect(try await publish(Publisher.unreferenced).deleted == 60)
    #expect(try stage.published() == stage.wanted())
    for number in 0..<60 { try stage.remove("readeck/x-\(number)") }
    let refusal = await #expect(throws: PublishError.self) {
      try await publish(Publisher.unreferenced)
    }
    #expect(refusal?.code == .tooManyDeletes)
  }
}
