import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverCLI

@Suite struct AtomicFileTests {
  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a planted file beside the target is not written`() async throws {
    try await TemporaryFolder.with("atomic") { folder in
      let path = folder + "/figures.prom"
      let other = folder + "/other"
      try Data("theirs".utf8).write(to: URL(filePath: other))
      // Under the name that a process is expected to use.
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

  @Test func `a slow reader of a pipe gets all output`() async throws {
    try await TemporaryFolder.with("atomic") { folder in
      let pipe = folder + "/pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      // Opened for reading and writing, neither end blocks.
      let reader = open(pipe, O_RDONLY | O_NONBLOCK)
      try #require(reader >= 0)
      defer { close(reader) }
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
      async let got = Task.detached {
        var (got, piece): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 4_096))
        let end = ContinuousClock.now + .seconds(20)
        usleep(200_000)
        while got.count < bytes.count, ContinuousClock.now < end {
          let count = read(reader, &piece, piece.count)
          if count > 0 { got += piece[..<count] } else { usleep(1_000) }
        }
        return got
      }.value
      let failure = await Task.detached {
        do throws(AtomicFile.Failure) {
          try AtomicFile.write(bytes, to: pipe, mode: 0o600, isNamedByUser: true)
          return ""
        } catch {
          return error.description
        }
      }.value
      #expect(failure == "")
      let isWhole = await got == bytes
      #expect(isWhole)
    }
  }
}
