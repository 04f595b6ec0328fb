import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

/// An update of the library that does not end leaves a record.
@Suite struct LibraryStateTests {
  private static func builder(_ root: String) -> LibraryBuilder {
    var sample = SampleArchive()
    let catalog = MemoryCatalog((0..<3).map { sample.item($0) })
    return LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "A harbour." })
  }

  @Test func `a failed update is recorded until one succeeds`() async throws {
    try await TemporaryFolder.with("library") { root in
      _ = try Self.builder(root).update(isChanged: true)
      #expect(LibraryState(root: root) == LibraryState())
      // A file cannot replace a folder.
      let path = "\(root)/library/status.js"
      #expect(unlink(path) == 0 && mkdir(path, 0o755) == 0)
      #expect(throws: (any Error).self) { try Self.builder(root).update(isChanged: false) }
      let failure = LibraryState(root: root).failure
      #expect(failure?.contains("status.js cannot be written") == true, "\(failure ?? "")")
      #expect(rmdir(path) == 0)
      _ = try Self.builder(root).update(isChanged: false)
      #expect(LibraryState(root: root) == LibraryState())
    }
  }

  @Test func `a crash during an update is recorded, a kill as well, an update in progress is not`()
    async throws
  {
    try await TemporaryFolder.with("library") { root in
      #expect(mkdir("\(root)/.archiver", 0o755) == 0)
      let mark = LibraryMark(root: root)
      mark.begin()
      #expect(LibraryState(root: root) == LibraryState())
      mark.end()
      await #expect(processExitsWith: .exitCode(7)) { [root = root as String] in
        LibraryMark(root: root).begin()
        exit(7)
      }
      #expect(LibraryState(root: root).isInterrupted)
      await #expect(processExitsWith: .exitCode(CrashMark.exitCode)) { [root = root as String] in
        CrashMark.install()
        let mark = LibraryMark(root: root)
        mark.begin()
        withExtendedLifetime(mark) { _ = raise(SIGILL) }
      }
      #expect(LibraryState(root: root).failure == "the program crashed during the update")
      _ = try Self.builder(root).update(isChanged: true)
      #expect(LibraryState(root: root) == LibraryState())
    }
  }
}
