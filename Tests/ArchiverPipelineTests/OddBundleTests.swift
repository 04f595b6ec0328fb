import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Bundles in states that no run produces: edited by hand, or damaged by a faulty disk.
@Suite struct OddBundleTests {
  enum Oddity: String, CaseIterable {
    case checksumsGarbage, checksumsLink, pageLink, pageFolder, recordGarbage, recordLink
    case versionsLink, assetsLink, folderLink, folderFile, oddName, checksumsFolder
  }

  /// Changes a bundle to a state that no run produces.
  private static func spoil(_ folder: String, _ oddity: Oddity) throws {
    let manager = FileManager.default
    func remove(_ name: String) throws {
      guard manager.fileExists(atPath: "\(folder)/\(name)") else { return }
      try manager.removeItem(atPath: "\(folder)/\(name)")
    }
    func link(_ name: String) throws {
      try remove(name)
      try manager.createSymbolicLink(
        atPath: "\(folder)/\(name)", withDestinationPath: "/etc/hosts")
    }
    func makeFolder(_ name: String) throws {
      try remove(name)
      try manager.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    }
    func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    switch oddity {
    case .checksumsGarbage: try write("no sums\n", to: "\(folder)/SHA256SUMS")
    case .checksumsLink: try link("SHA256SUMS")
    case .checksumsFolder: try makeFolder("SHA256SUMS")
    case .pageLink: try link("index.html")
    case .pageFolder: try makeFolder("index.html")
    case .recordGarbage: try write("{", to: "\(folder)/item.json")
    case .recordLink: try link("item.json")
    case .versionsLink: try link("versions")
    case .assetsLink: try link("assets")
    case .folderLink:
      try manager.removeItem(atPath: folder)
      try manager.createSymbolicLink(atPath: folder, withDestinationPath: "/etc")
    case .folderFile:
      try manager.removeItem(atPath: folder)
      try write("text", to: folder)
    case .oddName:
      // A name in Latin-1, as old archives have.
      let name = Array("\(folder)/caf".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
      let file = creat(name, 0o644)
      if file >= 0 { close(file) }
    }
  }

  @Test(arguments: Oddity.allCases, [0, 3])
  func `a damaged bundle affects no other`(
    oddity: Oddity, versions: Int
  ) async throws {
    try await TemporaryFolder.with("odd") { path in
      let source = ScriptedSource(count: 3)
      source.change("item0") { item in
        item.html = (item.html ?? "") + "<p><a href=\"\(ScriptedSource.origin)/item1\">x</a></p>"
      }
      func run(_ bench: Bench) async throws -> SourceReport {
        try await bench.run { $0.keepVersions = versions }
      }
      do {
        let bench = try Bench(source, path: path + "/archive")
        _ = try await run(bench)
        let folder = "\(bench.archive.path)/\(try bench.item("item1").folder)"
        try OddBundleTests.spoil(folder, oddity)
        for id in ["item0", "item1", "item2"] {
          source.change(id) { item in
            item.revision = "2"
            item.html = (item.html ?? "") + "<p>more words here</p>"
          }
        }
        let report = try await run(bench)
        #expect(report.archived + report.failed.count == 3)
        #expect(report.failed.allSatisfy { $0.id == "item1" }, "\(report.failed)")
        #expect(try bench.page("item0").contains("more words here"))
        #expect(try bench.library("../index.html").contains("Article 2"))
        #expect(try await run(bench).archived == 0)
        #expect(try await bench.archive.verify().bundles >= 2)
      }
      _ = try Bench(source, path: path + "/archive")
    }
  }
}
