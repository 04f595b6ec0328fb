import ArchiverCore
import ArchiverMarkup

/// Everything the user marked, by the year in which the items were saved.
struct HighlightPages {
  let words: Words
  let sections: [LibraryShell.Section]

  /// An item and its highlights.
  struct Marked {
    let row: LibraryRow
    let annotations: [Annotation]
  }

  /// Returns the pages; the last year is on `library/highlights.html`.
  func pages(_ marked: [Marked]) -> [GroupPages.Page] {
    let years = Dictionary(grouping: marked) { CivilDate($0.row.saved).year }
    let order = years.keys.sorted(by: >)
    if order.isEmpty { return [page(nil, [], order, 0)] }
    return order.enumerated().map { index, year in
      page(year, years[year] ?? [], order, index)
    }
  }

  private func path(_ index: Int, _ year: Int) -> String {
    index == 0 ? "library/highlights.html" : "library/highlights-\(year).html"
  }

  private func page(
    _ year: Int?, _ marked: [Marked], _ years: [Int], _ current: Int
  ) -> GroupPages.Page {
    let path = path(current, year ?? 0)
    let shell = LibraryShell(
      words, sections, path: path, title: words.text("highlights"), section: .highlights,
      scripts: ["highlights.js"])
    let bytes = shell.render { html in
      html.element("h1", ["data-w": "highlights"], text: words.text("highlights"))
      if marked.isEmpty {
        html.element(
          "p", ["class": "why", "data-w": "noHighlights"], text: words.text("noHighlights"))
        return
      }
      yearLinks(years, current, shell.root, &html)
      html.element("div", ["id": "tools", "class": "filters"]) { _ in }
      for item in marked {
        html.raw("\n")
        section(item, shell.root, &html)
      }
    }
    return GroupPages.Page(path: path, bytes: bytes)
  }

  private func yearLinks(
    _ years: [Int], _ current: Int, _ root: String, _ html: inout HTMLWriter
  ) {
    guard years.count > 1 else { return }
    html.element("nav", ["aria-label": words.text("year")]) { html in
      html.element("ul", ["class": "sections"]) { html in
        for (index, year) in years.enumerated() {
          html.element("li") { html in
            html.element(
              "a",
              [
                "href": root + path(index, year),
                "aria-current": index == current ? "page" : nil,
              ], text: String(year))
          }
        }
      }
    }
  }

  private func section(_ marked: Marked, _ root: String, _ html: inout HTMLWriter) {
    let page = "\(root)\(SiteText.path(marked.row.folder))/index.html"
    html.element("section", ["class": "marked"]) { html in
      html.element("h2") { html in
        html.element(
          "a", ["href": page, "dir": "auto", "lang": marked.row.language], text: marked.row.title)
      }
      html.element("ul") { html in
        for annotation in marked.annotations {
          html.element("li", ["class": HighlightColor.word(annotation.color)]) { html in
            html.element("blockquote", ["dir": "auto", "lang": marked.row.language]) {
              $0.element(
                "a", ["href": "\(page)#\(SiteText.fragment("hl-\(annotation.id)"))"],
                text: annotation.text)
            }
            if let note = annotation.note, !note.isEmpty {
              html.element("p", ["class": "note", "dir": "auto"], text: note)
            }
          }
        }
      }
    }
  }
}
