import ArchiverCore
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverTransport

struct NameResolverTests {
  /// Gathers answers that may never come.
  private final class Answers: Sendable {
    let list = Mutex<[[IPAddress]?]>([])

    @discardableResult
    func ask(_ resolver: NameResolver, timeout: Duration) -> Task<Void, Never> {
      Task {
        let answer = await resolver.addresses(of: "a.example", timeout: timeout)
        list.withLock { $0.append(answer) }
      }
    }
  }

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

  @Test func `a look-up that takes too long or is cancelled ends without an answer`() async throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let lookUps = Mutex(0)
    let isOpen = Mutex(false)
    defer { isOpen.withLock { $0 = true } }
    let resolver = NameResolver(replacement: nil) { _ in
      lookUps.withLock { $0 += 1 }
      while !isOpen.withLock({ $0 }) { usleep(1_000) }
      return [address]
    }
    let answers = Answers()
    answers.ask(resolver, timeout: .milliseconds(20))
    let patient = answers.ask(resolver, timeout: .seconds(60))
    try await Condition.wait(limit: .seconds(20)) { answers.list.withLock { $0.count == 1 } }
    patient.cancel()
    try await Condition.wait(limit: .seconds(20)) { answers.list.withLock { $0.count == 2 } }
    #expect(answers.list.withLock { $0 } == [nil, nil])
    isOpen.withLock { $0 = true }
    #expect(await resolver.addresses(of: "a.example", timeout: .seconds(60)) == [address])
    #expect(lookUps.withLock { $0 } == 1, "the next one waits for the look-up that goes on")
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

  @Test func `an answer is remembered, one without addresses is not, and the oldest make room`()
    async throws
  {
    let address = try #require(IPAddress("192.0.2.1"))
    let lookUps = Mutex<[String: Int]>([:])
    let resolver = NameResolver(replacement: nil) { name in
      lookUps.withLock { $0[name, default: 0] += 1 }
      return name == "none.example" ? [] : [address]
    }
    func ask(_ name: String) async -> [IPAddress]? {
      await resolver.addresses(of: name, timeout: .seconds(60))
    }
    for _ in 0..<3 {
      #expect(await ask("a.example") == [address])
      #expect(await ask("none.example") == [])
    }
    #expect(lookUps.withLock { $0 } == ["a.example": 1, "none.example": 3])
    // A page may name any number of hosts.
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4_100 {
        group.addTask {
          _ = await resolver.addresses(of: "\(number).example", timeout: .seconds(60))
        }
      }
    }
    #expect(await ask("a.example") == [address])
    #expect(lookUps.withLock { $0["a.example"] } == 2)
  }
}
