import ArchiverCore
import ArchiverTestKit
import Testing

@Suite struct LoginTests {
  @Test func `logged in once over the device flow, runs need nothing else`() async throws {
    try await Stage.with(articles: 2) { stage in
      let login = try Program.start(
        ["login", "readeck", "--url", stage.server.baseURL.absoluteString], home: stage.home)
      let page = "\(stage.server.baseURL.absoluteString)device?user_code=JNCWXPKK"
      while !login.errorOutput.contains(page) {
        try await Task.sleep(for: .milliseconds(20))
        try #require(login.errorOutput.contains("archiver:") == false, "\(login.errorOutput)")
      }
      stage.readeck.decideLogin(.agree)
      #expect(try await login.wait() == 0, "\(login.errorOutput)")
      #expect(!(login.output + login.errorOutput).contains(Stage.token))

      let run = try await Program.run(
        ["run", "--source", "readeck", "--archive", stage.archive], home: stage.home)
      #expect(run.code == 0, "\(run.error)")
      #expect(try stage.bundles().count == 2)
      let readable = try await Program.tool(
        "find", [stage.home + "/config", "-type", "f", "-perm", "/077"])
      #expect(readable.output.isEmpty, "others can read \(readable.output)")
    }
  }

  @Test func `a login that is refused there stores nothing`() async throws {
    try await Stage.with(articles: 1) { stage in
      stage.readeck.decideLogin(.refuse)
      let login = try await Program.run(
        ["login", "readeck", "--url", stage.server.baseURL.absoluteString], home: stage.home)
      #expect(login.code == 3)
      #expect(login.error.contains("the login was refused in Readeck"))
      #expect(!FileManager.default.fileExists(atPath: stage.home + "/config/archiver/logins"))
    }
  }
}
