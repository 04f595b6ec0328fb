import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import Testing

@testable import ArchiverCLI

/// Every option can be set in the environment, or the table has the reason why not.
@Suite struct OptionVariableTests {
  private func root() throws -> Command {
    CommandTable.root(kinds: try Desk().services().kinds)
  }

  @Test func `every option has a variable or a reason why not`() throws {
    var lacking: [String] = []
    var count = 0
    try root().forEach { path, command in
      for option in command.options {
        count += 1
        if (option.environment == nil) == (option.withoutVariable == nil) {
          lacking.append(path.joined(separator: " ") + " " + option.flag)
        }
      }
    }
    #expect(count > 50 && lacking.isEmpty, "\(lacking)")
  }

  @Test func `every setting of a kind has a variable`() throws {
    for kind in Services.live.kinds {
      for setting in kind.properties.settings {
        #expect(setting.environment?.hasPrefix(kind.name.uppercased()) == true, "\(setting.key)")
      }
    }
    let names = Services.live.kinds.flatMap { $0.properties.settings.compactMap(\.environment) }
    #expect(Set(names).count == names.count)
    #expect(names.contains("READECK_RANGE_START"))
  }

  @Test func `no variable sets options with different values`() throws {
    var values: [String: Set<Option.Value>] = [:]
    try root().forEach { _, command in
      for option in command.options {
        if let name = option.environment { values[name, default: []].insert(option.value) }
      }
    }
    #expect(values.filter { $0.value.count > 1 }.isEmpty)
    #expect(values["ARCHIVER_WAIT_ONLINE"] == [.duration])
  }

  @Test(arguments: [("true", 1), ("1", 1), ("ON", 1), ("no", 0), ("0", 0)])
  func `a flag's variable is yes or no`(text: String, requests: Int) async throws {
    let desk = try Desk()
    var variables = Desk.configured
    variables["ARCHIVER_NO_IMAGES"] = text
    _ = await desk.type("run", variables: variables)
    #expect(try desk.request().options.fetchImages == (requests == 0))
  }

  @Test func `a flag's variable that is neither is refused`() async throws {
    let result = await (try Desk()).type("run", variables: ["ARCHIVER_NO_IMAGES": "maybe"])
    #expect(result.code == .usage)
    #expect(result.error.contains("ARCHIVER_NO_IMAGES takes true or false, not 'maybe'"))
  }

  @Test func `the command line is stronger than environment and file`() async throws {
    let desk = try Desk()
    try desk.configure(
      "{ jobs: 3, sources: { example: { url: \"https://a.example\", token: \"t\" } } }")
    _ = await desk.type("run")
    #expect(try desk.request().options.jobs == 3)
    _ = await desk.type("run", variables: ["ARCHIVER_JOBS": "4"])
    #expect(try desk.request().options.jobs == 4)
    _ = await desk.type("run", "--jobs", "5", variables: ["ARCHIVER_JOBS": "4"])
    #expect(try desk.request().options.jobs == 5)
  }
}
