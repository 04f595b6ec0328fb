import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The plain lists without scripts: all items by the month in which they were saved.
///
/// A month's pages change only when an item of that month changes. Pages counted from the newest
/// item would all change with each new item.
struct DatePages: Sendable {
  static let partSize = 80
  let words: Words
  let sections: [LibraryShell.Section]

  /// One page of a month.
  struct Part: Sendable {
    let month: String
    /// The number of the page, as in `PageParts`.
    let number: Int?
    let title: String
    let rows: RowList

    /// The value from which scripts build the title in another language.
    var marks: HTMLWriter.Attributes {
      ["data-m": month, "data-v": number.map(String.init)]
    }

    var path: String {
      number.map { "library/\(month)-\($0).html" } ?? "library/\(month).html"
    }
  }

  /// Returns the pages of rows, which must be sorted newest first, in the same order.
  func parts(_ rows: RowList) -> [Part] {
    var parts: [Part] = []
    for (_, rows) in rows.runs(by: { CivilDate($0.day).monthNumber }) {
      let date = CivilDate(rows[rows.startIndex].day)
      let title = words.month(year: date.year, month: date.month)
      for part in PageParts.of(rows.count, size: DatePages.partSize) {
        parts.append(
          Part(
            month: date.monthText, number: part.number,
            title: part.number.map { words.text("part", title, String($0)) } ?? title,
            rows: rows.dropFirst(part.range.lowerBound).prefix(part.range.count)))
      }
    }
    return parts
  }

  /// Returns a hash of everything that `page` shows.
  func key(_ part: Part, newer: Part?, older: Part?) -> UInt64 {
    var key = PageKey(words, sections)
    for text in [part.path, part.title, newer?.path ?? "", older?.path ?? ""] { key.add(text) }
    key.add(part.rows)
    return key.value
  }

  func page(_ part: Part, newer: Part?, older: Part?) throws -> [UInt8] {
    let rows = try part.rows.loaded()
    let shell = LibraryShell(words, sections, .dates, path: part.path, title: part.title)
    return shell.render { html in
      html.element("h1", part.marks, text: part.title)
      ItemList(words: words, root: shell.root).write(rows, &html)
      words.writeTurn(
        newer.map { shell.root + $0.path }, older.map { shell.root + $0.path }, &html)
    }
  }

  /// The list of all months with their counts.
  func overview(_ parts: [Part]) -> [UInt8] {
    let shell = LibraryShell(words, sections, .dates)
    return shell.render { html in
      words.write("h1", "dates", &html)
      if parts.isEmpty {
        words.write("p", "emptyTitle", with: ["class": "why"], &html)
      }
      var rest = parts[...]
      while let year = rest.first?.month.prefix(4) {
        let ofYear = rest.prefix { $0.month.prefix(4) == year }
        rest = rest.dropFirst(ofYear.count)
        html.element("h2", text: String(year))
        html.element("ul", ["class": "index"]) { html in
          for part in ofYear {
            html.element("li") { html in
              html.element(
                "a",
                [
                  "href": shell.root + part.path, "data-m": part.month,
                  "data-v": part.number.map(String.init),
                ], text: part.title)
              html.text(" ")
              words.writeCount(part.rows.count, &html)
            }
          }
        }
      }
    }
  }
}
