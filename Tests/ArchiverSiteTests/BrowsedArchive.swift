import ArchiverCore
import ArchiverStorage

@testable import ArchiverSite

/// A small archive of every kind of item, with bundles, written to a folder for browsers to open.
enum BrowsedArchive {
  static let hostile = "</title><script>document.title='planted'</script>Hostile <b>title</b>"
  static let texts = [
    "The harbour was quiet. A lighthouse stood beyond the harbour, and the harbour slept.",
    "One harbour among many words about mountains, rivers, roads, cities and slow trains.",
    "Éclairs and crème brûlée, baked slowly in an old kitchen.",
    "我喜欢在城市里慢慢读书，也喜欢旧书店。",
    "A lighthouse keeper wrote letters. The old harbour office kept none of them.",
    "Nothing here but plain words.",
  ]

  /// Six articles, 40 linked pages, three books.
  static func write(to root: String, bodies: Bool = true) throws {
    var sample = SampleArchive()
    var items: [CatalogItem] = []
    for (number, text) in texts.enumerated() {
      var item = sample.item(number)
      item.metadata.kind = .article
      item.metadata.title = number == 5 ? hostile : "Piece \(number)"
      item.metadata.labels = number == 4 ? ["sea side"] : ["land"]
      item.metadata.isFavourite = number == 2
      item.metadata.isArchived = false
      item.metadata.readProgress = 0
      item.metadata.authors = []
      item.annotations =
        number == 0 ? [Annotation(id: "h", text: "was quiet", note: "A note", color: "red")] : []
      items.append(item)
      var body = "<p>\(text)</p>"
      if number == 2 { body += String(repeating: "<p>More of it.</p>", count: 200) }
      if number == 5 {
        body += "<script>document.title='planted'</script>"
        body += "<img src=\"x\" onerror=\"document.title='planted'\" alt=\"\">"
      }
      try write(item, body, root)
    }
    let graph = SampleGraph(40)
    try graph.write(to: root)
    for item in graph.items { try write(item, "<p>A page of the workspace.</p>", root) }
    for number in 0..<3 {
      var item = sample.item(100 + number, source: "books")
      item.metadata.kind = .book
      item.metadata.title = "Volume \(3 - number)"
      item.folder = "books/volume-\(3 - number)"
      item.metadata.properties = [ItemProperty("Series", "The Long Tide [\(3 - number)]")]
      items.append(item)
      try write(item, "<p>About the book.</p>", root)
      if number == 2 { try writeChapters("\(root)/\(item.folder)") }
    }
    let catalog = MemoryCatalog(items + graph.items)
    catalog.change { state in
      state.sources = ["books", "notion", "readeck"].map { SourceStatus(source: $0, kind: $0) }
    }
    _ = try LibraryBuilder(root: root, catalog: catalog).update(isChanged: true)
  }

  /// Writes three chapters of the book, and a page about it that leads to the first.
  private static func writeChapters(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/book/text", withIntermediateDirectories: true)
    let about =
      "<!doctype html><base target=\"_top\"><a href=\"../../index.html\">Library</a><p class=\"read\"><a class=\"button\" href=\"book/text/0001.html\">Read</a>"
    try Data(about.utf8).write(to: URL(fileURLWithPath: "\(folder)/index.html"))
    for number in 1...3 {
      let links = [number - 1, number + 1].map { other in
        (1...3).contains(other)
          ? "<a rel=\"\(other < number ? "prev" : "next")\" href=\"000\(other).html\">turn</a>" : ""
      }
      let back = "<a href=\"../../../../index.html\">Library</a>"
      let text = back + String(repeating: "<p>Words of chapter \(number).", count: 200)
      let page =
        "<!doctype html><title>Chapter \(number)</title><body>\(links.joined())<a id=\"out\" href=\"https://example.org/\">out</a>\(text)"
      try Data(page.utf8).write(to: URL(fileURLWithPath: "\(folder)/book/text/000\(number).html"))
    }
  }

  private static func write(_ item: CatalogItem, _ body: String, _ root: String) throws {
    let folder = "\(root)/\(item.folder)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let page = ReadingPage.render(
      ReadingPageContent(item: item, body: .html(Array(body.utf8))))
    try Data(page).write(to: URL(fileURLWithPath: "\(folder)/index.html"))
  }

  /// The pages of the library, for checks of every page.
  static let pages = [
    "index.html", "library/labels.html", "library/sources.html", "library/dates.html",
    "library/books.html", "library/highlights.html", "library/graph.html",
    "library/statistics.html", "library/problems.html",
  ]
}
