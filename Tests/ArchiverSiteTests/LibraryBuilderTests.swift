import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

@Suite struct LibraryBuilderTests {
  private let text = SearchText { "The text of \($0.title), a harbour at night." }

  private func builder(_ root: String, _ catalog: MemoryCatalog) -> LibraryBuilder {
    LibraryBuilder(root: root, catalog: catalog, text: text)
  }

  private func catalog(_ count: Int) -> MemoryCatalog {
    var sample = SampleArchive()
    return MemoryCatalog(sample.items(count))
  }

  private func read(_ path: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
  }

  /// The bytes of every file of the library, by path.
  private func files(_ root: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    var folders = ["library"]
    files["index.html"] = FileManager.default.contents(atPath: "\(root)/index.html")
    while let folder = folders.popLast() {
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)") {
        let path = "\(folder)/\(name)"
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
        if isFolder {
          folders.append(path)
        } else {
          files[path] = FileManager.default.contents(atPath: "\(root)/\(path)")
        }
      }
    }
    return files
  }

  private func inode(_ path: String) throws -> UInt64 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return UInt64(status.st_ino)
  }

  @Test func `charts go by the months of saving, and a month alone has none`() async throws {
    try await TemporaryFolder.with("site") { root in
      _ = try builder(root, catalog(5)).update(isChanged: true)
      #expect(try !read("\(root)/library/statistics.html").contains("data-chart"))
      // One in 40,000 seconds until 21 November, 09:00.
      _ = try builder(root, catalog(100)).update(isChanged: true)
      let page = try read("\(root)/library/statistics.html")
      #expect(page.contains("Items per month: 2026-10: 55, 2026-11: 45\""))
    }
  }

  @Test func `charts leave out no month between others, but years without any`() {
    let months = ["0998-12", "2023-11", "2024-02", "2025-01", "2025-02", "2026-03"]
    let shown = StatisticsPage.lastMonths(months)
    let early = ["0998-12", "2023-11", "2023-12", "2024-01", "2024-02"]
    let later = (3...12).map { $0 < 10 ? "2024-0\($0)" : "2024-\($0)" } + ["2025-01", "2025-02"]
    #expect(shown == early + later + ["2026-03"])
    let many = (1990...2020).flatMap { year in ["\(year)-01", "\(year)-07"] }
    let last = StatisticsPage.lastMonths(many)
    #expect(last.count == 36)
    #expect(last.last == "2020-07")
    #expect(last.first == "2017-08")
    #expect(StatisticsPage.lastMonths([]) == [])
  }

  @Test func `every year of a chart is named where it begins`() {
    let bars = ["2024-12", "2026-03", "2026-04"].map { BarChart.Bar(name: $0, values: [1]) }
    let chart = BarChart(
      key: "itemsPerMonth", words: .english, quantity: .count, sources: ["readeck"], bars: bars)
    var html = HTMLWriter()
    chart.write(&html)
    let page = String(decoding: html.bytes, as: UTF8.self)
    let years = page.matches(of: /class="year"[^>]*>([0-9]+)</).map { String($0.1) }
    #expect(years == ["2024", "2026"])
  }

  @Test func `a chart has its numbers above the bars, and a colour for each source`() {
    func chart(_ quantity: Quantity, _ sums: [[Int]]) -> BarChart {
      let bars = sums.enumerated().map { BarChart.Bar(name: "2026-1\($0)", values: $1) }
      let sources = sums[0].indices.map { "source \($0)" }
      return BarChart(
        key: "itemsPerMonth", words: .german, quantity: quantity, sources: sources, bars: bars)
    }
    func page(_ chart: BarChart) -> String {
      var html = HTMLWriter()
      chart.write(&html)
      return String(decoding: html.bytes, as: UTF8.self)
    }
    func numbers(_ chart: BarChart) -> [String] {
      page(chart).matches(of: /class="sum"[^>]*>([^<]+)</).map { String($0.1) }
    }
    #expect(numbers(chart(.count, [[0], [7], [1_234], [12_345]])) == ["7", "1234"])
    let sizes = chart(.bytes, [[999], [560_000], [4_200_000], [12_000_000]])
    #expect(numbers(sizes) == ["0,6", "4,2", "12"])
    #expect(sizes.unit == "MB")
    let colors = Set(
      page(chart(.count, [Array(repeating: 1, count: 8)])).matches(of: /swatch (bar[0-9])/)
        .map { String($0.1) })
    #expect(colors.count == 8)
  }

  @Test func `writes only the status when no item changed`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(70)
      _ = try builder(root, catalog).update(isChanged: true)
      let page = try inode("\(root)/index.html")
      catalog.change { $0.sources = [SourceStatus(source: "readeck", kind: "readeck")] }
      let update = try builder(root, catalog).update(isChanged: false)
      #expect(update.written == ["library/status.js"])
      #expect(update.removed == [])
      #expect(try inode("\(root)/index.html") == page)
      #expect(try builder(root, catalog).update(isChanged: false).written == [])
    }
  }

  @Test func `builds everything when there is no library yet, even without changes`() async throws {
    try await TemporaryFolder.with("site") { root in
      let update = try builder(root, catalog(3)).update(isChanged: false)
      #expect(update.written.contains("index.html"))
    }
  }

  @Test func `takes in what an interrupted run left out`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(5)
      _ = try builder(root, catalog).update(isChanged: true)
      var sample = SampleArchive()
      var item = sample.item(9)
      item.metadata.title = "Left out before"
      catalog.put(item)
      _ = try builder(root, catalog).update(isChanged: false)
      #expect(try read("\(root)/index.html").contains("Left out before"))
    }
  }

  @Test func `renews a library that an older program wrote`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(5)
      _ = try builder(root, catalog).update(isChanged: true)
      try Data("old".utf8).write(to: URL(fileURLWithPath: "\(root)/library/app.js"))
      let update = try builder(root, catalog).update(isChanged: false)
      #expect(update.written == ["library/app.js"])
    }
  }

  @Test func `says something of the sources without scripts`() async throws {
    try await TemporaryFolder.with("site") { root in
      _ = try builder(root, catalog(5)).update(isChanged: true)
      #expect(try read("\(root)/index.html").contains("<strong>readeck</strong> 5 items"))
    }
  }

  @Test func `leaves files alone whose bytes stay the same`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(200)
      _ = try builder(root, catalog).update(isChanged: true)
      let again = try builder(root, catalog).update(isChanged: true)
      #expect(again.written == [])
      #expect(again.removed == [])

      let old = CivilDate(SampleArchive.now.addingTimeInterval(-190 * 40_000)).monthText
      let before = try inode("\(root)/library/\(old).html")
      var sample = SampleArchive(seed: 9)
      var item = sample.item(0)
      item.key = ItemKey(source: "readeck", id: "new")
      item.folder = "readeck/new"
      item.firstArchived = SampleArchive.now.addingTimeInterval(60)
      catalog.put(item)
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(update.written.contains("index.html"))
      #expect(update.textCount > 0)
      #expect(!update.written.contains("library/\(old).html"))
      #expect(try inode("\(root)/library/\(old).html") == before)
    }
  }

  @Test func `gives the same bytes in steps as in one go`() async throws {
    try await TemporaryFolder.with("site") { root in
      try await TemporaryFolder.with("site") { other in
        let all = catalog(150)
        let steps = MemoryCatalog()
        for number in (0..<150).reversed() {
          var item = try #require(
            try all.item(ItemKey(source: "readeck", id: "id\(number)")))
          if number == 75 {
            item.metadata.title = "Another title"
            item.contentHash = "another"
          }
          steps.put(item)
          if number % 40 == 0 { _ = try builder(root, steps).update(isChanged: true) }
        }
        steps.put(try #require(try all.item(ItemKey(source: "readeck", id: "id75"))))
        _ = try builder(root, steps).update(isChanged: true)
        _ = try builder(other, all).update(isChanged: true)
        let isIndex = { (path: String) in path.hasPrefix("library/search/") }
        var (one, two) = (try files(root), try files(other))
        #expect(one.filter { !isIndex($0.key) } == two.filter { !isIndex($0.key) })
        // The index depends on the history until its revisions are merged.
        _ = try builder(root, steps).rebuild()
        (one, two) = (try files(root), try files(other))
        #expect(Set(one.keys).symmetricDifference(two.keys) == [])
        for (path, bytes) in one { #expect(two[path] == bytes, "\(path)") }
      }
    }
  }

  @Test func `two builds with a graph and a shelf are the same bytes`() async throws {
    try await TemporaryFolder.with("site") { root in
      try await TemporaryFolder.with("site") { other in
        let graph = SampleGraph(60)
        var sample = SampleArchive(seed: 3)
        let books = (0..<12).map { number in
          var book = sample.item(number, source: "books")
          book.metadata.kind = .book
          book.metadata.properties = [ItemProperty("Series", "Tides [\(number % 3)]")]
          return book
        }
        let items = graph.items + books + sample.items(30)
        for folder in [root, other] { try graph.write(to: folder) }
        _ = try builder(root, MemoryCatalog(items)).update(isChanged: true)
        // Again in three steps and in another order.
        let steps = MemoryCatalog()
        for part in [items.suffix(30), items.prefix(40), items.dropFirst(40).dropLast(30)] {
          for item in part.reversed() { steps.put(item) }
          _ = try builder(other, steps).update(isChanged: true)
        }
        let (one, two) = (try files(root), try files(other))
        #expect(Set(one.keys).symmetricDifference(two.keys) == [])
        #expect(
          ["graph.html", "graph.json", "graph.graphml", "books.html"]
            .allSatisfy { one["library/\($0)"] != nil })
        for (path, bytes) in one { #expect(two[path] == bytes, "\(path)") }
        try FileManager.default.removeItem(atPath: "\(other)/.archiver")
        try FileManager.default.removeItem(atPath: "\(other)/library")
        _ = try builder(other, steps).update(isChanged: true)
        let again = try files(other)
        for (path, bytes) in one { #expect(again[path] == bytes, "\(path)") }
      }
    }
  }

  @Test func `removes what no longer belongs to it and nothing else`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(30)
      _ = try builder(root, catalog).update(isChanged: true)
      let other = "\(root)/readeck/item-1"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(other)/index.html"))
      for number in 1..<30 { catalog.remove(ItemKey(source: "readeck", id: "id\(number)")) }
      let update = try builder(root, catalog).update(isChanged: true)
      #expect(update.removed.contains { $0.hasPrefix("library/text/") })
      #expect(FileManager.default.fileExists(atPath: "\(other)/index.html"))
      #expect(!FileManager.default.fileExists(atPath: "\(root)/.archiver/staging/library"))
      #expect(try builder(root, catalog).update(isChanged: true).written == [])
    }
  }

  @Test func `shows an empty archive how to begin`() async throws {
    try await TemporaryFolder.with("site") { root in
      _ = try builder(root, MemoryCatalog()).update(isChanged: true)
      let page = try read("\(root)/index.html")
      #expect(page.contains("Nothing is archived yet"))
      #expect(try read("\(root)/library/dates.html").contains("Nothing is archived yet"))
      #expect(page.contains("archiver run"))
    }
  }

  @Test func `escapes titles, labels and sites on every page and in every shard`() async throws {
    try await TemporaryFolder.with("site") { root in
      let hostile = "</script><script>alert(1)</script>\"><img src=x onerror=alert(1)>\u{2028}"
      var sample = SampleArchive()
      var item = sample.item(0)
      item.metadata.title = hostile
      item.metadata.siteName = hostile
      item.metadata.labels = [hostile, "../../../etc", String(repeating: "x", count: 400)]
      item.annotations = [Annotation(id: hostile, text: hostile, note: hostile)]
      item.missingImages = 1
      item.key = ItemKey(source: "readeck", id: hostile)
      let catalog = MemoryCatalog([item])
      let work = WorkItem(
        reference: ItemReference(id: hostile, revision: "1", title: hostile), reason: .new,
        failure: hostile)
      catalog.change { $0.failures = [(item.key, work)] }
      _ = try LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in hostile })
        .update(isChanged: true)
      let own = Set(LibraryAssets.files.map { "library/\($0.name)" })
      for (path, data) in try files(root) where !own.contains(path) {
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("<script>"), "\(path)")
        #expect(!text.contains("<img src=x"), "\(path)")
        if path.hasSuffix(".js") {
          #expect(!text.contains("</"), "\(path)")
          #expect(!text.unicodeScalars.contains("\u{2028}"), "\(path)")
        }
        #expect(path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(path)")
      }
    }
  }

  @Test func `the problems page lists every missing part with reason and next attempt`()
    async throws
  {
    try await TemporaryFolder.with("site") { root in
      var sample = SampleArchive()
      var item = sample.item(0)
      item.losses = Losses([
        MissingPart(.children, name: "a toggle", reason: "the server answered 500"),
        MissingPart(
          .picture, name: "a", reason: "gone <404>", isPermanent: true, isEssential: false),
        MissingPart(
          .picture, name: "b", reason: "gone <404>", isPermanent: true, isEssential: false),
      ])
      var old = sample.item(1)
      old.losses = nil
      old.missingImages = 3
      let catalog = MemoryCatalog([item, old])
      let next = Date(timeIntervalSince1970: 1_800_000_000)
      catalog.change {
        $0.states[item.key] = QueueState(reason: .incomplete, attempts: 1, nextAttempt: next)
      }
      let builder = LibraryBuilder(root: root, catalog: catalog, text: SearchText { _ in "" })
      _ = try builder.update(isChanged: true)
      let path = "\(root)/library/problems.html"
      let page = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        .replacing(/<[^>]*>/, with: "")
      #expect(
        page.contains("1 part of the page: the server answered 500 · next attempt 15 January 2027"))
      #expect(page.contains("2 images: gone &lt;404&gt; · permanently lost"))
      #expect(page.contains("3 images"))
    }
  }

  @Test func `reads the text of bundles when none is given`() async throws {
    try await TemporaryFolder.with("site") { root in
      var sample = SampleArchive()
      let item = sample.item(0)
      let page = ReadingPage.render(
        ReadingPageContent(item: item, body: .html(Array("<p>Deep &amp; wide.</p>".utf8))))
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(item.folder)", withIntermediateDirectories: true)
      try Data(page).write(to: URL(fileURLWithPath: "\(root)/\(item.folder)/index.html"))
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog([item])).update(isChanged: true)
      let shards = try files(root).filter { $0.key.hasPrefix("library/text/") }
      let text = try #require(shards.first?.value)
      #expect(PassageFile([UInt8](text))?.text == "Deep & wide.")
    }
  }

  @Test func `names no page twice and links no page that is not there`() async throws {
    try await TemporaryFolder.with("site") { root in
      let catalog = catalog(300)
      _ = try builder(root, catalog).update(isChanged: true)
      let files = try files(root)
      for (path, data) in files where path.hasSuffix(".html") {
        let folder = path.split(separator: "/").dropLast()
        var rest = String(decoding: data, as: UTF8.self)[...]
        while let start = rest.firstRange(of: "href=\"") {
          rest = rest[start.upperBound...]
          let target = rest.prefix { $0 != "\"" && $0 != "#" }
          guard !target.isEmpty, !target.contains("readeck/item-") else { continue }
          var parts = Array(folder)
          for part in target.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
          }
          #expect(files[parts.joined(separator: "/")] != nil, "\(path): \(target)")
        }
      }
    }
  }

  @Test func `says which file it could not write`() async throws {
    try await TemporaryFolder.with("site") { root in
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(root)/library"))
      let error = try #require(throws: StorageError.self) {
        _ = try builder(root, catalog(1)).update(isChanged: true)
      }
      #expect(error.message.contains("\(root)/library"))
    }
  }
}
