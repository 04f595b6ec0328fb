import ArchiverCore
import ArchiverTestKit
import Testing

/// A crash of the program is reported in one line, and delays the archive by one run at most.
@Suite struct CrashTests {
  @Test func `a crash says one line, ends with 70 and the next run has everything`() async throws {
    try await Stage.with(articles: 12) { stage in
      var hasCrashed = false
      var delay = Duration.milliseconds(10)
      // The moment is right when there is an archive and the run has not ended.
      for _ in 0..<200 {
        let process = try Program.start(
          ["run", "--source", "readeck", "--quiet", "--force"], home: stage.home,
          environment: stage.environment)
        try await Task.sleep(for: delay)
        process.signal(SIGILL)
        let code = try await process.wait()
        if code == CrashMark.exitCode {
          let error = process.errorOutput
          #expect(error.split(separator: "\n").count == 1, "\(error)")
          #expect(error.contains("archiver: crashed"))
          hasCrashed = true
          break
        }
        #expect(code == 0 || code == 128 + SIGILL)
        delay = code == 0 ? delay / 2 : delay * 2
      }
      #expect(hasCrashed)
      let result = try await stage.run()
      #expect(result.code == 0)
      #expect(try stage.bundles().count == stage.readeck.ids.count)
      #expect(try await stage.verify().code == 0)
    }
  }

  @Test(arguments: [SIGILL, SIGSEGV, SIGABRT, SIGBUS])
  func `a crash is reported in the same night, and by no later one`(signal: Int32) async throws {
    try await Stage.with(articles: 1) { stage in
      stage.tamper { request, answer in
        request.path.hasPrefix("/bm/") ? answer.misbehaving(.delay(.milliseconds(1500))) : answer
      }
      let told = stage.home + "/told"
      let words = [
        "run", "--source", "readeck", "--quiet", "--metrics", stage.home + "/metrics",
        "--log-file", stage.home + "/log", "--notify",
        "{ echo $ARCHIVER_EXIT_CODE; cat; } >> \(told)",
      ]
      func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      }
      let process = try Program.start(words, home: stage.home, environment: stage.environment)
      for _ in 0..<500 where !stage.server.requests.contains(where: { $0.path.hasPrefix("/bm/") }) {
        try await Task.sleep(for: .milliseconds(10))
      }
      process.signal(signal)
      #expect(try await process.wait() == CrashMark.exitCode)
      #expect(process.errorOutput.split(separator: "\n").count == 1, "\(process.errorOutput)")
      let report = text(told)
      #expect(report.hasPrefix("70\narchiver: The program crashed;"), "\(report)")
      #expect(text(stage.home + "/metrics").contains("\narchiver_run_exit_code 70\n"))
      #expect(text(stage.home + "/log").contains("error: The program crashed;"))
      stage.tamper(nil)
      let next = try await Program.run(words, home: stage.home, environment: stage.environment)
      #expect(next.code == 0 && next.error.isEmpty, "\(next)")
      #expect(text(told) == report)
      #expect(try stage.bundles().count == 1)
    }
  }
}
