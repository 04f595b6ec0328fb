import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverExport

/// Copies of an archive, with its journal, that publish to the same bucket.
@Suite struct S3CopyTests {
  private func stage(_ conditions: FakeS3.Conditions) async throws -> S3Stage {
    let stage = try S3Stage()
    stage.bucket.behaviour.conditions = conditions
    try stage.writeFirst()
    try await stage.publish("one")
    return stage
  }

  private func copyJournal(_ stage: S3Stage, to name: String) throws {
    try FileManager.default.copyItem(
      atPath: stage.home + "/one", toPath: stage.home + "/" + name)
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a journal restored from a backup is compared with the bucket`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    try copyJournal(stage, to: "backup")
    try stage.writeSecond()
    try await stage.publish("one")
    try await stage.publish("one")
    // The archive is restored as well.
    try stage.writeFirst()
    for path in ["readeck/c-1", "readeck/d-1", "library/new.js", "library/2026-02.html"] {
      try stage.remove(path)
    }
    try stage.remove("readeck/a-1/assets/fedcba9876543210.png")
    try stage.write("library/status.js", "night 3")
    let outcome = try await stage.publish("backup")
    #expect(outcome.audit != nil && stage.brokenLinks() == [])
    try await stage.publish("backup")
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a restored journal is compared if the lost archive died while it published`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    try copyJournal(stage, to: "backup")
    try stage.write("library/app.js", "two")
    let lost = try stage.target("one")
    _ = try await lost.begin([], isSmall: false, audits: false)
    let file = try #require(
      try PublishPlan.files(stage.root, leavingOut: []).first { $0.key == "library/app.js" })
    try lost.announce([file])
    try await lost.put(file)
    try stage.write("library/app.js", "one")
    try stage.write("index.html", "<p>restored</p>")
    let refusal = await #expect(throws: PublishError.self) { try await stage.publish("backup") }
    #expect(refusal?.code == .locked)
    stage.pass(1_900)
    #expect(try await stage.publish("backup").audit != nil)
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `of two copies of an archive one publishes at a time`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    try copyJournal(stage, to: "before")
    let first = try stage.target("one")
    _ = try await first.begin([], isSmall: false, audits: false)
    try copyJournal(stage, to: "during")
    try stage.write("library/app.js", "two")
    for name in ["before", "during"] {
      let refusal = await #expect(throws: PublishError.self) { try await stage.publish(name) }
      #expect(refusal?.code == .locked, "\(name): \(refusal?.description ?? "")")
    }
    try await first.finish(isComplete: true)
    #expect(try await stage.publish("before").put == 1)
    try stage.write("library/app.js", "three")
    #expect(try await stage.publish("one").audit != nil, "the copy has published")
    try stage.write("library/app.js", "four")
    #expect(try await stage.publish("during").audit != nil, "the original has published")
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: FakeS3.Conditions.allCases)
  func `a bucket that was emptied is noticed on a night without news`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    stage.bucket.objects = [:]
    try stage.write("library/status.js", "night 2")
    let outcome = try await stage.publish("one")
    #expect(outcome.audit?.missing == 9 && outcome.put == 9)
    #expect(try stage.published() == stage.wanted())
  }

  @Test(arguments: [FakeS3.Conditions.ignored, .refused])
  func `the warning of a weak lock is given once, and in previews`(
    conditions: FakeS3.Conditions
  ) async throws {
    let stage = try await stage(conditions)
    try stage.write("library/app.js", "two")
    #expect(try await stage.publish("one").warnings == [])
    try stage.write("library/app.js", "three")
    let preview = try await Publisher(
      root: stage.root, target: stage.target("one", isPreview: true)
    ).preview()
    #expect(preview.warnings.count == 1)
    #expect(try await stage.publish("one").warnings == [])
  }
}
