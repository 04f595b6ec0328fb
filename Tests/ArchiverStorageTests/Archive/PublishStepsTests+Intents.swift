import ArchiverCore
import Testing

@testable import ArchiverStorage

// What staging contains after a change, and the state while an intent is unresolved.
extension PublishStepsTests {
  private func staging() throws -> [String] {
    try archive.staging.folder.entries().map(\.name)
  }

  /// Publishes a bundle, and fails to replace it after it was moved to staging.
  private func interruptReplacement() throws -> StagedBundle {
    try archive.publish([stage("old")])
    let staged = try stage("new")
    faults.set { operation, path in
      switch operation {
      case .exchange: ENOSYS
      case .rename where path.contains("/readeck/"): EIO
      default: nil
      }
    }
    #expect(throws: StorageError.self) { try archive.publish([staged]) }
    return staged
  }

  @Test func `a replaced bundle stays in staging until the next call restores it`() throws {
    let staged = try interruptReplacement().publication
    #expect(archive.settling.isNeeded)
    #expect(page == nil)
    #expect(try staging() == [staged.staged, staged.replacedName])
    #expect(try archive.catalog.intents().count == 1)
    faults.set { _, _ in nil }
    try archive.publish([])
    #expect(!archive.settling.isNeeded)
    #expect(page == "old")
    #expect(try archive.catalog.intents().isEmpty)
  }

  @Test func `an update of pages restores a replaced bundle first, even if it has none`() throws {
    _ = try interruptReplacement()
    faults.set { _, _ in nil }
    try archive.mend([])
    #expect(!archive.settling.isNeeded)
    #expect(page == "old")
  }

  @Test func `a removal restores a replaced bundle first, even of an unknown item`() throws {
    _ = try interruptReplacement()
    faults.set { _, _ in nil }
    try archive.remove(ItemKey(source: "readeck", id: "none"))
    #expect(!archive.settling.isNeeded)
    #expect(page == "old")
  }

  @Test func `a bundle that was exchanged for another leaves staging`() throws {
    for page in ["old", "new"] { try archive.publish([stage(page)]) }
    #expect(page == "new")
    #expect(try staging() == [])
  }

  @Test func `a staged bundle that is discarded leaves staging`() throws {
    let staged = try stage("page")
    #expect(try staging() == [staged.publication.staged])
    archive.bundles.discard(staged)
    #expect(try staging() == [])
  }

  @Test func `a missing bundle is a problem although other changes are unresolved`() async throws {
    let other = Sample.item("b")
    for item in [item, other] {
      try archive.publish([archive.bundles.stage(Sample.draft(item))])
    }
    let staged = try archive.bundles.stage(Sample.draft(Sample.item("c")))
    try archive.catalog.announce([
      .remove(other.key, folder: other.folder), .publish(staged.publication),
    ])
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)"))
    #expect(
      try await archive.verify().problems == [.init(.bundleMissing, folder: item.folder)])
  }

  @Test func `a bundle without its record is a problem although its intent is unresolved`()
    async throws
  {
    try archive.publish([stage("old")])
    let staged = try stage("new")
    try archive.catalog.announce([.publish(staged.publication)])
    try archive.bundles.synchronise([staged])
    try archive.bundles.install([staged])
    #expect(try await archive.verify().problems == [])
    try FileManager.default.removeItem(atPath: folder.at("archive/\(item.folder)/item.json"))
    let expected: Set<VerificationProblem> = [
      .init(.missing, folder: item.folder, file: "item.json"),
      .init(.noRecord, folder: item.folder),
    ]
    #expect(try await Set(archive.verify().problems) == expected)
  }
}
