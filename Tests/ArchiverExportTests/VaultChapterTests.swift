import ArchiverCore
import ArchiverStorage
import Testing

@testable import ArchiverExport

/// The chapters of books in the folder of Markdown files.
@Suite struct VaultChapterTests {
  private static let folder = "files/bb/"

  /// Adds a book of three pages with a table of contents of two.
  private func book(
    _ shelf: Shelf, title: String = "Boats", third: String = "<p>The end.</p>"
  ) throws {
    try shelf.put("b", title: title, html: "<p>About boats</p>") { $0.metadata.kind = .book }
    let pages = [
      "contents.html":
        "<div class=\"book contents\"><h1>Boats</h1><ol><li><a href=\"0001.html\">Wood: a start</a>"
        + "</li><li><a href=\"0002.html#c-sail\">Sails</a></li></ol></div>",
      "0001.html": "<h1>Wood</h1><p>See <a href=\"0002.html#c-sail\">sails</a>, "
        + "<a href=\"../../index.html\">the book</a> and <a href=\"0009.html\">nothing</a>.</p>",
      "0002.html":
        "<section><h2 id=\"c-sail\">Sails</h2><img src=\"../assets/0001.png\" alt=\"A sail\">"
        + "<p id=\"c-other\">Cloth</p></section>",
      "0003.html": third,
    ]
    let root = "\(shelf.root)/readeck/b-bb/book"
    for folder in ["text", "assets"] {
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    try Data("a sail".utf8).write(to: URL(filePath: "\(root)/assets/0001.png"))
    for (name, text) in pages {
      let page = "<nav>bar</nav><main id=\"content\">\(text)</main><footer>bar</footer>"
      try Data((text.isEmpty ? "" : page).utf8).write(to: URL(filePath: "\(root)/text/\(name)"))
    }
  }

  @Test func `chapters are files with links, images and a list in the file of the book`() throws {
    let shelf = try Shelf()
    try book(shelf)
    #expect(try shelf.export().copied == 0, "without the option there are none")
    let outcome = try shelf.export(hasChapters: true)
    #expect(outcome.copied == 4 && outcome.failed.isEmpty && outcome.lostLinks == 1)
    let book = try shelf.note("Boats.md")
    #expect(
      book.contains(
        "## Contents\n\n1. [Wood: a start](files/bb/0001%20Wood%20a%20start.md)\n"
          + "2. [Sails](files/bb/0002%20Sails.md#c-sail)"))
    #expect(
      try shelf.note(Self.folder + "0001 Wood a start.md")
        == "[Boats](../../Boats.md) · [→](0002%20Sails.md)\n\n# Wood\n\n"
        + "See [sails](0002%20Sails.md#c-sail), [the book](../../Boats.md) and nothing.\n")
    #expect(
      try shelf.note(Self.folder + "0002 Sails.md")
        == "[←](0001%20Wood%20a%20start.md) · [Boats](../../Boats.md) · [→](0003.md)\n\n"
        + "## <a id=\"c-sail\"></a>Sails\n\n![A sail](book-0001.png)\n\nCloth\n")
    #expect(try shelf.note(Self.folder + "book-0001.png") == "a sail")
  }

  @Test func `a book's own title stays above its contents if the catalog has another`() throws {
    let shelf = try Shelf()
    try book(shelf, title: "Ships")
    try shelf.export(hasChapters: true)
    let ships = try shelf.note("Ships.md")
    #expect(ships.contains("# Ships\n") && ships.contains("## Contents\n\n# Boats\n\n1. [Wood"))
    try book(shelf)
    try shelf.export(hasChapters: true)
    let boats = try shelf.note("Ships.md")
    #expect(boats.contains("# Boats\n") && boats.contains("## Contents\n\n1. [Wood"))
  }

  @Test func `a chapter that changed is written, one that the user changed is kept and named`()
    throws
  {
    let shelf = try Shelf()
    try book(shelf)
    try shelf.export(hasChapters: true)
    let before = try shelf.files("vault")
    let same = try shelf.export(hasChapters: true)
    #expect(try same.copied == 0 && same.written.isEmpty && shelf.files("vault") == before)
    try book(shelf, third: "<p>Another end.</p>")
    #expect(try shelf.export(hasChapters: true, isDry: true).copied == 1)
    #expect(try shelf.files("vault") == before)
    #expect(try shelf.export(hasChapters: true).copied == 1)
    #expect(try shelf.note(Self.folder + "0003.md").contains("Another end."))
    try shelf.edit(Self.folder + "0003.md", "Another", "My")
    try book(shelf, third: "<p>A third end.</p>")
    let kept = try shelf.export(hasChapters: true)
    #expect(kept.keptFiles == [Self.folder + "0003.md"] && kept.copied == 0)
    #expect(try shelf.note(Self.folder + "0003.md").contains("My end."))
    let without = try shelf.export()
    #expect(without.keptFiles == [Self.folder + "0003.md"])
    #expect(try shelf.files("vault/files").keys.sorted() == ["bb/0003.md"])
  }

  @Test func `a drawing in a chapter stays a drawing, and one that frames an image is the image`()
    throws
  {
    let shelf = try Shelf()
    try book(
      shelf,
      third:
        "<p>Mast</p><svg viewBox=\"0 0 9 9\"><title>A sail</title><image href=\"../assets/0001.png\"/></svg>"
        + "<svg viewBox=\"0 0 9 9\"><path id=\"c-m\" d=\"M 0 0 L 9\n9\"/><text x=\"1\">Two *masts*</text>"
        + "<image href=\"../assets/0001.png\"/></svg>")
    let outcome = try shelf.export(hasChapters: true)
    #expect(outcome.lostLinks == 1, "that of the first page")
    let text = try shelf.note(Self.folder + "0003.md")
    #expect(
      text.hasSuffix(
        "\n\nMast\n\nA sail![](book-0001.png)\n\n<div>\n<svg viewbox=\"0 0 9 9\"><path id=\"c-m\" "
          + "d=\"M 0 0 L 9\n9\"></path><text x=\"1\">Two *masts*</text>"
          + "<image href=\"book-0001.png\"></image></svg>\n</div>\n"))
  }

  @Test func `a page of a book that cannot be converted costs that page`() throws {
    let shelf = try Shelf()
    try book(shelf, third: "")
    let outcome = try shelf.export(hasChapters: true)
    #expect(outcome.failed.map(\.folder) == ["readeck/b-bb/book/text/0003.html"])
    #expect(outcome.written == ["Boats.md"] && outcome.copied == 3)
  }

  @Test func `a table of contents that cannot be converted is told, and the chapters are listed`()
    throws
  {
    let shelf = try Shelf()
    try book(shelf)
    try Data().write(
      to: URL(filePath: "\(shelf.root)/readeck/b-bb/book/text/contents.html"))
    let outcome = try shelf.export(hasChapters: true)
    #expect(outcome.failed.map(\.folder) == ["readeck/b-bb/book/text/contents.html"])
    #expect(try shelf.note("Boats.md").contains("- [Wood](files/bb/0001%20Wood.md)"))
  }
}
