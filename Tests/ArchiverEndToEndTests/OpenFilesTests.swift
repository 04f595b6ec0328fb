import ArchiverCore
import ArchiverTestKit
import Testing

/// Systems that allow few open files.
@Suite struct OpenFilesTests {
  /// Runs the program with a limit, and with files that its parent left open.
  private func run(
    _ limit: Int, hard: Int? = nil, inherited: Int = 0, _ stage: Stage
  ) async throws -> (code: Int32, output: String, error: String) {
    let shell = try #require(ChildProcess.find("bash"))
    let script =
      "for n in /proc/$$/fd/*; do n=${n##*/}; [ $n -le 2 ] || eval \"exec $n<&-\"; done; "
      + "for n in $(seq 40 \(39 + inherited)); do eval \"exec $n</dev/null\"; done; "
      + "ulimit -S -n \(limit); ulimit -H -n \(hard ?? limit); exec '\(Program.path)' run"
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

  @Test func `files that a scheduler left open count against the limit`() async throws {
    try await Stage.with { stage in
      let few = try await run(256, inherited: 190, stage)
      #expect(few.code == 2)
      #expect(few.error.contains("the system allows 66 open files"), "\(few.error)")
      let enough = try await run(256, inherited: 150, stage)
      #expect(enough.code == 0, "\(enough.error)")
    }
  }

  @Test func `the soft limit of open files is raised to the hard one`() async throws {
    try await Stage.with { stage in
      let result = try await run(32, hard: 1024, stage)
      #expect(result.code == 0, "\(result.error)")
    }
  }
}
