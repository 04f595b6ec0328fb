import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// Charts that are wider than their place.
  @Suite struct ChartTests {
    /// Whether the first chart is wider than its place, and shows its last and its first month.
    static func chart(_ browser: LibraryBrowser) async throws -> [Bool] {
      let shown = try await browser.run(
        """
        const chart = document.querySelector(".chart");
        const place = chart.getBoundingClientRect();
        const bars = [...chart.querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect());
        const isIn = (bar) => bar.left >= place.left - 1 && bar.right <= place.right + 1;
        return [chart.scrollWidth > chart.clientWidth + 1, isIn(bars.at(-1)), isIn(bars[0])];
        """)
      return shown.array?.compactMap(\.bool) ?? []
    }

    /// Builds a library of items that were saved about one a month.
    static func buildLibrary(of count: Int, _ root: String) throws {
      var sample = SampleArchive()
      let items = (0..<count).map { number in
        var item = sample.item(number)
        item.metadata.added = Date(
          timeIntervalSince1970: Double(1_600_000_000 + number * 2_650_000))
        return item
      }
      let text = SearchText { _ in "" }
      _ = try LibraryBuilder(root: root, catalog: MemoryCatalog(items), text: text)
        .update(isChanged: true)
    }

    @Test func `without scripts a chart opens at its newest month, and keys lead to the oldest`()
      async throws
    {
      try await TemporaryFolder.with("chart") { root in
        try Self.buildLibrary(of: 120, root)
        for name in LibraryBrowser.Name.allCases {
          guard let browser = try await LibraryBrowser.start(name, scripts: false) else { continue }
          try await browser.open("file://\(root)/library/statistics.html")
          // Wider than its place in windows of any browser.
          try await browser.run(
            "for (const one of document.querySelectorAll('.chart')) one.style.inlineSize = '20rem';"
          )
          #expect(try await Self.chart(browser) == [true, true, false], "\(name)")
          try await browser.run("document.querySelector('.chart').focus();")
          for _ in 0..<40 { try await browser.type("\u{E012}") }
          #expect(
            try await browser.becomes(
              """
              (() => {
                const chart = document.querySelector(".chart");
                const bar = chart.querySelector("rect").getBoundingClientRect();
                return bar.left >= chart.getBoundingClientRect().left - 1;
              })()
              """), "\(name)")
          await browser.quit()
        }
      }
    }
  }
}
