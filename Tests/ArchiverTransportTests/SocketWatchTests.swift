import ArchiverCore
import Testing

@testable import ArchiverTransport

@Suite struct SocketWatchTests {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

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

  // CURL_POLL_IN, CURL_POLL_OUT and CURL_POLL_INOUT.
  @Test(arguments: [(1, false), (2, true), (3, true)] as [(Int32, Bool)])
  func `a socket is watched only for what curl waits for`(what: Int32, isReady: Bool) throws {
    let watch = try #require(SocketWatch())
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    // An empty pipe can be written.
    watch.watch(ends[1], what)
    #expect(watch.wait(30).isEmpty == !isReady)
  }

  // CURL_POLL_IN and CURL_CSELECT_IN are 1, _OUT are 2.
  @Test(arguments: [1, 2, 3] as [Int32])
  func `a socket that is ready for both is reported for what curl waits for`(what: Int32) throws {
    let watch = try #require(SocketWatch())
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Self.stream, 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try #require(write(ends[1], [7], 1) == 1)
    watch.watch(ends[0], what)
    #expect(watch.wait(20_000).map(\.events) == [what])
  }

  // CURL_POLL_REMOVE is 4.
  @Test func `a socket is watched once, for what curl asked last, until it is removed`() throws {
    let watch = try #require(SocketWatch())
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Self.stream, 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    for what in [1, 3, 2] as [Int32] { watch.watch(ends[0], what) }
    #expect(watch.isWatched(ends[0]) && !watch.isWatched(ends[1]))
    #expect(watch.wait(20_000).map(\.events) == [2])
    watch.watch(ends[1], 2)
    #expect(watch.wait(20_000).map(\.socket) == ends)
    watch.watch(ends[0], 4)
    #expect(watch.wait(20_000).map(\.socket) == [ends[1]])
    watch.watch(ends[0], 4)
    #expect(!watch.isWatched(ends[0]) && watch.isWatched(ends[1]))
  }

  // CURL_CSELECT_IN is 1, _ERR is 4.
  @Test func `a socket whose other end is gone, or that is none, is reported`() throws {
    let watch = try #require(SocketWatch())
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[1])
    watch.watch(ends[0], 1)
    #expect(watch.wait(20_000).map(\.events) == [1])
    watch.watch(ends[0], 4)
    close(ends[0])
    // No process has so many files open.
    watch.watch(99_999_999, 1)
    #expect(watch.wait(20_000).map(\.events) == [4])
  }
}
