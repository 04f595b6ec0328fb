import ArchiverMarkup
import ArchiverStorage

/// `index.html` at the root of the archive: the newest items.
struct IndexPage {
  static let path = "index.html"
  static let itemCount = 48
  let words: Words
  let sections: [LibraryShell.Section]

  func page(
    _ rows: RowList, _ totals: LibraryTotals, months: [DatePages.Part]
  ) throws -> [UInt8] {
    let newest = try rows.prefix(IndexPage.itemCount).loaded()
    let shell = LibraryShell(
      words, sections, .items, title: words.text("library"), scripts: LibraryAssets.app)
    return shell.render { html in
      words.write("h1", "library", with: ["class": "quiet"], &html)
      html.element("div", ["id": "health", "class": "health"]) { sources(totals, &$0) }
      if rows.isEmpty {
        empty(&html)
      } else {
        list(newest, of: rows.count, months, &html)
      }
    }
  }

  /// Writes the status of the sources for browsers without scripts; `health.js` replaces it.
  private func sources(_ totals: LibraryTotals, _ html: inout HTMLWriter) {
    guard !totals.sources.isEmpty else { return }
    html.element("ul", ["aria-label": words.text("health")]) { html in
      for (name, sum) in totals.sources.sorted(by: { $0.key < $1.key }) {
        html.element("li", ["class": "source"]) { html in
          html.element("strong", text: name)
          html.text(" \(words.count(sum.count)) · ")
          html.text(words.bytes(sum.byteCount))
        }
      }
    }
  }

  private func list(
    _ newest: [LibraryRow], of count: Int, _ months: [DatePages.Part], _ html: inout HTMLWriter
  ) {
    html.element("div", ["id": "app"]) { html in
      words.write("p", "itemCount", with: ["class": "total"], number: count, &html)
      ItemList(words: words, root: "").write(newest, &html)
      let next = months.first { $0.rows.endIndex > IndexPage.itemCount }
      words.writeTurn(nil, count > IndexPage.itemCount ? next?.path : nil, &html)
    }
  }

  private func empty(_ html: inout HTMLWriter) {
    html.element("div", ["class": "empty"]) { html in
      words.write("h2", "emptyTitle", &html)
      words.write("p", "emptyText", &html)
      html.element("pre") { $0.element("code", text: "archiver run") }
    }
  }
}
