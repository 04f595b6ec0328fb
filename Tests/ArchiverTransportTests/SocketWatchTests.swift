import Testing

@testable import ArchiverTransport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct SocketWatchTests {
  @Test func `a waiter is woken once by any number of earlier calls`() throws {
    let watch = try #require(SocketWatch())
    for _ in 0..<100_000 { watch.wake() }
    let start = ContinuousClock.now
    #expect(watch.wait(20_000).isEmpty)
    #expect(ContinuousClock.now - start < .seconds(10))
    let later = ContinuousClock.now
    #expect(watch.wait(30).isEmpty)
    #expect(ContinuousClock.now - later >= .milliseconds(29))
  }

  @Test func `a waiter is woken from another thread`() async throws {
    let watch = try #require(SocketWatch())
    #expect(
      Thread.start {
        usleep(20_000)
        watch.wake()
      })
    let start = ContinuousClock.now
    #expect(watch.wait(20_000).isEmpty)
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
