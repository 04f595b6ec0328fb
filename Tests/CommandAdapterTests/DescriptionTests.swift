import ArchiverCore
import ArchiverTestKit
import Testing

@testable import CommandAdapter

@Suite struct DescriptionTests {
  @Test func `a program's settings get variables of its own`() throws {
    let workshop = try Workshop()
    let kind = try ProgramKinds.kind(of: workshop.program(), variables: Workshop.variables)
    #expect(kind.name == "toy" && kind.properties.title == "toy")
    #expect(kind.program?.hasSuffix("/archiver-source-toy") == true)
    let settings = kind.properties.settings
    #expect(settings.map(\.environment) == ["TOY_PATH", "TOY_MAX_AGE", "TOY_TOKEN"])
    #expect(settings.map(\.value) == [.text, .integer(0...Int.max), .secret])
    #expect(settings.map(\.defaultValue) == [nil, "7", nil])
  }

  static let bad: [(String, String)] = [
    (#"{"type":"description","protocol":2,"kind":"toy","summary":"x"}"#, "version 2"),
    (#"{"type":"description","protocol":1,"kind":"other","summary":"x"}"#, "kind 'other'"),
    (#"{"type":"description","protocol":1,"kind":"toy","summary":""}"#, "summary is empty"),
    (#"{"type":"description","protocol":1,"kind":"toy"}"#, "summary is missing"),
    (
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","contentStyle":"a{background:u/**/rl(//e.example)}"}"#,
      "contentStyle contains a URL"
    ),
    (
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","contentStyle":"@\\69mport 'x'"}"#,
      "contentStyle contains a URL"
    ),
    (#"{"type":"ready"}"#, "something other than a description"),
    (#"hello"#, "not a JSON object"),
    (
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","settings":[{"key":"a b","help":"h"}]}"#,
      "not a valid key of a setting"
    ),
    (
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","settings":[{"key":"a","help":"h"},{"key":"a","help":"h"}]}"#,
      "two settings 'a'"
    ),
    (
      #"{"type":"description","protocol":1,"kind":"toy","summary":"x","settings":[{"key":"a","type":"blob","help":"h"}]}"#,
      "unknown type 'blob'"
    ),
  ]

  @Test(arguments: bad)
  func `a description that is wrong is refused with the reason`(line: String, words: String) throws
  {
    let workshop = try Workshop()
    let program = try workshop.program(description: "say '\(line)'")
    let error = #expect(throws: AdapterError.self) {
      try ProgramKinds.kind(of: program, variables: Workshop.variables)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func `a program that cannot describe itself is a kind with a problem`() async throws {
    let workshop = try Workshop()
    let broken = try workshop.program("broken", description: "exit 3")
    let taken = try workshop.program("readeck")
    let kinds = ProgramKinds.all(
      [broken, taken], variables: Workshop.variables, taken: ["readeck"])
    #expect(kinds.map(\.name) == ["broken"])
    #expect(kinds[0].problem?.contains("exited with status 3") == true)
    let context = AdapterContext(name: "broken", http: Workshop.Nobody())
    let source = try kinds[0].open(settings: Data("{}".utf8)).make(context)
    #expect(await failure { _ = try await pages(source) }?.code == .unavailable)
  }

  @Test func `programs that hang are waited for together`() throws {
    let workshop = try Workshop()
    var programs: [SourceProgram] = []
    for number in 1...4 {
      programs.append(try workshop.program("slow\(number)", description: "sleep 60"))
    }
    programs.append(try workshop.program())
    var limits = Workshop.limits
    limits.description = .seconds(2)
    let start = ContinuousClock.now
    let kinds = ProgramKinds.all(
      programs, variables: Workshop.variables, taken: [], limits: limits)
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(kinds.map { $0.problem == nil } == [false, false, false, false, true])
  }

  @Test func `for their names programs are not started`() throws {
    let workshop = try Workshop()
    let trace = workshop.folder + "/trace"
    let programs = [
      try workshop.program(description: "touch '\(trace)'"), try workshop.program("readeck"),
    ]
    let kinds = ProgramKinds.unasked(programs, taken: ["readeck"])
    #expect(kinds.map(\.name) == ["toy"])
    #expect(kinds[0].problem != nil)
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  @Test func `programs are found by name, the first wins`() throws {
    let workshop = try Workshop()
    let other = try Workshop()
    _ = try workshop.program("one")
    _ = try other.program("one")
    let two = try other.program("two")
    try Data().write(to: URL(filePath: other.folder + "/archiver-source-plain"))
    let found = SourceProgram.installed(
      variables: ["PATH": "relative:\(workshop.folder):\(other.folder):/no/such/folder"],
      home: "/no/such/home")
    #expect(found.map(\.name) == ["one", "two"])
    #expect(found[0].path.hasPrefix(workshop.folder) && found[1] == two)
  }
}
