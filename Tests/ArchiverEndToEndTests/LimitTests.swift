import ArchiverCore
import ArchiverTestKit
import Testing

/// Bounds from the configuration, in the built program.
@Suite struct LimitTests {
  private func set(_ limits: String, _ stage: Stage) throws {
    let folder = stage.home + "/config/archiver"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("{ limits: { \(limits) } }".utf8).write(
      to: URL(filePath: folder + "/config.json5"))
  }

  private func archiver(
    _ words: String..., stage: Stage
  ) async throws -> (code: Int32, text: String) {
    let result = try await Program.run(words, home: stage.home, environment: stage.environment)
    return (result.code, result.output + result.error)
  }

  @Test func `a limit of the file holds in runs and in repairs, and its error can be acted on`()
    async throws
  {
    try await Stage.with(articles: 2) { stage in
      stage.readeck.add(
        FakeReadeck.Bookmark(
          url: "https://example.org/long", title: "Long",
          html: String(repeating: "<p>words</p>", count: 200)))
      try set("htmlSize: '1K'", stage)
      let refused = try await archiver("run", "-s", "readeck", stage: stage)
      #expect(refused.code == 1)
      #expect(refused.text.contains("(limits.htmlSize is 1K)"), "\(refused.text)")
      #expect(try stage.bundles().count == 2)

      try set("htmlSize: '100K'", stage)
      #expect(try await archiver("run", "-s", "readeck", "--force", stage: stage).code == 0)
      let bundle = try #require(try stage.bundles().first { $0.contains("/long-") })
      try Data("damaged".utf8).write(to: URL(filePath: bundle + "/index.html"))

      try set("htmlElements: 100", stage)
      let unrepaired = try await archiver("verify", "--repair", stage: stage)
      #expect(unrepaired.code == 1)
      #expect(unrepaired.text.contains("(limits.htmlElements is 100)"), "\(unrepaired.text)")
      try set("htmlElements: 1000", stage)
      let repaired = try await archiver("verify", "--repair", stage: stage)
      #expect(repaired.code == 0, "\(repaired.text)")

      try set("htmlElemens: 100", stage)
      let wrong = try await archiver("run", stage: stage)
      #expect(wrong.code == 2)
      #expect(wrong.text.contains("did you mean 'htmlElements'?"), "\(wrong.text)")
    }
  }
}
