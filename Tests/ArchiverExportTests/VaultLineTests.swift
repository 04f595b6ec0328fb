import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverExport

/// Line ends and control characters in the folder of Markdown files.
@Suite struct VaultLineTests {
  private func save(_ shelf: Shelf, _ file: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: shelf.vault + "/" + file))
  }

  /// Returns the text with `\r\n` in place of `\n`, as Windows and git's `autocrlf` write it.
  private func windows(_ text: String) -> String {
    String(
      text.unicodeScalars.reduce(into: String.UnicodeScalarView()) {
        if $1 == "\n" { $0.append("\r") }
        $0.append($1)
      })
  }

  @Test func `a file whose lines end as on Windows is updated and keeps its line ends`() throws {
    let shelf = try Shelf()
    try shelf.put("b", title: "Boats", html: "<p>Second</p><pre>one\ntwo</pre>")
    try shelf.export()
    let first = windows(try shelf.note("Boats.md"))
    try save(shelf, "Boats.md", first)
    let same = try shelf.export()
    #expect(same.written.isEmpty && same.unchanged == 1 && same.edited.isEmpty)
    try shelf.put("b", title: "Ships", html: "<p>Third</p><pre>one\ntwo</pre>")
    #expect(try shelf.export().written == ["Boats.md"])
    let text = try shelf.note("Boats.md")
    let expected = first.replacing("Second", with: "Third").replacing("Boats", with: "Ships")
    func body(_ text: String) -> [String] {
      text.split(separator: "\r\n").map(String.init).filter { !$0.hasPrefix("<!--") }
    }
    #expect(body(text) == body(expected))
    #expect(text.unicodeScalars.count { $0 == "\n" } == text.unicodeScalars.count { $0 == "\r" })
  }

  @Test func `what the user wrote keeps its own line ends`() throws {
    let shelf = try Shelf()
    try shelf.put("b", title: "Boats", html: "<p>Second</p>")
    try shelf.export()
    let note = "\n\nMine\r\non two\u{2028}or\u{85}three\u{C}lines\n"
    try save(shelf, "Boats.md", try shelf.note("Boats.md") + note)
    try shelf.put("b", title: "Boats", html: "<p>Third</p>")
    #expect(try shelf.export().written == ["Boats.md"])
    let text = try shelf.note("Boats.md")
    #expect(text.contains("Third"))
    #expect(text.utf8.reversed().starts(with: note.utf8.reversed()))
  }

  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "&#13;"])
  func `a text with an unusual end of line is not taken for one that the user changed`(
    end: String
  ) throws {
    let shelf = try Shelf()
    try shelf.put("b", title: "Boats", html: "<pre>one\(end)two</pre><p>a\(end)b</p>")
    try shelf.export()
    let again = try shelf.export()
    #expect(again.edited.isEmpty && again.unchanged == 1)
    try shelf.put("b", title: "Boats", html: "<pre>one\(end)three</pre>")
    let changed = try shelf.export()
    #expect(changed.edited.isEmpty && changed.written == ["Boats.md"])
    #expect(try shelf.note("Boats.md").contains("three"))
  }

  @Test func `a text that quotes the marks is updated, and left alone if the user changed it`()
    throws
  {
    let shelf = try Shelf()
    let quote =
      "<pre>&lt;!-- archiver:begin x facts=y --&gt;\n&lt;!-- archiver:end --&gt;\nrest</pre>"
    try shelf.put("b", title: "Boats", html: quote)
    try shelf.export()
    let note = "\n\n<!-- archiver:end -->\nMine\n"
    try save(shelf, "Boats.md", try shelf.note("Boats.md") + note)
    #expect(try shelf.export().unchanged == 1)
    try shelf.put("b", title: "Boats", html: quote + "<p>Third</p>")
    #expect(try shelf.export().written == ["Boats.md"])
    let text = try shelf.note("Boats.md")
    #expect(text.contains("rest") && text.contains("Third") && text.hasSuffix(note))
    try shelf.edit("Boats.md", "Third", "Fourth")
    try shelf.put("b", title: "Boats", html: quote + "<p>Fifth</p>")
    #expect(try shelf.export().unmarked == ["Boats.md"])
    #expect(try shelf.note("Boats.md").contains("Fourth"))
  }

  @Test func `front matter has no character that strict readers of YAML refuse`() throws {
    let shelf = try Shelf()
    let odd = "It\u{92}s \u{7}1\u{7F}\u{FFFF}\u{FEFF}2 \u{1F600}"
    try shelf.put("b", title: odd, html: "<p>x</p>") { $0.metadata.labels = ["a\u{9D}b"] }
    let file = try #require(try shelf.export().written.first)
    let lines = try shelf.note(file).split(separator: "\n")
    #expect(lines[1] == "title: \"It\\u0092s \\u00071\\u007f\\uffff\u{FEFF}2 \u{1F600}\"")
    #expect(lines.contains("  - \"a\\u009db\""))
  }
}
