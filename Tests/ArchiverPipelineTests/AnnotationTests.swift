import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverPipeline

struct AnnotationTests {
  @Test func `a passage that is listed and not marked is known as such`() async throws {
    try await Bench.with(ScriptedSource(count: 0)) { bench in
      var item = ScriptedSource.article(1, pictures: 0)
      item.html = """
        <p>One <mark data-hl="A">quick</mark>
        and one <mark>brown</mark> fox.</p>
        """
      item.annotations = [
        Annotation(id: "A", text: "quick", color: "red"), Annotation(id: "B", text: "brown"),
      ]
      bench.source.set(item)
      #expect(try await bench.run().archived == 1)
      let found = try bench.item("item1").annotations
      #expect(found.map(\.id) == ["A", "B"])
      #expect(found.map(\.isUnmarked) == [nil, true])
      let page = try bench.page("item1")
      #expect(page.contains("href=\"#hl-A\""))
      #expect(page.contains("id=\"hl-A\""))
      #expect(page.contains("href=\"#:~:text=brown\""))
      #expect(try await bench.run().unchanged == 1)
    }
  }
}
