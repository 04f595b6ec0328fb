import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct EmptyLibraryTests {
  @Test func `the page of an empty archive shows a command for any source`() async throws {
    try await TemporaryFolder.with("empty") { root in
      let builder = LibraryBuilder(
        root: root, catalog: MemoryCatalog([]), text: SearchText { _ in "x" })
      _ = try builder.update(isChanged: true)
      let bytes = try #require(FileManager.default.contents(atPath: "\(root)/index.html"))
      #expect(String(decoding: bytes, as: UTF8.self).contains("<code>archiver run</code>"))
    }
  }
}
