import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// `library/problems.html`: missing parts. Failures are read from `status.js` when the page is
/// opened.
struct ProblemsPage {
  static let path = "library/problems.html"
  let words: Words
  let sections: [LibraryShell.Section]
  let standing: QueueStanding

  /// - Parameter item: Returns an item of the catalog.
  func page(
    _ rows: RowList, item: (ItemKey) throws(StorageError) -> CatalogItem?
  ) throws -> [UInt8] {
    let shell = LibraryShell(words, sections, .problems, scripts: ["problems.js"])
    let missing = try rows.only(LibraryRow.Traits.incomplete).loaded()
    let losses = try missing.map { row in
      // Bundles of earlier versions record only the number of missing images.
      try item(row.key)?.losses ?? Losses(pictures: row.missingParts)
    }
    let gone = try rows.only(LibraryRow.Traits.deleted).loaded()
    let withheld = try rows.only(LibraryRow.Traits.withheld).loaded()
    return shell.render { html in
      var rest = losses[...]
      words.write("h1", "problems", &html)
      html.element("section", ["id": "failures"]) { _ in }
      list("missingParts", missing, shell.root, &html) { row, html in
        parts(rest.removeFirst(), standing.states[row.key]?.nextAttempt, &html)
      }
      for (key, rows) in [("withheldItems", withheld), ("goneItems", gone)] {
        list(key, rows, shell.root, &html) { row, html in
          let date = CivilDate(row.saved)
          html.element(
            "time", ["class": "count", "datetime": date.dayText], text: words.date(date))
        }
      }
      if missing.isEmpty, gone.isEmpty, withheld.isEmpty {
        // The script shows this, unless a source fails, which the static page does not know.
        html.element(
          "p", ["id": "none", "class": "why", "data-w": "noProblems", "hidden": ""],
          text: words.text("noProblems"))
      }
    }
  }

  /// Writes the missing parts, the reason, and whether they will be retried.
  private func parts(_ losses: Losses, _ next: Date?, _ html: inout HTMLWriter) {
    html.element("ul", ["class": "lost"]) { html in
      for entry in losses.entries {
        html.element("li", ["class": entry.isEssential ? "essential" : nil]) { html in
          let key = entry.isKept == true ? "part.kept" : "part.\(entry.kind.rawValue)"
          words.write("span", key, number: entry.count, &html)
          if !entry.reason.isEmpty {
            html.text(": ")
            html.element("span", ["dir": "auto"], text: entry.reason)
          }
          if entry.isPermanent {
            html.text(" · ")
            words.write("span", "goneForGood", &html)
          } else if let next {
            html.text(" · ")
            let day = CivilDate(next)
            html.element(
              "span", ["data-w": "nextAttempt", "data-d": day.dayText],
              text: words.text("nextAttempt", words.date(day)))
          }
        }
      }
    }
  }

  private func list(
    _ key: String, _ rows: [LibraryRow], _ root: String, _ html: inout HTMLWriter,
    _ detail: (LibraryRow, inout HTMLWriter) -> Void
  ) {
    guard !rows.isEmpty else { return }
    html.element("section") { html in
      words.write("h2", key, &html)
      html.element("ul", ["class": "ranking"]) { html in
        for row in rows {
          html.element("li") { html in
            html.link(toItem: row.folder, root, text: row.title)
            detail(row, &html)
          }
        }
      }
    }
  }
}
