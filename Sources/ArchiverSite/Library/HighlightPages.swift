import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// All highlights of the user, by the year in which the items were saved.
struct HighlightPages: Sendable {
  let words: Words
  let sections: [LibraryShell.Section]

  /// An item and its highlights.
  struct Marked: Sendable {
    let row: LibraryRow
    let annotations: [Annotation]
  }

  /// Writes the pages of the rows that have highlights, newest first; the last year is on
  /// `library/highlights.html`. `item` reads the item of a row.
  func write(
    _ rows: RowList, item: (ItemKey) throws(StorageError) -> CatalogItem?, to files: SiteFiles
  ) throws {
    var years: [(year: Int, rows: RowList)] = []
    var rest = rows
    while let newest = rest.first {
      let year = CivilDate(newest.day).year
      years.append((year, rest.prefix { CivilDate($0.day).year == year }))
      rest = rest.dropFirst(years[years.count - 1].rows.count)
    }
    let order = years.map(\.year)
    if order.isEmpty { try files.put(path(0, 0), page([], order, 0)) }
    for (index, (year, rows)) in years.enumerated() {
      var key = PageKey(words, sections)
      for year in [index] + order { key.add(year) }
      key.add(rows)
      let path = path(index, year)
      // Items are read here because reading may fail, and only for pages that are rebuilt.
      var marked: [Marked] = []
      if !files.isCurrent(path, key.value) {
        for row in try rows.loaded() {
          marked.append(Marked(row: row, annotations: try item(row.key)?.annotations ?? []))
        }
      }
      try files.put([
        SiteFiles.Page(path: path, key: key.value) { [marked] in page(marked, order, index) }
      ])
    }
  }

  private func path(_ index: Int, _ year: Int) -> String {
    index == 0 ? "library/highlights.html" : "library/highlights-\(year).html"
  }

  private func page(_ marked: [Marked], _ years: [Int], _ current: Int) -> [UInt8] {
    let path = path(current, years.isEmpty ? 0 : years[current])
    let shell = LibraryShell(
      words, sections, path: path, title: words.text("highlights"), section: .highlights,
      scripts: ["highlights.js"])
    return shell.render { html in
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
  }

  private func yearLinks(
    _ years: [Int], _ current: Int, _ root: String, _ html: inout HTMLWriter
  ) {
    guard years.count > 1 else { return }
    html.element("nav", ["aria-label": words.text("year"), "data-label": "year"]) { html in
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
      html.element("h2", ["dir": "auto"]) { html in
        html.element("a", ["href": page, "lang": marked.row.language], text: marked.row.title)
      }
      html.element("ul") { html in
        for annotation in marked.annotations {
          html.element(
            "li", ["class": HighlightColor.word(annotation.color), "dir": "auto"]
          ) { html in
            html.element("blockquote", ["lang": marked.row.language]) {
              $0.element(
                "a", ["href": "\(page)#\(SiteText.fragment(of: annotation))"],
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
