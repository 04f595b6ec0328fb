import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Links that show an item's title show its current title.
struct LinkTitleTests {
  @Test func `an item called otherwise is so in the links to it, without a request or a version`()
    async throws
  {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0)
    let address = "https://site.example/item1"
    item.html =
      (item.html ?? "")
      + "<p><a class=\"title\" href=\"\(address)\"><span class=\"icon\">*</span>Article 1</a> and "
      + "<a href=\"\(address)\">these words</a></p>"
    source.set(item)
    source.set(ScriptedSource.article(1))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.page("item0").contains("</span>Article 1</a>"))
      source.change("item1") {
        $0.title = "A <new> title"
        $0.revision = "2"
      }
      let asked = source.itemRequests.count
      _ = try await bench.run()
      let page = try bench.page("item0")
      #expect(page.contains("<span class=\"icon\">*</span>A &lt;new&gt; title</a>"))
      #expect(page.contains(">these words</a>"))
      #expect(Array(source.itemRequests.dropFirst(asked)) == ["item1"])
      #expect(try bench.item("item0").versions.isEmpty)
      #expect(try await bench.verify().isEmpty)
      let before = try bench.snapshot()
      _ = try await bench.run()
      #expect(try bench.snapshot() == before)
    }
  }

  @Test func `the library finds a page by the current titles of its links`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(0)
    item.html =
      "<p>Before <a class=\"title\" href=\"https://site.example/item1\">Article 1</a> after</p>"
    source.set(item)
    source.set(ScriptedSource.article(1))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try bench.libraryTexts().contains { $0.contains("Before Article 1 after") })
      for (revision, title) in [("2", "Kingfisher"), ("3", "Heron")] {
        source.change("item1") {
          $0.title = title
          $0.revision = revision
        }
        bench.advance(hours: 1)
        _ = try await bench.run()
        #expect(try bench.libraryTexts().contains { $0.contains("Before \(title) after") })
        #expect(try !bench.libraryTexts().contains { $0.contains("Before Article 1 after") })
      }
      // Without its store, the library merges the revisions of the search index.
      func files() throws -> [String: String] {
        try bench.snapshot().filter { !$0.key.hasPrefix("library/search/") }
      }
      let before = try files()
      try FileManager.default.removeItem(atPath: bench.path + "/.archiver/library")
      _ = try await bench.run()
      #expect(try files() == before)
    }
  }

  @Test(arguments: [
    (
      "<a class=\"t\" href=\"https://a.test/\">Old</a>",
      "<a class=\"t\" href=\"https://a.test/\">New</a>"
    ),
    ("<a class=\"t\" href=\"https://a.test/\"><span>i</span></a>", nil),
    ("<a class=\"t\" href=\"https://a.test/\"><em>Old</em> more</a>", nil),
    ("<a class=\"u\" href=\"https://a.test/\">Old</a>", nil),
    ("<a class=\"t\" href=\"https://a.test/\"></a>", nil),
    ("<p>Text", nil), ("", nil),
  ])
  func `only a title alone or after an icon is changed`(html: String, result: String?) {
    let new = LinkRewriter.retitled(Array(html.utf8), ["t"]) { _ in "New" }
    #expect(String(decoding: new, as: UTF8.self) == result ?? html)
  }
}
