import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverExport

/// Lists of items in formats of other programs.
@Suite struct ListTests {
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.put("a", title: "Maps, \"old\" & new", html: "<p>First</p>") { item in
      item.metadata.labels = ["to read", "a,b"]
      item.metadata.authors = ["Ann", "Bo"]
      item.metadata.summary = "Line\n<one>"
      var first = Annotation(id: "n1", text: "Say \"it\",\nthen", note: "why", color: "blue")
      first.created = Date(timeIntervalSince1970: 1_700_000_100)
      item.annotations = [first, Annotation(id: "n2", text: "# two")]
    }
    try shelf.put("b", title: "Boats", html: "<p>Second</p>") { $0.metadata.url = nil }
    return shelf
  }

  @Test func `highlights are what Readwise takes, Markdown or JSON`() throws {
    let items = try shelf().items
    let csv = try HighlightExport.file(items, .csv)
    #expect(csv.count == 2)
    #expect(
      String(decoding: csv.bytes, as: UTF8.self)
        == "Highlight,Title,Author,URL,Note,Location,Date\r\n"
        + "\"Say \"\"it\"\",\nthen\",\"Maps, \"\"old\"\" & new\",\"Ann, Bo\",https://example.org/a,why,1,"
        + "2023-11-14T22:15:00Z\r\n"
        + "# two,\"Maps, \"\"old\"\" & new\",\"Ann, Bo\",https://example.org/a,,2,\r\n")
    let markdown = String(
      decoding: try HighlightExport.file(items, .markdown).bytes, as: UTF8.self)
    #expect(
      markdown == "## [Maps, \"old\" & new](https://example.org/a)\n\nAnn, Bo\n\n"
        + "> Say \"it\",\n>\n> then\n\nwhy\n\n> \\# two\n")
    let json = try HighlightExport.file(items, .json).bytes
    struct Document: Decodable {
      struct Line: Decodable {
        let id: String
        let item: String
        let note: String?
        let created: String?
      }
      let format: Int
      let highlights: [Line]
    }
    let document = try JSONDecoder().decode(Document.self, from: Data(json))
    #expect(document.format == 1 && document.highlights.map(\.id) == ["n1", "n2"])
    #expect(document.highlights[0].created == "2023-11-14T22:15:00Z")
    #expect(HighlightExport.Format(path: "x.CSV") == .csv)
    #expect(HighlightExport.Format(path: "x.txt") == nil)
  }

  @Test func `a comma in a label of a bookmark is one space`() throws {
    let shelf = try Shelf()
    try shelf.put("a", title: "Maps", html: "<p>First</p>") { item in
      item.metadata.labels = ["a, b", ",", "c\nd"]
    }
    let outcome = BookmarkExport.file(shelf.items)
    #expect(String(decoding: outcome.bytes, as: UTF8.self).contains(" TAGS=\"a b,c d\">"))
    #expect(outcome.changedLabels == 2)
  }

  @Test func `bookmarks have URL, date and labels, and items without a URL are reported`() throws {
    let outcome = BookmarkExport.file(try shelf().items)
    let text = String(decoding: outcome.bytes, as: UTF8.self)
    #expect(outcome.count == 1 && outcome.left == ["Boats"] && outcome.changedLabels == 1)
    #expect(text.hasPrefix("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"))
    #expect(
      text.contains(
        "<DT><A HREF=\"https://example.org/a\" ADD_DATE=\"1700000000\" TAGS=\"to read,a b\">"
          + "Maps, \"old\" &amp; new</A>\n    <DD>Line &lt;one&gt;\n"))
  }

  @Test func `records have every key of the item and its text, one a line`() throws {
    let shelf = try shelf()
    let path = shelf.home + "/all.jsonl"
    try FileManager.default.removeItem(atPath: shelf.root + "/readeck/b-bb/item.json")
    let outcome = try RecordExport.write(shelf.items, root: shelf.root, to: path)
    #expect(outcome.count == 1 && outcome.failed.map(\.folder) == ["readeck/b-bb"])
    let lines = try shelf.text("all.jsonl").split(separator: "\n")
    #expect(lines.count == 1)
    let data = Data(lines[0].utf8)
    struct Bare: Decodable { let id: String, state: String, html: String, firstArchived: String }
    let line = try JSONDecoder().decode(Bare.self, from: data)
    #expect(line.id == "a" && line.state == "archived" && line.html == "<p>First</p>")
    #expect(line.firstArchived == "2023-11-14T22:13:20Z")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shelf.home).sorted() == [
        "all.jsonl", "archive",
      ])
  }
}
