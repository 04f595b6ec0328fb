import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Results of `verify` after a change is visible and before it is recorded.
struct InterruptedVerificationTests {
  private let folder: ScratchFolder
  private let archive: Archive

  init() throws {
    folder = try ScratchFolder()
    archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    try archive.publish([archive.bundles.stage(Sample.draft(Sample.item("a")))])
  }

  /// Leaves a change in the state of a run that was killed before recording it.
  private func install(_ item: CatalogItem, announcing: Bool = true) throws {
    let staged = try archive.bundles.stage(Sample.draft(item, page: "new"))
    if announcing { try archive.catalog.announce([.publish(staged.publication)]) }
    try archive.bundles.synchronise([staged])
    try archive.bundles.install([staged])
  }

  private func kinds() async throws -> [VerificationProblem.Kind] {
    let reader = try Archive.open(path: archive.path, mode: .readOnly)
    return try await reader.verify().problems.map(\.kind)
  }

  @Test func `replaced and new bundles with an intent are no problem`() async throws {
    var changed = Sample.item("a", archived: 60)
    changed.contentHash = "another"
    try install(changed)
    try install(Sample.item("b"))
    #expect(try await kinds() == [])
    try archive.settle()
    #expect(try await kinds() == [])
    #expect(try archive.catalog.item(changed.key)?.contentHash == "another")
  }

  @Test func `without an intent they are a problem`() async throws {
    var changed = Sample.item("a", archived: 60)
    changed.contentHash = "another"
    try install(changed, announcing: false)
    try install(Sample.item("b"), announcing: false)
    #expect(Set(try await kinds()) == [.catalogMismatch, .notInCatalog])
  }

  @Test func `a bundle with an intent that is damaged later is a problem`() async throws {
    let item = Sample.item("b")
    try install(item)
    try Data("x".utf8).write(to: URL(filePath: "\(archive.path)/\(item.folder)/SHA256SUMS"))
    #expect(try await kinds().contains(.notInCatalog))
  }

  @Test func `a bundle with an intent to remove it may be missing`() async throws {
    let item = Sample.item("a")
    try archive.catalog.announce([.remove(item.key, folder: item.folder)])
    #expect(try await kinds() == [])
    try archive.bundles.takeAway(item.folder, as: "gone")
    #expect(try await kinds() == [])
    try archive.settle()
    #expect(try archive.catalog.item(item.key) == nil)
  }
}
