import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverSite

/// The browser that tests drive.
enum Chromium {
  static let path = ["chromium", "chromium-browser", "google-chrome"]
    .compactMap(ChildProcess.find).first
}

extension InBrowser {
  /// The library's own start page in headless Chromium, opened from disk.
  @Suite(
    .serialized,
    .enabled(
      if: Chromium.path != nil, "Chromium is not installed; Scripts/setup --browser installs it"))
  struct SearchInBrowserTests {
    private static let texts = [
      "0": "The harbour was quiet. A lighthouse stood beyond the harbour, and the harbour slept.",
      "1": "One harbour among many words about mountains, rivers, roads, cities and slow trains.",
      "2": "Éclairs and crème brûlée, baked slowly in an old kitchen.",
      "3": "我喜欢在城市里慢慢读书，也喜欢旧书店。",
      "4": "A lighthouse keeper wrote letters. The old harbour office kept none of them.",
      // The first passage ranks best; the phrase is in the last.
      "5": String(repeating: "amber and bottle, ", count: 30)
        + String(repeating: "filler words of a long book. ", count: 2_000)
        + "An amber bottle. A hidden xylophone.",
    ]

    /// 1851, 1925 and 2020.
    private static let published: [Double?] = [
      -3_748_000_000, -1_410_000_000, nil, 1_580_000_000, nil, nil,
    ]

    private func archive(_ root: String, words: Words = .english) throws {
      var sample = SampleArchive()
      let items = (0..<6).map { number in
        var item = sample.item(number)
        item.metadata.title = number == 1 ? "Trains" : "Piece \(number)"
        item.metadata.labels = number == 4 ? ["sea side"] : ["land"]
        item.metadata.added = Date(
          timeIntervalSince1970: Double(1_600_000_000 + number * 40_000_000))
        item.metadata.published = Self.published[number].map { Date(timeIntervalSince1970: $0) }
        item.metadata.authors = []
        return item
      }
      let text = SearchText {
        Self.texts[String($0.title.last ?? "1")] ?? Self.texts["1"] ?? ""
      }
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog(items), words: words, text: text)
        .update(isChanged: true)
    }

    /// What the start page shows.
    struct Shown {
      /// In order.
      let titles: [String]
      let page: String
    }

    /// Calls a body with a function that opens the start page of an archive with a hash, in
    /// Chromium or in each of several browsers.
    func browsing(
      _ root: String, in names: [LibraryBrowser.Name] = [.chromium],
      _ body: ((_ hash: String) async throws -> Shown) async throws -> Void
    ) async throws {
      for name in names { try await browsing(root, name, body) }
    }

