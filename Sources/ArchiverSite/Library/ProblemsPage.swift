import ArchiverMarkup
import ArchiverStorage

/// `library/problems.html`: what is missing. What failed comes from `status.js` when it is opened.
struct ProblemsPage {
  static let path = "library/problems.html"
  let words: Words
  let sections: [LibraryShell.Section]

  func page(_ rows: RowList) throws -> [UInt8] {
    let title = words.text("problems")
    let shell = LibraryShell(
      words, sections, path: ProblemsPage.path, title: title, section: .problems,
      scripts: ["problems.js"])
    let missing = try rows.only(\.lacksImages).loaded()
    let gone = try rows.only { rows.origin($0).standing == .deleted }.loaded()
    let withheld = try rows.only { rows.origin($0).standing == .withheld }.loaded()
    return shell.render { html in
      html.element("h1", ["data-w": "problems"], text: title)
      html.element("section", ["id": "failures"]) { _ in }
      list("missingImages", missing, shell.root, &html) { row, html in
        html.element(
          "span",
          ["class": "count", "data-w": "missingCount", "data-n": String(row.missingImages)],
          text: words.counted("missingCount", row.missingImages))
      }
      for (key, rows) in [("withheldItems", withheld), ("goneItems", gone)] {
        list(key, rows, shell.root, &html) { row, html in
          html.element("span", ["class": "count"], text: CivilDate(row.saved).dayText)
        }
      }
      if missing.isEmpty, gone.isEmpty, withheld.isEmpty {
        html.element(
          "p", ["id": "none", "class": "why", "data-w": "noProblems"],
          text: words.text("noProblems"))
      }
    }
  }

  private func list(
    _ key: String, _ rows: [LibraryRow], _ root: String, _ html: inout HTMLWriter,
    _ detail: (LibraryRow, inout HTMLWriter) -> Void
  ) {
    guard !rows.isEmpty else { return }
    html.element("section") { html in
      html.element("h2", ["data-w": key], text: words.text(key))
      html.element("ul", ["class": "ranking"]) { html in
        for row in rows {
          html.element("li") { html in
            html.element(
              "a", ["href": "\(root)\(SiteText.path(row.folder))/index.html", "dir": "auto"],
              text: row.title)
            detail(row, &html)
          }
        }
      }
    }
  }
}
