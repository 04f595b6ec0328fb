import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
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
      // What ranks best is the first passage, the phrase stands in the last.
      "5": String(repeating: "amber and bottle, ", count: 30)
        + String(repeating: "filler words of a long book. ", count: 2_000)
        + "An amber bottle. A hidden xylophone.",
    ]

    private func archive(_ root: String) throws {
      var sample = SampleArchive()
      let items = (0..<6).map { number in
        var item = sample.item(number)
        item.metadata.title = number == 1 ? "Trains" : "Piece \(number)"
        item.metadata.labels = number == 4 ? ["sea side"] : ["land"]
        item.metadata.added = Date(
          timeIntervalSince1970: Double(1_600_000_000 + number * 40_000_000))
        item.metadata.authors = []
        return item
      }
      let text = SearchText {
        Self.texts[String($0.title.last ?? "1")] ?? Self.texts["1"] ?? ""
      }
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog(items), text: text)
        .update(isChanged: true)
    }

    func search(_ root: String, _ query: String) async throws -> (
      titles: [String], page: String
    ) {
      try await open(root, hash: "q=" + SiteText.fragment(query))
    }

    /// Opens the start page with a hash and returns the titles shown, in order, and the page.
    private func open(
      _ root: String, hash: String, language: String = "en-GB"
    ) async throws -> (titles: [String], page: String) {
      let browser = try #require(Chromium.path)
      let process = try ChildProcess(
        browser,
        [
          "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=6000",
          "--user-data-dir=\(root)/profile", "--lang=\(language)", "--accept-lang=\(language)",
          "--dump-dom", "file://\(root)/index.html#\(hash)",
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
      return (titles, page)
    }

    @Test(arguments: [
      ("harbour", ["Piece 0", "Piece 4", "Trains"]),
      ("harb", ["Piece 0", "Piece 4", "Trains"]),
      ("lighthouse harbour", ["Piece 0", "Piece 4"]),
      ("eclairs BRULEE", ["Piece 2"]),
      ("读书", ["Piece 3"]),
      ("城", ["Piece 3"]),
      ("\"old harbour\"", ["Piece 4"]),
      ("\"harbour old\"", []),
      ("harbour label:\"sea side\"", ["Piece 4"]),
      ("harbour before:2021", ["Piece 0"]),
      ("harbour after:2021", ["Piece 4", "Trains"]),
      ("xylophone", ["Piece 5"]),
      ("\"amber bottle\"", ["Piece 5"]),
      ("nowhere", []),
    ])
    func `finds from disk`(query: String, expected: [String]) async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        let (titles, _) = try await search(root, query)
        #expect(titles == expected, "\(query)")
      }
    }

    @Test func `marks what was found, accents or not, and links to the place`() async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        let (_, page) = try await search(root, "brulee")
        #expect(page.contains("<mark>brûlée</mark>"))
        #expect(page.contains("index.html#:~:text=br%C3%BBl%C3%A9e"))
        let (_, deep) = try await search(root, "xylophone")
        #expect(deep.contains("A hidden <mark>xylophone</mark>"))
      }
    }

    @Test(arguments: [
      ("label=sea+side", ["Piece 4"]),
      ("sort=title&label=land", ["Piece 0", "Piece 2", "Piece 3", "Piece 5", "Trains"]),
      ("year=2021", ["Trains"]),
      ("q=label%3Aland+before%3A2022", ["Trains", "Piece 0"]),
    ])
    func `shows the view that the address names`(hash: String, expected: [String]) async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        let (titles, _) = try await open(root, hash: hash)
        #expect(titles == expected)
      }
    }

    @Test func `speaks the language of the browser`() async throws {
      try await TemporaryFolder.with("search") { root in
        try archive(root)
        let (titles, page) = try await open(root, hash: "", language: "de")
        #expect(page.contains("<html lang=\"de\""))
        #expect(page.contains(">Schlagwörter</a>"))
        #expect(titles.count == 6)
      }
    }
  }
}
