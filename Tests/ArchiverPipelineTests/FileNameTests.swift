import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Tables and records of a bundle name its files by their paths in it.
struct FileNameTests {
  private static func written(_ text: String, _ files: [(String, String)]) -> String {
    var names = FileNames()
    for (address, path) in files { names.add(address, path) }
    return String(decoding: names.written(into: Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("a (archived-file:https://a.test/x.pdf), b", "a (assets/1.pdf), b"),
    ("{\"archived\":\"archived-file:https://a.test/x.pdf\"}", "{\"archived\":\"assets/1.pdf\"}"),
    ("(archived-file:https://a.test/f(1).pdf)", "(assets/2.pdf)"),
    ("(archived-file:https://a.test/gone.pdf)", "(https://a.test/gone.pdf)"),
    ("archived-file:https://a.test/gone?X-Amz-Signature=1", "https://a.test/gone"),
    ("archived-file:", ""), ("nothing", "nothing"), ("", ""),
  ])
  func `a mark becomes a path, or the address of a file that is not there`(
    text: String, result: String
  ) {
    let files = [
      ("https://a.test/x.pdf?X-Amz-Signature=abc", "assets/1.pdf"),
      ("https://a.test/f(1).pdf", "assets/2.pdf"),
    ]
    #expect(Self.written(text, files) == result)
  }

  @Test func `a record names files that were fetched and says what is not there`() async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.article(1, pictures: 0)
    let address = ScriptedSource.origin + "/film.mp4"
    let table = Array(
      "archived-file:\(address)\narchived-file:\(ScriptedSource.origin)/gone.mp4".utf8)
    item.attachments =
      [
        Attachment(.file, .inline(table), name: "database.csv", mediaType: "text/csv")
      ] + (WebURL(address).map { [Attachment(.file, .remote($0), name: "film.mp4")] } ?? [])
    source.set(item)
    source.picture(
      "/film.mp4", .data([0, 0, 0, 24] + Array("ftypmp42 film".utf8), type: "video/mp4"))
    try await Bench.with(source) { bench in
      #expect(try await bench.run().archived == 1)
      let text = try bench.text("item1", "assets/database.csv")
      let lines = text.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("assets/") && lines[0].hasSuffix(".mp4"))
      #expect(lines.last == "\(ScriptedSource.origin)/gone.mp4")
      #expect(try await bench.verify().isEmpty)
    }
  }

  @Test func `remarks at the end of an item do not change its text`() {
    func hash(_ html: String, remarks: String? = "n-comments") -> ContentHash {
      ContentHash(
        body: Array(html.utf8),
        item: SourceItem(
          reference: ItemReference(id: "1", revision: "1"),
          metadata: ItemMetadata(kind: .page, title: "T"), body: .none(reason: "")),
        origin: nil, remarks: remarks)
    }
    let (text, remark) = ("<p>Text</p>", "<div class=\"n-comments\"><p>Fine</p></div>")
    #expect(hash(text).hasSameContent(as: hash(text + remark)))
    #expect(hash(text) != hash(text + remark))
    #expect(!hash(text).hasSameContent(as: hash("<p>Other</p>" + remark)))
    #expect(!hash(text, remarks: nil).hasSameContent(as: hash(text + remark, remarks: nil)))
    // Words that look like it are text.
    #expect(
      !hash(text + remark + "x" + remark).hasSameContent(as: hash(text)))
  }
}
