import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import Synchronization
import Testing

@testable import ArchiverCLI

@Suite struct ConfigurationTests {
  /// Opens the example source as a run does and returns the configuration that its adapter
  /// received.
  private func open(
    _ desk: Desk, _ words: [String] = [], _ variables: [String: String] = [:],
    name: String = "example"
  ) async throws -> ExampleAdapter.Configuration {
    let output = MemoryOutput()
    let tool = CommandLineTool(
      environment: desk.environment(
        ["run", "--source", name] + words, variables, error: output),
      services: desk.services())
    let code = await tool.run()
    guard code == .success else { throw UsageError(output.text) }
    let adapter = try #require(try desk.request().sources.first?.adapter.example)
    return adapter.configuration
  }

  private func failure(
    _ configuration: String, _ words: [String] = ["run"], _ variables: [String: String] = [:]
  ) async throws -> (message: String, code: ExitCode) {
    let desk = try Desk()
    try desk.configure(configuration)
    let error = MemoryOutput()
    let code = await CommandLineTool(
      environment: desk.environment(words, variables, error: error), services: desk.services()
    ).run()
    let message = error.text.split(separator: desk.home).joined(separator: "~")
    return (message, code)
  }

  @Test func `one source needs no file`() async throws {
    let desk = try Desk()
    let configuration = try await open(desk, [], Desk.configured)
    #expect(configuration.url == WebURL("https://read.example.org/"))
    #expect(configuration.token.reveal() == "s3cret-token")
    #expect(configuration.state == "all")
    #expect(!configuration.onlyHighlighted)
    let request = try desk.request()
    #expect(request.archive == desk.home + "/archived")
    #expect(request.options.jobs == 16 && request.options.keepVersions == 3)
    #expect(request.options.maxItems == nil && request.options.fetchImages)
  }

