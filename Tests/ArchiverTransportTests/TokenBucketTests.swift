import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

@Suite struct TokenBucketTests {
  @Test func `a sleep that ends half a microsecond early is not repeated`() async throws {
    let state = Mutex((now: Date(timeIntervalSince1970: 1_800_000_000), sleeps: 0))
    let clock = ArchiverClock(
      now: { state.withLock { $0.now } },
      sleep: { duration in
        let length = duration / .seconds(1)
        state.withLock {
          let missing: Double = $0.sleeps == 0 ? 5e-7 : 0
          $0.now += length - missing
          $0.sleeps += 1
        }
      })
    let bucket = TokenBucket(rate: 1, clock: clock)
    try await bucket.take()
    try await bucket.take()
    #expect(state.withLock { $0.sleeps } == 1)
  }

  @Test func `a free bucket has no waiting task`() async throws {
    let bucket = TokenBucket(rate: 1, clock: HeldClock().clock)
    #expect(await bucket.standing == 0)
    try await bucket.take()
    #expect(await bucket.standing == 0)
  }

  @Test func `a task that is cancelled already does not queue`() async throws {
    let clock = HeldClock()
    let bucket = TokenBucket(rate: 1, clock: clock.clock)
    try await bucket.take()
    let first = Task { try await bucket.take() }
    defer { first.cancel() }
    while await bucket.standing < 1 { await Task.yield() }
    let isRefused = Mutex(false)
    let second = Task {
      while !Task.isCancelled { await Task.yield() }
      do { try await bucket.take() } catch { isRefused.withLock { $0 = true } }
    }
    second.cancel()
    try await Condition.wait(limit: .seconds(5)) { isRefused.withLock { $0 } }
    #expect(await bucket.standing == 1)
    clock.pass(1)
    try await first.value
    #expect(await bucket.standing == 0)
  }
}
