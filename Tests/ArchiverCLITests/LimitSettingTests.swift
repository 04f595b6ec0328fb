import ArchiverCore
import ArchiverPipeline
import Testing

@testable import ArchiverCLI

/// Every limit of untrusted input is a setting, which its errors name.
@Suite struct LimitSettingTests {
  private static let source = "sources: { example: { url: 'https://a.example', token: 't' } }"

  @Test(arguments: Limit.allCases)
  func `a limit is set by the name that its error has`(limit: Limit) async throws {
    let words = limit.key.split(separator: ".")
    try #require(words.count == 2 && words[0] == "limits")
    // The value that the error shows is valid input, and so are both ends of the range.
    for value in [limit.standard, limit.range.lowerBound, limit.range.upperBound] {
      let desk = try Desk()
      try desk.configure(
        "{ \(words[0]): { \(words[1]): \(limit.literal(value)) }, \(Self.source) }")
      let result = await desk.type("run")
      #expect(result.code == .success, "\(result.error)")
      #expect(try desk.request().options.limits[limit] == value)
      #expect(limit.note(value) == "(\(limit.key) is \(limit.text(value)))")
    }
  }

  @Test(arguments: Limit.allCases)
  func `a value out of range is refused with the range`(limit: Limit) async throws {
    #expect(limit.range.contains(limit.standard))
    for value in ["-1", "0", "'much'", "'1 apple'", "null", "[]", "\(Int.max)"] {
      let desk = try Desk()
      try desk.configure("{ limits: { \(limit.rawValue): \(value) }, \(Self.source) }")
      let result = await desk.type("run")
      #expect(result.code == .usage, "\(value)")
      #expect(result.error.contains("\(limit.key) takes "), "\(result.error)")
      #expect(result.error.contains(limit.text(limit.range.upperBound)), "\(result.error)")
    }
  }

  @Test func `a limit of an earlier version keeps no configuration from being read`() async throws {
    let desk = try Desk()
    try desk.configure("{ limits: { htmlDepth: 500, imageSize: '64M' } }")
    let result = await desk.type("config", "show")
    #expect(result.code == .success, "\(result.error)")
  }

  @Test func `an unknown limit is named with the nearest one`() async throws {
    let desk = try Desk()
    try desk.configure("{ limits: { imagSize: '1M' } }")
    let result = await desk.type("run")
    #expect(result.code == .usage)
    #expect(
      result.error.contains("unknown limit 'imagSize'; did you mean 'imageSize'?"),
      "\(result.error)")
    try desk.configure("{ limits: '1M' }")
    #expect(await desk.type("run").error.contains("limits takes an object"))
  }

  @Test func `show says which limits are in force`() async throws {
    let desk = try Desk()
    try desk.configure("{ limits: { imageSize: '2M', imageTime: '10m' }, \(Self.source) }")
    let shown = await desk.type("config", "show")
    #expect(shown.output.contains("limits        imageSize 2M, imageTime 10m\n"), "\(shown.output)")
    let json = await desk.type("config", "show", "--json")
    let object = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
    #expect(object["limits"]?["imageSize"]?.integer == 2_000_000)
    #expect(object["limits"]?["images"]?.integer == Limit.images.standard)
    #expect(object["limits"]?.object?.count == Limit.allCases.count)
  }

  @Test func `the template sets every limit to its default`() async throws {
    let text = ConfigurationTemplate.text(kinds: [])
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("  //") && !line.hasPrefix("  // Limits") ? line.dropFirst(4) : line
    }
    let start = try #require(lines.firstIndex { $0.contains("limits: {") })
    let end = try #require(lines[start...].firstIndex { $0 == " }," })
    let desk = try Desk()
    try desk.configure("{" + lines[start...end].joined(separator: "\n") + Self.source + "}")
    let result = await desk.type("run")
    #expect(result.code == .success, "\(result.error)")
    #expect(try desk.request().options.limits.changed == [])
    for limit in Limit.allCases {
      #expect(lines[start...end].contains { $0.contains(" \(limit.rawValue): ") }, "\(limit)")
    }
  }
}
