import ArchiverCore
import ArchiverTestKit
import Testing

/// Systems that allow few open files.
@Suite struct OpenFilesTests {
  private func run(
    _ limit: Int, hard: Int? = nil, _ stage: Stage
  ) async throws -> (code: Int32, output: String, error: String) {
    let shell = try #require(ChildProcess.find("sh"))
    let script = "ulimit -S -n \(limit); ulimit -H -n \(hard ?? limit); exec '\(Program.path)' run"
    let variables = ["HOME": stage.home, "PATH": "/usr/bin:/bin"]
      .merging(stage.environment) { $1 }
    let process = try ChildProcess(shell, ["-c", script], environment: variables)
    let code = try await process.wait(limit: .seconds(120))
    return (code, process.output, process.errorOutput)
  }

  @Test(arguments: [16, 32, 95])
  func `too few open files give one line and no crash`(limit: Int) async throws {
    try await Stage.with { stage in
      let result = try await run(limit, stage)
      #expect(result.code == 2)
      #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
      #expect(result.error.contains("the system allows \(limit) open files"))
    }
  }

  @Test(arguments: [96, 128, 256])
  func `a run does its work with few open files`(limit: Int) async throws {
    try await Stage.with { stage in
      let result = try await run(limit, stage)
      #expect(result.code == 0, "\(result.error)")
      let list = try await Program.run(
        ["list", "--json"], home: stage.home, environment: stage.environment)
      #expect(list.output.split(separator: "\n").count == 25)
    }
  }

  @Test func `the soft limit of open files is raised to the hard one`() async throws {
    try await Stage.with { stage in
      let result = try await run(32, hard: 1024, stage)
      #expect(result.code == 0, "\(result.error)")
    }
  }
}
