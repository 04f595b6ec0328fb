import ArchiverCore
import ArchiverTestKit
import Testing

/// What databases and blocks of unknown types hold is on disk and is found.
struct NotionFileTests {
  /// The files that links of a page lead to, by their ending.
  private static func links(_ folder: String, ending: String) throws -> Set<String> {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/index.html"))
    let pieces = String(decoding: data, as: UTF8.self).split(separator: "href=\"")
    return Set(
      pieces.dropFirst().compactMap { $0.split(separator: "\"").first.map(String.init) }
        .filter { $0.hasSuffix(ending) })
  }

  @Test func `the table and the record of a database have names that say what they are`()
    async throws
  {
    try await NotionWorkspace.archived { workspace in
      for title in ["Properties", "Tasks"] {
        let folder = try workspace.bundle(title)
        #expect(try Self.links(folder, ending: ".csv") == ["assets/database.csv"])
        #expect(try Self.links(folder, ending: ".json").contains("assets/database.json"))
        let table = try Data(contentsOf: URL(filePath: "\(folder)/assets/database.csv"))
        #expect(String(decoding: table, as: UTF8.self).contains("Notion ID"))
      }
      let verified = try await Program.run(
        ["verify"], home: workspace.home,
        environment: ["ARCHIVER_ARCHIVE": workspace.home + "/archive"])
      #expect(verified.code == 0, "\(verified.output)")
    }
  }

  @Test func `files in rows and in unknown blocks are in the bundles that show them`()
    async throws
  {
    try await NotionWorkspace.archived { workspace in
      for (title, ending) in [
        ("Properties", ".pdf"), ("Everything", ".pdf"), ("Every block", ".zip"),
      ] {
        let folder = try workspace.bundle(title)
        let links = try Self.links(folder, ending: ending)
        #expect(!links.isEmpty, "\(title)")
        for link in links {
          #expect(link.hasPrefix("assets/"), "\(title): \(link)")
          #expect(FileManager.default.fileExists(atPath: "\(folder)/\(link)"), "\(title): \(link)")
        }
        let page = try Data(contentsOf: URL(filePath: "\(folder)/index.html"))
        #expect(!String(decoding: page, as: UTF8.self).contains("X-Amz"), "\(title)")
      }
      for word in ["Wavelength", "Interference"] {
        let found = try await Program.run(
          ["search", word], home: workspace.home,
          environment: ["ARCHIVER_ARCHIVE": workspace.home + "/archive"])
        #expect(found.code == 0 && found.output.contains("Every block"), "\(found.output)")
      }
      let record = try Data(
        contentsOf: URL(filePath: "\(try workspace.bundle("Every block"))/item.json"))
      #expect(String(decoding: record, as: UTF8.self).contains("of the type “hologram”"))
    }
  }
}
