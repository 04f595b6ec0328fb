import ArchiverCore
import Synchronization
import Testing

@testable import ArchiverTransport

@Suite struct ResolverLimitTests {
  @Test func `look-ups that ended earlier allow no more than 16 at the same time`() async throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let running = Mutex((now: 0, most: 0))
    let resolver = NameResolver(replacement: nil) { name in
      guard name.hasSuffix(".late.example") else { return [address] }
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      while running.withLock({ $0.most < 16 }) { usleep(1_000) }
      usleep(5_000)
      running.withLock { $0.now -= 1 }
      return [address]
    }
    for number in 0..<20 {
      let answer = await resolver.addresses(of: "\(number).example", timeout: .seconds(60))
      #expect(answer == [address])
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let name = "\(number).late.example"
          #expect(await resolver.addresses(of: name, timeout: .seconds(60)) == [address])
        }
      }
    }
    #expect(running.withLock { $0.most } == 16)
  }

  @Test func `4096 answers are remembered, and the next one replaces them`() async throws {
    let address = try #require(IPAddress("192.0.2.1"))
    let lookUps = Mutex(0)
    let resolver = NameResolver(replacement: nil) { name in
      if name == "a.example" { lookUps.withLock { $0 += 1 } }
      return [address]
    }
    func ask(_ name: String) async -> [IPAddress]? {
      await resolver.addresses(of: name, timeout: .seconds(60))
    }
    #expect(await ask("a.example") == [address])
    await withTaskGroup(of: Void.self) { group in
      for number in 1..<4_096 {
        group.addTask {
          _ = await resolver.addresses(of: "\(number).example", timeout: .seconds(60))
        }
      }
    }
    #expect(await ask("a.example") == [address])
    #expect(lookUps.withLock { $0 } == 1)
    #expect(await ask("last.example") == [address])
    #expect(await ask("a.example") == [address])
    #expect(lookUps.withLock { $0 } == 2)
  }
}
