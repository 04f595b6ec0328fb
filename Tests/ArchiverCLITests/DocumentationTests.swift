import ArchiverAdapters
import ArchiverCore
import Testing

@testable import ArchiverCLI

@Suite struct DocumentationTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let kinds = sourceKinds.map { SourceKind($0) }

  /// The pages people read, by their path below the project.
  private static func pages() throws -> [(path: String, text: String)] {
    var paths = ["README.md", "Sources/ARCHITECTURE.md"]
    for catalog in ["ArchiverCLI/ArchiverCLI.docc", "ArchiverCore/ArchiverCore.docc"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources/\(catalog)")
      paths += files.filter { $0.hasSuffix(".md") }.sorted().map { "Sources/\(catalog)/\($0)" }
    }
    return try paths.map { path in
      let data = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
      return (path, String(decoding: data, as: UTF8.self))
    }
  }

  @Test func `every command in the documentation is one that the program takes`() throws {
    let table = CommandTable.root(kinds: Self.kinds)
    var count = 0
    for (path, text) in try Self.pages() {
      for words in QuotedCommand.all(in: text) {
        count += 1
        do {
          _ = try ArgumentParser.parse(words, root: table)
        } catch {
          Issue.record("\(path): archiver \(words.joined(separator: " ")): \(error.message)")
        }
      }
    }
    #expect(count > 60, "commands are found in the pages, not only \(count)")
  }

  @Test func `every option in the documentation is one that the program has`() throws {
    var names: Set<String> = []
    CommandTable.root(kinds: Self.kinds).forEach { _, command in
      names.formUnion(command.options.map(\.name))
    }
    for (path, text) in try Self.pages() {
      for option in QuotedCommand.options(in: text) {
        #expect(names.contains(option), "\(path): --\(option)")
      }
    }
  }

  @Test func `every file and page that the documentation leads to is there`() throws {
    for (path, text) in try Self.pages() {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for part in text.split(separator: "](", omittingEmptySubsequences: false).dropFirst() {
        let target = part.prefix { $0 != ")" && $0 != "#" }
        if target.isEmpty || target.contains(":") { continue }
        let file = "\(Self.root)/\(folder)/\(target)"
        #expect(FileManager.default.fileExists(atPath: file), "\(path): \(target)")
      }
      for part in text.split(separator: "Scripts/", omittingEmptySubsequences: false).dropFirst() {
        let name = part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-/".contains($0)) }
        let file = "\(Self.root)/Scripts/\(name)"
        #expect(FileManager.default.fileExists(atPath: file), "\(path): Scripts/\(name)")
      }
    }
  }

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
