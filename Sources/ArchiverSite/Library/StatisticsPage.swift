import ArchiverCore
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
    let months = Months(rows)
    return shell.render { html in
      html.element("h1", ["data-w": "statistics"], text: title)
      totals(rows, &html)
      chart("itemsPerMonth", .count, rows, { _ in 1 }, months, origins, &html)
      chart("bytesPerMonth", .bytes, rows, \.byteCount, months, origins, &html)
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

  /// The months in which items came into the archive.
  private struct Months {
    /// In the order in which they first came.
    private(set) var names: [String] = []
    /// The place in `names` of each row's.
    private(set) var numbers: [Int] = []

    init(_ rows: [LibraryRow]) {
      var known: [String: Int] = [:]
      var lastDay: Double?
      for row in rows {
        let day = (row.archived.timeIntervalSince1970 / 86_400).rounded(.down)
        if day == lastDay, let last = numbers.last {
          numbers.append(last)
          continue
        }
        lastDay = day
        let name = CivilDate(row.archived).monthText
        let number = known[name] ?? names.count
        if number == names.count {
          known[name] = number
          names.append(name)
        }
        numbers.append(number)
      }
    }
  }

  /// Draws sums by month and source.
  private func chart(
    _ key: String, _ quantity: Quantity, _ rows: [LibraryRow], _ value: (LibraryRow) -> Int,
    _ months: Months, _ origins: RowCensus<RowOrigin>, _ html: inout HTMLWriter
  ) {
    guard !rows.isEmpty else { return }
    let sources = Set(origins.groups.map(\.source)).sorted()
    let columns = origins.groups.map { sources.firstIndex(of: $0.source) ?? 0 }
    var sums = Array(repeating: 0, count: months.names.count * sources.count)
    for (index, row) in rows.enumerated() {
      sums[months.numbers[index] * sources.count + columns[origins.numbers[index]]] += value(row)
    }
    let order = months.names.indices.sorted { months.names[$0] < months.names[$1] }
    let bars = order.suffix(StatisticsPage.monthLimit).map { month in
      let start = month * sources.count
      return BarChart.Bar(
        name: months.names[month], values: Array(sums[start..<start + sources.count]))
    }
    let chart = BarChart(
      key: key, words: words, quantity: quantity, sources: sources, bars: bars)
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
