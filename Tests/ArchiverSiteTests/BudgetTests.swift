import ArchiverCore
import ArchiverMarkup
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
      let last = "archiverData.records([0]).then((rows) => rows[0].slice(0, 2))"
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
