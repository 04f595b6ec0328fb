import ArchiverCore
import ArchiverTestKit
import Testing

/// A umask of 0, as in some containers and cron daemons.
@Suite struct OpenMaskTests {
  /// Runs the program with a umask of 0 and this standard input.
  private func archiver(
    _ words: [String], input: String = "", _ stage: Stage
  ) async throws -> Int32 {
    let variables = [
      "HOME": stage.home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": stage.home + "/settings",
      "INPUT": input,
    ]
    let process = try ChildProcess(
      "/bin/sh",
      ["-c", "umask 0; printf %s \"$INPUT\" | \"$0\" \"$@\"", Program.path] + words,
      environment: stage.environment.merging(variables) { $1 })
    return try await process.wait(limit: .seconds(300))
  }

  /// World-writable entries of a folder, except symbolic links.
  private func writable(_ folder: String) async throws -> String {
    try await Program.tool("find", [folder, "!", "-type", "l", "-perm", "/022"]).output
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `only the owner may write to what a run makes`(options: [String]) async throws {
    try await Stage.with(articles: 2) { stage in
      let archive = stage.home + "/new/archive"
      let run = ["run", "-s", "readeck", "--archive", archive] + options
      for words in [run, ["site", "--archive", archive]] {
        let code = try await archiver(words, stage)
        let found = try await writable(stage.home + "/new")
        #expect(code == 0 && found.isEmpty, "\(words): \(found)")
      }
    }
  }

  @Test func `only the owner may write to where settings and logins are`() async throws {
    try await Stage.with(articles: 1) { stage in
      let settings = stage.home + "/settings"
      #expect(try await archiver(["config", "init"], stage) == 0)
      #expect(try await writable(settings).isEmpty)
      try FileManager.default.removeItem(atPath: settings)
      let url = try #require(stage.environment["READECK_URL"])
      let login = ["login", "readeck", "--url", url, "--token-stdin"]
      #expect(try await archiver(login, input: Stage.token, stage) == 0)
      #expect(try await writable(settings).isEmpty)
    }
  }
}
