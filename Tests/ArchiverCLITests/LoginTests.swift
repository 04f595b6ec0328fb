import ArchiverCore
import ArchiverPipeline
import Testing

@testable import ArchiverCLI

@Suite struct LoginTests {
  private func stored(_ desk: Desk) throws -> StoredLogin? {
    try StoredLogin.load("example", in: desk.environment())
  }

  @Test func `a granted token is stored for the owner alone and used by runs`() async throws {
    let desk = try Desk()
    let result = await desk.type("login", "example", "--url", "https://read.example.org/sub")
    #expect(result.code == .success)
    #expect(
      result.error == """
        Open https://read.example.org/sub/device and enter the code JNCW-XPKK within 5 min.
        Waiting for approval; press Ctrl-C to cancel.

        """)
    #expect(
      result.output == "Logged in to https://read.example.org/sub; it has 25 items. "
        + "Stored in ~/.config/archiver/logins/example.json.\n")
    let path = StoredLogin.path(of: "example", in: desk.environment())
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(await desk.type("run").code == .success)
    let adapter = try #require(try desk.request().sources.first?.adapter.example)
    #expect(adapter.configuration.token.reveal() == "granted-token")
    #expect(adapter.configuration.url.path == "/sub")
  }

  @Test func `a token from standard input is tried before it is stored`() async throws {
    let desk = try Desk()
    let words = PreparedInput(text: " abc123\r\n")
    let good = await desk.type(
      "login", "example", "--url", "https://a.example", "--token-stdin", input: words)
    #expect(good.code == .success)
    #expect(try stored(desk)?.token.reveal() == "abc123")

    let refused = await desk.type(
      "login", "example", "--token-stdin", input: PreparedInput(text: "unknown-key"))
    #expect(refused.code == .source)
    #expect(refused.error == "archiver: The server refused the token\n")
    #expect(try stored(desk)?.token.reveal() == "abc123", "the old login is kept")
  }

  @Test func `a token can be pasted where the server is too old`() async throws {
    let desk = try Desk()
    let result = await desk.type(
      "login", "example", "--url", "https://old.example",
      input: PreparedInput(text: "pasted\n", isTerminal: true))
    #expect(result.code == .success)
    #expect(result.error.contains("too old"))
    #expect(result.error.contains("Paste a token of example (it is not shown): "))
    #expect(try stored(desk)?.token.reveal() == "pasted")

    let script = await desk.type("login", "example", "--url", "https://old.example")
    #expect(script.code == .usage)
    #expect(script.error.contains("too old"))
  }

  static let mistakes: [([String], String, String)] = [
    (["login", "folder"], "", "folder needs no login"),
    (["login", "exampl"], "", "there is no source 'exampl'; did you mean 'example'?"),
    (["login", "example"], "", "the URL of example is unknown; add --url https://…"),
    (["login", "example", "--url", "x"], "", "--url takes a URL"),
    (
      ["login", "example", "--url", "https://a.example", "--token-stdin"], " \n",
      "the token is empty"
    ),
    (
      ["login", "example", "--url", "https://a.example", "--token-stdin"], "a b", "invalid token"
    ),
  ]

  @Test(arguments: mistakes)
  func `a login that cannot work says why`(
    words: [String], input: String, message: String
  ) async throws {
    let desk = try Desk()
    let error = MemoryOutput()
    let code = await CommandLineTool(
      environment: desk.environment(words, error: error, input: PreparedInput(text: input)),
      services: desk.services()
    ).run()
    #expect(code == .usage)
    #expect(error.text.contains(message), "\(error.text)")
    #expect(try stored(desk) == nil)
  }

  @Test func `a variable that overrides the login causes a warning`() async throws {
    let result = await (try Desk()).type(
      "login", "example", "--url", "https://a.example", variables: ["EXAMPLE_TOKEN": "x"])
    #expect(
      result.error.contains(
        "warning: EXAMPLE_TOKEN is set and takes precedence over the stored login"))
  }

  @Test func `a login for another server than in the file causes a warning`() async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { example: { url: 'https://b.example', token: 'x' } } }")
    let other = await desk.type("login", "example", "--url", "https://a.example")
    #expect(
      other.error.contains(
        "warning: the URL of example set in ~/.config/archiver/config.json5 is "
          + "https://b.example:443, so the stored login is ignored\n"), "\(other.error)")
    let same = await desk.type("login", "example", "--url", "https://b.example")
    #expect(!same.error.contains("warning"))
    // Replacing a login needs no warning.
    let free = try Desk()
    _ = await free.type("login", "example", "--url", "https://a.example")
    let second = await free.type("login", "example", "--url", "https://b.example")
    #expect(!second.error.contains("warning"))
  }

  @Test func `a damaged login says how to mend it`() async throws {
    let desk = try Desk()
    try desk.write(".config/archiver/logins/example.json", "{")
    let result = await desk.type("run", "-s", "example")
    #expect(result.code == .usage)
    #expect(result.error.contains("is damaged; run 'archiver login example' again"))
  }
}
