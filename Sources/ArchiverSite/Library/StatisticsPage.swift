import ArchiverMarkup
import ArchiverStorage

/// `library/statistics.html`: how much there is, since when and from where.
struct StatisticsPage {
  static let path = "library/statistics.html"
  private static let monthLimit = 36
  private static let topLimit = 15
  let words: Words
  let sections: [LibraryShell.Section]

  func page(_ rows: [LibraryRow]) -> [UInt8] {
    let title = words.text("statistics")
    let shell = LibraryShell(
      words, sections, path: StatisticsPage.path, title: title, section: .statistics,
      scripts: ["runs.js"])
    let origins = RowCensus(rows, \.origin)
    let months = rows.map { row in
      let date = CivilDate(row.archived)
      return Month(year: date.year, month: date.month)
    }
    return shell.render { html in
      html.element("h1", ["data-w": "statistics"], text: title)
      totals(rows, &html)
      chart("itemsPerMonth", .count, rows.map { _ in 1 }, months, origins, &html)
      chart("bytesPerMonth", .bytes, rows.map(\.byteCount), months, origins, &html)
      html.element("div", ["class": "columns"]) { html in
        let sites = origins.names { $0.site.map { [$0] } ?? [] }
        top("topSites", StatisticsPage.ranking(sites), nil, shell.root, &html)
        let labels = RowCensus(rows, \.labelling).names(\.names)
        top("topLabels", StatisticsPage.ranking(labels), LabelName.path, shell.root, &html)
      }
      largest(rows, shell.root, &html)
      html.element("section", ["id": "runs"]) { _ in }
    }
  }

  private func heading(_ key: String, _ html: inout HTMLWriter) {
    html.element("h2", ["data-w": key], text: words.text(key))
  }

  private func totals(_ rows: [LibraryRow], _ html: inout HTMLWriter) {
    let facts: [(String, Quantity, Int)] = [
      ("totalItems", .count, rows.count),
      ("totalBytes", .bytes, rows.reduce(0) { $0 + $1.byteCount }),
      ("totalWords", .count, rows.reduce(0) { $0 + $1.wordCount }),
      ("highlights", .count, rows.reduce(0) { $0 + $1.highlightCount }),
    ]
    html.element("dl", ["class": "totals"]) { html in
      for (key, quantity, value) in facts {
        html.element("div") { html in
          html.element("dt", ["data-w": key], text: words.text(key))
          html.element("dd") { words.write(value, quantity, &$0) }
        }
      }
    }
  }

  private struct Month: Hashable, Comparable {
    let year: Int
    let month: Int

    var text: String { CivilDate.monthText(year: year, month: month) }

    static func < (one: Month, other: Month) -> Bool {
      (one.year, one.month) < (other.year, other.month)
    }
  }

  /// Draws sums by month and source of values, of which there is one for each row, as of months.
  private func chart(
    _ key: String, _ quantity: Quantity, _ values: [Int], _ months: [Month],
    _ origins: RowCensus<RowOrigin>, _ html: inout HTMLWriter
  ) {
    guard !values.isEmpty else { return }
    let sources = Set(origins.groups.map(\.source)).sorted()
    let columns = origins.groups.map { sources.firstIndex(of: $0.source) ?? 0 }
    let empty = Array(repeating: 0, count: sources.count)
    var sums: [Month: [Int]] = [:]
    for (index, month) in months.enumerated() {
      sums[month, default: empty][columns[origins.numbers[index]]] += values[index]
    }
    let shown = sums.sorted { $0.key < $1.key }.suffix(StatisticsPage.monthLimit)
    let chart = BarChart(
      key: key, words: words, quantity: quantity, sources: sources,
      bars: shown.map { BarChart.Bar(name: $0.key.text, values: $0.value) })
    html.element("section") { html in
      heading(key, &html)
      chart.write(&html)
    }
  }

  private func top(
    _ key: String, _ ranking: [(name: String, count: Int)], _ path: ((String) -> String)?,
    _ root: String, _ html: inout HTMLWriter
  ) {
    guard let most = ranking.first?.count else { return }
    html.element("section") { html in
      heading(key, &html)
      html.element("ol", ["class": "ranking"]) { html in
        for entry in ranking.prefix(StatisticsPage.topLimit) {
          html.element("li") { html in
            if let path {
              html.element(
                "a", ["href": root + path(entry.name), "dir": "auto"], text: entry.name)
            } else {
              html.element("bdi", text: entry.name)
            }
            words.writeCount(entry.count, &html)
            html.element(
              "meter",
              ["max": String(most), "value": String(entry.count), "aria-hidden": "true"]
            ) { _ in }
          }
        }
      }
    }
  }

  private func largest(_ rows: [LibraryRow], _ root: String, _ html: inout HTMLWriter) {
    let largest = StatisticsPage.largest(rows)
    guard !largest.isEmpty else { return }
    html.element("section") { html in
      heading("largest", &html)
      html.element("ol", ["class": "ranking"]) { html in
        for row in largest {
          html.element("li") { html in
            html.element(
              "a", ["href": "\(root)\(SiteText.path(row.folder))/index.html", "dir": "auto"],
              text: row.title)
            html.element("span", ["class": "count"]) {
              words.write(row.byteCount, .bytes, &$0)
            }
          }
        }
      }
    }
  }

  /// Returns the largest items, of equal ones the first by folder; most rows are looked at once.
  private static func largest(_ rows: [LibraryRow]) -> [LibraryRow] {
    var largest: [LibraryRow] = []
    for row in rows {
      if largest.count == topLimit, let last = largest.last, !isBefore(row, last) { continue }
      let place = largest.firstIndex { isBefore(row, $0) } ?? largest.endIndex
      largest.insert(row, at: place)
      if largest.count > topLimit { largest.removeLast() }
    }
    return largest
  }

  private static func isBefore(_ one: LibraryRow, _ other: LibraryRow) -> Bool {
    one.byteCount != other.byteCount
      ? one.byteCount > other.byteCount : one.folder < other.folder
  }

  private static func ranking(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }
}
