import ArchiverAdapters
import ArchiverCore
import Testing

@testable import ArchiverCLI

@Suite struct DocumentationTests {
  @Test func `the configuration reference says what the tables say`() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = root + "/Sources/ArchiverCLI/ArchiverCLI.docc/Configuration.md"
    let kinds = sourceKinds.map { SourceKind($0) }
    let text = ConfigurationReference.text(root: CommandTable.root(kinds: kinds), kinds: kinds)
    if ProcessInfo.processInfo.environment["ARCHIVER_UPDATE_DOCS"] != nil {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    let found = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(found == text, "Configuration.md is stale; run Scripts/update-docs")
  }
}
