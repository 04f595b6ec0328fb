import ArchiverCore
import Dispatch
import Testing

@testable import ArchiverCLI

@Suite struct DescriptorOutputTests {
  /// A parent process, such as a shell with an event loop, may have made standard output
  /// non-blocking.
  @Test func `a stream that does not block is waited for without work`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
    let reading = ends[0]
    let before = processorTime()
    DispatchQueue(label: "reader").async {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      usleep(500_000)
      while read(reading, &buffer, buffer.count) > 0 {}
      close(reading)
    }
    let output = DescriptorOutput(ends[1])
    output.write(String(repeating: "x", count: 300_000))
    #expect(!output.isClosed)
    #expect(processorTime() - before < 0.2)
    close(ends[1])
  }

  /// The CPU time of this thread, in seconds.
  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
