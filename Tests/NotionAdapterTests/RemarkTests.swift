import ArchiverCore
import ArchiverTestKit
import Testing

@testable import NotionAdapter

/// Comments are remarks, not the page's text.
struct RemarkTests {
  @Test func `comments stand in one element at the end of the page`() async throws {
    let stage = try NotionStage()
    let page = stage.server.addPage("Page", blocks: [.text("paragraph", "Words")])
    let before = try await stage.html(page)
    stage.server.addComment("Fine", on: page, page: page)
    let html = try await stage.html(page)
    let name = try #require(NotionAdapter.properties.remarkClass)
    let start = try #require(html.firstRange(of: "<div class=\"\(name)\">"))
    #expect(html[..<start.lowerBound] == before)
    #expect(html.hasSuffix("</div>") && html.components("class=\"\(name)\"") == 2)
  }
}
