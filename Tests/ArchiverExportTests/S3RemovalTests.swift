import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// Deletions at a bucket, and the room that they make.
@Suite struct S3RemovalTests {
  /// A bucket with what was published first, where an item's page is deleted by the next run.
  private func stageWithDue() async throws -> S3Stage {
    let stage = try S3Stage()
    try stage.writeFirst()
    try await stage.publish()
    try stage.remove("readeck/b-1")
    try stage.write("index.html", "<p></p>")
    try stage.write("library/2026-01.html", "<p></p>")
    try await stage.publish()
    return stage
  }

  private func loseDeletion(_ stage: S3Stage, isDone: Bool) async throws {
    let tamper: S3Stage.Tamper = { request, _ in
      request.parameter("delete") == nil ? nil : FakeS3.error(500, "InternalError")
    }
    if isDone {
      stage.after.withLock { $0 = tamper }
    } else {
      stage.before.withLock { $0 = tamper }
    }
    await #expect(throws: PublishError.self) { try await stage.publish() }
    stage.before.withLock { $0 = nil }
    stage.after.withLock { $0 = nil }
    #expect((stage.published()["readeck/b-1/index.html"] == nil) == isDone)
  }

  @Test(arguments: [true, false])
  func `a file whose deletion was cut off is sent again when it returns`(
    isDone: Bool
  ) async throws {
    let stage = try await stageWithDue()
    try await loseDeletion(stage, isDone: isDone)
    try stage.writeFirst()
    try await stage.publish()
    #expect(try stage.published() == stage.wanted() && stage.brokenLinks() == [])
  }

  @Test(arguments: [true, false])
  func `a deletion that was cut off is made by the next run`(isDone: Bool) async throws {
    let stage = try await stageWithDue()
    try await loseDeletion(stage, isDone: isDone)
    try await stage.publish()
    #expect(try stage.published() == stage.wanted())
    #expect(try stage.target().known().count == stage.wanted().count)
  }

  @Test func `approved deletions and files of the library do not count as many`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    for number in 0..<100 { try stage.write("readeck/x-\(number)/index.html", "x") }
    for number in 0..<200 { try stage.write("library/search/one/\(number).js", "x") }
    try await stage.publish()
    for number in 0..<20 { try stage.remove("readeck/x-\(number)") }
    for number in 0..<200 { try stage.remove("library/search/one/\(number).js") }
    #expect(try await stage.publish(deletesMany: false).leaving == 220)
    for number in 20..<40 { try stage.remove("readeck/x-\(number)") }
    let second = try await stage.publish(deletesMany: false)
    #expect(second.leaving == 20 && second.deleted == 220)
    for number in 40..<70 { try stage.remove("readeck/x-\(number)") }
    let refusal = await #expect(throws: PublishError.self) {
      try await stage.publish(deletesMany: false)
    }
    #expect(refusal?.code == .tooManyDeletes, "\(refusal?.description ?? "")")
    #expect(refusal?.description.hasPrefix("30 of ") == true)
  }

  @Test func `a file that was changed at the bucket and left the archive is told once`()
    async throws
  {
    let stage = try S3Stage()
    try stage.writeFirst()
    try stage.write("library/old.js", "one")
    try await stage.publish()
    try stage.remove("library/old.js")
    #expect(try await stage.publish().leaving == 1)
    let key = "site/library/old.js"
    stage.bucket.objects[key]?.bytes = Array("other".utf8)
    stage.bucket.objects[key]?.etag = "other"
    #expect(try await stage.publish(audits: true).audit?.changed == 1)
    #expect(try await stage.publish(audits: true).audit?.changed == 0)
    // The record does not count as what was sent.
    try stage.write("library/old.js", "one")
    #expect(try await stage.publish().put == 1)
    #expect(try stage.published() == stage.wanted())
    try stage.remove("library/old.js")
    try await stage.publish()
    stage.bucket.objects[key]?.bytes = Array("different".utf8)
    stage.bucket.objects[key]?.etag = "different"
    stage.pass(7 * 86_400 + 1)
    let due = try await stage.publish()
    #expect(due.audit?.changed == 1 && due.deleted == 1)
    #expect(try stage.published() == stage.wanted())
  }

  @Test func `the manifest has a hash on each line after the journal was lost`() async throws {
    let stage = try S3Stage()
    try stage.writeFirst()
    try stage.write("library/old.js", "one")
    try await stage.publish()
    try stage.remove("library/old.js")
    let outcome = try await stage.publish("two")
    #expect(outcome.leaving == 1 && outcome.audit?.foreign == 0)
    let manifest = try #require(stage.bucket.objects["site/_archiver/manifest"])
    let lines = String(decoding: manifest.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("\(Digest.sha256Hex(Array("one".utf8)))  library/old.js"))
    #expect(lines.allSatisfy { $0.prefix { $0.isHexDigit }.count == 64 }, "\(lines)")
    // And so it is found after another loss.
    #expect(try await stage.publish("three").audit?.foreign == 0)
  }

  @Test(arguments: [true, false])
  func `names with characters that XML lacks are listed and deleted`(
    deletesMany: Bool
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.deletesMany = deletesMany
    try stage.writeFirst()
    let names = ["a\u{1}b.txt", "new\nline.txt", "cr\rx.txt", "tab\t.txt", "a + b & <c> %41 é.txt"]
    for name in names { try stage.write("readeck/odd/\(name)", name) }
    try await stage.publish()
    let audit = try await stage.publish(audits: true).audit
    #expect(audit?.listed == 14 && audit?.missing == 0 && audit?.foreign == 0)
    try stage.remove("readeck/odd")
    #expect(try await stage.publish().leaving == names.count)
    #expect(try await stage.publish().deleted == names.count)
    #expect(try stage.published() == stage.wanted())
  }

  // MARK: A full bucket

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a full bucket gets room by the deletions that are due`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    try stage.write("readeck/z-1/index.html", String(repeating: "x", count: 5_000))
    try await stage.publish()
    try stage.remove("readeck/z-1")
    try await stage.publish()
    // Not even the lock fits.
    stage.bucket.behaviour.capacity = stage.bucket.objects.values.reduce(0) { $0 + $1.bytes.count }
    try stage.write("library/app.js", "two")
    let outcome = try await stage.publish()
    #expect(outcome.deleted == 1 && outcome.put == 1)
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: [FakeS3.Conditions.honoured, .unquoted])
  func `nothing is deleted in a full bucket where another archiver has published`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    try stage.write("readeck/z-1/index.html", String(repeating: "x", count: 5_000))
    try await stage.publish("one")
    try stage.remove("readeck/z-1")
    try await stage.publish("one")
    try stage.write("readeck/z-1/index.html", String(repeating: "x", count: 5_000))
    try await stage.publish("two")
    try stage.remove("readeck/z-1")
    stage.bucket.behaviour.capacity = stage.bucket.objects.values.reduce(0) { $0 + $1.bytes.count }
    let failure = await #expect(throws: PublishError.self) { try await stage.publish("one") }
    #expect(failure?.code == .full && failure?.description.contains("make room") == true)
    #expect(stage.published()["readeck/z-1/index.html"] != nil)
  }
}
