import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct AtomicFileTests {
  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `nothing is written into a file that somebody put beside it`() async throws {
    try await TemporaryFolder.with("atomic") { folder in
      let path = folder + "/figures.prom"
      let other = folder + "/other"
      try Data("theirs".utf8).write(to: URL(filePath: other))
      // Under the name that a process can be expected to use.
      #expect(link(other, "\(path).\(getpid()).new") == 0)
      try AtomicFile.write("ours", to: path, mode: 0o600)
      #expect(text(path) == "ours")
      #expect(text(other) == "theirs")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_nlink == 1 && status.st_mode & 0o777 == 0o600)
      try AtomicFile.write("again", to: path, mode: 0o600)
      #expect(text(path) == "again")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }
  }
}
