import ArchiverCore
import ArchiverTestKit
import Testing

#if canImport(Glibc)
  /// Some chroots have no `/proc`, without which Swift programs get no arguments.
  @Suite struct NoProcTests {
    @Test(arguments: ["run --source readeck", "list", "--version", ""])
    func `without proc every command says so in a line and ends with 2`(words: String) async throws
    {
      guard getuid() == 0, let unshare = ChildProcess.find("unshare") else {
        print("skipped: only root can hide /proc")
        return
      }
      try await Stage.with(articles: 1) { stage in
        let script = "mount -t tmpfs none /proc && exec '\(Program.path)' \(words)"
        let process = try ChildProcess(
          unshare, ["-m", "/bin/sh", "-c", script],
          environment: stage.environment.merging(
            ["HOME": stage.home, "PATH": "/usr/bin:/bin"]) { own, _ in own })
        let code = try await process.wait(limit: .seconds(60))
        #expect(code == 2)
        #expect(process.output.isEmpty)
        #expect(process.errorOutput.hasPrefix("archiver: /proc is not mounted"))
        #expect(process.errorOutput.split(separator: "\n").count == 1)
        #expect(stage.server.requests.isEmpty)
      }
    }
  }
#endif
