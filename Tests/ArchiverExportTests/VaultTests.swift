import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverExport

/// Creating and updating the folder of Markdown files.
@Suite struct VaultTests {
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.put(
      "a", title: "Paper: maps?",
      html: "<p>First <img src=\"assets/1.png\" alt=\"x\"> "
        + "<a href=\"../b-bb/index.html\">other</a> <a href=\"../c-cc/index.html\">third</a></p>",
      assets: ["1.png": "one", "2.pdf": "leaflet"]
    ) { item in
      item.metadata.labels = ["to read", "2024"]
      item.metadata.authors = ["A \"B\" C"]
      item.annotations = [Annotation(id: "n", text: "Fi\nrst", note: "why", color: nil)]
    }
    try shelf.put("b", title: "Boats", html: "<p>Second</p>")
    return shelf
  }

  @Test func `a file holds facts, text, files and highlights`() throws {
    let shelf = try shelf()
    let outcome = try shelf.export()
    #expect(outcome.written.count == 2 && outcome.copied == 2 && outcome.failed.isEmpty)
    let note = try shelf.note("Paper maps.md")
    #expect(note.hasPrefix("---\ntitle: \"Paper: maps?\"\nauthors:\n  - \"A \\\"B\\\" C\"\n"))
    #expect(
      note.contains("saved: 2023-11-14T22:13:20Z\n") && note.contains("tags:\n  - \"to-read\"\n"))
    #expect(note.contains("![x](files/aa/1.png)") && note.contains("[other](Boats.md)"))
    #expect(note.contains("third") && outcome.lostLinks == 1)
    #expect(note.contains("- [2.pdf](files/aa/2.pdf)") && note.contains("> Fi\n>\n> rst\n\nwhy"))
    #expect(try shelf.text("vault/files/aa/1.png") == "one")
  }

  @Test func `the same items give the same bytes, and one changed item changes one file`() throws {
    let shelf = try shelf()
    try shelf.export()
    let first = try shelf.files("vault")
    let again = try shelf.export()
    #expect(again.written.isEmpty && again.unchanged == 2 && again.copied == 0)
    #expect(try shelf.files("vault") == first)
    try FileManager.default.removeItem(atPath: shelf.vault)
    try shelf.export()
    #expect(try shelf.files("vault") == first)
    // The name stays although the title changes.
    try shelf.put("b", title: "Ships", html: "<p>Second</p>")
    #expect(try shelf.export().written == ["Boats.md"])
    let changed = try shelf.files("vault").filter { first[$0.key] != $0.value }
    #expect(changed.keys.sorted() == ["Boats.md"])
  }

  @Test func `text that the user wrote around the managed part is kept, and the part is updated`()
    throws
  {
    let shelf = try shelf()
    try shelf.export()
    try shelf.edit("Boats.md", "title: \"Boats\"", "mine: 1\ntitle: \"Boats\"\nalso:\n  - x")
    try shelf.edit("Boats.md", "<!-- archiver:begin", "Before.\n\n<!-- archiver:begin")
    try shelf.edit("Boats.md", "archiver:end -->\n", "archiver:end -->\n\nAfter.\n")
    try shelf.put("b", title: "Ships", html: "<p>New</p>")
    let outcome = try shelf.export()
    #expect(outcome.edited.isEmpty && outcome.written == ["Boats.md"])
    let note = try shelf.note("Boats.md")
    #expect(note.contains("mine: 1\n") && note.contains("also:\n  - x\n"))
    #expect(note.contains("Before.\n\n<!--") && note.hasSuffix("archiver:end -->\n\nAfter.\n"))
    #expect(note.contains("title: \"Ships\"") && note.contains("New") && !note.contains("Second"))
  }

  @Test func `a user's change in the managed part is never overwritten, and is reported`() throws {
    let shelf = try shelf()
    try shelf.export()
    try shelf.edit("Boats.md", "Second", "Second, and mine")
    try shelf.put("b", title: "Ships", html: "<p>New</p>")
    for _ in 0..<2 {
      let outcome = try shelf.export()
      #expect(outcome.edited == ["Boats.md"])
      let note = try shelf.note("Boats.md")
      #expect(note.contains("Second, and mine") && !note.contains("New"))
      #expect(note.contains("title: \"Ships\""), "the facts were not touched")
    }
    try shelf.edit("Boats.md", "title: \"Ships\"", "title: \"My ships\"")
    try shelf.put("b", title: "Vessels", html: "<p>New</p>")
    try shelf.export()
    #expect(try shelf.note("Boats.md").contains("title: \"My ships\""))
    try shelf.edit("Boats.md", "<!-- archiver:end -->", "")
    #expect(try shelf.export().unmarked == ["Boats.md"])
  }

  @Test func `a file of another user's is never taken`() throws {
    let shelf = try shelf()
    try FileManager.default.createDirectory(
      atPath: shelf.vault, withIntermediateDirectories: true)
    try Data("mine\n".utf8).write(to: URL(filePath: shelf.vault + "/Boats.md"))
    #expect(try shelf.export().written.contains("Boats bb.md"))
    #expect(try shelf.note("Boats.md") == "mine\n")
    // Without the index, the files are identified by their front matter.
    try FileManager.default.removeItem(atPath: shelf.vault + "/.archiver-vault.json")
    let again = try shelf.export()
    #expect(again.written.isEmpty && again.unchanged == 2)
    try Data("changed".utf8).write(to: URL(filePath: shelf.vault + "/files/aa/1.png"))
    try shelf.put(
      "a", title: "Paper: maps?", html: "<p><img src=\"assets/1.png\"></p>",
      assets: ["1.png": "another"])
    #expect(try shelf.export().keptFiles == ["files/aa/1.png"])
    #expect(try shelf.text("vault/files/aa/1.png") == "changed")
  }

  @Test func `files of other items go only when asked, and only untouched ones`() throws {
    let shelf = try shelf()
    try shelf.put("d", title: "Touched", html: "<p>x</p>")
    try shelf.export()
    try shelf.edit("Touched.md", "archiver:end -->\n", "archiver:end -->\nmine\n")
    let before = try shelf.files("vault")
    let kept = try shelf.export([])
    #expect(kept.stale.count == 3 && kept.removed.isEmpty)
    let dry = try shelf.export([], prunes: true, isDry: true)
    #expect(dry.removed.count == 2)
    #expect(try shelf.files("vault") == before)
    let outcome = try shelf.export([], prunes: true)
    #expect(outcome.removed == ["Paper maps.md", "Boats.md"] && outcome.stale == ["Touched.md"])
    #expect(
      try shelf.files("vault").keys.sorted() == [".archiver-vault.json", "Touched.md"])
  }

  @Test(arguments: [
    ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j"), ("...dots. ", "dots"), ("CON", "_CON"),
    ("nul.txt", "_nul.txt"), ("[[link]] #tag ^id", "link tag id"), ("a\u{202E}b\u{0}c", "a b c"),
    ("日本語", "日本語"),
  ])
  func `names are fit for every file system`(title: String, expected: String) {
    #expect(VaultName.safe(title) == expected)
  }

  @Test func `a name is short and may make folders, and a template without a field is refused`()
    throws
  {
    #expect(VaultName.safe(String(repeating: "é", count: 300)).utf8.count <= 120)
    let shelf = try shelf()
    try shelf.export(name: "{source}/{year}/{date} {title}")
    let note = try shelf.note("readeck/2023/2023-11-14 Paper maps.md")
    #expect(note.contains("![x](../../files/aa/1.png)"))
    #expect(note.contains("[other](2023-11-14%20Boats.md)"))
    #expect(throws: VaultName.Invalid.self) { try VaultName("{nothing}") }
    #expect(throws: VaultName.Invalid.self) { try VaultName("all") }
    #expect(throws: VaultName.Invalid.self) { try VaultName("{title") }
  }
}
