import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

/// Settings of single sources, of any kind.
@Suite struct SourceRulesTests {
  private static let both = """
    { max: 100, keepVersions: 5, sources: {
      example: { url: "https://a.example", token: "t", max: 20, keep: 500, olderThan: "2y",
        maxSize: "50G", minFree: "20G", every: "24h" },
      other: { kind: "example", url: "https://b.example", token: "t", keepVersions: 1 },
    } }
    """

  @Test func `each source is run with its own limits`() async throws {
    let desk = try Desk()
    try desk.configure(Self.both)
    #expect(await desk.type("run").code == .success)
    let sources = try desk.request().sources
    let first = try #require(sources.first { $0.name == "example" })
    #expect(first.maxItems == 20 && first.keepVersions == 5)
    #expect(first.maxBytes == 50_000_000_000 && first.minFree == 20_000_000_000)
    #expect(first.retention?.keep == 500 && first.retention?.sources == ["example"])
    #expect(first.retention?.archivedBefore == Desk.now.addingTimeInterval(-730 * 86_400))
    let second = try #require(sources.first { $0.name == "other" })
    #expect(second.maxItems == 100 && second.keepVersions == 1)
    #expect(second.retention == nil && second.maxBytes == nil)
  }

  @Test func `option and environment override a source's own setting`() async throws {
    let desk = try Desk()
    try desk.configure(Self.both)
    _ = await desk.type("run", "--max", "3")
    #expect(try desk.request().sources.map(\.maxItems) == [3, 3])
    _ = await desk.type("run", variables: ["ARCHIVER_MAX": "4"])
    #expect(try desk.request().sources.map(\.maxItems) == [4, 4])
  }

  @Test(arguments: [(20.0, false), (21.7, true), (30.0, true)])
  func `a source is left out until its time has come`(hours: Double, runs: Bool) async throws {
    let desk = try Desk()
    try desk.configure(Self.both)
    var status = SourceStatus(source: "example", kind: "example")
    status.lastSuccess = Desk.now.addingTimeInterval(-hours * 3600)
    let services = desk.services(catalog: ListedCatalog(statuses: [status]))
    _ = await desk.type("run", services: services)
    #expect(try desk.request().sources.contains { $0.name == "example" } == runs)
    _ = await desk.type("run", "--source", "example", services: services)
    #expect(try desk.request().sources.map(\.name) == ["example"])
  }

  @Test func `a source that is not enabled is run only by name`() async throws {
    let desk = try Desk()
    try desk.configure(
      "{ sources: { example: { url: \"https://a.example\", token: \"t\", enabled: false } } }")
    let result = await desk.type("run")
    #expect(result.code == .usage && result.error.contains("--source example"))
    #expect(await desk.type("run", "--source", "example").code == .success)
    let shown = await desk.type("config", "show")
    #expect(shown.output.contains("example       enabled false\n"))
  }

  static let wrong = [
    ("maxx: 3", "did you mean 'max'?"), ("max: 0", "max takes a whole number of at least 1"),
    ("every: \"often\"", "every takes a time such as"),
    ("enabled: 1", "enabled takes true or false"),
    ("olderThan: \"2 years\"", "olderThan takes an age such as"),
    ("maxSize: \"big\"", "maxSize takes a size such as"),
  ]

  @Test(arguments: wrong)
  func `an invalid rule is named with its valid values`(
    text: String, message: String
  ) async throws {
    let desk = try Desk()
    try desk.configure("{ sources: { example: { \(text) } } }")
    let result = await desk.type("config", "show")
    #expect(result.code == .usage && result.error.contains(message), "\(result.error)")
  }

  @Test func `show prints the rules of each source`() async throws {
    let desk = try Desk()
    try desk.configure(Self.both)
    let shown = await desk.type("config", "show")
    #expect(
      shown.output.contains(
        "example       max 20, keep 500, maxSize 50.0 GB, minFree 20.0 GB, olderThan 730 d, every 1 d\n"
      ),
      "\(shown.output)")
    let json = await desk.type("config", "show", "--json")
    #expect(json.output.contains("\"rules\":{"))
  }
}
