import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// The plain lists that need no script: all items by the month in which they were saved.
///
/// A month's page changes only when an item of that month does, which pages counted from the
/// newest item would not.
struct DatePages {
  static let partSize = 120
  let words: Words
  let sections: [LibraryShell.Section]

  /// A page of a month.
  struct Part {
    let month: String
    let number: Int
    let title: String
    let rows: ArraySlice<LibraryRow>

    /// What scripts make the title of in another language.
    var marks: HTMLWriter.Attributes {
      ["data-m": month, "data-v": number > 1 ? String(number) : nil]
    }

    var path: String {
      number == 1 ? "library/\(month).html" : "library/\(month)-\(number).html"
    }
  }

  /// Returns the pages of rows that are sorted newest first, in the same order.
  func parts(_ rows: [LibraryRow]) -> [Part] {
    var parts: [Part] = []
    var start = 0
    while start < rows.count {
      let date = CivilDate(rows[start].saved)
      var end = start
      while end < rows.count, CivilDate(rows[end].saved).monthText == date.monthText { end += 1 }
      let title = words.month(year: date.year, month: date.month)
      for (index, first) in stride(from: start, to: end, by: DatePages.partSize).enumerated() {
        let slice = rows[first..<min(end, first + DatePages.partSize)]
        parts.append(
          Part(
            month: date.monthText, number: index + 1,
            title: index == 0 ? title : words.text("part", title, String(index + 1)),
            rows: slice))
      }
      start = end
    }
    return parts
  }

  func page(_ part: Part, newer: Part?, older: Part?) -> [UInt8] {
    let shell = LibraryShell(words, sections, path: part.path, title: part.title, section: .dates)
    return shell.render { html in
      html.element("h1", part.marks, text: part.title)
      ItemList(words: words, root: shell.root).write(part.rows, &html)
      html.element("nav", ["class": "turn"]) { html in
        if let newer {
          html.element("a", ["href": shell.root + newer.path, "rel": "prev"]) { html in
            html.text("← ")
            html.element("span", ["data-w": "newer"], text: words.text("newer"))
          }
        }
        if let older {
          html.element("a", ["href": shell.root + older.path, "rel": "next"]) { html in
            html.element("span", ["data-w": "older"], text: words.text("older"))
            html.text(" →")
          }
        }
      }
    }
  }

  /// The list of all months with their counts.
  func overview(_ parts: [Part]) -> [UInt8] {
    let shell = LibraryShell(
      words, sections, path: "library/dates.html", title: words.text("dates"), section: .dates)
    return shell.render { html in
      html.element("h1", ["data-w": "dates"], text: words.text("dates"))
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
                  "data-v": part.number > 1 ? String(part.number) : nil,
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