  @Test func `each layer overrides the weaker ones`() async throws {
    let desk = try Desk()
    let address = "EXAMPLE_URL", state = "EXAMPLE_STATE"
    let file = """
      // JSON5: comments, names without quotes, trailing commas
      { sources: { example: { url: 'https://file.example', token: 'file-token', state: 'unread', } } }
      """
    try desk.configure(file)
    var configuration = try await open(desk)
    #expect(configuration.state == "unread")
    #expect(configuration.token.reveal() == "file-token")

    let login = StoredLogin(
      url: try #require(WebURL("https://file.example/sub/")), token: Secret("login-token"))
    try login.save(as: "example", in: desk.environment())
    configuration = try await open(desk)
    #expect(configuration.token.reveal() == "login-token")
    #expect(configuration.url.path == "/sub/")

    let variables = [
      address: "https://file.example/env/", "EXAMPLE_TOKEN": "env-token", state: "all",
    ]
    configuration = try await open(desk, [], variables)
    #expect(configuration.token.reveal() == "env-token")
    #expect(configuration.url.path == "/env/")
    #expect(configuration.state == "all")

    configuration = try await open(desk, ["--state", "unread"], variables)
    #expect(configuration.state == "unread")
  }

  @Test func `options and variables reach the adapter in their types`() async throws {
    let desk = try Desk()
    let variables = Desk.configured.merging(["EXAMPLE_LABELS": "one, two words"]) { $1 }
    var configuration = try await open(desk, [], variables)
    #expect(configuration.labels == ["one", "two words"])
    configuration = try await open(
      desk, ["--label", "a,b", "--label", "c", "--only-highlighted", "--page-size", "5"], variables)
    #expect(configuration.labels == ["a,b", "c"])
    #expect(configuration.onlyHighlighted)
    #expect(configuration.pageSize == 5)
  }

  @Test func `a token is never sent to another server than its login's`() async throws {
    let desk = try Desk()
    let login = StoredLogin(
      url: try #require(WebURL("https://mine.example")), token: Secret("login-token"))
    try login.save(as: "example", in: desk.environment())
    let result = await desk.type(
      "run", "--source", "example", variables: ["EXAMPLE_URL": "https://other.example"])
    #expect(result.code == .usage)
    #expect(result.error.contains("needs token (EXAMPLE_TOKEN)"))
    #expect(!result.error.contains("login-token"))
  }

  @Test(arguments: [("en", "en"), ("de", "de"), ("es", "es"), ("zh", "zh-Hans")])
  func `pages are in the language of the file`(told: String, language: String) async throws {
    let desk = try Desk()
    try desk.configure("{ language: '\(told)' }")
    let result = await desk.type("run", variables: Desk.configured)
    #expect(result.code == .success)
    #expect(try desk.request().options.words.language == language)
    let shown = await desk.type("config", "show", "--json")
    #expect(shown.output.contains("\"language\":\"\(language)\""))
  }

  @Test func `a language that is not there is told with those that are`() async throws {
    let desk = try Desk()
    try desk.configure("{ language: 'fr' }")
    let result = await desk.type("run", variables: Desk.configured)
    #expect(result.code == .usage)
    #expect(result.error.contains("language takes one of de, en, es, zh"), "\(result.error)")
  }

  @Test func `several sources of a kind live next to each other`() async throws {
    let desk = try Desk()
    try desk.configure(
      """
      { archive: "keep", jobs: 4, keepVersions: 0, max: 9, allowHosts: ["nas.local:8080"],
        sources: { example: { url: "https://a.example", token: "a" },
                   "work-notes": { kind: "example", url: "https://b.example", token: "b" } } }
      """)
    let result = await desk.type(
      "run", "--allow-host", "10.0.0.1", variables: ["EXAMPLE_STATE": "unread"])
    #expect(result.code == .success)
    let request = try desk.request()
    #expect(request.sources.map(\.name) == ["example", "work-notes"])
    let states = request.sources.compactMap { $0.adapter.example?.configuration.state }
    #expect(states == ["unread", "all"], "the variables belong to the source named like its kind")
    #expect(request.archive == desk.folder + "/keep")
    #expect(request.options.jobs == 4 && request.options.keepVersions == 0)
    #expect(request.options.maxItems == 9)
    let policies = desk.policies.withLock { $0 }
    #expect(policies.map(\.origins.count) == [1, 1])
    #expect(
      policies[0].hosts == [
        AddressPolicy.AllowedHost(host: "nas.local", port: 8080),
        AddressPolicy.AllowedHost(host: "10.0.0.1"),
      ])
  }

  @Test func `the variables of a kind reach its only source whatever its name`() async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { mine: { kind: 'example', url: 'https://a.example' } } }")
    let configuration = try await open(desk, [], ["EXAMPLE_TOKEN": "t"], name: "mine")
    #expect(configuration.token.reveal() == "t")
  }

  static let mistakes: [(String, String)] = [
    ("{ jbos: 3 }", "unknown key 'jbos'; did you mean 'jobs'?"),
    (
      "{ example: {} }",
      "unknown key 'example'; put sources under 'sources': { sources: { example: … } }"
    ),
    ("{ jobs: 0 }", "jobs takes a whole number from 1 to 256"),
    ("{ jobs: 'many' }", "jobs takes a whole number from 1 to 256"),
    ("{ archive: 3 }", "archive takes a text in quotes"),
    ("{ allowHosts: 'x' }", "allowHosts takes a list of texts: [\"nas.local:8080\"]"),
    ("{ contact: 'me' }", "contact takes a mail address or the URL of a page"),
    ("{ contact: 'a@b.example (x)' }", "contact takes a mail address or the URL of a page"),
    ("{ sources: [] }", "sources takes an object: { NAME: { … } }"),
    (
      "{ sources: { example: { tokn: 'x' } } }",
      "unknown setting 'tokn' of source 'example'; did you mean 'token'?"
    ),
    (
      "{ sources: { example: { state: 'unrad' } } }",
      "sources.example.state takes one of all, unread"
    ),
    ("{ sources: { example: { labels: 'x' } } }", "sources.example.labels takes a list of texts"),
    ("{ sources: { example: { headers: { A: 1 } } } }", "sources.example.headers takes an object"),
    (
      "{ sources: { example: { pageSize: 101 } } }", "sources.example.pageSize takes a whole number"
    ),
    ("{ sources: { example: { speed: 0.1 } } }", "sources.example.speed takes a number from 0.5"),
    ("{ sources: { example: { url: 'x' } } }", "sources.example.url takes a URL"),
    (
      "{ sources: { exampel: {} } }",
      "source 'exampel' needs a kind, one of example, folder; did you mean"
    ),
    (
      "{ sources: { a: { kind: 'foldr' } } }",
      "source 'a' has the unknown kind 'foldr'; did you mean 'folder'?"
    ),
    ("{ sources: { '../x': { kind: 'folder' } } }", "'../x' is not a valid name for a source"),
    ("{ sources: { library: { kind: 'folder' } } }", "'library' is not a valid name for a source"),
    ("[1]", "the file does not contain an object"),
    ("{\n jobs: 3,\n archive: 'x\n}", "is not JSON5: line 3: a quote is not closed"),
    ("", "is not JSON5: line 1: the file is empty"),
    ("{\n jobs: 3 // few\n\n archive: 'x' }", "line 2: a comma or } is missing at the end"),
    ("{\n sources: {\n example: {},\n", "line 2: the } of the bracket opened here is missing"),
    (
      "{\n sources: {\n  my-notes: {} } }",
      "line 3: a name with characters other than letters, digits and _"
    ),
    ("{\n archive = 'x' }", "line 2: a colon is missing after a name"),
    ("{\n archive: /home/me }", "line 2: a value is missing"),
    ("{\n archive: home }", "line 2: a text needs quotes"),
    ("{ sources: {} }\n}", "line 2: nothing may follow after the last bracket"),
    ("/* one\n{ }", "line 1: a comment is not closed"),
  ]

  @Test(arguments: [
    "{}", "{ a: 1, \"b-c\": [+.5, -0x1F, 1e9, Infinity, true, null,], /* x */ d: 'it\\'s', }",
    "// top\n{ 'a': \"//\", }\n// end", "[[], {}, ]",
  ])
  func `valid JSON5 has no fault`(text: String) {
    #expect(JSON5Fault.first(in: text.utf8) == nil)
  }

  @Test(arguments: mistakes)
  func `a mistake in the file is named with the file`(text: String, message: String) async throws {
    let result = try await failure(text)
    #expect(result.code == .usage)
    #expect(
      result.message.hasPrefix("archiver: ~/.config/archiver/config.json5"), "\(result.message)")
    #expect(result.message.contains(message), "\(result.message)")
    #expect(result.message.split(separator: "\n").count == 1)
  }

  @Test func `a file that was requested must be there`() async throws {
    let result = await (try Desk()).type("run", "--config", "~/none.json5")
    #expect(result.code == .usage)
    #expect(result.error.contains("there is no configuration file"))
  }

  @Test func `a setting that cannot be used is named with its origin, a secret's value never`()
    async throws
  {
    let url = try await failure(
      "{}", ["run", "-s", "example"], ["EXAMPLE_URL": "nonsense", "EXAMPLE_TOKEN": "x"])
    #expect(url.message.contains("EXAMPLE_URL takes a URL"))
    let wrong = try await failure(
      "{}", ["run"], ["EXAMPLE_URL": "https://wrong.example", "EXAMPLE_TOKEN": "x"])
    #expect(wrong.message == "archiver: example: the address is wrong\n")
    #expect(wrong.code == .usage)
    let lines = try await failure(
      "{}", ["run"], ["EXAMPLE_URL": "https://a.example", "EXAMPLE_TOKEN": "se\ncret"])
    #expect(
      lines.message
        == "archiver: token of example (in the environment variable EXAMPLE_TOKEN) has more than one line or control characters\n"
    )
    let missing = try await failure("{}", ["run", "-s", "example"], [:])
    #expect(
      missing.message
        == "archiver: example needs url (EXAMPLE_URL) and token (EXAMPLE_TOKEN): set them in the "
        + "environment or in the configuration, or run 'archiver login example'\n")
  }

  @Test func `without any source the message says what to set`() async throws {
    let result = try await failure("{}")
    #expect(result.code == .usage)
    #expect(result.message.hasPrefix("archiver: no source is configured; example needs url"))
  }

  @Test func `an option of another kind of source is refused`() async throws {
    let result = try await failure(
      "{}", ["run", "-s", "folder", "--state", "unread"], ["FOLDER_PATH": "/x"])
    #expect(result.message.contains("--state does not apply to folder"))
  }

  @Test func `an unknown source is answered with the nearest`() async throws {
    let result = try await failure("{}", ["run", "-s", "exmaple"])
    #expect(
      result.message.hasPrefix(
        "archiver: there is no source 'exmaple'; did you mean 'example'? (there are example, folder)"
      ))
  }

  @Test func `a host to allow must be one`() async throws {
    let result = try await failure("{}", ["run", "--allow-host", "http://x/"], Desk.configured)
    #expect(result.message.contains("'http://x/' is not HOST or HOST:PORT"))
  }
}
