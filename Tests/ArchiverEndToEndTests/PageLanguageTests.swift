import ArchiverCore
import ArchiverTestKit
import Testing

/// The language of the configuration file, from the first run to the exports.
@Suite struct PageLanguageTests {
  @Test func `pages, library and notes are in the language of the file, whatever the locale`()
    async throws
  {
    try await TemporaryFolder.with("language") { home in
      let (server, url) = try await Program.startDemo()
      defer { server.end() }
      let archive = home + "/archive"
      let environment = [
        "READECK_URL": url, "READECK_TOKEN": "demo", "ARCHIVER_ARCHIVE": archive, "LC_ALL": "C",
      ]
      let folder = home + "/config/archiver"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (language, archived, heading) in [
        ("de", ">Archiviert am ", "Markierungen"), ("es", ">Archivado el ", "Subrayados"),
      ] {
        try Data("{ language: '\(language)' }".utf8).write(
          to: URL(filePath: folder + "/config.json5"))
        let run = try await Program.run(
          ["run", "--source", "readeck", "--max", "20"], home: home, environment: environment)
        #expect(run.code == 0, "\(run.error)")
        // The second run archives the rest, and rebuilds what the first wrote.
        let isFirst = language == "de"
        #expect(run.error.contains("20 pages were rebuilt") == !isFirst, "\(run.error)")
        var pages = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: archive + "/readeck")
        where name.hasSuffix("/index.html") && !name.contains("/versions/") {
          let page = try String(contentsOfFile: "\(archive)/readeck/\(name)", encoding: .utf8)
          #expect(page.contains(archived), "\(name)")
          pages += 1
        }
        #expect(pages == (isFirst ? 20 : 25))
        let start = try String(contentsOfFile: archive + "/index.html", encoding: .utf8)
        #expect(start.contains("<html lang=\"\(language)\""))
        let vault = "\(home)/vault-\(language)"
        let export = try await Program.run(
          ["export", "--markdown", vault], home: home, environment: environment)
        #expect(export.code == 0, "\(export.error)")
        let notes = try FileManager.default.contentsOfDirectory(atPath: vault)
          .filter { $0.hasSuffix(".md") }
          .map { try String(contentsOfFile: "\(vault)/\($0)", encoding: .utf8) }
        #expect(notes.contains { $0.contains("## \(heading)\n") })
        let verified = try await Program.run(["verify"], home: home, environment: environment)
        #expect(verified.code == 0, "\(verified.output)")
      }
    }
  }
}
