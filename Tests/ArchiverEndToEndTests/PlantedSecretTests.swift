import ArchiverCore
import ArchiverTestKit
import Testing

/// Plants secrets in every input and searches for them in every output.
@Suite struct PlantedSecretTests {
  private static let secrets = [
    "tok3n-planted-7f3a", "pa55word-planted-91bc", "c0okie-planted-22d8", "s1gnature-planted-5e0c",
    "cr3dential-planted-aa01", "pr0xy-planted-63f2",
  ]

  @Test func `no secret is in the archive or in any output`() async throws {
    try await Stage.with(articles: 0) { stage in
      stage.readeck.behaviour.token = Self.secrets[0]
      stage.readeck.add(article(stage))
      let variables = [
        "READECK_TOKEN": Self.secrets[0],
        "no_proxy": "127.0.0.1,localhost", "http_proxy": "http://u:\(Self.secrets[5])@127.0.0.1:1/",
        "https_proxy": "http://u:\(Self.secrets[5])@127.0.0.1:1/",
      ]
      var outputs: [String] = []
      func run(_ words: [String], _ more: [String: String] = [:]) async throws {
        let all = stage.environment.merging(variables) { $1 }.merging(more) { $1 }
        let result = try await Program.run(words, home: stage.home, environment: all)
        outputs.append("\(words): \(result.output)\(result.error)")
      }
      try await run(["run", "--source", "readeck", "-vv"])
      #expect(try stage.bundles().count == 1)
      try await run(["run", "--source", "readeck", "--force", "--json", "-vv"])
      try await run(["run", "--source", "readeck", "--dry-run", "--force"])
      for words in [["list"], ["list", "--json"], ["status"], ["sources"], ["verify"]] {
        try await run(words)
      }
      // Refused, unreachable and misspelt: errors often quote their input.
      try await run(
        ["run", "--source", "readeck", "-vv"], ["READECK_TOKEN": Self.secrets[4]])
      try await run(
        ["run", "--source", "readeck", "-vv"],
        ["READECK_URL": "http://user:\(Self.secrets[1])@127.0.0.1:1/?key=\(Self.secrets[3])"])
      try await run(
        ["run", "--source", "readeck", "-vv"],
        ["READECK_URL": "ftp://user:\(Self.secrets[1])@127.0.0.1/"])
      for secret in Self.secrets {
        for output in outputs {
          #expect(!output.contains(secret), "\(secret) in \(output)")
        }
        // The archive with its catalog, the library and every bundle, as bytes.
        let grep = try await Program.tool("grep", ["-rlaF", secret, stage.archive])
        #expect(grep.code == 1, "\(secret) in \(grep.output)")
      }
      let control = try await Program.tool("grep", ["-rlaF", "Planted title", stage.archive])
      #expect(control.code == 0, "what is not secret is found")
    }
  }

  /// An article whose pictures are behind signed addresses and addresses with passwords.
  private func article(_ stage: Stage) -> FakeReadeck.Bookmark {
    let words = (0..<60).map { "word\($0)" }.joined(separator: " ")
    let host = "127.0.0.1:\(stage.server.port)"
    let signature = "X-Amz-Signature=\(Self.secrets[3])&X-Amz-Credential=\(Self.secrets[4])"
    return FakeReadeck.Bookmark(
      url: "https://reader:\(Self.secrets[1])@example.org/page", title: "Planted title",
      html: """
        <section><p>\(words)</p>
        <p><img src="https://files.example/a.png?\(signature)" alt="signed">
        <img src="http://reader:\(Self.secrets[1])@\(host)/b.gif?\(signature)" alt="both"></p>
        </section>
        """)
  }
}
