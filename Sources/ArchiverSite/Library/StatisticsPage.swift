import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// `library/statistics.html`: the number and size of the items by month, source and other attributes.
struct StatisticsPage {
  static let path = "library/statistics.html"
  private static let monthLimit = 36
  let words: Words
  let sections: [LibraryShell.Section]

  func page(_ totals: LibraryTotals) -> [UInt8] {
    let shell = LibraryShell(words, sections, .statistics, scripts: ["runs.js"])
    return shell.render { html in
      words.write("h1", "statistics", &html)
      sums(totals, &html)
      chart("itemsPerMonth", .count, totals, \.count, &html)
      chart("bytesPerMonth", .bytes, totals, \.byteCount, &html)
      html.element("div", ["class": "columns"]) { html in
        top("topSites", totals.counts(\.site), { list("site", $0) }, shell.root, &html)
        top("topAuthors", totals.authors, { list("author", $0) }, shell.root, &html)
        top("topLabels", totals.labels, { LabelName.path($0) }, shell.root, &html)
      }
      largest(totals, shell.root, &html)
      html.element("section", ["id": "runs"]) { _ in }
    }
  }

  private func sums(_ totals: LibraryTotals, _ html: inout HTMLWriter) {
    let facts: [(String, Quantity, Int)] = [
      ("items", .count, totals.sources.values.map(\.count).clampedSum),
      ("size", .bytes, totals.sources.values.map(\.byteCount).clampedSum),
      ("totalWords", .total, totals.wordCount),
      ("highlights", .count, totals.highlightCount),
    ]
    html.element("dl", ["class": "totals"]) { html in
      for (key, quantity, value) in facts {
        html.element("div") { html in
          words.write("dt", key, &html)
          html.element("dd") { words.write(value, quantity, &$0) }
        }
      }
    }
  }

  /// Returns the last of `months`, which are ascending and have items, with empty months in gaps of at most a year.
  static func lastMonths(_ months: [String]) -> [String] {
    func number(_ name: String) -> Int {
      (Int(name.prefix(4)) ?? 0) * 12 + (Int(name.suffix(2)) ?? 1) - 1
    }
    func name(_ number: Int) -> String {
      // A leading digit preserves the zeros of the month.
      let year = String(10_000 + number / 12).dropFirst()
      return "\(year)-\(String(101 + number % 12).dropFirst())"
    }
    var shown: [String] = []
    var next = Int.max
    for month in months.suffix(monthLimit) {
      let own = number(month)
      if own - 12 < next, next < own {
        shown += (next..<own).map(name)
      }
      shown.append(month)
      next = own + 1
    }
    return shown.suffix(monthLimit)
  }

  /// Draws sums by month and source. Draws nothing for a single month, as the chart would only repeat the totals.
  private func chart(
    _ key: String, _ quantity: Quantity, _ totals: LibraryTotals,
    _ value: (LibraryTotals.Sum) -> Int, _ html: inout HTMLWriter
  ) {
    guard totals.months.count > 1 else { return }
    let sources = totals.sources.keys.sorted()
    let bars = StatisticsPage.lastMonths(totals.months.keys.sorted()).map { name in
      let sums = totals.months[name] ?? [:]
      return BarChart.Bar(name: name, values: sources.map { sums[$0].map(value) ?? 0 })
    }
    let chart = BarChart(
      key: key, words: words, quantity: quantity, sources: sources, bars: bars)
    html.element("section") { html in
      html.element("h2") { html in
        words.write("span", key, &html)
        if let unit = chart.unit { html.text(" (\(unit))") }
      }
      chart.write(&html)
    }
  }

  private func top(
    _ key: String, _ counts: [String: Int], _ path: (String) -> String, _ root: String,
    _ html: inout HTMLWriter
  ) {
    let ranking = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    guard let most = ranking.first?.value else { return }
    html.element("section") { html in
      words.write("h2", key, &html)
      html.element("ol", ["class": "ranking"]) { html in
        for (name, count) in ranking.prefix(LibraryTotals.topLimit) {
          html.element("li") { html in
            html.element("a", ["href": root + path(name), "dir": "auto"], text: name)
            words.writeCount(count, &html)
            html.element(
              "meter", ["max": String(most), "value": String(count), "aria-hidden": "true"]
            ) { _ in }
          }
        }
      }
    }
  }

  /// Returns the link to the items with a value of a filter.
  private func list(_ filter: String, _ value: String) -> String {
    "\(IndexPage.path)#\(filter)=\(SiteText.fragment(value))"
  }

  private func largest(_ totals: LibraryTotals, _ root: String, _ html: inout HTMLWriter) {
    guard !totals.largest.isEmpty else { return }
    html.element("section") { html in
      words.write("h2", "largest", &html)
      html.element("ol", ["class": "ranking"]) { html in
        for row in totals.largest {
          html.element("li") { html in
            html.link(toItem: row.folder, root, text: row.title)
            html.element("span", ["class": "count"]) {
              words.write(row.byteCount, .bytes, &$0)
            }
          }
        }
      }
    }
  }
}
