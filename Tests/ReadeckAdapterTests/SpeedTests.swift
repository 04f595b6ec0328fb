import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct SpeedTests {
  @Test func `lists and fetches two thousand articles with a hundred and two requests`()
    async throws
  {
    let stage = try ReadeckStage()
    let paragraph = "<p>\(String(repeating: "Words of an article. ", count: 100))</p>"
    for number in 1...2000 {
      stage.server.add(
        FakeReadeck.Bookmark(
          url: "https://example.org/\(number)", title: "Article \(number)",
          html: "<section>\(paragraph)</section>"))
    }
    let start = ContinuousClock.now
    let adapter = try stage.adapter()
    let references = try await adapter.listed().references
    for first in stride(from: 0, to: references.count, by: 20) {
      for result in await adapter.items(Array(references[first..<(first + 20)])) {
        #expect(throws: Never.self) { try result.get() }
      }
    }
    #expect(stage.paths.count == 102)
    // Far above the expected time, so that only a wrong complexity fails.
    #expect(ContinuousClock.now - start < .seconds(30))
  }
}
