import ArchiverCore
import ArchiverTestKit
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
}
