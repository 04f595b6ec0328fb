import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

/// Optional requests that fail affect only their own content.
struct HighlightFaultTests {
  @Test(arguments: [500, 404, 502])
  func `highlights that cannot be read cost no article`(status: Int) async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/1", title: "Marked",
      html:
        "<section><p>Some <rd-annotation data-annotation-id-value=\"h1\">marked</rd-annotation> words.</p></section>"
    )
    bookmark.wordCount = 3
    let id = stage.server.add(bookmark)
    for _ in 0..<5 {
      stage.server.failNext(ServerResponse(status)) { $0.path.hasSuffix("/annotations") }
    }
    let item = try await stage.adapter().fetch(id)
    #expect(item.html.contains("words."))
    #expect(item.missing.map(\.name) == ["highlights"])
    #expect(item.missing.first?.isEssential == true)
  }
}
