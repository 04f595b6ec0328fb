import ArchiverCore
import ArchiverTestKit
import Testing

/// Archives written by a newer version: refused with a message, and unchanged.
@Suite struct NewerArchiveTests {
  enum Sign: String, CaseIterable, Sendable {
    case layout, catalog

    /// Makes an archive say that it is of a later format.
    func write(in archive: String) throws {
      switch self {
      case .layout:
        try Data("2\n".utf8).write(to: URL(filePath: archive + "/.archiver/format"))
      case .catalog:
        // `user_version` is a big-endian number at byte 60.
        let path = archive + "/.archiver/catalog.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try bytes.write(to: URL(filePath: path))
      }
    }
  }

  @Test(arguments: Sign.allCases)
  func `every command refuses an archive of a newer version with a message`(
    sign: Sign
  ) async throws {
    try await Stage.with(articles: 2) { stage in
      #expect(try await stage.run().code == 0)
      try sign.write(in: stage.archive)
      let before = try await stage.publicFiles()
      let requests = stage.server.requests.count
      for words in [
        ["run", "--quiet"], ["run", "--dry-run"], ["list"], ["status"], ["verify"],
        ["search", "x"],
        ["cleanup", "--dry-run"], ["site"], ["render"], ["retry"],
        ["export", "x", "--epub", "/tmp/never.epub"],
      ] {
        let result = try await Program.run(
          words, home: stage.home, environment: stage.environment)
        let text = result.output + result.error
        #expect(result.code == 4, "\(words): \(text)")
        #expect(text.contains("this archiver knows up to"), "\(words): \(text)")
        #expect(text.contains("update it"), "\(words): \(text)")
      }
      #expect(try await stage.publicFiles() == before)
      #expect(stage.server.requests.count == requests, "nothing is asked of the source")
    }
  }
}
