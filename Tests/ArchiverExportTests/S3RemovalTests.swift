import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverExport

/// Deletions at a bucket.
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
}
