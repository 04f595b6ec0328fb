import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct NameResolverTests {
  @Test func `at most 16 names are looked up at the same time`() async throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let running = Mutex(0)
    let isOpen = Mutex(false)
    let resolver = NameResolver(replacement: nil) { _ in
      running.withLock { $0 += 1 }
      while !isOpen.withLock({ $0 }) { usleep(1_000) }
      return [address]
    }
    let tasks = (0..<40).map { number in
      Task { await resolver.addresses(of: "\(number).example", timeout: .seconds(60)) }
    }
    while running.withLock({ $0 }) < 16 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(100))
    #expect(running.withLock { $0 } == 16)
    isOpen.withLock { $0 = true }
    for task in tasks { #expect(await task.value == [address]) }
  }

  @Test func `a task that is cancelled already looks nothing up`() async throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let lookUps = Mutex(0)
    let resolver = NameResolver(replacement: nil) { _ in
      lookUps.withLock { $0 += 1 }
      return [address]
    }
    let answers = Mutex<[[IPAddress]?]>([])
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      let answer = await resolver.addresses(of: "a.example", timeout: .seconds(60))
      answers.withLock { $0.append(answer) }
    }
    task.cancel()
    try await Condition.wait(limit: .seconds(20)) { answers.withLock { !$0.isEmpty } }
    #expect(answers.withLock { $0 } == [nil])
    #expect(lookUps.withLock { $0 } == 0)
  }
}
