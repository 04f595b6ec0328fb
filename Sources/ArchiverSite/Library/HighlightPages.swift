import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// All highlights of the user, by the year in which the items were saved.
struct HighlightPages: Sendable {
  let words: Words
  let sections: [LibraryShell.Section]

  /// An item and its highlights.
  private typealias Marked = (row: LibraryRow, annotations: [Annotation])

  /// Writes the pages of the rows that have highlights, newest first; the last year is on
  /// `library/highlights.html`. `item` reads the item of a row.
  func write(
    _ rows: RowList, item: (ItemKey) throws(StorageError) -> CatalogItem?, to files: SiteFiles
  ) throws {
    let years = rows.runs { CivilDate($0.day).year }
    let order = years.map(\.value)
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
          marked.append((row, try item(row.key)?.annotations ?? []))
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
    let shell = LibraryShell(
      words, sections, .highlights, path: path(current, years.isEmpty ? 0 : years[current]),
      scripts: ["highlights.js"])
    return shell.render { html in
      words.write("h1", "highlights", &html)
      if marked.isEmpty {
        words.write("p", "noHighlights", with: ["class": "why"], &html)
        return
      }
      let pages = years.enumerated().map { (path($0, $1), String($1)) }
      words.writeYears(pages, current: current, shell.root, &html)
      html.element("div", ["id": "tools", "class": "filters"]) { _ in }
      for item in marked {
        html.raw("\n")
        section(item, shell.root, &html)
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
