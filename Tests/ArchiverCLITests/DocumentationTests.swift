import ArchiverAdapters
import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

@Suite struct DocumentationTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let kinds = sourceKinds.map { SourceKind($0) }

  private static func pages() throws -> [(path: String, text: String)] {
    try QuotedCommand.pages(root: root)
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

  /// Lists of words in brackets that begin with the program or one of its commands.
  @Test(arguments: ["Scripts/Containerfile", "Scripts/compose.yaml"])
  func `the commands of the container files are accepted`(path: String) throws {
    let text = String(
      decoding: try Data(contentsOf: URL(filePath: "\(Self.root)/\(path)")), as: UTF8.self)
    let table = CommandTable.root(kinds: Self.kinds)
    let lists = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstIndex(of: "[").flatMap { start in
        try? JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
      }
    }
    let commands = lists.map { $0.filter { !["CMD", "archiver"].contains($0) } }
      .filter { !$0.isEmpty }
    #expect(commands.contains { $0.prefix(2) == ["status", "--check"] })
    #expect(commands.count >= 2)
    for words in commands {
      #expect(throws: Never.self, "\(words)") { try ArgumentParser.parse(words, root: table) }
    }
  }

  @Test func `the commands of the examples for several archives are accepted`() throws {
    let folder = "\(Self.root)/Scripts/examples/fleet"
    let table = CommandTable.root(kinds: Self.kinds)
    var commands: [[String]] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = String(
        decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
      for line in text.split(separator: "\n") {
        if let list = line.split(separator: "args: ").dropFirst().first {
          commands.append(try JSONDecoder().decode([String].self, from: Data(list.utf8)))
        } else if line.hasPrefix("ExecStart=/usr/bin/archiver ") {
          commands.append(line.split(separator: " ").dropFirst().map(String.init))
        }
      }
    }
    #expect(commands.compactMap(\.first).sorted() == ["portal", "run", "run"])
    for words in commands {
      #expect(throws: Never.self, "\(words)") { try ArgumentParser.parse(words, root: table) }
    }
  }

  @Test func `every link in the documentation has a target`() throws {
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
        let isThere = ["", ".yaml"].contains {
          FileManager.default.fileExists(atPath: "\(Self.root)/Scripts/\(name)\($0)")
        }
        #expect(isThere, "\(path): Scripts/\(name)")
      }
    }
  }

  @Test func `the configuration reference matches the tables`() throws {
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
