import ArchiverCore
import ArchiverTestKit
import Testing

/// Runs the commands in the documentation that need only a Readeck.
@Suite struct DocumentedCommandTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// Commands that prompt, wait, or change files outside the archive.
  private static let notRun: Set<String> = ["login", "watch", "open", "schedule", "help"]

  /// Placeholders, and values that do not exist in this archive.
  private static let absent: Set<String> = [
    "books", "notion", "feed", "NAME", "ITEM", "SOURCE", "Moby Dick", "--root", "--feed",
    "--format", "--collection", "FILE", "DIR", "file:/DIR", "s3://BUCKET",
    "s3://BUCKET[/PREFIX]",
  ]

  /// Exit codes other than that of a usage error.
  private static let good: Set<Int32> = [0, 1]

  /// Every command line once, with the page that has it.
  private static func commands() throws -> [(page: String, words: [String])] {
    var seen: Set<[String]> = []
    var found: [(page: String, words: [String])] = []
    for (path, text) in try QuotedCommand.pages(root: root) {
      for words in QuotedCommand.all(in: text) where seen.insert(words).inserted {
        found.append((path, words))
      }
    }
    return found
  }

  private static func isRunnable(_ words: [String]) -> Bool {
    guard let command = words.first, !notRun.contains(command), words != ["source", "test"] else {
      return false
    }
    return !words.contains { word in
      absent.contains(word) || word.contains("…") || word.contains("/srv")
        || word.contains("example") || word.hasPrefix("--source=") || word.hasPrefix("/var")
        || word.hasPrefix("/tmp") || word == "--since"
    }
  }

  @Test func `every command of the documentation that can be run here does what it says`()
    async throws
  {
    try await Stage.with(articles: 5) { stage in
      let folder = stage.home + "/config/archiver"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var article = Stage.article(5)
      article.title = "Paper maps"
      stage.readeck.add(article)
      #expect(try await stage.run().code == 0)
      var count = 0
      for (page, words) in try Self.commands() where Self.isRunnable(words) {
        count += 1
        // Each starts with a complete archive.
        let variables = stage.environment.merging(["ARCHIVER_OVERWRITE": "1"]) { $1 }
        let line = "cd '\(stage.home)' && exec '\(Program.path)' \"$@\""
        let process = try ChildProcess(
          "/bin/sh", ["-c", line, "sh"] + words,
          environment: variables.merging([
            "HOME": stage.home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": stage.home + "/config",
          ]) { $1 })
        let code = try await process.wait(limit: .seconds(120))
        let text = process.output + process.errorOutput
        #expect(
          Self.good.contains(code),
          "\(page): archiver \(words.joined(separator: " ")) ended with \(code): \(text.prefix(600))"
        )
        if words.contains("--json") {
          for row in process.output.split(separator: "\n") {
            #expect(throws: Never.self, "\(page): \(words): \(row.prefix(200))") {
              try JSONDecoder().decode(JSONValue.self, from: Data(row.utf8))
            }
          }
        }
      }
      #expect(count > 30, "commands are found in the pages, not only \(count)")
      #expect(try await stage.damage() == [])
    }
  }
}