    private func browsing(
      _ root: String, _ name: LibraryBrowser.Name,
      _ body: ((_ hash: String) async throws -> Shown) async throws -> Void
    ) async throws {
      guard let browser = try await LibraryBrowser.start(name) else { return }
      let count = Mutex(0)
      try await body { hash in
        let number = count.withLock { count in
          count += 1
          return count
        }
        // Every twentieth view is loaded like a bookmark, as is the view that is shown already; the
        // others are what the open page becomes. Another site would start another process.
        let changes = """
          const total = document.querySelector(".total"), hash = "#\(hash)";
          if (!total || location.hash === hash) return false;
          total.textContent = "";
          location.hash = hash;
          return true;
          """
        let isOpen = number % 20 == 1 ? false : try await browser.run(changes).bool == true
        if !isOpen { try await browser.open("file://\(root)/index.html?\(number)#\(hash)") }
        #expect(
          try await browser.becomes("document.querySelector('.total')?.textContent"), "\(hash)")
        return Shown(
          titles: try await browser.titles(),
          page: try await browser.run("return document.documentElement.outerHTML;").string ?? "")
      }
      await browser.quit()
    }

    static func hash(_ query: String) -> String { "q=" + SiteText.fragment(query) }

    /// Opens the start page in a browser with a given language.
    private func open(_ root: String, language: String) async throws -> Shown {
      let browser = try #require(Chromium.path)
      let process = try ChildProcess(
        browser,
        [
          "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=6000",
          "--user-data-dir=\(root)/profile", "--lang=\(language)", "--accept-lang=\(language)",
          "--dump-dom", "file://\(root)/index.html",
        ], environment: ["HOME": root, "PATH": "/usr/local/bin:/usr/bin:/bin"])
      _ = try await process.wait(limit: .seconds(60))
      let page = process.output
      process.end()
      let list = page.firstRange(of: "<ol class=\"items").map { page[$0.lowerBound...] } ?? ""
      var titles: [String] = []
      var rest = list[...]
      while let start = rest.firstRange(of: "<h2><a ") {
        rest = rest[start.upperBound...].drop { $0 != ">" }.dropFirst()
        titles.append(String(rest.prefix { $0 != "<" }))
      }
      return Shown(titles: titles, page: page)
    }

    private static let found: [(query: String, titles: [String])] = [
      ("harbour", ["Piece 0", "Piece 4", "Trains"]),
      ("harb", ["Piece 0", "Piece 4", "Trains"]),
      ("lighthouse harbour", ["Piece 0", "Piece 4"]),
      ("eclairs BRULEE", ["Piece 2"]),
      ("读书", ["Piece 3"]),
      ("城", ["Piece 3"]),
      ("\"old harbour\"", ["Piece 4"]),
      ("\"harbour old\"", []),
      ("„old harbour“", ["Piece 4"]),
      ("“harbour old”", []),
      ("「旧书店」 label:“land”", ["Piece 3"]),
      ("harbour label:\"sea side\"", ["Piece 4"]),
      ("harbour before:2021", ["Piece 0"]),
      ("harbour after:2021", ["Piece 4", "Trains"]),
      ("xylophone", ["Piece 5"]),
      ("\"amber bottle\"", ["Piece 5"]),
      ("nowhere", []),
      // Without a word there is no match.
      ("🎉", []),
    ]

    private static let views: [(hash: String, titles: [String])] = [
      ("label=sea+side", ["Piece 4"]),
      ("sort=title&label=land", ["Piece 0", "Piece 2", "Piece 3", "Piece 5", "Trains"]),
      ("year=2021", ["Trains"]),
      ("q=label%3Aland+before%3A2022", ["Trains", "Piece 0"]),
      // Items published before 1970 sort before items without a date.
      ("sort=published", ["Piece 3", "Trains", "Piece 0", "Piece 5", "Piece 4", "Piece 2"]),
    ]

    @Test func `finds from disk and shows the view that the address names`() async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        try await browsing(root) { open in
          for (query, titles) in Self.found {
            let shown = try await open(Self.hash(query))
            #expect(shown.titles == titles, "\(query)")
          }
          for (hash, titles) in Self.views {
            let shown = try await open(hash)
            #expect(shown.titles == titles, "\(hash)")
          }
        }
      }
    }

    @Test func `marks what was found, accents or not, and links to the place`() async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        try await browsing(root) { open in
          let chinese = try await open(Self.hash("市")).page
          #expect(chinese.contains("城<mark>市</mark>里"))
          // Text fragments match whole words only.
          #expect(chinese.contains("index.html#:~:text=" + SiteText.fragment("城市") + "\""))
          let page = try await open(Self.hash("brulee")).page
          #expect(page.contains("<mark>brûlée</mark>"))
          #expect(page.contains("index.html#:~:text=br%C3%BBl%C3%A9e"))
          let deep = try await open(Self.hash("xylophone")).page
          #expect(deep.contains("A hidden <mark>xylophone</mark>"))
        }
      }
    }

    @Test func `speaks the language of the archive, if it has one, before the browser's`()
      async throws
    {
      try await TemporaryFolder.with("search") { root in
        try archive(root, words: .spanish)
        let page = try String(contentsOfFile: "\(root)/index.html", encoding: .utf8)
        #expect(page.contains("<html lang=\"es\"") && page.contains(">Etiquetas</a>"))
        let shown = try await open(root, language: "de")
        #expect(shown.page.contains("<html lang=\"es\"") && shown.page.contains(">Etiquetas</a>"))
        #expect(shown.titles.count == 6)
      }
    }

    @Test func `speaks the language of the browser`() async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        let shown = try await open(root, language: "de")
        #expect(shown.page.contains("<html lang=\"de\""))
        #expect(shown.page.contains(">Schlagwörter</a>"))
        #expect(shown.titles.count == 6)
      }
    }
  }
}
