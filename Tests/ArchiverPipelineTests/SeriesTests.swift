import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

@Suite struct SeriesTests {
  private static func book(
    _ number: Int, series: String = "Tides", position: String? = nil
  ) -> ScriptedSource.Item {
    var item = ScriptedSource.article(number, pictures: 0)
    item.kind = .book
    item.title = "Book \(number)"
    item.properties = [ItemProperty("Series", "\(series) [\(position ?? String(number))]")]
    return item
  }

  private static func shelf(_ numbers: Int...) -> ScriptedSource {
    let source = ScriptedSource()
    for number in numbers { source.set(book(number)) }
    return source
  }

  /// The titles that a book's page links to: `prev Book 1`.
  private static func neighbours(_ bench: Bench, _ id: String) throws -> [String] {
    let page = try bench.page(id)
    var found: [String] = []
    for link in page.matches(of: /<a href="([^"]+)" rel="(prev|next)"[^>]*>.*?<bdi>([^<]*)<\/bdi>/)
    {
      let number = link.output.3.split(separator: " ").dropLast().last ?? ""
      let folder = try bench.item("item\(number)").folder
      #expect(link.output.1 == "../../\(folder)/index.html")
      found.append("\(link.output.2) \(link.output.3)")
    }
    return found
  }

  @Test func `books of a series link to their neighbours`() async throws {
    let source = Self.shelf(1, 2, 10)
    source.set(Self.book(4, series: "Alone"))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item1") == ["next Book 2 [2]"])
      #expect(try Self.neighbours(bench, "item2") == ["prev Book 1 [1]", "next Book 10 [10]"])
      #expect(try Self.neighbours(bench, "item10") == ["prev Book 2 [2]"])
      #expect(try Self.neighbours(bench, "item4") == [])
      #expect(try bench.page("item4").contains("class=\"series\"") == false)
      #expect(try await bench.verify() == [])
      let before = try bench.snapshot()
      _ = try await bench.run()
      #expect(try bench.snapshot() == before)
    }
  }

  @Test func `neighbours that come, move, are renamed or leave are seen at once`() async throws {
    let source = Self.shelf(1, 3)
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item1") == ["next Book 3 [3]"])
      source.set(Self.book(2))
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item1") == ["next Book 2 [2]"])
      #expect(try Self.neighbours(bench, "item3") == ["prev Book 2 [2]"])
      source.change("item2") {
        $0.properties = [ItemProperty("Series", "Tides [4]")]
        $0.revision = "2"
      }
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item1") == ["next Book 3 [3]"])
      #expect(try Self.neighbours(bench, "item2") == ["prev Book 3 [3]"])
      source.change("item3") {
        $0.title = "The Third Book 3"
        $0.revision = "2"
      }
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item1") == ["next The Third Book 3 [3]"])
      try bench.archive.remove(bench.item("item3").key)
      try LinkMender(archive: bench.archive).mend()
      #expect(try Self.neighbours(bench, "item1") == ["next Book 2 [4]"])
      #expect(try await bench.verify() == [])
      #expect(try bench.item("item1").versions.isEmpty, "a neighbour makes no version")
    }
  }

  @Test func `a catalog rebuilt knows the series`() async throws {
    try await TemporaryFolder.with("series") { path in
      let source = Self.shelf(1, 2)
      do {
        let bench = try Bench(source, path: path + "/archive")
        _ = try await bench.run()
      }
      _ = try Archive.rebuildCatalog(path: path + "/archive")
      let bench = try Bench(source, path: path + "/archive")
      source.set(Self.book(3))
      _ = try await bench.run()
      #expect(try Self.neighbours(bench, "item2") == ["prev Book 1 [1]", "next Book 3 [3]"])
    }
  }

  @Test func `series of different kinds and names are distinguished`() async throws {
    let source = Self.shelf(1)
    var article = Self.book(2)
    article.kind = .article
    source.set(article)
    source.set(Self.book(3, series: "tides"))
    try await Bench.with(source) { bench in
      _ = try await bench.run()
      for id in ["item1", "item2", "item3"] { #expect(try Self.neighbours(bench, id) == []) }
    }
  }
}
