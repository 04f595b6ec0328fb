import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct SecretTests {
  private func resolve(_ text: String, _ variables: [String: String] = [:]) throws -> String {
    try SecretReference(text).resolve(for: "token of x", in: try Desk().environment([], variables))
  }

  private func failure(_ text: String) -> String? {
    do {
      return "resolved to \(try resolve(text))"
    } catch {
      return (error as? UsageError)?.message
    }
  }

  @Test func `a secret is read from text, a variable, a file or a command`() throws {
    #expect(try resolve("abc") == "abc")
    #expect(try resolve("env:MINE", ["MINE": " abc\r\n"]) == "abc")
    #expect(try resolve("command:printf 'a%s\\n' bc") == "abc")
    let desk = try Desk()
    let path = try desk.write("token.txt", "abc\r\n")
    #expect(try resolve("file:" + path) == "abc")
    #expect(
      try SecretReference("file:~/token.txt").resolve(for: "t", in: desk.environment()) == "abc")
  }

  @Test func `a secret is a credential that systemd hands to the service`() async throws {
    let desk = try Desk()
    let path = try desk.write("credentials/readeck-token", "abc\n")
    let folder = String(path.dropLast("/readeck-token".count))
    let variables = ["CREDENTIALS_DIRECTORY": folder]
    let secret = SecretReference("credential:readeck-token")
    #expect(try secret.resolve(for: "t", in: desk.environment([], variables)) == "abc")
    // A credential with the name of a variable needs no setting; a set variable takes precedence.
    try desk.write("credentials/EXAMPLE_TOKEN", "s3cret\n")
    let settings = ["EXAMPLE_URL": "https://a.example"].merging(variables) { $1 }
    #expect(await desk.type("run", variables: settings).code == .success)
    let access = try #require(desk.accesses.withLock { $0.last })
    #expect(access.credential == .bearer(Secret("s3cret")))
    let both = settings.merging(["EXAMPLE_TOKEN": "other"]) { $1 }
    #expect(await desk.type("run", variables: both).code == .success)
    #expect(desk.accesses.withLock { $0.last?.credential } == .bearer(Secret("other")))
  }

  @Test(arguments: ["credential:../x", "credential:.x", "credential:", "credential:none"])
  func `a credential is a file directly in the folder handed over`(text: String) throws {
    let desk = try Desk()
    try desk.write("x", "outside")
    try desk.write("credentials/.x", "hidden")
    let variables = ["CREDENTIALS_DIRECTORY": desk.home + "/credentials"]
    let message = { () -> String? in
      do {
        return try SecretReference(text).resolve(for: "t", in: desk.environment([], variables))
      } catch {
        return (error as? UsageError)?.message
      }
    }()
    #expect(message?.hasPrefix("t: there is no credential") == true)
  }

  static let failures: [(String, String)] = [
    ("env:MINE", "token of x: the environment variable MINE is not set"),
    ("file:/nowhere/token", "token of x: the file /nowhere/token cannot be read"),
    ("command:echo hidden-word; exit 3", "token of x: the command exited with status 3"),
    ("command:kill -9 $$", "token of x: the command was killed by signal 9"),
    ("command:true", "token of x is empty"),
    ("  ", "token of x is empty"),
  ]

  @Test(arguments: failures)
  func `a secret that is unavailable says why and nothing of itself`(text: String, message: String)
  {
    #expect(failure(text) == message)
  }

  @Test func `a command that takes too long is killed`() {
    let start = ContinuousClock.now
    #expect(throws: CommandFailure.self) {
      try ShellCommand.output(of: "exec sleep 20", timeout: .milliseconds(200))
    }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `a command that closed its output and does not end is killed too`() {
    let start = ContinuousClock.now
    for line in ["exec sleep 20 >/dev/null", "echo said; exec >&-; sleep 20"] {
      #expect(throws: CommandFailure.self, "\(line)") {
        try ShellCommand.output(of: line, timeout: .milliseconds(200))
      }
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func `without a terminal a command is killed with what it started`() throws {
    let desk = try Desk()
    let line = "(sleep 20 & echo $! >\(desk.home)/child; wait) | cat"
    #expect(throws: CommandFailure.self) {
      try ShellCommand.output(of: line, timeout: .milliseconds(500), hasTerminal: false)
    }
    let file = URL(filePath: desk.home + "/child")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let child = try #require(pid_t(text.split(separator: "\n").first ?? ""))
    // The process that adopts orphans reaps it eventually.
    var stat = "R"
    for _ in 0..<100 where !stat.isEmpty && !stat.contains(") Z ") {
      usleep(20_000)
      let data = FileManager.default.contents(atPath: "/proc/\(child)/stat") ?? Data()
      stat = String(decoding: data, as: UTF8.self)
    }
    #expect(stat.isEmpty || stat.contains(") Z "))
  }

  @Test func `truncated input or output of a command is an error`() throws {
    let text = String(repeating: "0123456789", count: 6000)
    #expect(try ShellCommand.output(of: "cat", input: text) == text)
    #expect(throws: CommandFailure.self) {
      try ShellCommand.output(of: "cat >/dev/null", input: String(repeating: text, count: 5))
    }
    #expect(throws: CommandFailure.self) { try ShellCommand.output(of: "printf 'J\\374rgen'") }
  }

  @Test func `a command sees no input and its own signals`() throws {
    #expect(try ShellCommand.output(of: "cat; echo end") == "end\n")
  }

  @Test func `no output of any command shows a secret`() async throws {
    let desk = try Desk()
    try desk.configure(
      """
      { sources: { example: { url: "https://a.example", token: "s3cret-file",
        headers: { "X-Key": "s3cret-header" } } } }
      """, mode: 0o644)
    try StoredLogin(
      url: try #require(WebURL("https://other.example")), token: Secret("s3cret-login")
    ).save(as: "example", in: desk.environment())
    let variables = ["EXAMPLE_TOKEN": "s3cret-env"]
    for words in [
      ["run", "-vv"], ["run", "--json"], ["sources"], ["sources", "--json"], ["status"],
    ] {
      let output = MemoryOutput()
      let tool = CommandLineTool(
        environment: desk.environment(words, variables, output: output, error: output),
        services: desk.services())
      #expect(await tool.run() == .success)
      #expect(!output.text.contains("s3cret"), "\(words): \(output.text)")
    }
  }

  @Test func `a literal secret in a file that others can read is warned of`() async throws {
    let desk = try Desk()
    let file = "{ sources: { example: { url: 'https://a.example', token: 'x' } } }"
    try desk.configure(file, mode: 0o644)
    let warning =
      "archiver: warning: ~/.config/archiver/config.json5 holds the token of example and others "
      + "can read or change it; run: chmod 600 ~/.config/archiver/config.json5\n"
    #expect(await desk.type("run").error.contains(warning))
    let doctor = await desk.type("doctor", "--json").output
    #expect(
      doctor.contains("chmod 600")
        && doctor.contains("\"remedy\":\"Follow the advice in the warning.\""))
    try desk.configure(file, mode: 0o620)
    #expect(await desk.type("run").error.contains(warning))
    try desk.configure(file, mode: 0o600)
    #expect(await !desk.type("run").error.contains("warning"))
    try desk.configure(
      "{ sources: { example: { url: 'https://a.example', token: 'env:T' } } }", mode: 0o644)
    #expect(await !desk.type("run", variables: ["T": "x"]).error.contains("warning"))
  }

  @Test func `a file that everybody can change is warned of whatever is in it`() async throws {
    let desk = try Desk()
    let warning =
      "archiver: warning: ~/.config/archiver/config.json5 is world-writable: other users could "
      + "redirect tokens and run commands; run: chmod o-w ~/.config/archiver/config.json5\n"
    try desk.configure("{ max: 3 }", mode: 0o666)
    #expect(await desk.type("run", variables: Desk.configured).error.contains(warning))
    try desk.configure("{ max: 3 }", mode: 0o664)
    #expect(await !desk.type("run", variables: Desk.configured).error.contains("warning"))
  }
}
