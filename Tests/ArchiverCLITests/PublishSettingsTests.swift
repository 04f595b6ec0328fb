import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverCLI

/// Where the archive is published to, by options, variables and the configuration file.
@Suite struct PublishSettingsTests {
  /// A desk with an empty archive.
  private func desk() throws -> Desk {
    let desk = try Desk()
    _ = try Archive.open(path: desk.home + "/archived", mode: .readWrite(holder: "test"))
    return desk
  }

  private static let keys = [
    "ARCHIVER_PUBLISH_ACCESS_KEY": "KEY", "ARCHIVER_PUBLISH_SECRET_KEY": "s3cret-of-mine",
  ]

  @Test(arguments: [
    ("'s3://x'", "publish takes an object"), ("{}", "publish needs a target"),
    ("{ target: 'ftp://x' }", "publish.target takes s3://BUCKET[/PREFIX] or file:/DIR"),
    ("{ target: 's3://bucket', regoin: 'x' }", "unknown key 'regoin'; did you mean"),
    ("{ target: 's3://bucket', endpoint: 'x' }", "publish.endpoint takes an http or https address"),
    ("{ target: 's3://bucket', leaveOut: 'x' }", "publish.leaveOut takes a list"),
    ("{ target: 's3://bucket', allowHTTP: 1 }", "publish.allowHTTP takes true or false"),
    ("{ target: 's3://bucket', region: 3 }", "publish.region takes a text"),
  ])
  func `a mistake in the file is named`(value: String, words: String) async throws {
    let desk = try desk()
    try desk.configure("{ publish: \(value) }")
    let result = await desk.type("config", "show")
    #expect(result.code == .usage && result.error.contains(words), "\(result.error)")
  }

  @Test func `the file is shown without its keys`() async throws {
    let desk = try desk()
    try desk.configure(
      """
      { publish: { target: 's3://bucket/x', endpoint: 'https://s3.example.org', region: 'eu-1',
        accessKey: 'KEY', secretKey: 's3cret-of-mine', leaveOut: ['versions'],
        publicURL: 'https://example.org' } }
      """, mode: 0o644)
    for words in [["config", "show"], ["config", "show", "--json"]] {
      let output = MemoryOutput()
      _ = await CommandLineTool(
        environment: desk.environment(words, output: output), services: desk.services()
      ).run()
      #expect(output.text.contains("s3://bucket/x") && !output.text.contains("s3cret"))
    }
    let warned = await desk.type("config", "check")
    #expect(warned.error.contains("holds the keys of publish"), "\(warned.error)")
  }

  @Test func `keys that are missing or half there are named, and nothing is asked`() async throws {
    let desk = try desk()
    let none = await desk.type("publish", "s3://bucket")
    #expect(none.code == .usage && none.error.contains("ARCHIVER_PUBLISH_ACCESS_KEY"))
    let half = await desk.type(
      "publish", "s3://bucket", variables: ["ARCHIVER_PUBLISH_SECRET_KEY": "s3cret-of-mine"])
    #expect(half.code == .usage && half.error.contains("belong together"))
    #expect(!half.error.contains("s3cret"))
    #expect(desk.accesses.withLock { $0.isEmpty })
    let nowhere = await desk.type("publish")
    #expect(nowhere.code == .usage && nowhere.error.contains("TARGET is missing"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000", true), ("http://192.168.1.4:9000/", true), ("http://nas:9000", true),
    ("http://[fd00::1]:9000/", true), ("http://nas.local/", true), ("https://s3.example.org", true),
    ("http://s3.example.org", false), ("http://8.8.8.8/", false),
  ])
  func `a storage without encryption must be near`(endpoint: String, isTaken: Bool) async throws {
    let desk = try desk()
    for isAllowed in [false, true] {
      let words = ["publish", "s3://bucket", "--dry-run", "--endpoint", endpoint]
      let error = MemoryOutput()
      let code = await CommandLineTool(
        environment: desk.environment(
          words + (isAllowed ? ["--allow-http"] : []), PublishSettingsTests.keys, error: error),
        services: desk.services()
      ).run()
      #expect(code == (isTaken || isAllowed ? .success : .usage), "\(error.text)")
      #expect(error.text.contains("is not encrypted") == !(isTaken || isAllowed))
    }
  }

  @Test func `the storage is named by options, the file, Amazon's variables, in this order`()
    async throws
  {
    let desk = try desk()
    let variables = [
      "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_REGION": "eu-west-3",
    ]
    func origin(_ words: String..., more: [String: String] = [:]) async -> String? {
      let error = MemoryOutput()
      _ = await CommandLineTool(
        environment: desk.environment(
          ["publish", "--dry-run"] + words, variables.merging(more) { $1 }, error: error),
        services: desk.services()
      ).run()
      #expect(error.text.isEmpty, "\(error.text)")
      return desk.accesses.withLock { $0.last?.baseURL.absoluteString }
    }
    #expect(await origin("s3://bucket") == "https://s3.eu-west-3.amazonaws.com/")
    let url = ["AWS_ENDPOINT_URL_S3": "https://a.example"]
    #expect(await origin("s3://bucket", more: url) == "https://a.example/")
    try desk.configure("{ publish: { target: 's3://bucket/', endpoint: 'https://f.example' } }")
    #expect(await origin(more: url) == "https://f.example/")
    #expect(await origin("s3://bucket", more: url) == "https://f.example/")
    #expect(await origin("s3://other", more: url) == "https://a.example/")
    #expect(await origin("--endpoint", "https://o.example", more: url) == "https://o.example/")
  }

  @Test func `a dry run leaves no journal`() async throws {
    let desk = try desk()
    let result = await desk.type(
      "publish", "s3://bucket", "--dry-run", variables: PublishSettingsTests.keys)
    #expect(result.code == .success, "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: desk.home + "/archived/.archiver/publish"))
  }
}
