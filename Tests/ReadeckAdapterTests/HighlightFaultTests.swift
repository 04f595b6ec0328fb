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

  @Test(arguments: ["12", "-3", "1e300", "null", "\"four\""])
  func `a highlight keeps its place in the delivered text`(offset: String) throws {
    let json = """
      {"id":"h","text":"t","start_selector":"section/p[1]","start_offset":\(offset),\
      "end_selector":"section/p[2]","end_offset":7}
      """
    let highlight = try JSONDecoder().decode(Highlight.self, from: Data(json.utf8))
    let place = Annotation.Position(selector: "section/p[1]", offset: Int(offset) ?? 0)
    #expect(highlight.start == (Int(offset) == nil ? nil : place))
    #expect(highlight.end == Annotation.Position(selector: "section/p[2]", offset: 7))
    #expect(highlight.hasUnreadablePlace == (Int(offset) == nil))
  }

  @Test func `an item has the places of its highlights`() async throws {
    let stage = try ReadeckStage()
    var bookmark = FakeReadeck.Bookmark(
      url: "https://example.org/1", title: "Marked", html: "<section><p>Some words.</p></section>")
    bookmark.highlights = [FakeReadeck.Bookmark.Highlight("Some")]
    let item = try await stage.adapter().fetch(stage.server.add(bookmark))
    let mark = try #require(item.annotations.first)
    #expect(mark.start == Annotation.Position(selector: "section/article/p[1]", offset: 0))
    #expect(mark.end == Annotation.Position(selector: "section/article/p[1]", offset: 4))
  }
}
