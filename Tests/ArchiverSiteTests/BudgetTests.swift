import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// The cost of a large library. The full size, 10,000 items of 1,000 words, takes minutes:
  /// `ARCHIVER_BUDGET_ITEMS=10000 swift test -c release --filter BudgetTests`.
  /// The archive is kept if `ARCHIVER_BUDGET_FOLDER` names a folder for it.
  @Suite(.serialized) struct BudgetTests {
    private static let count =
      getenv("ARCHIVER_BUDGET_ITEMS").flatMap { Int(String(cString: $0)) } ?? 600
    private static let wordCount = count > 2_000 ? 1_000 : 200

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
      guard let folder = getenv("ARCHIVER_BUDGET_FOLDER").map({ String(cString: $0) }) else {
        return try await TemporaryFolder.with("budget", body)
      }
      try await body(folder)
    }

    /// Words with the frequencies of a natural language (Zipf), so that the index is realistic.
    private static func texts(_ count: Int) -> SearchText.Read {
      { item in
        var random = SplitMix(state: Fingerprint.of(item.key.id))
        var text = ""
        for number in 0..<wordCount {
          let part = Double(random.below(1_000_000) + 1) / 1_000_000
          // Half of all words are among the few hundred most frequent.
          let rank = Int(40_000 * part * part * part * part)
          if number > 0 { text += number % 14 == 0 ? ". " : " " }
          text += word(rank)
        }
        return text
      }
    }

    private static func word(_ rank: Int) -> String {
      let parts = ["ba", "ten", "ri", "lo", "mun", "sa", "ke", "dor", "vi", "nal", "pe", "gu"]
      var rest = rank
      var word = ""
      repeat {
        word += parts[rest % parts.count]
        rest /= parts.count
      } while rest > 0
      return word
    }

    private func size(_ root: String, _ paths: [String]) -> Int {
      paths.reduce(0) { sum, path in
        sum + (FileManager.default.contents(atPath: "\(root)/\(path)")?.count ?? 0)
      }
    }

    private func size(_ root: String, under folder: String) throws -> Int {
      try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").reduce(0) {
        var status = stat()
        guard stat("\(root)/\(folder)/\($1)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return $0 }
        return $0 + Int(status.st_size)
      }
    }

    @Test func `a large library keeps its budgets`() async throws {
      try await Self.inFolder { root in
        var sample = SampleArchive()
        let items = sample.items(Self.count + 20)
        let stage = try SearchStage(root, text: Self.texts(Self.count))
        try stage.record(Array(items.dropFirst(20)))
        let builder = stage.builder
        let start = ContinuousClock.now
        let full = try builder.update(isChanged: true)
        let built = ContinuousClock.now - start

        let scripts =
          ["theme.js", "languages.js", "words.js", "status.js", "health.js"] + LibraryAssets.app
          + ["settings.js", "keys.js", "library.css"]
        let page = size(root, ["index.html"])
        let first = size(root, scripts.map { "library/\($0)" } + [FacetData.path])
        let index = try size(root, under: "library/search")
        let text = try size(root, under: "library/text")

        try stage.record(Array(items.prefix(20)))
        let again = ContinuousClock.now
        let step = try builder.update(isChanged: true)
        let added = ContinuousClock.now - again
        print(
          """
          \(Self.count) items of \(Self.wordCount) words
          full build: \(built), \(full.written.count) files, \(full.byteCount) bytes
          20 more: \(added), \(step.written.count) files, \(step.byteCount) bytes
          first load: \(first) bytes of script, style and data, page \(page) bytes
          index: \(index) bytes, text \(text) bytes, share \(Double(index) / Double(text))
          """)
        #expect(first < 300_000)
        // With short texts, the index is larger than the texts.
        if Self.wordCount == 1_000 { #expect(index * 3 < text) }
        try search(stage)
        try await query(root)
      }
    }

    /// The time of `archiver search`: the first letters of a word are a prefix of many.
    private func search(_ stage: SearchStage) throws {
      for words in ["b", "ba", "l", "te", "dor", "dor ten", "dor ten sa lo", "b t l"] {
        _ = try stage.find(words, limit: 20)
        let start = ContinuousClock.now
        let found = try stage.find(words, limit: 20)
        let time = ContinuousClock.now - start
        print("search \(words): \(time), \(found.total ?? -1) hits")
      }
    }

    /// Items with the variety of a large collection: of some thousand sites and some hundred labels,
    /// few are common; the times of saving are irregular.
    private static func varied(_ count: Int) -> [CatalogItem] {
      var random = SplitMix(state: 11)
      func rank(_ most: Int) -> Int {
        let part = Double(random.below(1_000_000)) / 1_000_000
        return Int(Double(most) * part * part * part)
      }
      var saved = 1_300_000_000.0
      return (0..<count).map { number in
        saved += Double(random.below(80 * 60) + random.below(20) * random.below(20) * 30)
        let isPage = random.below(10) == 0
        var metadata = ItemMetadata(kind: .article, title: "Article \(number * 7_919 % count)")
        let site = word(rank(8_000) + 1)
        (metadata.site, metadata.siteName) = ("www.\(site).example", "The \(site)")
        // Those of a batch are archived in another order than they were saved in.
        let time = Date(timeIntervalSince1970: saved - Double(random.below(60 * 60 * 24)))
        metadata.added = time
        metadata.published = time.addingTimeInterval(-Double(rank(86_400 * 3_000)))
        metadata.readingTime = 1 + rank(60)
        metadata.labels = (0..<random.below(4)).map { _ in "label \(word(rank(400)))" }
        metadata.isFavourite = random.below(12) == 0
        metadata.isArchived = random.below(3) > 0
        metadata.readProgress = [0, 0, 0, 30, 100][random.below(5)]
        return CatalogItem(
          key: ItemKey(source: isPage ? "notion" : "readeck", id: "\(number)"), revision: "1",
          folder: "2026/article-\(number)", metadata: metadata,
          firstArchived: Date(timeIntervalSince1970: saved + 86_400),
          lastArchived: SampleArchive.now, contentHash: "h", byteCount: 1, imageCount: 0,
          missingImages: 0)
      }
    }

    private static let views = [
      "view=list", "sort=archived", "sort=published", "sort=title", "sort=long", "state=unread",
      "state=favourite", "label=label+ten", "label=label+ten&sort=title", "source=notion",
      "year=2014", "length=long", "site=The+ten", "q=is:unlabelled&sort=short",
      "q=-label:%22label+ten%22+before:2014", "q=site:www.lolori", "q=is:unlabelled",
      "label=label+ten&site=The+ten", "q=site:lo", "q=site:www", "q=-site:lo",
      "q=site:lo+is:unread",
    ]

    /// `ARCHIVER_BUDGET_LISTS=100000` takes minutes.
    @Test func `a filter or an order of a large library loads what it reads`() async throws {
      let lists = getenv("ARCHIVER_BUDGET_LISTS").flatMap { Int(String(cString: $0)) } ?? 600
      try await Self.inFolder { root in
        let builder = LibraryBuilder(
          root: root, catalog: MemoryCatalog(Self.varied(lists)),
          text: SearchText { _ in "harbour" },
          data: lists > DataSizes().limit
            ? DataSizes() : DataSizes(limit: 0, column: 200, itemsBesideColumns: 16))
        _ = try builder.update(isChanged: true)
        guard let browser = try await LibraryBrowser.start(.chromium) else { return }
        for view in Self.views {
          try await browser.open("file://\(root)/library/labels.html")
          _ = try await browser.requests()
          try await browser.open("file://\(root)/index.html#\(view)")
          #expect(try await browser.becomes("document.querySelector('.total')?.textContent"))
          let paths = try await browser.requests().filter { $0.contains("/library/data/") }
            .map { String($0.dropFirst("file://\(root)/".count)) }
          let kinds = Dictionary(
            grouping: paths, by: { $0.dropFirst(13).prefix { $0 != "-" && $0 != "." } })
          let parts = kinds.map { "\($0.value.count) \($0.key) \(size(root, $0.value))" }
          print(
            "list \(view): \(size(root, paths)) bytes in \(paths.count) files "
              + "(\(parts.sorted().joined(separator: ", ")))")
          #expect(size(root, paths) < 500_000, "\(view)")
          #expect(!paths.isEmpty && paths.count < 150, "\(view)")
        }
        await browser.quit()
      }
    }

    @Test func `a phrase whose words are seldom neighbours is found at once`() async throws {
      try await withOne(of: 400, "Amber.", "Bottle.", only: "An amber bottle.") { root, browser in
        try await browser.open("file://\(root)/index.html#q=%22amber+bottle%22")
        #expect(try await browser.becomes("document.querySelectorAll('.item').length === 1"))
        #expect(try await dataPaths(root, browser).count { $0.contains("/text/") } < 12)
      }
    }

    @Test func `a phrase whose pairs are seldom neighbours is searched for in parts`() async throws
    {
      let texts = ("Amber bottle.", "Bottle green.", "An amber bottle green.")
      try await withOne(of: 400, texts.0, texts.1, only: texts.2) { root, browser in
        try await browser.open("file://\(root)/index.html#q=%22amber+bottle+green%22")
        let turn = "document.querySelector('.turn button')"
        #expect(try await browser.becomes("\(turn) && \(turn).offsetHeight > 0"))
        let data = try await dataPaths(root, browser)
        #expect(data.count { $0.contains("/text/") } >= 36)
        #expect(size(root, data) < 500_000, "\(size(root, data))")
        for _ in 0..<20 {
          guard try await browser.titles().isEmpty else { break }
          _ = try await browser.run("\(turn)?.click();")
          try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await browser.titles().count == 1)
      }
    }

    /// Calls a body with a library of items whose texts begin and end with two parts. The oldest one's has a third.
    private func withOne(
      of count: Int, _ first: String, _ last: String, only third: String,
      _ body: (String, LibraryBrowser) async throws -> Void
    ) async throws {
      try await TemporaryFolder.with("budget") { root in
        var sample = SampleArchive(seed: 11)
        let items = sample.items(count)
        let oldest = items.map { ($0.firstArchived, $0.key.id) }.min { $0 < $1 }
        let filler = String(repeating: "words of a text between both. ", count: 60)
        let catalog = MemoryCatalog(items)
        let text = SearchText { row in
          "\(first) \(filler) \(last)" + (row.id == oldest?.1 ? " \(third)" : "")
        }
        _ = try LibraryBuilder(root: root, catalog: catalog, text: text).update(isChanged: true)
        guard let browser = try await LibraryBrowser.start(.chromium) else { return }
        try await browser.open("file://\(root)/library/labels.html")
        _ = try await browser.requests()
        try await body(root, browser)
        await browser.quit()
      }
    }

    /// The files of texts, records and the index that the browser has loaded.
    private func dataPaths(_ root: String, _ browser: LibraryBrowser) async throws -> [String] {
      try await browser.requests().filter { $0.contains(".js") && !$0.contains("/library/app") }
        .map { String($0.dropFirst("file://\(root)/".count)) }
        .filter { $0.contains("/text/") || $0.contains("/data/") || $0.contains("/search/") }
    }

    /// Only the rows that are shown are loaded, and the order of all.
    private func byTitle(_ root: String, _ browser: LibraryBrowser) async throws {
      try await browser.open("file://\(root)/library/labels.html")
      _ = try await browser.requests()
      try await browser.open("file://\(root)/index.html#sort=title")
      #expect(try await browser.becomes("document.querySelectorAll('.item').length > 20"))
      let shown = try await browser.titles()
      #expect(shown == NaturalOrder.sorted(shown))
      let records = try await browser.requests().filter { $0.contains("/library/data/records-") }
      #expect(records.count <= shown.count)
    }

    /// The reader opens the oldest item by its address without reading the records of others.
    private func byAddress(_ root: String, _ browser: LibraryBrowser) async throws {
      try await browser.open("file://\(root)/index.html#sort=archived&view=list")
      let last = "archiverData.readRecords([0]).then((rows) => rows[0].slice(0, 2))"
      let row = try await browser.run("return \(last);")
      let (folder, title) = (try #require(row[0]?.string), try #require(row[1]?.string))
      try await browser.open("file://\(root)/library/labels.html")
      _ = try await browser.requests()
      try await browser.open("file://\(root)/library/read.html#at=\(folder)")
      let status = "document.querySelector('.reader-bar .count')"
      #expect(
        try await browser.becomes("\(status) && /\\d/.test(\(status).textContent)"))
      #expect(try await browser.run("return document.title;").string == title)
      let loaded = try await browser.requests().filter { $0.contains("/library/data/records-") }
      #expect(loaded.count == 1, "\(loaded.count)")
    }

    private func query(_ root: String) async throws {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      try await browser.open("file://\(root)/index.html")
      #expect(try await browser.becomes("document.getElementById('by-label')"))
      _ = try await browser.requests()
      for words in [
        "dor ten", "\(Self.word(9_000))", "lomun sa", "b", "te", "dor ten sa",
        "dor ten sa lo", "dor ten sa lo ri ", "b t l",
      ] {
        try await browser.open("file://\(root)/library/labels.html")
        _ = try await browser.requests()
        try await browser.open(
          "file://\(root)/index.html#q=" + SiteText.fragment(words))
        #expect(try await browser.becomes("document.querySelector('.total').textContent"))
        let loaded = try await browser.requests().filter {
          $0.contains("/library/search/") || $0.contains("/library/text/")
            || $0.contains("/library/data/")
        }
        let paths = loaded.map { String($0.dropFirst("file://\(root)/".count)) }
        // A query of words needs the data of the items that it shows only.
        let (blocks, records) = ("library/data/items-", "library/data/records-")
        #expect(
          paths.count { $0.hasPrefix(blocks) } <= paths.count { $0.hasPrefix(records) }, "\(words)")
        // Ranked again, after the shards were loaded.
        let time = try await browser.run(
          """
          const start = performance.now();
          return archiverSearch.rank(archiverQuery.parse(\"\(words)\")).then((hits) =>
            [performance.now() - start, hits.length]);
          """)
        let parts = ["search", "text", "data"].map { part in
          "\(size(root, paths.filter { $0.hasPrefix("library/\(part)/") })) \(part)"
        }.joined(separator: ", ")
        print(
          "query \(words): \(size(root, paths)) bytes (\(parts)) in \(paths.count) files, "
            + "\(time[0]?.number ?? -1) ms, \(time[1]?.integer ?? -1) hits")
        #expect(size(root, paths) < 500_000)
        #expect((time[0]?.number ?? 1e9) < 200)
      }
      try await byTitle(root, browser)
      try await byAddress(root, browser)
      await browser.quit()
    }
  }
}
