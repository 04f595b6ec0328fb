import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

@Suite struct HostHealthTests {
  @Test func `a host that answers none of three requests is given up until it answers`() {
    let health = HostHealth()
    for _ in 0..<2 { health.failed("gone.example", reason: "it is gone") }
    #expect(health.givenUp("gone.example") == nil)
    health.failed("gone.example", reason: "it is gone")
    #expect(health.givenUp("gone.example") == "it is gone")
    #expect(health.givenUp("other.example") == nil)
    health.answered("gone.example")
    #expect(health.givenUp("gone.example") == nil)
  }

  @Test func `many images on an unreachable server cost few requests`() async throws {
    let source = ScriptedSource()
    source.set(ScriptedSource.article(0, pictures: 40))
    for picture in 0..<40 {
      source.picture(
        "/pic/0-\(picture).gif", ServerResponse(200).misbehaving(.stallAfter(0, .seconds(900))))
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run { $0.jobs = 1 }
      #expect(report.archived == 1)
      #expect(report.imagesMissing == 40)
      let asked = (0..<40).map { bench.requests("/pic/0-\($0).gif") }.reduce(0, +)
      // The item is fetched once more, as the server may have been away for a moment.
      #expect(asked == 2 * HostHealth.limit)
    }
  }
}
