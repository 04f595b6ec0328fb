import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct ConformanceTests {
  @Test(arguments: [(0, 22, 3), (0, 21, 6), (0, 20, 4), (0, 19, 0), (0, 16, 0)])
  func `keeps the contract of adapters`(version: (major: Int, minor: Int, patch: Int)) async throws
  {
    let stage = try ReadeckStage()
    stage.server.behaviour.version = version
    let ids = stage.fill(7)
    stage.server.delete(ids[3])
    let refused = try ReadeckStage(server: stage.server, token: "wrong-token")
    let subject = AdapterConformance<ReadeckAdapter>.Subject(
      client: stage.client, refusedClient: refused.client, secret: Secret("wrong-token"),
      gone: ItemReference(id: ids[3], revision: ""))
    let conformance = AdapterConformance<ReadeckAdapter>(subject) { client in
      try ReadeckAdapter(
        configuration: stage.configuration, context: AdapterContext(name: "readeck", http: client))
    }
    #expect(await conformance.violations() == [])
  }

  @Test func `finds nothing wrong with a flawless toy`() async {
    #expect(await ToyAdapter.violations(nil) == [])
  }

  @Test(arguments: ToyAdapter.Flaw.allCases)
  func `finds each flaw of a toy`(flaw: ToyAdapter.Flaw) async {
    let violations = await ToyAdapter.violations(flaw)
    #expect(violations.contains { $0.hasPrefix("\(flaw.sentence): ") }, "\(violations)")
  }
}
